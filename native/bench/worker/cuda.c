/* CUDA by its driver. */
#include <stdlib.h>

#include "answer.h"
#include "ptx.h"
#include "streams.h"

#define UNSUPPORTED_PTX_VERSION 222
#define CTX_SCHED_BLOCKING_SYNC 4u
#define MULTIPROCESSOR_COUNT 16
#define COMPUTE_CAPABILITY_MAJOR 75
#define COMPUTE_CAPABILITY_MINOR 76

#define FUNCTIONS(X)                                                                               \
    X(cuDeviceGet, (int *, int))                                                                   \
    X(cuDevicePrimaryCtxSetFlags_v2, (int, unsigned))                                              \
    X(cuDevicePrimaryCtxRetain, (void **, int))                                                    \
    X(cuCtxSetCurrent, (void *))

#define POINTER(function, parameters) static int(*function) parameters;
FUNCTIONS(POINTER)

static const struct stream_names names = {
#define NAME(what, parameters, cuda, hip) .what = cuda,
    STREAM_FUNCTIONS(NAME)
};

static int device;
static void *context;

#define TRY(call, ...) stream_succeeded(call(__VA_ARGS__), #call)

static bool find_functions(void)
{
    static const char *const libraries[] = {"libcuda.so.1", NULL};
    if (!streams_open(&names, libraries,
                      "install NVIDIA's driver, or start the worker with opencl")) {
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
    int major, minor;
    if (!TRY(driver.attribute, &major, COMPUTE_CAPABILITY_MAJOR, device) ||
        !TRY(driver.attribute, &minor, COMPUTE_CAPABILITY_MINOR, device)) {
        return false;
    }
    char source[4096];
    char *ptx = beside(source, sizeof source, "kernels.cl") ? make_ptx(source, major, minor) : NULL;
    if (ptx == NULL) {
        return false;
    }
    int result = driver.load_module(&stream_module, ptx);
    free(ptx);
    if (result == UNSUPPORTED_PTX_VERSION) {
        return problem("nvcc is newer than the driver; put an nvcc of the driver's release first "
                       "in the PATH");
    }
    return stream_succeeded(result, "cuModuleLoadData");
}

static bool enter(void)
{
    return TRY(cuCtxSetCurrent, context);
}

static bool open_device(void)
{
    if (!find_functions() || !TRY(cuDeviceGet, &device, 0)) {
        return false;
    }
    /* Not all programs that share the context may choose; it is no failure. */
    cuDevicePrimaryCtxSetFlags_v2(device, CTX_SCHED_BLOCKING_SYNC);
    return TRY(cuDevicePrimaryCtxRetain, &context, device) && enter() && load_kernels();
}

static struct grid full(void)
{
    return streams_full(device, MULTIPROCESSOR_COUNT);
}

const struct backend cuda_backend = {
    .name = "cuda",
    .hwqueue_create = "CudaQueueCreate",
    .shown_by = "nvidia-smi",
    .open = open_device,
    .enter = enter,
    .full = full,
    STREAM_BACKEND,
};
