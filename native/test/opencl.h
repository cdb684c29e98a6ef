/* OpenCL for tests, found at run time: where there is none, they are skipped. */
#ifndef XSCHED_TEST_OPENCL_H
#define XSCHED_TEST_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False, and a line says why, where no device or no driver is. */
bool opencl_start(void);

struct _cl_command_queue *opencl_queue(void);
void opencl_release(struct _cl_command_queue *queue);
bool opencl_finish(struct _cl_command_queue *queue);

/* A list in device memory; to append to it is one command, whose order can be read there. */
struct list;
struct list *list_make(size_t most);
void list_free(struct list *list);
bool list_append(struct list *list, struct _cl_command_queue *queue, int value);
size_t list_read(struct list *list, struct _cl_command_queue *queue, int *values);

/* A command that takes about that long, on one core. */
bool opencl_spin(struct _cl_command_queue *queue, int millis);

#endif
