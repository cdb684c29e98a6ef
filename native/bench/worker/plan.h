/* What a workload is on the device: buffers, kernels that set them up, and those of a request. */
#ifndef XSCHED_WORKER_PLAN_H
#define XSCHED_WORKER_PLAN_H

#include "backend.h"

struct step {
    void *kernel;
    struct grid grid;
};

struct steps {
    struct step *list;
    size_t count;
    size_t times; /* that all of them are done, one after the other; 0: once */
};

static inline size_t steps_in_all(const struct steps *steps)
{
    return steps->times == 0 ? steps->count : steps->times * steps->count;
}

struct plan {
    char describe[320]; /* what stands for the workload, in words */
    uint64_t *buffers;
    size_t buffer_count;
    struct steps setup; /* brings all buffers to the same state in every run */
    struct steps request;
    bool waits;     /* for each kernel before it launches the next */
    int64_t rounds; /* of each command; 0 if it has no commands of a length */
    uint64_t output; /* the buffer with the result of a request */
    size_t output_bytes;
    bool failed; /* builders go on, and look once at their end */
};

/* A buffer of so many floats or ints. */
uint64_t plan_buffer(struct plan *plan, size_t count);

/* The same, set up with random numbers from low to high. */
uint64_t plan_random(struct plan *plan, size_t count, float low, float high);

void plan_result(struct plan *plan, uint64_t buffer, size_t count);

/*
 * One more kernel over width x height items, in groups of so many, width rounded up to them: the
 * kernel is told its bounds. Its values follow, as the letters say: b(uffer), i(nteger), r(eal).
 */
void plan_step(struct plan *plan, struct steps *steps, const char *kernel, size_t width,
               size_t height, size_t group, const char *letters, ...);

/* Waits until all kernels have ended. */
bool plan_run(const struct steps *steps, void *queue);

/* The same from the state that setup makes; gives a hash of the result. */
bool plan_output(const struct plan *plan, void *queue, uint64_t *hash);

void plan_free(struct plan *plan);

#endif
