/*
 * A program that uses HIP, as far as both stand-ins go: program CHANGES
 * One of its threads launches kernels. The other says how many of its queues are off the GPU each time
 * that all have gone or come back, and ends the program when this has happened that often. In the
 * folder XSCHED_TEST_KFD there may be others with the same GPU.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../harness.h"
#include "../hip/names.h"
#include "kfd.h"
#include "runtime.h"

static _Atomic bool stopped;

static void *launch(void *unused)
{
    (void)unused;
    while (!atomic_load(&stopped)) {
        CHECK(hipModuleLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 0);
        CHECK(hipStreamSynchronize(NULL) == 0);
    }
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    uint32_t off = 0;
    CHECK(count == 2 && kfd_state() != NULL);
    setenv("XSCHED_AUTO_XQUEUE_LEVEL", "3", 0);
    CHECK(hipInit(0) == 0 && hipSetDevice(0) == 0);
    CHECK(pthread_create(&thread, NULL, launch, NULL) == 0);
    for (int left = atoi(arguments[1]); left > 0; sleep_millis(1)) {
        uint32_t now = kfd_off(getpid());
        if (now != off && (now == 0 || now == COMPUTE_QUEUES)) {
            printf("off %u\n", now);
            fflush(stdout);
            off = now;
            left--;
        }
    }
    atomic_store(&stopped, true);
    CHECK(pthread_join(thread, NULL) == 0);
    return kfd_is_clean() ? 0 : 1;
}
