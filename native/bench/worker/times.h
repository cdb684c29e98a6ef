/* Moments and waiting, in nanoseconds of CLOCK_MONOTONIC. */
#ifndef XSCHED_WORKER_TIMES_H
#define XSCHED_WORKER_TIMES_H

#include <stdint.h>

#define MILLI 1000000ll
#define SECOND 1000000000ll

int64_t now_nanos(void);
int64_t process_nanos(void); /* processor time of all threads so far */

/* Sleeps, then spins for the last moments, as nobody wakes up in time. */
void sleep_until(int64_t moment);

#endif
