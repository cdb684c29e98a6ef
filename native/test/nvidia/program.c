/*
 * A program that uses CUDA, as far as both stand-ins go:
 *     program slices|channels CHANGES [GPUS [MILLIS]]
 * It launches until its time slices, or how many of its channels are disabled, have changed that
 * often, and says each time what it is now, and whether something was preempted for it. When it ends,
 * no work of its channels is forgotten. It has one GPU, or two, and launches once in a millisecond, or in
 * so many, by the clock. In the folder XSCHED_TEST_RM there may be others with the same GPUs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../cuda/cuda.h"
#include "../harness.h"
#include "library.h"
#include "rm.h"

#define MOST_GPUS 2

static struct gpu {
    struct library library;
    void *context;
    uint64_t slice;
} gpus[MOST_GPUS];

/* The driver counts GPUs in another order than CUDA. */
static void open_gpu(int index, int count)
{
    struct gpu *gpu = &gpus[index];
    gpu->library = (struct library){.longer = true,
                                    .fd = gpus[0].library.fd,
                                    .client = gpus[0].library.client};
    library_open(&gpu->library, (uint32_t)(count - 1 - index));
    library_make_context(&gpu->library);
    CHECK(cuDevicePrimaryCtxRetain(&gpu->context, index) == 0);
    gpu->slice = rm_slice(gpu->library.client, gpu->library.groups[0]);
}

static void launch_on(int index)
{
    struct gpu *gpu = &gpus[index];
    CHECK(cuCtxSetCurrent(gpu->context) == 0);
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 0);
    CHECK(cuStreamSynchronize(NULL) == 0);
}

static bool has_another_slice(int index)
{
    struct gpu *gpu = &gpus[index];
    uint64_t slice = rm_slice(gpu->library.client, gpu->library.groups[0]);
    if (slice == gpu->slice) {
        return false;
    }
    printf("slice %llu%s\n", (unsigned long long)slice, index == 0 ? "" : " on the second GPU");
    fflush(stdout);
    gpu->slice = slice;
    return true;
}

static bool has_others_disabled(void)
{
    static uint32_t before;
    uint32_t disabled = rm_disabled_of(gpus[0].library.client);
    if (disabled == before) {
        return false;
    }
    uint32_t only_scheduling = rm_only_scheduling_of(gpus[0].library.client);
    printf("disabled %u%s\n", disabled,
           disabled != 0 && only_scheduling == disabled ? ", only their scheduling" : "");
    fflush(stdout);
    before = disabled;
    return true;
}

static void rest_until(int64_t nanos)
{
    struct timespec time = {.tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

int main(int count, char **arguments)
{
    char folder[512];
    int gpu_count = count > 3 ? atoi(arguments[3]) : 1;
    int every_millis = count > 4 ? atoi(arguments[4]) : 1;
    CHECK(count > 2 && gpu_count >= 1 && gpu_count <= MOST_GPUS && getenv("XSCHED_DIR") != NULL);
    bool of_slices = strcmp(arguments[1], "slices") == 0;
    CHECK(of_slices || strcmp(arguments[1], "channels") == 0);
    snprintf(folder, sizeof folder, "%s/rm-%d", getenv("XSCHED_DIR"), (int)getpid());
    setenv("XSCHED_TEST_RM", folder, 0);
    setenv("XSCHED_AUTO_XQUEUE_LEVEL", "3", 0);
    if (rm_state() == NULL) {
        rm_start();
        if (gpu_count > 1) {
            rm_add_gpu();
        }
    }
    CHECK(cuInit(0) == 0);
    for (int i = 0; i < gpu_count; i++) {
        open_gpu(i, gpu_count);
    }
    int64_t next = now_nanos();
    for (int left = atoi(arguments[2]); left > 0; next += every_millis * 1000000ll) {
        for (int i = 0; i < gpu_count; i++) {
            launch_on(i);
            left -= of_slices && has_another_slice(i) ? 1 : 0;
        }
        rest_until(next);
        left -= !of_slices && has_others_disabled() ? 1 : 0;
    }
    EVENTUALLY(rm_forgotten_of(gpus[0].library.client) == 0);
    return rm_is_clean() ? 0 : 1;
}
