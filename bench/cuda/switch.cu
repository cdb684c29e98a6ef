/*
 * What does a GPU take to turn from one program to another? A high process launches one tiny kernel now and
 * then and waits for it; a low one has the GPU meanwhile, in several ways. Both have the slices that the
 * daemon gives a high and a low program, so that the GPU turns at once.
 *
 *     nvcc -O2 -arch=sm_90 -o /tmp/switch bench/cuda/switch.cu -Xlinker --export-dynamic
 *     /tmp/switch
 */
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "own_channels.h"

#define SAMPLES 500
#define LOW_SLICE 1
#define HIGH_SLICE 1000000
#define PROCESSORS 132 /* of an H200 */
#define SHARED_MEMORY (227 * 1024)

/* On a subdevice: where kernels of a channel group can be preempted. Not privileged. */
#define NV2080_CTRL_CMD_GR_SET_CTXSW_PREEMPTION_MODE 0x20801210u
#define NV2080_CTRL_SET_CTXSW_PREEMPTION_MODE_FLAGS_CILP_SET 1u

typedef struct {
    uint32_t flags;
    NvHandle hChannel;
    uint32_t gfxpPreemptMode;
    uint32_t cilpPreemptMode;
    uint32_t routeFlags, padding;
    uint64_t route;
} NV2080_CTRL_GR_SET_CTXSW_PREEMPTION_MODE_PARAMS;

enum Preempted { AT_BLOCKS = 1, ANYWHERE = 2 /* the driver's own */ };

enum Kind { NOTHING, NOW_AND_THEN, THIN, WITH_REGISTERS };

struct Scene {
    const char *name;
    Kind kind;
    int blocks, threads, memory;
    double milliseconds;
    Preempted preempted;
};

static const Scene scenes[] = {
    {"alone", NOTHING, 0, 0, 0, 0, ANYWHERE},
    {"idle, its context loaded", NOW_AND_THEN, 1, 1, 0, 0.3, ANYWHERE},
    {"one block of 32 threads", THIN, 1, 32, 0, 20, ANYWHERE},
    {"all threads", THIN, PROCESSORS * 8, 256, 0, 20, ANYWHERE},
    {"all registers", WITH_REGISTERS, PROCESSORS, 512, 0, 20, ANYWHERE},
    {"all shared memory", THIN, PROCESSORS, 32, SHARED_MEMORY, 20, ANYWHERE},
    {"all threads, 10 us", THIN, PROCESSORS * 8, 256, 0, 0.01, ANYWHERE},
    {"all threads, 10 us, at blocks", THIN, PROCESSORS * 8, 256, 0, 0.01, AT_BLOCKS},
    {"idle, at blocks", NOW_AND_THEN, 1, 1, 0, 0.3, AT_BLOCKS},
    {"alone again", NOTHING, 0, 0, 0, 0, ANYWHERE},
};

/* Between the two processes. */
struct Shared {
    volatile int wanted, played, quit; /* numbers of scenes, from 1 */
};

static Shared *shared;

__global__ void thin(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;) {
    }
}

