/*
 * AMD's GPUs: interrupts, by taking queues off the device with their waves saved (CWSR), and queue
 * priorities. What is asked of the kernel is watched (amd_watch.c); with what was learned so, it is
 * asked for more (amd_control.c). Whether that may be is found out in amd_offer.c, which GPU a device
 * is in amd_topology.c; amd_gpu.c is its table for the agent.
 *
 * DBG_TRAP's SUSPEND_QUEUES would do the same to all queues in one call. It is not used: it makes the
 * program one that is being debugged, refuses queues that are new, and hangs a program at its end that
 * did not disable it before.
 */
#ifndef XSCHED_SHIM_AMD_H
#define XSCHED_SHIM_AMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu.h"

/* All of a process: HIP has at most four for compute on a GPU, and some for copies. */
#define AMD_QUEUES 1024u

/* A queue of compute, as the program has it. To be touched with amd_lock held. */
struct amd_queue {
    bool used;
    int fd; /* by which it was made */
    uint32_t id;
    uint32_t gpu_id;
    uint64_t ring_base_address;
    uint32_t ring_size;
    uint32_t percentage;
    uint32_t priority;
    bool saves_waves;

    /* What we made of it. */
    bool off;
    uint32_t priority_order; /* 0: as the program has it */
};

/* amd_watch.c */
extern struct amd_queue amd_queues[AMD_QUEUES];
extern _Atomic(const char *) amd_strange; /* what does not look as it should; NULL: nothing */
int amd_call(int fd, unsigned long request, void *argument); /* destroys or updates a queue */
void amd_created(int fd, unsigned long request, const void *argument); /* after the call */
bool amd_is_kfd(int fd);

/*
 * Queue ids are used again. So that what we ask never meets another queue than it is meant for, the
 * program's own calls about queues wait for ours, as they would in the kernel. False: somebody has
 * been in such a call for long, and is not waited for.
 */
bool amd_lock(void);
void amd_unlock(void);

/* amd_control.c; with amd_lock held */
bool amd_update(struct amd_queue *queue, bool off, uint32_t priority_order); /* false: refused */
bool amd_version(int fd, uint32_t *major, uint32_t *minor);

/* amd_offer.c */
const char *amd_objection(void);

/* amd_topology.c: the driver's number of a GPU, 0 if it cannot be told */
uint32_t amd_gpu_named(const char *device);
uint32_t amd_only_gpu(void);
uint32_t amd_gpus_of_machine(void);

#endif
