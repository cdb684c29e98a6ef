/*
 * A program that uses CUDA, as far as both stand-ins go: program CHANGES
 * It launches until its time slice, or whether its channels are disabled, has changed that often, and
 * says each time what it is now. In the folder XSCHED_TEST_RM there may be others with the same GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../cuda/cuda.h"
#include "../harness.h"
#include "library.h"
#include "rm.h"

int main(int count, char **arguments)
{
    struct library library = {.longer = true};
    char folder[512];
    void *context;
    CHECK(count == 2 && getenv("XSCHED_DIR") != NULL);
    snprintf(folder, sizeof folder, "%s/rm-%d", getenv("XSCHED_DIR"), (int)getpid());
    setenv("XSCHED_TEST_RM", folder, 0);
    if (rm_state() == NULL) {
        rm_start();
    }
    library_start(&library);
    CHECK(cuInit(0) == 0 && cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    uint64_t slice = rm_slice(library.client, library.groups[0]);
    uint32_t disabled = 0;
    for (int left = atoi(arguments[1]); left > 0;) {
        CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 0);
        CHECK(cuStreamSynchronize(NULL) == 0);
        sleep_millis(1);
        uint64_t now = rm_slice(library.client, library.groups[0]);
        if (now != slice) {
            printf("slice %llu\n", (unsigned long long)now);
            fflush(stdout);
            slice = now;
            left--;
        }
        uint32_t off = rm_disabled_of(library.client);
        if (off != disabled) {
            printf("disabled %u\n", off);
            fflush(stdout);
            disabled = off;
            left--;
        }
    }
    return rm_is_clean() ? 0 : 1;
}
