/* The little that the stand-in computes: the kernel of bench/checked, and copies of its result. */
#ifndef XSCHED_CUDA_COMPUTE_H
#define XSCHED_CUDA_COMPUTE_H

#include "machine.h"

#define DEVICE_BIT (1ull << 60) /* the device's address of memory is not the host's */

uint64_t compute_memory(size_t size); /* the device's address */
void *compute_kernel(const char *name); /* NULL: it knows no such */

/* Has the command do what the call means, if it is one of these. */
void compute(const char *name, const uint64_t *arguments, struct command *command);

#endif
