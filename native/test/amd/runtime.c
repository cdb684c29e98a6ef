#include "runtime.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../shim/amd_kfd.h"
#include "../harness.h"
#include "kfd.h"

#define FIRST_RING 0x7f0000000000ull

void runtime_open(struct runtime *runtime)
{
    struct kfd_ioctl_get_version_args version;
    runtime->gpu_id = runtime->gpu_id != 0 ? runtime->gpu_id : KFD_GPU_ID;
    runtime->fd = open(KFD_DEVICE, O_RDWR | O_CLOEXEC);
    CHECK(runtime->fd >= 0);
    CHECK(ioctl(runtime->fd, AMDKFD_IOC_GET_VERSION, &version) == 0);
}

uint32_t runtime_create(const struct runtime *runtime, uint32_t type)
{
    static _Atomic uint32_t made;
    union {
        struct kfd_ioctl_create_queue_args small;
        char room[128];
    } call;
    memset(&call, 0, sizeof call);
    uint64_t ring = FIRST_RING + ((uint64_t)++made << 20);
    call.small = (struct kfd_ioctl_create_queue_args){
        .ring_base_address = ring,
        .write_pointer_address = ring + RING_SIZE,
        .read_pointer_address = ring + RING_SIZE + 8,
        .ring_size = RING_SIZE,
        .gpu_id = runtime->gpu_id,
        .queue_type = type,
        .queue_percentage = KFD_MAX_QUEUE_PERCENTAGE,
        .queue_priority = NORMAL_PRIORITY,
        .ctx_save_restore_address = ring + 2 * RING_SIZE,
        .ctx_save_restore_size = runtime->saves_nothing ? 0 : RING_SIZE,
        .ctl_stack_size = 0x1000,
    };
    size_t size = (runtime->longer ? KFD_LONGER_CREATE_QUEUE_ARGS : sizeof call.small) +
                  runtime->extra;
    unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, AMDKFD_IOCTL_BASE, 0x02, size);
    CHECK(ioctl(runtime->fd, request, &call) == 0);
    return call.small.queue_id;
}

void runtime_destroy(const struct runtime *runtime, uint32_t id)
{
    struct kfd_ioctl_destroy_queue_args call = {.queue_id = id};
    CHECK(ioctl(runtime->fd, AMDKFD_IOC_DESTROY_QUEUE, &call) == 0);
}

void runtime_update(const struct runtime *runtime, uint32_t id, uint32_t percentage,
                    uint32_t priority)
{
    const struct kfd_queue *queue = kfd_find(getpid(), id);
    CHECK(queue != NULL);
    struct kfd_ioctl_update_queue_args call = {
        .ring_base_address = queue->ring,
        .queue_id = id,
        .ring_size = queue->ring_size,
        .queue_percentage = percentage,
        .queue_priority = priority,
    };
    CHECK(ioctl(runtime->fd, AMDKFD_IOC_UPDATE_QUEUE, &call) == 0);
}

void runtime_start(struct runtime *runtime)
{
    runtime_open(runtime);
    for (int i = 0; i < COPY_QUEUES; i++) {
        runtime->copies[i] = runtime_create(runtime, KFD_IOC_QUEUE_TYPE_SDMA);
    }
    for (int i = 0; i < COMPUTE_QUEUES; i++) {
        runtime->compute[i] = runtime_create(runtime, KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
    }
}
