/* What the real HIP runtime says where it has no device: to be the same with us in front of it. */
#include <cstdio>

#include <hip/hip_runtime_api.h>

static void say(const char *call, hipError_t result)
{
    printf("%s: %s\n", call, hipGetErrorString(result));
}
#define SAY(call) say(#call, call)

int main()
{
    int count = -1;
    void *memory = nullptr;
    hipStream_t stream = nullptr;
    hipEvent_t event = nullptr;
    char bytes[16] = {};
    SAY(hipInit(0));
    SAY(hipGetDeviceCount(&count));
    SAY(hipSetDevice(0));
    SAY(hipMalloc(&memory, 16));
    SAY(hipStreamCreate(&stream));
    SAY(hipEventCreate(&event));
    SAY(hipMemcpy(bytes, bytes, 16, hipMemcpyHostToHost));
    SAY(hipMemcpyAsync(bytes, bytes, 16, hipMemcpyHostToHost, nullptr));
    SAY(hipMemsetAsync(bytes, 0, 16, hipStreamPerThread));
    SAY(hipLaunchKernel((const void *)main, dim3(1), dim3(1), nullptr, 0, nullptr));
    SAY(hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    SAY(hipStreamSynchronize(nullptr));
    SAY(hipDeviceSynchronize());
    printf("%d devices\n", count);
    return 0;
}
