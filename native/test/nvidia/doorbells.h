/* Pages like those of a device's registers: each write to one is told of, in its order. */
#ifndef XSCHED_TEST_NVIDIA_DOORBELLS_H
#define XSCHED_TEST_NVIDIA_DOORBELLS_H

#include <stddef.h>
#include <stdint.h>

/* What is called for each write, with the page's own number, before whoever writes goes on. */
typedef void (*doorbells_f)(uint32_t number, size_t offset, uint32_t value);

/* To be written to by the calling thread, and others that do not block signals. NULL: not here. */
void *doorbells_map(uint32_t number, size_t size, doorbells_f rung);

#endif
