#include "throttle.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answer.h"

#define MOST_TOKENS 100e6
#define LONGEST_WAIT 2000000 /* the share may change meanwhile */
#define SHORTEST_WAIT 20000

bool throttle_open(struct throttle *throttle, const char *path)
{
    struct stat file;
    struct throttle_page *page = MAP_FAILED;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &file) != 0) {
        problem("throttle %s: %s; make it before the play", path, strerror(errno));
    } else if (file.st_size < (off_t)sizeof *page) {
        problem("throttle %s is shorter than %zu bytes; make it that long", path, sizeof *page);
    } else {
        page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (page == MAP_FAILED) {
            problem("throttle %s: %s; put it on a disk or into /dev/shm", path, strerror(errno));
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    *throttle = (struct throttle){.page = page == MAP_FAILED ? NULL : page};
    return throttle->page != NULL;
}

void throttle_close(struct throttle *throttle)
{
    if (throttle->page != NULL) {
        munmap(throttle->page, sizeof *throttle->page);
    }
}

int64_t throttle_wait(struct throttle *throttle, int64_t now)
{
    if (throttle->page == NULL) {
        return 0;
    }
    uint64_t share = __atomic_load_n(&throttle->page->share, __ATOMIC_RELAXED);
    double per_nano = (double)(share < WHOLE_DEVICE ? share : WHOLE_DEVICE) / WHOLE_DEVICE;
    if (throttle->filled != 0) {
        throttle->tokens += per_nano * (double)(now - throttle->filled);
    }
    throttle->filled = now;
    if (throttle->tokens > MOST_TOKENS) {
        throttle->tokens = MOST_TOKENS;
    }
    if (share >= WHOLE_DEVICE || (throttle->tokens >= 0 && share > 0)) {
        return 0;
    }
    double nanos = share == 0 ? LONGEST_WAIT : -throttle->tokens / per_nano;
    return nanos > LONGEST_WAIT    ? LONGEST_WAIT
           : nanos < SHORTEST_WAIT ? SHORTEST_WAIT
                                   : (int64_t)nanos;
}

void throttle_charge(struct throttle *throttle, int64_t cost)
{
    if (throttle->page != NULL) {
        throttle->tokens -= (double)cost;
        __atomic_fetch_add(&throttle->page->done, 1, __ATOMIC_RELEASE);
    }
}
