/* Of the HIP runtime API, what the tests of HIP alone call by name; handles are pointers. */
#ifndef XSCHED_TEST_HIP_H
#define XSCHED_TEST_HIP_H

#include <stddef.h>
#include <stdint.h>

#include "../../shim/by_value.h"

int hipSetDevice(int device);
int hipDeviceSynchronize(void);
int hipGetLastError(void);
int hipStreamBeginCapture(void *stream, int mode);
int hipStreamCreateWithFlags(void **stream, unsigned flags);
int hipStreamEndCapture(void *stream, void **graph);
int hipStreamSynchronize(void *stream);
int hipEventCreateWithFlags(void **event, unsigned flags);
int hipGraphCreate(void **graph, unsigned flags);
int hipMalloc(void **memory, size_t size);
int hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size);
int hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                       void *stream);
int hipMemcpyWithStream(void *to, const void *from, size_t size, int kind, void *stream);
int hipMemcpyBatchAsync(void **to, void **from, size_t *sizes, size_t count, void *attributes,
                        size_t *indices, size_t attribute_count, size_t *failed, void *stream);
int hipExtLaunchKernel(const void *function, struct xshim_dim3 blocks, struct xshim_dim3 threads,
                       void **arguments, size_t shared, void *stream, void *start, void *stop,
                       int flags);
int hipGetProcAddress(const char *symbol, void **address, int version, uint64_t flags, int *status);
int hipGetProcAddress_spt(const char *symbol, void **address, int version, uint64_t flags,
                          int *status);
int hipGetDriverEntryPoint(const char *symbol, void **address, uint64_t flags, int *status);
int hipModuleLaunchKernel(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, void *stream, void **parameters, void **extra);

#endif
