#include "pulse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct pulse *pulse;

int64_t pulse_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

bool pulse_open(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    bool fits = fd >= 0 && lseek(fd, 0, SEEK_END) == (off_t)sizeof *pulse;
    void *memory = fits ? mmap(NULL, sizeof *pulse, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                        : MAP_FAILED;
    if (fd >= 0) {
        close(fd);
    }
    if (memory == MAP_FAILED) {
        fprintf(stderr, "checked: no pulse in %s (%s); make a file of %zu bytes\n", path,
                fd >= 0 && !fits ? "another size" : strerror(errno), sizeof *pulse);
        return false;
    }
    pulse = memory;
    return true;
}

static void store(int64_t *field, int64_t value)
{
    __atomic_store_n(field, value, __ATOMIC_RELEASE);
}

static void count(uint64_t *field)
{
    __atomic_store_n(field, *field + 1, __ATOMIC_RELEASE);
}

void pulse_begin(void)
{
    store(&pulse->beat, pulse_now());
    __atomic_store_n(&pulse->bursting, 1, __ATOMIC_RELEASE);
}

void pulse_check(uint64_t found, uint64_t expected)
{
    int64_t now = pulse_now();
    if (found != expected) {
        if (pulse->wrong == 0) {
            pulse->expected = expected;
            pulse->found = found;
        }
        count(&pulse->wrong);
    }
    if (now - pulse->beat > pulse->longest) {
        store(&pulse->longest, now - pulse->beat);
    }
    store(&pulse->beat, now);
    count(&pulse->checked);
}

void pulse_rest(int64_t nanos)
{
    struct timespec time = {.tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000};
    __atomic_store_n(&pulse->bursting, 0, __ATOMIC_RELEASE);
    store(&pulse->beat, pulse_now() + nanos);
    nanosleep(&time, NULL);
}

bool pulse_is_paused(void)
{
    return __atomic_load_n(&pulse->paused, __ATOMIC_ACQUIRE) != 0;
}

bool pulse_is_clean(void)
{
    return pulse->wrong == 0;
}
