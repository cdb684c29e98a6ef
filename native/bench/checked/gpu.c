/* CUDA by its driver, found at run time, with prototypes of our own: no CUDA headers are needed. */
#include "gpu.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define CTX_SCHED_BLOCKING_SYNC 4u
#define STREAM_NON_BLOCKING 1u
#define MULTIPROCESSOR_COUNT 16
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
    X(cuStreamSynchronize, (void *))                                                               \
    X(cuMemAlloc_v2, (uint64_t *, size_t))                                                         \
    X(cuMemsetD8_v2, (uint64_t, unsigned char, size_t))                                            \
    X(cuMemcpyDtoHAsync_v2, (void *, uint64_t, size_t, void *))                                    \
    X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,         \
                       unsigned, void *, void **, void **))

#define POINTER(function, parameters) static int(*function) parameters;
FUNCTIONS(POINTER)

/* See sums.h. What a thread has so far is in the block's memory, and how far it is in a register: an
 * interrupt has to save and to restore both. */
static const char ptx[] = ".version 7.0\n"
                          ".target sm_75\n"
                          ".address_size 64\n"
                          ".visible .entry add_up(.param .u64 where, .param .u32 rounds)\n"
                          "{\n"
                          "    .reg .b64 %rd<4>;\n"
                          "    .reg .b32 %r<10>;\n"
                          "    .reg .pred %p<2>;\n"
                          "    .shared .align 4 .b8 kept[4096];\n"
                          "    ld.param.u64 %rd1, [where];\n"
                          "    ld.param.u32 %r1, [rounds];\n"
                          "    mov.u32 %r2, %ctaid.x;\n"
                          "    mov.u32 %r3, %ntid.x;\n"
                          "    mov.u32 %r4, %tid.x;\n"
                          "    mad.lo.u32 %r5, %r2, %r3, %r4;\n"
                          "    mov.u32 %r6, kept;\n"
                          "    shl.b32 %r7, %r4, 2;\n"
                          "    add.u32 %r8, %r6, %r7;\n"
                          "    st.volatile.shared.u32 [%r8], %r5;\n"
                          "LOOP:\n"
                          "    setp.eq.u32 %p1, %r1, 0;\n"
                          "    @%p1 bra DONE;\n"
                          "    ld.volatile.shared.u32 %r9, [%r8];\n"
                          "    mad.lo.u32 %r9, %r9, 1664525, 1013904223;\n"
                          "    st.volatile.shared.u32 [%r8], %r9;\n"
                          "    sub.u32 %r1, %r1, 1;\n"
                          "    bra LOOP;\n"
                          "DONE:\n"
                          "    ld.volatile.shared.u32 %r9, [%r8];\n"
                          "    cvt.u64.u32 %rd2, %r9;\n"
                          "    cvta.to.global.u64 %rd3, %rd1;\n"
                          "    red.global.add.u64 [%rd3], %rd2;\n"
                          "    ret;\n"
                          "}\n";

static int device;
static void *context, *stream, *kernel;
static uint64_t sum; /* the device's address of it */

static void check(int result, const char *call)
{
    if (result != 0) {
        fprintf(stderr, "checked: %s gave %d; see with nvidia-smi whether the device is well\n",
                call, result);
        exit(2);
    }
}
#define DO(call, ...) check(call(__VA_ARGS__), #call)

static void find_functions(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "checked: no libcuda.so.1; install NVIDIA's driver\n");
        exit(2);
    }
#define LOOK_UP(function, parameters)                                                              \
    function = (int(*) parameters)dlsym(library, #function);                                       \
    if (function == NULL) {                                                                        \
        fprintf(stderr, "checked: libcuda.so.1 has no %s; install a newer driver\n", #function);   \
        exit(2);                                                                                   \
    }
    FUNCTIONS(LOOK_UP)
}

void gpu_open(void)
{
    void *module;
    find_functions();
    DO(cuInit, 0);
    DO(cuDeviceGet, &device, 0);
    cuDevicePrimaryCtxSetFlags_v2(device, CTX_SCHED_BLOCKING_SYNC); /* a wish; it works without */
    DO(cuDevicePrimaryCtxRetain, &context, device);
    DO(cuCtxSetCurrent, context);
    DO(cuModuleLoadData, &module, ptx);
    DO(cuModuleGetFunction, &kernel, module, "add_up");
    DO(cuStreamCreate, &stream, STREAM_NON_BLOCKING);
    DO(cuMemAlloc_v2, &sum, sizeof sum);
    DO(cuMemsetD8_v2, sum, 0, sizeof sum);
    DO(cuStreamSynchronize, NULL); /* our own stream does not wait for that one */
}

uint32_t gpu_threads(void)
{
    int units = 1;
    DO(cuDeviceGetAttribute, &units, MULTIPROCESSOR_COUNT, device);
    return (uint32_t)units * BLOCKS_OF_A_MULTIPROCESSOR * THREADS_OF_A_BLOCK;
}

uint64_t gpu_add(uint32_t threads, uint32_t rounds)
{
    uint64_t found = 0;
    void *parameters[] = {&sum, &rounds};
    uint32_t block = threads < THREADS_OF_A_BLOCK ? threads : THREADS_OF_A_BLOCK;
    DO(cuCtxSetCurrent, context); /* CUDA's runtime also asks for the device before it launches */
    DO(cuLaunchKernel, kernel, threads / block, 1, 1, block, 1, 1, 0, stream, parameters, NULL);
    DO(cuMemcpyDtoHAsync_v2, &found, sum, sizeof found, stream);
    DO(cuStreamSynchronize, stream);
    return found;
}
