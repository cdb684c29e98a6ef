/*
 * How a program shows whoever watches it that it gets on: a small file that both have mapped. So it
 * can be killed at any moment, and nobody waits at a pipe. The Java side is dev.xsched.bench.kills.Pulse.
 * All times are CLOCK_MONOTONIC in nanoseconds.
 */
#ifndef XSCHED_CHECKED_PULSE_H
#define XSCHED_CHECKED_PULSE_H

#include <stdbool.h>
#include <stdint.h>

struct pulse {
    uint64_t checked; /* results that were compared with what they must be */
    uint64_t wrong;   /* of these */
    int64_t beat;     /* when it last got on; while it rests, when that will end; 0: not yet */
    int64_t longest;  /* the longest that it took to get on */
    uint64_t bursting; /* 1 while it has work */
    uint64_t expected; /* of the first wrong result */
    uint64_t found;
    uint64_t paused; /* by who watches: 1 to leave the device alone */
};

_Static_assert(sizeof(struct pulse) == 64, "as in Java");

/* False, with a word to the standard error, if there is no such file of that size. */
bool pulse_open(const char *path);

/* There is work from now on, which is to be done soon. */
void pulse_begin(void);
/* A piece of it is done, with this result. */
void pulse_check(uint64_t found, uint64_t expected);
/* There is none for some time. */
void pulse_rest(int64_t nanos);

bool pulse_is_paused(void);
bool pulse_is_clean(void);
int64_t pulse_now(void);

#endif
