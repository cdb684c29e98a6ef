/* No HIP runtime, an old one, or one by another name. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "../cuda/program.h"
#include "hip.h"

static void *runtime;

extern __typeof__(hipModuleLaunchKernel) hipModuleLaunchKernel __attribute__((weak));

#define CALL(name, ...) ((__typeof__(&name))find(#name))(__VA_ARGS__)

#ifdef SHIM_LINKED_IN
#define OURS "absent"
#else
#define OURS "libxsched"
#endif

static void *find(const char *name)
{
    void *found = dlsym(runtime, name);
    CHECK(found != NULL);
    return found;
}

static bool is_in(const char *file, void *address)
{
    Dl_info info;
    return address != NULL && dladdr(address, &info) != 0 && strstr(info.dli_fname, file) != NULL;
}

static int launch_here(void *stream)
{
    return CALL(hipModuleLaunchKernel, NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
}

static void start(const char *file)
{
    runtime = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    CHECK(runtime != NULL);
    standin_start(&standin);
    standin_host(&standin, &guest);
    CHECK(launch_here(NULL) == 0);
    standin_hosted(&standin);
    slot = &guest.block->slot[0];
    __atomic_store_n(&slot->others, XSCHED_OTHERS_BELOW, __ATOMIC_SEQ_CST);
    finish();
}

static void check_launches(void)
{
    void *stream;
    CHECK(CALL(hipStreamCreateWithFlags, &stream, 0) == 0);
    void *const streams[] = {NULL, PER_THREAD, stream};
    for (int i = 0; i < 3; i++) {
        uint64_t before = launched();
        CHECK(launch_here(streams[i]) == 0 && launched() == before + 1);
        finish();
    }
}

static void no_runtime(void)
{
    CHECK(dlsym(RTLD_DEFAULT, "hipLaunchKernel") == NULL);
    CHECK(strstr(dlerror(), "hipLaunchKernel") != NULL);
    CHECK(dlsym(RTLD_DEFAULT, "hipMalloc") == NULL);
}

/* It knows a device only by where it is plugged in, and no stream's device but by its first name. */
static void old_runtime(void)
{
    static const char *const missing[] = {"hipLaunchKernelExC", "hipGetProcAddress",
                                          "hipGraphLaunch_spt", "hipLaunchHostFunc"};
    start(built("old/libamdhip64.so.5"));
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        CHECK(dlsym(RTLD_DEFAULT, missing[i]) == NULL && dlsym(runtime, missing[i]) == NULL);
        CHECK(strstr(dlerror(), missing[i]) != NULL);
    }
    CHECK(is_in(OURS, dlsym(RTLD_DEFAULT, "hipLaunchKernel")));
    CHECK(strcmp(slot->device, "hip:0000:0c:00.0") == 0);
    check_launches();
}

static void new_runtime(void)
{
    start(built("libamdhip64.so.6"));
    CHECK(strcmp(slot->device, "gpu:35636131-6162-3165-3030-303030303030") == 0);
    check_launches();
}

/* Who is linked with a runtime that is not there has found us instead. */
static void called_without_a_runtime(void)
{
    __typeof__(&hipModuleLaunchKernel) volatile launch_kernel = hipModuleLaunchKernel;
    CHECK(launch_kernel != NULL);
    setenv("XSCHED_HIP_LIB", "/nowhere", 1);
    CHECK(launch_kernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 303);
}

static void runtime_by_another_name(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/libaccelerator.so", test_folder());
    CHECK(symlink(built("libamdhip64.so.6"), path) == 0);
    setenv("XSCHED_HIP_LIB", path, 1);
    start(path);
    CHECK(is_in("libaccelerator", dlsym(runtime, "hipMalloc")));
    CHECK(is_in(OURS, dlsym(runtime, "hipLaunchKernel")));
    check_launches();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"without a runtime no function is found", no_runtime},
        {"an old runtime has no new functions", old_runtime},
        {"a new one names its devices", new_runtime},
        {"who calls us without a runtime is told so", called_without_a_runtime},
        {"a runtime by another name is one if the user says so", runtime_by_another_name},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
