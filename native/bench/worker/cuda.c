/* CUDA by its driver, found at run time, with prototypes of our own: no CUDA headers are needed. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "backend.h"
#include "ptx.h"

#define NOT_READY 600
#define UNSUPPORTED_PTX_VERSION 222
#define CTX_SCHED_BLOCKING_SYNC 4u
#define STREAM_NON_BLOCKING 1u
#define EVENT_BLOCKING_SYNC 1u
#define EVENT_DISABLE_TIMING 2u
#define MULTIPROCESSOR_COUNT 16
#define COMPUTE_CAPABILITY_MAJOR 75
#define COMPUTE_CAPABILITY_MINOR 76
#define THREADS_OF_A_BLOCK 1024u
#define BLOCKS_OF_A_MULTIPROCESSOR 2u

#define FUNCTIONS(X)                                                                               \
    X(cuInit, (unsigned))                                                                          \
    X(cuDeviceGet, (int *, int))                                                                   \
    X(cuDeviceGetAttribute, (int *, int, int))                                                     \
    X(cuDevicePrimaryCtxSetFlags_v2, (int, unsigned))                                              \
    X(cuDevicePrimaryCtxRetain, (void **, int))                                                    \
    X(cuCtxSetCurrent, (void *))                                                                   \
    X(cuModuleLoadData, (void **, const void *))                                                   \
    X(cuModuleGetFunction, (void **, void *, const char *))                                        \
    X(cuStreamCreate, (void **, unsigned))                                                         \
    X(cuStreamDestroy_v2, (void *))                                                                \
    X(cuStreamSynchronize, (void *))                                                               \
    X(cuMemAlloc_v2, (uint64_t *, size_t))                                                         \
    X(cuMemFree_v2, (uint64_t))                                                                    \
    X(cuMemcpyDtoHAsync_v2, (void *, uint64_t, size_t, void *))                                    \
    X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,         \
                       unsigned, void *, void **, void **))                                        \
    X(cuEventCreate, (void **, unsigned))                                                          \
    X(cuEventDestroy_v2, (void *))                                                                 \
    X(cuEventRecord, (void *, void *))                                                             \
    X(cuEventQuery, (void *))                                                                      \
    X(cuEventSynchronize, (void *))

#define POINTER(function, parameters) static int(*function) parameters;
FUNCTIONS(POINTER)

struct kernel {
    void *function;
    struct value values[MOST_VALUES];
    void *parameters[MOST_VALUES]; /* point to the values */
};

static int device;
static void *context, *module;

static bool succeeded(int result, const char *call)
{
    return result == 0 ||
           problem("%s gave %d; see with 'nvidia-smi' whether the device is still there", call,
                   result);
}
#define TRY(call, ...) succeeded(call(__VA_ARGS__), #call)

static bool find_functions(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return problem("no libcuda.so.1; install NVIDIA's driver, or start the worker with opencl");
    }
