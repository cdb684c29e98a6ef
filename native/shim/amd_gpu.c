/*
 * What there is of a GPU of AMD's for the agent: the queues of compute, each of which can be taken off
 * the device and has a priority. HIP maps all streams onto a few of these, so they go together.
 *
 * A queue that is made while the others are off is taken off, too, when the agent comes to it: the order
 * is about the program's work, not about some of its queues.
 */
#include "amd.h"
#include "amd_kfd.h"
#include "xsched_control.h"

static bool belongs_to(const struct amd_queue *queue, const struct gpu *gpu)
{
    return queue->used && queue->gpu_id == gpu->instance;
}

/* One that the program itself keeps off the device needs nothing, until it puts it back. */
static bool runs(const struct amd_queue *queue)
{
    return (queue->percentage & KFD_PERCENTAGE_BITS) != 0 && queue->ring_base_address != 0 &&
           queue->ring_size != 0;
}

static void recognize(struct gpu *gpu)
{
    uint32_t only = amd_only_gpu();
    gpu->instance = only != 0 ? only : amd_gpu_named(gpu->device);
    gpu->is_known = gpu->instance != 0;
}

static void fill_in(struct xsched_gpu *shown, const struct gpu *gpu)
{
    uint32_t queues = 0;
    if (!amd_lock()) {
        return; /* it stays as it was until there is news again */
    }
    for (uint32_t i = 0; i < AMD_QUEUES; i++) {
        if (belongs_to(&amd_queues[i], gpu) && queues++ < XSCHED_GPU_CHANNELS) {
            shown->channels[queues - 1] = (struct xsched_gpu_object){.handle = amd_queues[i].id};
        }
    }
    amd_unlock();
    shown->channel_count = queues;
    shown->instance = gpu->instance;
}

/* Each call may take all queues of the device off it for a moment, so there are none to spare. */
static bool turn(const struct gpu *gpu, bool off, bool all)
{
    bool done = true;
    if (!amd_lock()) {
        return false;
    }
    for (uint32_t i = 0; i < AMD_QUEUES; i++) {
        struct amd_queue *queue = &amd_queues[i];
        if (belongs_to(queue, gpu) && runs(queue) && (queue->off != off || (all && !off))) {
            done &= amd_update(queue, off, queue->priority_order);
        }
    }
    amd_unlock();
    return done;
}

static bool is_off(const struct gpu *gpu)
{
    bool off = false;
    if (!amd_lock()) {
        return true; /* it may be: somebody is to look again */
    }
    for (uint32_t i = 0; i < AMD_QUEUES; i++) {
        off |= belongs_to(&amd_queues[i], gpu) && amd_queues[i].off;
    }
    amd_unlock();
    return off;
}

static bool set_priority(const struct gpu *gpu, uint32_t priority)
{
    bool done = true;
    if (!amd_lock()) {
        return false;
    }
    for (uint32_t i = 0; i < AMD_QUEUES; i++) {
        struct amd_queue *queue = &amd_queues[i];
        if (belongs_to(queue, gpu) && runs(queue) && queue->priority_order != priority) {
            done &= amd_update(queue, queue->off, priority);
        }
    }
    amd_unlock();
    return done;
}

static bool was_used(void)
{
    bool used = atomic_load(&amd_strange) != NULL;
    if (!amd_lock()) {
        return true;
    }
    for (uint32_t i = 0; i < AMD_QUEUES && !used; i++) {
        used = amd_queues[i].used;
    }
    amd_unlock();
    return used;
}

bool amd_is_here(void)
{
    return amd_gpus_of_machine() > 0 || was_used();
}

bool amd_knows(const char *device)
{
    return device[0] == 'h' || amd_gpu_named(device) != 0;
}

const struct gpu_maker amd_maker = {
    .offers = XSCHED_OFFERS_INTERRUPT | XSCHED_OFFERS_PRIORITY,
    .objection = amd_objection,
    .recognize = recognize,
    .fill_in = fill_in,
    .turn = turn,
    .is_off = is_off,
    .set_priority = set_priority,
};
