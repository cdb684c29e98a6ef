/* What kernels and copies are on the stand-in: work that takes its time, in host memory. */
#ifndef XSCHED_TEST_HIP_KERNELS_H
#define XSCHED_TEST_HIP_KERNELS_H

#include "../cuda/machine.h"

#define NANOS_OF_A_ROUND 100 /* of the kernel "delay", whose second argument is how many */

void *new_memory(size_t size); /* zeros */
bool forget_memory(void *memory);
void *kernel_named(const char *name);
struct graph *new_graph(void);

/* Has the command do what the call means; nothing for calls that are no work for the device. */
void fill_in(const char *name, const uint64_t *arguments, struct command *command);

/* How long the call's work takes. */
uint64_t nanos_of(const char *name, const uint64_t *arguments);

#endif
