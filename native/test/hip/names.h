/*
 * The tests of CUDA that hold for HIP as well are compiled once more, with its names. A device is what
 * a context is there; what needs two contexts on one device is left out (ON_HIP).
 */
#ifndef XSCHED_TEST_HIP_NAMES_H
#define XSCHED_TEST_HIP_NAMES_H

#define ON_HIP
#define cuInit hipInit
#define cuDevicePrimaryCtxRelease_v2 hipDevicePrimaryCtxReset
#define cuDevicePrimaryCtxReset_v2 hipDevicePrimaryCtxReset
#define cuCtxSynchronize hipDeviceSynchronize
#define cuStreamCreate hipStreamCreateWithFlags
#define cuStreamDestroy_v2 hipStreamDestroy
#define cuStreamSynchronize hipStreamSynchronize
#define cuStreamQuery hipStreamQuery
#define cuStreamBeginCapture_v2 hipStreamBeginCapture
#define cuStreamEndCapture hipStreamEndCapture
#define cuStreamWaitEvent hipStreamWaitEvent
#define cuEventCreate hipEventCreateWithFlags
#define cuEventRecord hipEventRecord
#define cuEventSynchronize hipEventSynchronize
#define cuEventQuery hipEventQuery
#define cuGraphCreate hipGraphCreate
#define cuGraphInstantiateWithFlags hipGraphInstantiateWithFlags
#define cuGraphLaunch hipGraphLaunch
#define cuLaunchHostFunc hipLaunchHostFunc
#define cuLaunchKernel hipModuleLaunchKernel
#define cuLaunchKernel_ptsz hipModuleLaunchKernel_own
#define cuMemsetD8Async hipMemsetD8Async

#include "../cuda/cuda.h"
#include "../../shim/by_value.h"

int hipSetDevice(int device);
int hipDeviceReset(void);
int hipLaunchKernel_spt(const void *function, struct xshim_dim3 blocks, struct xshim_dim3 threads,
                        void **arguments, size_t shared, void *stream);

#define cuDevicePrimaryCtxRetain(context, device) (*(context) = NULL, hipSetDevice(device))
#define cuCtxCreate_v2(context, flags, device) (*(context) = NULL, hipSetDevice(device))
#define cuCtxSetCurrent(context) ((void)(context), hipSetDevice(0))
#define cuCtxDestroy_v2(context) ((void)(context), hipDeviceReset())
#undef cuLaunchKernel_ptsz
#define cuLaunchKernel_ptsz(function, x, y, z, a, b, c, shared, stream, parameters, extra)         \
    hipLaunchKernel_spt(function, (struct xshim_dim3){x, y, z}, (struct xshim_dim3){a, b, c},      \
                        parameters, shared, stream)

#endif
