/*
 * What a worker asks of a driver. All of it may fail at any time, as devices vanish: false, and a
 * problem() says what to do. Queues, kernels, buffers and marks are the driver's, as numbers.
 */
#ifndef XSCHED_WORKER_BACKEND_H
#define XSCHED_WORKER_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_VALUES 12

/* A value that a kernel is given: a buffer or a number. */
struct value {
    size_t size;
    union {
        uint64_t buffer;
        int32_t integer;
        float real;
    } of;
};

/* How many work items in two dimensions, and how many of them in a group. */
struct grid {
    size_t width, height; /* of the whole, a multiple of a group's */
    size_t group;         /* is one item high */
};

struct facts {
    char device[256];
    char version[64]; /* of the runtime */
};

struct backend {
    const char *name;
    const char *hwqueue_create; /* the function in xsched.h that knows its queues */
    const char *shown_by;       /* the command that lists its devices */
    bool large;                 /* workloads are sized for a GPU of a data centre */
    bool networks;              /* small ones are played here, for want of real ones */

    bool (*open)(void);
    bool (*enter)(void); /* each thread says so before anything else */

    /* What the device says of itself; NULL: shown_by says it, and more. */
    bool (*facts)(struct facts *facts);

    /* As many work items as it takes to leave nothing of the device to others. */
    struct grid (*full)(void);

    bool (*make_queue)(void **queue);
    void (*free_queue)(void *queue);
    bool (*make_buffer)(uint64_t *buffer, size_t bytes);
    void (*free_buffer)(uint64_t buffer);
    bool (*make_kernel)(void **kernel, const char *name, const struct value *values, int count);
    void (*free_kernel)(void *kernel);

    /* If mark is not NULL, it gets something to wait for, once, until the launch has ended. */
    bool (*launch)(void *queue, void *kernel, const struct grid *grid, void **mark);

    /* The same for who asks all the time whether it has ended: no processor is interrupted for it. */
    bool (*launch_watched)(void *queue, void *kernel, const struct grid *grid, void **mark);
    bool (*has_ended)(void *mark, bool *ended);
    bool (*wait)(void *mark); /* and the mark is gone */

    /* Waits for all in the queue, then copies. */
    bool (*read)(void *queue, uint64_t buffer, size_t bytes, void *to);
};

extern const struct backend opencl_backend;
extern const struct backend cuda_backend;
extern const struct backend hip_backend;

/* The one that this worker was started with. */
extern const struct backend *backend;

/* A file in the folder of this program. */
bool beside(char *path, size_t size, const char *name);

#endif
