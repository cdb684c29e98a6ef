#include <time.h>

#include "client.h"

static int64_t read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000ll + time.tv_nsec;
}

int64_t xsched_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t xsched_now_coarse(void)
{
    return read_clock(CLOCK_MONOTONIC_COARSE);
}
