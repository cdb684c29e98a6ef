/*
 * Who is held up by what is asked of the driver for a low process? That runs one kernel after another;
 * a high one comes at random moments with 1 ms of kernels and waits for them. Both have the slices that
 * the daemon gives them. Meanwhile the low one's channels are disabled, enabled and reminded of, in
 * several ways.
 *
 *     nvcc -O2 -arch=sm_90 -o /tmp/held_up bench/cuda/held_up.cu -Xlinker --export-dynamic
 *     /tmp/held_up
 */
#include <cuda_runtime.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "feeder.h"
#include "own_channels.h"

#define SAMPLES 500

struct Way {
    const char *name;
    bool disables, preempts, sets_slice, rings;
};

static const Way ways[] = {
    {"nothing", false, false, false, false},
    {"scheduling disabled, enabled", true, false, false, false},
    {"scheduling disabled, enabled, slice set", true, false, true, false},
    {"scheduling disabled, enabled, doorbells rung", true, false, false, true},
    {"disabled with a preemption, enabled", true, true, false, false},
    {"slice set", false, false, true, false},
    {"doorbells rung", false, false, false, true},
    {"nothing again", false, false, false, false},
};

/* Between the two processes. */
struct Shared {
    volatile int ready, quit, way, begun;
    volatile unsigned long calls, kernels;
    Channels low;
};

static Shared *shared;

__global__ void spin(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;) {
    }
}

static double between(double least, double most)
{
    return least + (most - least) * (rand() % 1000) / 1000;
}

static void ask(const Way &way)
{
    if (way.disables) {
        turn(shared->low, true, !way.preempts);
        pause_ms(between(0.5, 2));
        turn(shared->low, false, false);
    }
    if (way.sets_slice) {
        set_slice(1);
    }
    if (way.rings) {
        ring();
    }
    shared->calls = shared->calls + 1;
}

static void be_low()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_TIMERSLACK, 1);
    Feeder feeder;
    show_channels(&shared->low);
    set_slice(1);
    shared->ready = open_doorbells() ? 1 : -1;
    while (!shared->quit) {
        shared->kernels = feeder.feed([](cudaStream_t stream) {
            spin<<<132 * 8, 256, 0, stream>>>((long long)(0.7 * CYCLES_PER_MS));
        });
        const Way &way = ways[shared->way];
        shared->begun = shared->way;
        if (way.disables || way.sets_slice || way.rings) {
            ask(way);
        }
        pause_ms(between(0.5, 2));
    }
    _exit(0);
}

static void measure(int number)
{
    shared->way = number;
    while (shared->begun != number) {
        usleep(100);
    }
    usleep(20000);
    unsigned long calls = shared->calls, kernels = shared->kernels;
    double begin = now_ms();
    std::vector<double> times;
    for (int i = 0; i < SAMPLES; i++) {
        pause_ms(between(1.5, 4));
        double came = now_ms();
        for (int k = 0; k < 10; k++) {
            spin<<<132, 256>>>((long long)(0.1 * CYCLES_PER_MS));
        }
        cudaDeviceSynchronize();
        times.push_back(now_ms() - came);
    }
    double seconds = (now_ms() - begin) / 1e3;
    printf("{\"meanwhile\": \"%s\", \"p50_ms\": %.3f, \"p90_ms\": %.3f, \"p97_ms\": %.3f, \"p99_ms\": %.3f, "
           "\"calls_per_second\": %.0f, \"low_kernels_per_second\": %.0f}\n",
           ways[number].name, percentile(times, 50), percentile(times, 90), percentile(times, 97),
           percentile(times, 99), (shared->calls - calls) / seconds,
           (shared->kernels - kernels) / seconds);
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
    cudaFree(nullptr);
    prctl(PR_SET_TIMERSLACK, 1);
    while (!shared->ready) {
        usleep(1000);
    }
    if (shared->ready < 0) {
        printf("the doorbells cannot be had\n");
        kill(low, SIGKILL);
        return 1;
    }
    set_slice(1000000);
    for (int number = 0; number < (int)(sizeof ways / sizeof *ways); number++) {
        measure(number);
    }
    shared->quit = 1;
    waitpid(low, nullptr, 0);
}
