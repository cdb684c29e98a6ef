/*
 * A share of the device's time: a bucket of tokens, one for each nanosecond. A request costs what
 * it took; none begins while the bucket is below zero, or while there is no share at all.
 */
#ifndef XSCHED_WORKER_THROTTLE_H
#define XSCHED_WORKER_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#define WHOLE_DEVICE 1000000u

/* The file that the stage and the worker share. */
struct throttle_page {
    uint64_t done;  /* requests so far; the worker writes it */
    uint64_t share; /* of the device, in millionths; the stage writes it */
};

struct throttle {
    struct throttle_page *page; /* NULL: no throttle */
    double tokens;
    int64_t filled; /* when */
};

/* False, and a problem, if the file cannot be mapped. */
bool throttle_open(struct throttle *throttle, const char *path);
void throttle_close(struct throttle *throttle);

/* 0 if a request may begin now, else for how long to wait before asking again. */
int64_t throttle_wait(struct throttle *throttle, int64_t now);

void throttle_charge(struct throttle *throttle, int64_t cost);

#endif
