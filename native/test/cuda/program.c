#include "program.h"

#include <string.h>
#include <unistd.h>

struct standin standin;
struct guest guest;
struct xsched_slot *slot;
void *context;

static char self[4096];

const char *built(const char *file)
{
    static char path[8192];
    if (self[0] == 0) {
        ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        CHECK(length > 0);
        *strrchr(self, '/') = 0;
    }
    snprintf(path, sizeof path, "%s/%s", self, file);
    return path;
}

int run_preloaded(int count, char **arguments, const struct test *tests, size_t test_count)
{
    if (count == 2) {
        setenv("LD_PRELOAD", built("../../libxsched.so"), 1);
        setenv("LD_LIBRARY_PATH", built(""), 1);
    }
    test_folder();
    return run_tests(count, arguments, tests, test_count);
}

void start_scheduled(uint32_t others)
{
    standin_start(&standin);
    standin_host(&standin, &guest);
    CHECK(cuInit(0) == 0);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    launch(NULL);
    standin_hosted(&standin);
    slot = &guest.block->slot[0];
    CHECK(slot->state == XSCHED_SLOT_USED);
    __atomic_store_n(&slot->others, others, __ATOMIC_SEQ_CST);
    finish();
}

void launch(void *stream)
{
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL) == 0);
}

void *new_stream(void)
{
    void *stream;
    CHECK(cuStreamCreate(&stream, NON_BLOCKING) == 0);
    return stream;
}

uint64_t launched(void)
{
    return __atomic_load_n(&slot->launched, __ATOMIC_SEQ_CST);
}

uint64_t completed(void)
{
    return __atomic_load_n(&slot->completed, __ATOMIC_SEQ_CST);
}

bool is_idle(void)
{
    return __atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) == 0;
}

void finish(void)
{
    EVENTUALLY(is_idle());
    CHECK(completed() == launched());
}
