/* Of the CUDA driver API, what the tests call by name; handles are pointers. */
#ifndef XSCHED_TEST_CUDA_H
#define XSCHED_TEST_CUDA_H

#include <stddef.h>
#include <stdint.h>

#define LEGACY ((void *)1)
#define PER_THREAD ((void *)2)
#define NON_BLOCKING 1u
#define NOT_READY 600
enum { MODE_GLOBAL, MODE_THREAD_LOCAL, MODE_RELAXED };

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxReset_v2(int device);
int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxSetCurrent(void *context);
int cuCtxGetDevice(int *device);
int cuCtxGetCurrent(void **context);
int cuCtxPopCurrent_v2(void **context);
int cuCtxSynchronize(void);
int cuStreamCreate(void **stream, unsigned flags);
int cuStreamDestroy_v2(void *stream);
int cuStreamSynchronize(void *stream);
int cuStreamQuery(void *stream);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuStreamIsCapturing(void *stream, int *status);
int cuStreamWaitEvent(void *stream, void *event, unsigned flags);
int cuEventCreate(void **event, unsigned flags);
int cuEventDestroy_v2(void *event);
int cuEventRecord(void *event, void *stream);
int cuEventSynchronize(void *event);
int cuEventQuery(void *event);
int cuGraphCreate(void **graph, unsigned flags);
int cuGraphInstantiateWithFlags(void **executable, void *graph, uint64_t flags);
int cuGraphLaunch(void *executable, void *stream);
int cuLaunchHostFunc(void *stream, void (*function)(void *), void *data);
int cuLaunchKernel(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, void *stream, void **parameters, void **extra);
int cuLaunchKernel_ptsz(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, void *stream, void **parameters, void **extra);
int cuMemsetD8Async(uint64_t address, unsigned char value, size_t count, void *stream);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size);
int cuGetProcAddress_v2(const char *symbol, void **address, int version, uint64_t flags,
                        int *status);

#endif
