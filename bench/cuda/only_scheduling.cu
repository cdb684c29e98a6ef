/*
 * Is "disable scheduling only" (NVIDIA's FIFO_DISABLE_CHANNELS with bOnlyDisableScheduling) worth a level
 * of its own? A low process runs one long kernel after another; a high one launches bursts of 100 tiny
 * kernels, each waited for, under several controls of the low one's channels.
 *
 *     nvcc -O2 -arch=sm_90 -o /tmp/only bench/cuda/only_scheduling.cu -Xlinker --export-dynamic
 *     /tmp/only 50          # the low one's kernels take about 50 ms
 */
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "own_channels.h"

#define BURST 100
#define DRIVERS_SLICE 2048

/* Between the two processes. */
struct Shared {
    volatile int ready, quit;
    Channels low;
    volatile uint32_t order, done, status; /* to set the low one's slice */
    volatile uint64_t slice;
    volatile unsigned long kernels;
};

static Shared *shared;

__global__ void spin(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;) {
    }
}

__global__ void tiny(int *sum)
{
    *sum += 1;
}

static void be_low(double milliseconds)
{
    cudaStream_t stream;
    cudaEvent_t events[2];
    cudaFree(nullptr);
    show_channels(&shared->low);
    cudaStreamCreate(&stream);
    for (auto &event : events) {
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    shared->ready = 1;
    uint32_t seen = 0;
    for (unsigned long k = 0; !shared->quit; k++) {
        spin<<<132 * 4, 256, 0, stream>>>((long long)(milliseconds * CYCLES_PER_MS));
        cudaEventRecord(events[k % 2], stream);
        while (k > 0 && cudaEventQuery(events[(k + 1) % 2]) == cudaErrorNotReady && !shared->quit) {
            if (shared->order != seen) {
                seen = shared->order;
                shared->status = set_slice(shared->slice);
                shared->done = seen;
            }
        }
        shared->kernels = k;
    }
    _exit(0);
}

static void set_low_slice(uint64_t micros)
{
    shared->slice = micros;
    shared->order = shared->order + 1;
    while (shared->done != shared->order) {
        usleep(50);
    }
    if (shared->status != NV_OK) {
        printf("SET_TIMESLICE is refused: 0x%x\n", shared->status);
    }
}

static double median(const std::vector<double> &values)
{
    return percentile(values, 50);
}

static double most(const std::vector<double> &values)
{
    return percentile(values, 100);
}

struct Control {
    const char *name;
    bool slices, disables, only_scheduling;
    int bursts;
};

static void measure(const Control &how, int *sum)
{
    std::vector<double> first, rest, disabling, restoring;
    uint32_t status = NV_OK;
    set_low_slice(how.slices ? 1 : DRIVERS_SLICE);
    set_slice(how.slices ? 1000000 : DRIVERS_SLICE);
    unsigned long kernels = shared->kernels;
    double begin = now_ms();
    for (int i = 0; i < how.bursts; i++) {
        usleep(20000);
        double burst = now_ms();
        if (how.disables) {
            status |= turn(shared->low, true, how.only_scheduling);
            disabling.push_back(now_ms() - burst);
        }
        for (int k = 0; k < BURST; k++) {
            tiny<<<1, 1>>>(sum);
            cudaDeviceSynchronize();
            if (k == 0) {
                first.push_back(now_ms() - burst);
            }
        }
        double end = now_ms();
        rest.push_back(end - burst - first.back());
        if (how.disables) {
            status |= turn(shared->low, false, how.only_scheduling);
            restoring.push_back(now_ms() - end);
        }
    }
    printf("%-28s first %.2f ms (most %.2f), the others %.2f (most %.2f), disable %.2f (most %.2f), "
           "restore %.2f, status 0x%x, low kernels %.1f/s\n",
           how.name, median(first), most(first), median(rest), most(rest), median(disabling),
           most(disabling), median(restoring), status,
           (shared->kernels - kernels) / (now_ms() - begin) * 1e3);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    double milliseconds = count > 1 ? atof(arguments[1]) : 50;
    shared = (Shared *)mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t low = fork();
    if (low == 0) {
        be_low(milliseconds);
    }
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    while (!shared->ready) {
        usleep(1000);
    }
    const Control controls[] = {
        {"nothing", false, false, false, 4},
        {"slices of 1 us and 1 s", true, false, false, 12},
        {"disabled, and slices", true, true, false, 12},
        {"disabled", false, true, false, 12},
        {"only scheduling disabled", false, true, true, 12},
    };
    printf("uid %d, kernels of %.0f ms\n", (int)getuid(), milliseconds);
    for (const Control &how : controls) {
        measure(how, sum);
    }
    shared->quit = 1;
    usleep(200000);
    kill(low, SIGKILL);
    waitpid(low, nullptr, 0);
}
