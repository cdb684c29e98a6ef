/* One CUDA device with one kernel, which adds to one sum. Whatever fails ends the program. */
#ifndef XSCHED_CHECKED_GPU_H
#define XSCHED_CHECKED_GPU_H

#include <stdint.h>

void gpu_open(void);

/* As many threads as the device can hold at once. */
uint32_t gpu_threads(void);

/* Runs the kernel, waits for it, and returns the sum of all so far. */
uint64_t gpu_add(uint32_t threads, uint32_t rounds);

#endif