#define LOOK_UP(function, parameters)                                                              \
    function = (int(*) parameters)dlsym(library, #function);                                       \
    if (function == NULL) {                                                                        \
        return problem("libcuda.so.1 has no %s; install a newer driver of NVIDIA's", #function);   \
    }
    FUNCTIONS(LOOK_UP)
    return true;
}

static bool load_kernels(void)
{
    int major, minor;
    if (!TRY(cuDeviceGetAttribute, &major, COMPUTE_CAPABILITY_MAJOR, device) ||
        !TRY(cuDeviceGetAttribute, &minor, COMPUTE_CAPABILITY_MINOR, device)) {
        return false;
    }
    char source[4096];
    char *ptx = beside(source, sizeof source, "kernels.cl") ? make_ptx(source, major, minor) : NULL;
    if (ptx == NULL) {
        return false;
    }
    int result = cuModuleLoadData(&module, ptx);
    free(ptx);
    if (result == UNSUPPORTED_PTX_VERSION) {
        return problem("nvcc is newer than the driver; put an nvcc of the driver's release first "
                       "in the PATH");
    }
    return succeeded(result, "cuModuleLoadData");
}

static bool enter(void)
{
    return TRY(cuCtxSetCurrent, context);
}

static bool open_device(void)
{
    if (!find_functions() || !TRY(cuInit, 0) || !TRY(cuDeviceGet, &device, 0)) {
        return false;
    }
    /* Not all programs that share the context may choose; it is no failure. */
    cuDevicePrimaryCtxSetFlags_v2(device, CTX_SCHED_BLOCKING_SYNC);
    return TRY(cuDevicePrimaryCtxRetain, &context, device) && enter() && load_kernels();
}

static struct grid full(void)
{
    int units = 1;
    cuDeviceGetAttribute(&units, MULTIPROCESSOR_COUNT, device);
    return (struct grid){
        .width = (size_t)units * BLOCKS_OF_A_MULTIPROCESSOR * THREADS_OF_A_BLOCK,
        .height = 1,
        .group = THREADS_OF_A_BLOCK};
}

static bool make_queue(void **queue)
{
    return TRY(cuStreamCreate, queue, STREAM_NON_BLOCKING);
}

static void free_queue(void *queue)
{
    cuStreamDestroy_v2(queue);
}

static bool make_buffer(uint64_t *buffer, size_t bytes)
{
    return TRY(cuMemAlloc_v2, buffer, bytes);
}

static void free_buffer(uint64_t buffer)
{
    cuMemFree_v2(buffer);
}

static bool make_kernel(void **made, const char *name, const struct value *values, int count)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL) {
        return problem("no memory; end other programs");
    }
    if (!succeeded(cuModuleGetFunction(&kernel->function, module, name), name)) {
        free(kernel);
        return false;
    }
    memcpy(kernel->values, values, (size_t)count * sizeof *values);
    for (int i = 0; i < count; i++) {
        kernel->parameters[i] = &kernel->values[i].of;
    }
    *made = kernel;
    return true;
}

static void free_kernel(void *kernel)
{
    free(kernel);
}

static bool plant(void *queue, void **mark)
{
    if (!TRY(cuEventCreate, mark, EVENT_BLOCKING_SYNC | EVENT_DISABLE_TIMING)) {
        return false;
    }
    if (!TRY(cuEventRecord, *mark, queue)) {
        cuEventDestroy_v2(*mark);
        return false;
    }
    return true;
}

static bool launch(void *queue, void *made, const struct grid *grid, void **mark)
{
    struct kernel *kernel = made;
    return TRY(cuLaunchKernel, kernel->function, (unsigned)(grid->width / grid->group),
               (unsigned)grid->height, 1, (unsigned)grid->group, 1, 1, 0, queue,
               kernel->parameters, NULL) &&
           (mark == NULL || plant(queue, mark));
}

static bool has_ended(void *mark, bool *ended)
{
    int result = cuEventQuery(mark);
    *ended = result == 0;
    return result == NOT_READY || succeeded(result, "cuEventQuery");
}

static bool wait(void *mark)
{
    bool fine = TRY(cuEventSynchronize, mark);
    cuEventDestroy_v2(mark);
    return fine;
}

static bool read(void *queue, uint64_t buffer, size_t bytes, void *to)
{
    return TRY(cuMemcpyDtoHAsync_v2, to, buffer, bytes, queue) && TRY(cuStreamSynchronize, queue);
}

const struct backend cuda_backend = {
    .name = "cuda",
    .hwqueue_create = "CudaQueueCreate",
    .large = true,
    .open = open_device,
    .enter = enter,
    .full = full,
    .make_queue = make_queue,
    .free_queue = free_queue,
    .make_buffer = make_buffer,
    .free_buffer = free_buffer,
    .make_kernel = make_kernel,
    .free_kernel = free_kernel,
    .launch = launch,
    .has_ended = has_ended,
    .wait = wait,
    .read = read,
};
