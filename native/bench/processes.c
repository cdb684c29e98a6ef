#include "processes.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void *share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) {
        fail("no memory of %zu bytes", size);
    }
    return memory;
}

pid_t start(void (*body)(void *), void *argument)
{
    fflush(stdout);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) {
        fail("no more processes can be started");
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            exit(1);
        }
        body(argument);
        exit(0);
    }
    return child;
}

void await_children(void)
{
    int status;
    while (wait(&status) >= 0) {
        if (status != 0) {
            fail("a process of the benchmark failed");
        }
    }
}

static void use_cores(bool last)
{
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) {
        return;
    }
    int core = CPU_SETSIZE - 1;
    while (!CPU_ISSET(core, &all)) {
        core--;
    }
    if (last) {
        CPU_ZERO(&all);
        CPU_SET(core, &all);
    } else {
        CPU_CLR(core, &all);
    }
    sched_setaffinity(0, sizeof all, &all);
}

void take_last_core(void)
{
    use_cores(true);
}

void leave_last_core(void)
{
    use_cores(false);
}

void sleep_nanos(int64_t nanos)
{
    struct timespec time = {.tv_sec = nanos / 1000000000ll, .tv_nsec = nanos % 1000000000ll};
    nanosleep(&time, NULL);
}

void sleep_until(int64_t nanos)
{
    struct timespec time = {.tv_sec = nanos / 1000000000ll, .tv_nsec = nanos % 1000000000ll};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
}

uint64_t next_random(uint64_t *state, uint64_t bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state % bound;
}
