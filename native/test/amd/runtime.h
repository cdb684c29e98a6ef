/* What ROCm's runtime does when a program begins to use a GPU, as far as the kernel sees it. */
#ifndef XSCHED_TEST_AMD_RUNTIME_H
#define XSCHED_TEST_AMD_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#define COMPUTE_QUEUES 4 /* as GPU_MAX_HW_QUEUES has it */
#define COPY_QUEUES 2
#define NORMAL_PRIORITY 7 /* that the runtime gives to a queue of no special one */
#define RING_SIZE 0x10000u

struct runtime {
    int fd;
    uint32_t gpu_id;
    uint32_t compute[COMPUTE_QUEUES];
    uint32_t copies[COPY_QUEUES];
    bool longer;     /* as since 1.17 */
    uint32_t extra;  /* bytes that another driver has more */
    bool saves_nothing;
};

void runtime_open(struct runtime *runtime);
uint32_t runtime_create(const struct runtime *runtime, uint32_t type); /* returns the new id */
void runtime_destroy(const struct runtime *runtime, uint32_t id);
void runtime_update(const struct runtime *runtime, uint32_t id, uint32_t percentage,
                    uint32_t priority);
void runtime_start(struct runtime *runtime); /* opens it, and makes all queues */

#endif
