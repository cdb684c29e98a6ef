/*
 * Does it matter on which processor a program spins until its kernels have ended? An event that can be
 * slept for has the GPU interrupt one of the processors. For each of them: what a tiny kernel takes with
 * and without that, until a program that asks all the time sees its end.
 *
 *     nvcc -O2 -o /tmp/interrupted bench/cuda/interrupted_processor.cu
 *     /tmp/interrupted; grep nvidia /proc/interrupts
 */
#include <cuda_runtime.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#define BURST 100
#define BURSTS 12

__global__ void tiny(int *sum)
{
    *sum += 1;
}

static double now_us()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static double burst(cudaStream_t stream, int *sum, unsigned flags)
{
    double begin = now_us();
    for (int i = 0; i < BURST; i++) {
        cudaEvent_t event;
        cudaEventCreateWithFlags(&event, flags | cudaEventDisableTiming);
        tiny<<<1, 1, 0, stream>>>(sum);
        cudaEventRecord(event, stream);
        while (cudaEventQuery(event) == cudaErrorNotReady) {
        }
        cudaEventDestroy(event);
    }
    return (now_us() - begin) / BURST;
}

static double median(cudaStream_t stream, int *sum, unsigned flags)
{
    std::vector<double> times;
    for (int i = 0; i < BURSTS; i++) {
        times.push_back(burst(stream, sum, flags));
        usleep(5000);
    }
    std::sort(times.begin(), times.end());
    return times[BURSTS / 2];
}

int main()
{
    cudaStream_t stream;
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    burst(stream, sum, 0);
    for (int processor = 0; processor < sysconf(_SC_NPROCESSORS_ONLN); processor++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(processor, &set);
        sched_setaffinity(0, sizeof set, &set);
        printf("{\"processor\": %d, \"blocking_us\": %.1f, \"plain_us\": %.1f}\n", processor,
               median(stream, sum, cudaEventBlockingSync), median(stream, sum, 0));
        fflush(stdout);
    }
}
