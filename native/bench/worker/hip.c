/* HIP, on AMD's devices. */
#include <stdio.h>
#include <stdlib.h>

#include "answer.h"
#include "hiprtc.h"
#include "streams.h"
#include "text.h"

/* As in hip_runtime_api.h; these numbers are the same from ROCm 5 to 7. */
#define SCHEDULE_BLOCKING_SYNC 4u
#define MULTIPROCESSOR_COUNT 63

#define FUNCTIONS(X)                                                                               \
    X(hipSetDevice, (int))                                                                         \
    X(hipSetDeviceFlags, (unsigned))                                                               \
    X(hipDeviceGetName, (char *, int, int))                                                        \
    X(hipRuntimeGetVersion, (int *))

#define POINTER(function, parameters) static int(*function) parameters;
FUNCTIONS(POINTER)

static const struct stream_names names = {
#define NAME(what, parameters, cuda, hip) .what = hip,
    STREAM_FUNCTIONS(NAME)
};

static const int device = 0;

#define TRY(call, ...) stream_succeeded(call(__VA_ARGS__), #call)

static bool find_functions(void)
{
    static const char *const usual[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        "libamdhip64.so", NULL};
    const char *named[] = {getenv("XSCHED_HIP_LIB"), NULL};
    if (!streams_open(&names, named[0] != NULL && named[0][0] != 0 ? named : usual,
                      "install ROCm, or put its lib folder into LD_LIBRARY_PATH, or start the "
                      "worker with opencl")) {
        return false;
    }
#define LOOK_UP(function, parameters)                                                              \
    if ((function = (int(*) parameters)stream_function(#function)) == NULL) {                      \
        return false;                                                                              \
    }
    FUNCTIONS(LOOK_UP)
    return true;
}

static bool load_kernels(void)
{
    char path[4096];
    char *source = beside(path, sizeof path, "kernels.cl") ? read_text(path) : NULL;
    if (source == NULL) {
        return problem("no kernels.cl beside this worker; build it again with 'make -C native'");
    }
    void *code = make_hip_code(stream_library, source, NULL);
    free(source);
    bool loaded = code != NULL && stream_succeeded(driver.load_module(&stream_module, code),
                                                   "hipModuleLoadData");
    free(code);
    return loaded;
}

static bool enter(void)
{
    return TRY(hipSetDevice, device);
}

static bool open_device(void)
{
    if (!find_functions() || !enter()) {
        return false;
    }
    /* Not all versions let it be chosen once the device is in use; it is no failure. */
    hipSetDeviceFlags(SCHEDULE_BLOCKING_SYNC);
    return load_kernels();
}

static bool facts(struct facts *facts)
{
    int version = 0;
    if (!TRY(hipDeviceGetName, facts->device, (int)sizeof facts->device, device) ||
        !TRY(hipRuntimeGetVersion, &version)) {
        return false;
    }
    snprintf(facts->version, sizeof facts->version, "%d.%d.%d", version / 10000000,
             version / 100000 % 100, version % 100000);
    return true;
}

static struct grid full(void)
{
    return streams_full(device, MULTIPROCESSOR_COUNT);
}

const struct backend hip_backend = {
    .name = "hip",
    .hwqueue_create = "HipQueueCreate",
    .shown_by = "rocminfo",
    .networks = true,
    .open = open_device,
    .enter = enter,
    .facts = facts,
    .full = full,
    STREAM_BACKEND,
};
