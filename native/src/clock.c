#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

/* The call itself, because the function of that name is one where threads are cancelled. */
void xsched_sleep(int64_t nanos)
{
    int error = errno;
    struct timespec time = {.tv_sec = nanos / 1000000000ll, .tv_nsec = nanos % 1000000000ll};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
    errno = error;
}
