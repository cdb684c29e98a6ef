#include "xsched_sharedxpu.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SIZE sizeof(struct xsched_sharedxpu)

static int64_t now_nanos(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* The file is complete before it gets its name, so whoever opens it finds a device. */
static bool fill(int fd)
{
    const uint32_t who[4] = {XSCHED_SHAREDXPU_MAGIC, XSCHED_SHAREDXPU_VERSION, (uint32_t)SIZE,
                             XSCHED_SHAREDXPU_RUNS};
    /* Any user may have work for a device, and mkstemp made a file of ours alone. */
    return fchmod(fd, 0666) == 0 && ftruncate(fd, SIZE) == 0 &&
           pwrite(fd, who, sizeof who, 0) == (ssize_t)sizeof who;
}

/* Makes the file under another name and links it; it is no error if somebody else was faster. */
static bool make(const char *path)
{
    char temporary[PATH_MAX];
    int length = snprintf(temporary, sizeof temporary, "%s.%ld.XXXXXX", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    int fd = mkstemp(temporary);
    if (fd < 0) {
        return false;
    }
    bool made = fill(fd) && (link(temporary, path) == 0 || errno == EEXIST);
    int error = errno;
    close(fd);
    unlink(temporary);
    errno = error;
    return made;
}

static int open_or_make(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && make(path)) {
        fd = open(path, O_RDWR | O_CLOEXEC);
    }
    return fd;
}

static struct xsched_sharedxpu *map(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_size != (off_t)SIZE) {
        return NULL;
    }
    struct xsched_sharedxpu *device = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (device == MAP_FAILED) {
        return NULL;
    }
    if (device->magic != XSCHED_SHAREDXPU_MAGIC || device->version != XSCHED_SHAREDXPU_VERSION ||
        device->size != SIZE) {
        munmap(device, SIZE);
        return NULL;
    }
    return device;
}

struct xsched_sharedxpu *xsched_sharedxpu_open(const char *path, char name[64], char *error,
                                               size_t error_size)
{
    char real[PATH_MAX];
    int fd = open_or_make(path);
    if (fd < 0 || realpath(path, real) == NULL) {
        snprintf(error, error_size, "cannot open the device '%s': %s", path, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    if (snprintf(name, 64, "shared:%s", real) >= 64) {
        snprintf(error, error_size, "the path '%s' is too long; take one of at most 56 bytes",
                 real);
        close(fd);
        return NULL;
    }
    struct xsched_sharedxpu *device = map(fd);
    if (device == NULL) {
        snprintf(error, error_size, "'%s' is no device of this version; remove it or name another",
                 path);
    }
    close(fd);
    return device;
}

void xsched_sharedxpu_close(struct xsched_sharedxpu *device)
{
    munmap(device, SIZE);
}

static void record(struct xsched_sharedxpu *device, const struct xsched_sharedxpu_run *fact)
{
    uint64_t number = __atomic_fetch_add(&device->launches, 1, __ATOMIC_SEQ_CST);
    struct xsched_sharedxpu_run *run = &device->run[number % XSCHED_SHAREDXPU_RUNS];
    __atomic_store_n(&run->number, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&run->pid, fact->pid, __ATOMIC_RELAXED);
    __atomic_store_n(&run->queue, fact->queue, __ATOMIC_RELAXED);
    __atomic_store_n(&run->sequence, fact->sequence, __ATOMIC_RELAXED);
    __atomic_store_n(&run->start, fact->start, __ATOMIC_RELAXED);
    __atomic_store_n(&run->end, fact->end, __ATOMIC_RELAXED);
    __atomic_store_n(&run->number, number + 1, __ATOMIC_SEQ_CST);
}

int64_t xsched_sharedxpu_launch(struct xsched_sharedxpu *device, uint32_t queue, uint64_t sequence,
                                int64_t nanos)
{
    int64_t free_at = __atomic_load_n(&device->free_at, __ATOMIC_SEQ_CST);
    int64_t start;
    do {
        int64_t now = now_nanos();
        bool queued = free_at > now && free_at - now < XSCHED_SHAREDXPU_AHEAD_NANOS;
        start = queued ? free_at : now;
    } while (!__atomic_compare_exchange_n(&device->free_at, &free_at, start + nanos, false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    __atomic_fetch_add(&device->busy_nanos, (uint64_t)nanos, __ATOMIC_SEQ_CST);
    struct xsched_sharedxpu_run fact = {.pid = (uint32_t)getpid(),
                                        .queue = queue,
                                        .sequence = sequence,
                                        .start = start,
                                        .end = start + nanos};
    record(device, &fact);
    return fact.end;
}

void xsched_sharedxpu_sync(int64_t end)
{
    struct timespec time = {.tv_sec = end / 1000000000ll, .tv_nsec = end % 1000000000ll};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
}