__global__ void __launch_bounds__(512, 1) with_registers(long long cycles, float *out)
{
    const int count = 96;
    float values[count];
#pragma unroll
    for (int i = 0; i < count; i++) {
        values[i] = threadIdx.x * i;
    }
    for (long long begin = clock64(); clock64() - begin < cycles;) {
#pragma unroll
        for (int i = 0; i < count; i++) {
            values[i] = values[i] * 1.0001f + values[(i + 1) % count];
        }
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    *out = sum;
}

__global__ void tiny(int *sum)
{
    *sum += 1;
}

static void demand(uint32_t status, const char *what)
{
    if (status != 0) {
        printf("%s: refused with 0x%x\n", what, status);
        exit(1);
    }
}

static uint32_t preempt(Preempted where)
{
    NV2080_CTRL_GR_SET_CTXSW_PREEMPTION_MODE_PARAMS parameters = {};
    parameters.flags = NV2080_CTRL_SET_CTXSW_PREEMPTION_MODE_FLAGS_CILP_SET;
    parameters.hChannel = group;
    parameters.cilpPreemptMode = where;
    return control(subdevice_client, subdevice, NV2080_CTRL_CMD_GR_SET_CTXSW_PREEMPTION_MODE, &parameters,
                   sizeof parameters);
}

static void play(const Scene &scene, int number, cudaStream_t stream, cudaEvent_t *events, int *sum, float *out)
{
    auto cycles = (long long)(scene.milliseconds * CYCLES_PER_MS);
    int at_once = scene.milliseconds < 1 ? 20 : 1;
    demand(preempt(scene.preempted), "SET_CTXSW_PREEMPTION_MODE");
    shared->played = number;
    for (unsigned long round = 0; shared->wanted == number && !shared->quit; round++) {
        if (scene.kind == NOTHING || scene.kind == NOW_AND_THEN) {
            if (scene.kind == NOW_AND_THEN) {
                tiny<<<1, 1, 0, stream>>>(sum);
                cudaStreamSynchronize(stream);
            }
            usleep((unsigned)(scene.milliseconds * 1e3) + 1);
            continue;
        }
        for (int i = 0; i < at_once; i++) {
            if (scene.kind == WITH_REGISTERS) {
                with_registers<<<scene.blocks, scene.threads, 0, stream>>>(cycles, out);
            } else {
                thin<<<scene.blocks, scene.threads, scene.memory, stream>>>(cycles);
            }
        }
        cudaEventRecord(events[round % 2], stream);
        cudaEventSynchronize(events[(round + 1) % 2]);
    }
    cudaStreamSynchronize(stream);
    demand(cudaGetLastError(), "the low one's kernels");
}

static void be_low()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cudaStream_t stream;
    cudaEvent_t events[2];
    int *sum;
    float *out;
    demand(cudaMalloc(&sum, sizeof *sum), "CUDA");
    cudaMalloc(&out, sizeof *out);
    cudaStreamCreate(&stream);
    for (auto &event : events) {
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    cudaFuncSetAttribute(thin, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_MEMORY);
    demand(set_slice(LOW_SLICE), "SET_TIMESLICE");
    while (!shared->quit) {
        int number = shared->wanted;
        if (number == 0) {
            usleep(100);
        } else {
            play(scenes[number - 1], number, stream, events, sum, out);
        }
    }
    _exit(0);
}

static void measure(const Scene &scene, int *sum)
{
    std::vector<double> micros;
    for (int i = 0; i < SAMPLES; i++) {
        double moment = now_ms() + 2 + rand() % 1000 * 1e-3;
        usleep(1500);
        while (now_ms() < moment) {
        }
        double begin = now_ms();
        tiny<<<1, 1>>>(sum);
        cudaDeviceSynchronize();
        micros.push_back((now_ms() - begin) * 1e3);
    }
    demand(cudaGetLastError(), "the high one's kernels");
    printf("{\"low\": \"%s\", \"p10_us\": %.1f, \"p50_us\": %.1f, \"p90_us\": %.1f, \"p99_us\": %.1f}\n",
           scene.name, percentile(micros, 10), percentile(micros, 50), percentile(micros, 90),
           percentile(micros, 99));
    fflush(stdout);
}

int main()
{
    shared = (Shared *)mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t low = fork();
    if (low == 0) {
        be_low();
    }
    int *sum;
    demand(cudaMalloc(&sum, sizeof *sum), "CUDA");
    demand(set_slice(HIGH_SLICE), "SET_TIMESLICE");
    int number = 0;
    for (const Scene &scene : scenes) {
        shared->wanted = ++number;
        while (shared->played != number) {
            if (waitpid(low, nullptr, WNOHANG) == low) {
                return 1;
            }
            usleep(1000);
        }
        usleep(50000);
        measure(scene, sum);
    }
    shared->quit = 1;
    waitpid(low, nullptr, 0);
}
