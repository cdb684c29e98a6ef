#include "xqueues.h"

#include <string.h>

#include "harness.h"

struct standin standin;
struct guest guest;

struct pair make_pair_with(int64_t level, int64_t flags)
{
    struct pair pair = {.queue = opencl_queue()};
    OK(OpenclQueueCreate(&pair.hwq, pair.queue));
    OK(XQueueCreate(&pair.xq, pair.hwq, level, flags));
    return pair;
}

struct pair make_pair(void)
{
    return make_pair_with(kPreemptLevelBlock, kQueueCreateFlagNone);
}

void destroy_pair(struct pair *pair)
{
    OK(XQueueDestroy(pair->xq));
    OK(HwQueueDestroy(pair->hwq));
    opencl_release(pair->queue);
}

void need_opencl(void)
{
    if (!opencl_start()) {
        exit(0);
    }
}

void start_scheduled(void)
{
    standin_start(&standin);
    standin_host(&standin, &guest);
    need_opencl();
    standin_hosted(&standin);
}

struct xsched_slot *slot_named(const char *name)
{
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        struct xsched_slot *slot = &guest.block->slot[i];
        if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == XSCHED_SLOT_USED &&
            strcmp(slot->name, name) == 0) {
            return slot;
        }
    }
    return NULL;
}
