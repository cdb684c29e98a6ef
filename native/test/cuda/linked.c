/* For programs that are linked with the driver. */
#include "program.h"

void start_scheduled(uint32_t others)
{
    standin_start(&standin);
    standin_host(&standin, &guest);
    CHECK(cuInit(0) == 0);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    launch(NULL);
    standin_hosted(&standin);
    slot = &guest.block->slot[0];
    CHECK(slot->state == XSCHED_SLOT_USED);
    __atomic_store_n(&slot->others, others, __ATOMIC_SEQ_CST);
    finish();
}

void launch(void *stream)
{
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL) == 0);
}

void *new_stream(void)
{
    void *stream;
    CHECK(cuStreamCreate(&stream, NON_BLOCKING) == 0);
    return stream;
}
