/*
 * Is work forgotten that a channel gets, or has left, while it is disabled? A low process launches a
 * few kernels on an otherwise idle GPU; meanwhile its channels are disabled and enabled, with or
 * without work of a high one in between. All kernels should end soon afterwards. Those that do not are
 * forgotten; what the GPU remembers them by is told.
 *
 *     nvcc -O2 -arch=sm_90 -o /tmp/forgotten bench/cuda/forgotten.cu -Xlinker --export-dynamic
 *     /tmp/forgotten 300     # so many times under each control
 */
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "own_channels.h"

#define MOST_KERNELS 4
#define GRACE_MS 40

/* Between the two processes. */
struct Shared {
    volatile int ready, quit;
    Channels low;
    volatile int kernels, streams, blocks; /* to launch */
    volatile double milliseconds;
    volatile uint32_t order, launched, ended[MOST_KERNELS]; /* the order that it was of */
    volatile uint32_t slice_order, sliced, ring_order, rung;
};

static Shared *shared;

__global__ void spin(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;) {
    }
}

__global__ void tell(volatile uint32_t *ended, uint32_t order)
{
    *ended = order;
    __threadfence_system();
}

__global__ void tiny(int *sum)
{
    *sum += 1;
}

static void be_low()
{
    cudaStream_t streams[2];
    uint32_t *ended, seen = 0;
    cudaFree(nullptr);
    for (auto &stream : streams) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
    cudaHostRegister(shared, sizeof *shared, cudaHostRegisterMapped);
    cudaHostGetDevicePointer((void **)&ended, (void *)shared->ended, 0);
    spin<<<1, 1, 0, streams[0]>>>(1);
    cudaDeviceSynchronize();
    show_channels(&shared->low);
    shared->ready = open_doorbells() ? 1 : -1;
    while (!shared->quit) {
        if (shared->slice_order != shared->sliced) {
            set_slice(1);
            shared->sliced = shared->slice_order;
        }
        if (shared->ring_order != shared->rung) {
            ring();
            shared->rung = shared->ring_order;
        }
        if (shared->order == seen) {
            continue;
        }
        seen = shared->order;
        for (int k = 0; k < shared->kernels; k++) {
            cudaStream_t stream = streams[k % shared->streams];
            spin<<<shared->blocks, 256, 0, stream>>>(
                (long long)(shared->milliseconds * CYCLES_PER_MS));
            tell<<<1, 1, 0, stream>>>(ended + k, seen);
        }
        shared->launched = seen;
    }
    _exit(0);
}

static void set_low_slice()
{
    shared->slice_order = shared->slice_order + 1;
    while (shared->sliced != shared->slice_order) {
    }
}

static void ring_low()
{
    shared->ring_order = shared->ring_order + 1;
    while (shared->rung != shared->ring_order) {
    }
}

static double some(double most)
{
    return most * (rand() % 1000) / 1000;
}

static void wait(double milliseconds)
{
    for (double begin = now_ms(); now_ms() - begin < milliseconds;) {
    }
}

static void burst(int kernels, int *sum)
{
    for (int k = 0; k < kernels; k++) {
        tiny<<<1, 1>>>(sum);
        cudaDeviceSynchronize();
    }
}

static bool end_within(double milliseconds)
{
    for (double begin = now_ms(); now_ms() - begin < milliseconds;) {
        int ended = 0;
        for (int k = 0; k < shared->kernels; k++) {
            ended += shared->ended[k] == shared->order;
        }
        if (ended == shared->kernels) {
            return true;
        }
    }
    return false;
}

struct Control {
    const char *name;
    bool only_scheduling, sets_slice, rings;
};

static bool is_forgotten(const Control &how, int *sum, std::vector<double> *restoring)
{
    static const double lengths[] = {0.3, 2, 6};
    static const int bursts[] = {0, 1, 20};
    shared->kernels = 1 << rand() % 3;
    shared->streams = 1 + rand() % 2;
    shared->blocks = rand() % 2 ? 528 : 66;
    shared->milliseconds = lengths[rand() % 3];
    wait(some(3));
    shared->order = shared->order + 1;
    while (shared->launched != shared->order) {
    }
    for (int turns = 1 + rand() % 3; turns > 0; turns--) {
        wait(some(4));
        turn(shared->low, true, how.only_scheduling);
        wait(rand() % 2 ? some(4) : 0);
        burst(bursts[rand() % 3], sum);
        wait(rand() % 2 ? some(2) : 0);
        double begin = now_ms();
        turn(shared->low, false, false);
        if (how.sets_slice) {
            set_low_slice();
        }
        if (how.rings) {
            ring_low();
        }
        restoring->push_back(now_ms() - begin);
    }
    return !end_within(2 * shared->kernels * shared->milliseconds + GRACE_MS);
}

static void measure(const Control &how, int times, int *sum)
{
    int forgotten = 0, enabled_again = 0, others_work = 0, slice = 0;
    std::vector<double> restoring;
    for (int i = 0; i < times; i++) {
        if (!is_forgotten(how, sum, &restoring)) {
            continue;
        }
        forgotten++;
        turn(shared->low, false, false);
        if (end_within(GRACE_MS)) {
            enabled_again++;
            continue;
        }
        burst(1, sum);
        if (end_within(GRACE_MS)) {
            others_work++;
            continue;
        }
        set_low_slice();
        slice += end_within(GRACE_MS);
    }
    printf("%-44s forgotten %d of %d; remembered when enabled again %d, by work of others %d, by the "
           "slice %d; restore %.2f ms (most %.2f)\n",
           how.name, forgotten, times, enabled_again, others_work, slice, percentile(restoring, 50),
           percentile(restoring, 100));
    fflush(stdout);
}

int main(int count, char **arguments)
{
    int *sum;
    shared = (Shared *)mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t low = fork();
    if (low == 0) {
        be_low();
    }
    cudaMalloc(&sum, sizeof *sum);
    burst(1, sum);
    while (!shared->ready) {
        usleep(1000);
    }
    if (shared->ready < 0) {
        printf("the doorbells cannot be had\n");
    }
    set_slice(1000000);
    set_low_slice();
    const Control controls[] = {
        {"only scheduling disabled", true, false, false},
        {"only scheduling disabled, slice set afterwards", true, true, false},
        {"only scheduling disabled, doorbells rung then", true, false, shared->ready > 0},
        {"disabled", false, false, false},
    };
    for (const Control &how : controls) {
        measure(how, count > 1 ? atoi(arguments[1]) : 300, sum);
    }
    shared->quit = 1;
    usleep(200000);
    kill(low, SIGKILL);
    waitpid(low, nullptr, 0);
}
