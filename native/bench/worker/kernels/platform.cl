/*
 * Comes first: the same kernels are for OpenCL, for CUDA (nvcc -x cu), for HIP (hiprtc) and, in
 * a test, for the host.
 * X and Y are the work item; groups are rounded up, so most kernels first ask whether it is theirs.
 */
#if defined(__CUDACC__) || defined(__HIPCC_RTC__)
#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ inline
#define GLOBAL
#define X ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define Y ((int)(blockIdx.y * blockDim.y + threadIdx.y))
#elif defined(__OPENCL_VERSION__)
#define KERNEL __kernel void
#define DEVICE static inline
#define GLOBAL __global
#define X ((int)get_global_id(0))
#define Y ((int)get_global_id(1))
#endif
