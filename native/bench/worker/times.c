#include "times.h"

#include <errno.h>
#include <time.h>

#define SPINNING (100 * 1000ll) /* a processor that slept deeply takes that long to be itself again */

static int64_t read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

int64_t now_nanos(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t process_nanos(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void sleep_until(int64_t moment)
{
    int64_t wake = moment - SPINNING;
    struct timespec time = {.tv_sec = wake / SECOND, .tv_nsec = wake % SECOND};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
    while (now_nanos() < moment) {
    }
}
