#include "program.h"

#include <string.h>
#include <unistd.h>

struct standin standin;
struct guest guest;
struct xsched_slot *slot;
void *context;

const char *program_path(void)
{
    static char self[4096];
    if (self[0] == 0) {
        CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    }
    return self;
}

const char *built(const char *file)
{
    static char path[8192];
    const char *self = program_path();
    snprintf(path, sizeof path, "%.*s%s", (int)(strrchr(self, '/') + 1 - self), self, file);
    return path;
}

static char **own_arguments;

void run_again_with(const char *variable, const char *value, const char *containing)
{
    const char *now = getenv(variable);
    if (now == NULL || strstr(now, containing) == NULL) {
        setenv(variable, value, 1);
        execv(program_path(), own_arguments);
        CHECK(false);
    }
}

int run_preloaded(int count, char **arguments, const struct test *tests, size_t test_count)
{
    own_arguments = arguments;
    if (count == 2) {
#ifndef SHIM_LINKED_IN
        setenv("LD_PRELOAD", built("../../libxsched.so"), 1);
#endif
        setenv("LD_LIBRARY_PATH", built(""), 1);
    }
    test_folder();
    return run_tests(count, arguments, tests, test_count);
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
