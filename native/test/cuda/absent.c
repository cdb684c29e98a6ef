/* No driver, an old one, or one by another name. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

static void *driver;

extern __typeof__(cuLaunchKernel) cuLaunchKernel __attribute__((weak));

static void *find(const char *name)
{
    void *found = dlsym(driver, name);
    CHECK(found != NULL);
    return found;
}

#define CALL(name, ...) ((__typeof__(&name))find(#name))(__VA_ARGS__)

static bool is_in(const char *file, void *address)
{
    Dl_info info;
    return address != NULL && dladdr(address, &info) != 0 && strstr(info.dli_fname, file) != NULL;
}

#ifdef SHIM_LINKED_IN
#define OURS "absent"
#else
#define OURS "libxsched"
#endif

static int launch_here(void *stream)
{
    return CALL(cuLaunchKernel, NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
}

static void start(const char *file, int flags)
{
    driver = dlopen(file, RTLD_NOW | flags);
    CHECK(driver != NULL);
    standin_start(&standin);
    standin_host(&standin, &guest);
    CHECK(CALL(cuInit, 0) == 0);
    CHECK(CALL(cuDevicePrimaryCtxRetain, &context, 0) == 0);
    CHECK(CALL(cuCtxSetCurrent, context) == 0);
    CHECK(launch_here(NULL) == 0);
    standin_hosted(&standin);
    slot = &guest.block->slot[0];
    __atomic_store_n(&slot->others, XSCHED_OTHERS_BELOW, __ATOMIC_SEQ_CST);
    finish();
}

static void no_driver(void)
{
    CHECK(dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY) == NULL);
    dlerror();
    CHECK(dlsym(RTLD_DEFAULT, "cuLaunchKernel") == NULL);
    CHECK(strstr(dlerror(), "cuLaunchKernel") != NULL);
    CHECK(dlsym(dlopen(NULL, RTLD_LAZY), "cuLaunchKernelEx") == NULL);
    CHECK(dlsym(RTLD_DEFAULT, "cuInit") == NULL && dlsym(RTLD_DEFAULT, "clFinish") == NULL);
}

static void driver_for_itself_alone(void)
{
    start("libcuda.so.1", RTLD_LOCAL);
    CHECK(dlsym(RTLD_DEFAULT, "cuLaunchKernel") == NULL);
    CHECK(is_in(OURS, dlsym(driver, "cuLaunchKernel")));
    CHECK(dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL) == driver);
    CHECK(dlsym(RTLD_DEFAULT, "cuLaunchKernel") == dlsym(driver, "cuLaunchKernel"));
}

static void old_driver(void)
{
    static const char *const missing[] = {"cuLaunchKernelEx", "cuLaunchKernelEx_ptsz",
                                          "cuMemcpyBatchAsync", "cuGetProcAddress_v2"};
    start(built("old/libcuda.so.1"), RTLD_GLOBAL);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        CHECK(dlsym(RTLD_DEFAULT, missing[i]) == NULL && dlsym(driver, missing[i]) == NULL);
        CHECK(strstr(dlerror(), missing[i]) != NULL);
    }
    CHECK(is_in(OURS, dlsym(RTLD_DEFAULT, "cuLaunchKernel")));
    int (*ask)(const char *, void **, int, uint64_t) =
        (int (*)(const char *, void **, int, uint64_t))find("cuGetProcAddress");
    void *found = &found;
    CHECK(ask("cuLaunchKernelEx", &found, 11000, 0) == 500 && found == NULL);
    CHECK(ask("cuLaunchKernel", &found, 11000, 0) == 0 && is_in(OURS, found));
    uint64_t before = launched();
    CHECK(launch_here(NULL) == 0 && launched() == before + 1);
    finish();
}

/* Who is linked with a driver that is not there has found us instead. */
static void called_without_a_driver(void)
{
    __typeof__(&cuLaunchKernel) volatile launch_kernel = cuLaunchKernel;
    CHECK(launch_kernel != NULL);
    setenv("XSCHED_CUDA_LIB", "/nowhere", 1);
    CHECK(launch_kernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 303);
}

static void driver_by_another_name(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/libaccelerator.so", test_folder());
    CHECK(symlink(built("libcuda.so.1"), path) == 0);
    setenv("XSCHED_CUDA_LIB", path, 1);
    start(path, RTLD_LOCAL);
    CHECK(is_in("libaccelerator", dlsym(driver, "cuInit")));
    CHECK(is_in(OURS, dlsym(driver, "cuLaunchKernel")));
    uint64_t before = launched();
    CHECK(launch_here(NULL) == 0 && launched() == before + 1);
    finish();
}

/* What it measures here says nothing. */
static void measures_marks(void)
{
    char command[8192];
    unsetenv("LD_PRELOAD");
    snprintf(command, sizeof command, "%s 1 > %s/marks", built("../../marks"), test_folder());
    CHECK(system(command) == 0);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"without a driver no function is found", no_driver},
        {"a driver that was opened for one alone is found by no other", driver_for_itself_alone},
        {"an old driver has no new functions", old_driver},
        {"who calls us without a driver is told so", called_without_a_driver},
        {"a driver by another name is one if the user says so", driver_by_another_name},
        {"marks can be measured", measures_marks},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
