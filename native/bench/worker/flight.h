/* Requests on their way through the device. */
#ifndef XSCHED_WORKER_FLIGHT_H
#define XSCHED_WORKER_FLIGHT_H

#include "queue.h"

struct flight {
    void *mark;
    int64_t begun;
    int64_t first;   /* when its first kernel had ended; 0 unless each is waited for */
    int64_t longest; /* what the slowest of its other kernels took, if each is waited for */
    int64_t ended;   /* 0: not known yet */
};

/*
 * Launches all kernels of a request. A launch may take long, as it waits where somebody schedules:
 * after each one the earlier flight, if there is one, is asked whether it has ended. A plan that
 * waits for each kernel has ended when this returns.
 */
bool flight_begin(struct flight *flight, const struct queue *queue, struct flight *earlier);

/* Waits until it has ended. */
bool flight_end(struct flight *flight);

#endif
