/*
 * A program that uses CUDA, as far as both stand-ins go: program CHANGES [GPUS [MILLIS]]
 * It launches until its time slices, or how many of its channels are disabled, have changed that
 * often, and says each time what it is now. It has one GPU, or two, and rests for 1 ms between
 * launches, or for so long. In the folder XSCHED_TEST_RM there may be others with the same GPUs.
 */
#include <stdio.h>
#include <stdlib.h>
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

/* Returns whether its slice has changed. */
static bool launch_on(int index)
{
    struct gpu *gpu = &gpus[index];
    CHECK(cuCtxSetCurrent(gpu->context) == 0);
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 0);
    CHECK(cuStreamSynchronize(NULL) == 0);
    uint64_t slice = rm_slice(gpu->library.client, gpu->library.groups[0]);
    if (slice == gpu->slice) {
        return false;
    }
    printf("slice %llu%s\n", (unsigned long long)slice, index == 0 ? "" : " on the second GPU");
    fflush(stdout);
    gpu->slice = slice;
    return true;
}

int main(int count, char **arguments)
{
    char folder[512];
    int gpu_count = count > 2 ? atoi(arguments[2]) : 1;
    int rest_millis = count > 3 ? atoi(arguments[3]) : 1;
    CHECK(count > 1 && gpu_count >= 1 && gpu_count <= MOST_GPUS && getenv("XSCHED_DIR") != NULL);
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
    uint32_t disabled = 0;
    for (int left = atoi(arguments[1]); left > 0;) {
        for (int i = 0; i < gpu_count; i++) {
            left -= launch_on(i) ? 1 : 0;
        }
        sleep_millis(rest_millis);
        uint32_t off = rm_disabled_of(gpus[0].library.client);
        if (off != disabled) {
            printf("disabled %u\n", off);
            fflush(stdout);
            disabled = off;
            left--;
        }
    }
    return rm_is_clean() ? 0 : 1;
}
