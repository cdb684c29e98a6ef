/*
 * Can the GPU be had turn to a process before its work comes, and when does it turn away? A low process
 * runs one kernel after another; a high one comes at random moments with 1 ms of kernels, and some time
 * before that with something small, or with a kernel that stays until the work has been launched, alone or
 * with another one behind it. Both have the slices that the daemon gives them.
 *
 *     nvcc -O2 -arch=sm_90 -o /tmp/turn_early bench/cuda/turn_early.cu -Xlinker --export-dynamic
 *     /tmp/turn_early
 */
#include <cuda_runtime.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "feeder.h"
#include "own_channels.h"

#define SAMPLES 250
#define MEMORY (100 * 1024)

enum Before { NOTHING, DOORBELLS, EVENT, TIMED_EVENT, MEMSET, KERNEL, KERNEL_ELSEWHERE, STAYING,
              STAYING_WITH_ONE_BEHIND };

static const char *const names[] = {"nothing", "doorbells", "event", "timed event", "memset",
                                    "tiny kernel", "tiny kernel on another stream",
                                    "kernel on another stream that stays",
                                    "the same, with another kernel behind it"};

static const double leads_ms[] = {0.03, 0.06, 0.09, 0.12, 0.15, 0.2, 0.3, 0.5};

struct Shared {
    volatile int ready;
};

static Shared *shared;
static cudaStream_t stream, other;
static cudaEvent_t plain, timed;
static int *sum;
static volatile int *leave; /* whoever stays by that number */
static int staying;

__global__ void spin(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;) {
    }
}

__global__ void tiny(int *count)
{
    *count += 1;
}

/* For 1 ms at most. */
__global__ void stay(volatile int *until, int number)
{
    for (long long begin = clock64(); *until != number && clock64() - begin < CYCLES_PER_MS;) {
    }
}

static void be_low()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    Feeder feeder;
    cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, MEMORY);
    set_slice(1);
    shared->ready = 1;
    for (;; usleep(50)) {
        feeder.feed([](cudaStream_t own) {
            spin<<<132 * 2, 256, MEMORY, own>>>((long long)(0.5 * CYCLES_PER_MS));
        });
    }
}

static void announce(Before what)
{
    switch (what) {
    case NOTHING:
        break;
    case DOORBELLS:
        ring();
        break;
    case EVENT:
        cudaEventRecord(plain, stream);
        break;
    case TIMED_EVENT:
        cudaEventRecord(timed, stream);
        break;
    case MEMSET:
        cudaMemsetAsync(sum, 0, sizeof *sum, stream);
        break;
    case KERNEL:
        tiny<<<1, 1, 0, stream>>>(sum);
        break;
    case KERNEL_ELSEWHERE:
        tiny<<<1, 1, 0, other>>>(sum);
        break;
    case STAYING:
        stay<<<1, 1, 0, other>>>(leave, ++staying);
        break;
    case STAYING_WITH_ONE_BEHIND:
        stay<<<1, 1, 0, other>>>(leave, ++staying);
        stay<<<1, 1, 0, other>>>(leave, staying);
        break;
    }
}

static void wait_until(double moment)
{
    while (now_ms() < moment) {
    }
}

static void print(const char *what, double lead_ms, const std::vector<double> &times)
{
    printf("{\"%s\": %.0f, \"p50_ms\": %.3f, \"p90_ms\": %.3f, \"p99_ms\": %.3f}\n", what, lead_ms * 1e3,
           percentile(times, 50), percentile(times, 90), percentile(times, 99));
    fflush(stdout);
}

static void measure(Before what, double lead_ms)
{
    std::vector<double> times;
    for (int i = 0; i < SAMPLES; i++) {
        pause_ms(2 + rand() % 1000 * 2e-3);
        double moment = now_ms() + lead_ms;
        announce(what);
        wait_until(moment);
        double begin = now_ms();
        for (int k = 0; k < 10; k++) {
            spin<<<132, 256, 0, stream>>>((long long)(0.1 * CYCLES_PER_MS));
        }
        *leave = staying;
        cudaStreamSynchronize(stream);
        times.push_back(now_ms() - begin);
    }
    print(names[what], lead_ms, times);
}

/* Two kernels of 0.5 ms, of which the second comes so long after the first, while that runs. */
static void measure_second(double later_ms)
{
    std::vector<double> times;
    for (int i = 0; i < SAMPLES; i++) {
        pause_ms(2 + rand() % 1000 * 2e-3);
        double begin = now_ms();
        spin<<<132, 256, 0, stream>>>((long long)(0.5 * CYCLES_PER_MS));
        wait_until(begin + later_ms);
        spin<<<132, 256, 0, stream>>>((long long)(0.5 * CYCLES_PER_MS));
        cudaStreamSynchronize(stream);
        times.push_back(now_ms() - begin);
    }
    print("0.5 ms twice, the second later by us", later_ms, times);
}

int main()
{
    shared = (Shared *)mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t low = fork();
    if (low == 0) {
        be_low();
    }
    prctl(PR_SET_TIMERSLACK, 1);
    cudaMalloc(&sum, sizeof *sum);
    cudaHostAlloc((void **)&leave, sizeof *leave, cudaHostAllocMapped);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&plain, cudaEventDisableTiming);
    cudaEventCreate(&timed);
    bool can_ring = open_doorbells();
    while (!shared->ready) {
        usleep(1000);
    }
    set_slice(1000000);
    usleep(50000);
    measure(NOTHING, 0);
    for (int what = DOORBELLS; what <= STAYING_WITH_ONE_BEHIND; what++) {
        for (double lead_ms : leads_ms) {
            if (what != DOORBELLS || can_ring) {
                measure((Before)what, lead_ms);
            }
        }
    }
    for (double later_ms : {0.0, 0.45, 0.63}) {
        measure_second(later_ms);
    }
    kill(low, SIGKILL);
    waitpid(low, nullptr, 0);
}
