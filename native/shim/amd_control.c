/*
 * What we ask of the driver ourselves, by the descriptor that the program opened. An update tells all of
 * a queue's properties, so those that we do not change are as the program has them: a ring of another
 * address would be taken, too.
 */
#include <errno.h>
#include <string.h>

#include "amd.h"
#include "amd_kfd.h"

static int call(int fd, unsigned long request, void *argument)
{
    int error = errno, result;
    do {
        errno = 0;
        result = gpu_ioctl(fd, request, argument) == 0 ? 0 : errno;
    } while (result == EINTR);
    errno = error;
    return result;
}

/*
 * Queues are sorted into three kinds of pipe by their priority. An order says which of these a program
 * is to have; within it, its own queues keep the order that they had.
 */
static uint32_t shifted(uint32_t own, uint32_t order)
{
    static const uint32_t lowest[] = {0, 7, 11, KFD_MAX_QUEUE_PRIORITY + 1};
    uint32_t kind = 2;
    while (order < lowest[kind]) {
        kind--;
    }
    uint32_t room = lowest[kind + 1] - 1 - lowest[kind];
    uint32_t capped = own < KFD_MAX_QUEUE_PRIORITY ? own : KFD_MAX_QUEUE_PRIORITY;
    return lowest[kind] + capped * room / KFD_MAX_QUEUE_PRIORITY;
}

bool amd_update(struct amd_queue *queue, bool off, uint32_t priority_order)
{
    struct kfd_ioctl_update_queue_args update = {
        .ring_base_address = queue->ring_base_address,
        .queue_id = queue->id,
        .ring_size = queue->ring_size,
        .queue_percentage =
            off ? queue->percentage & ~KFD_PERCENTAGE_BITS : queue->percentage,
        .queue_priority = priority_order != 0 ? shifted(queue->priority, priority_order - 1)
                                              : queue->priority,
    };
    /* The program may have closed it, and have something else under this number. */
    if (!amd_is_kfd(queue->fd)) {
        gpu_refuse("AMDKFD_IOC_UPDATE_QUEUE could not be called");
        return false;
    }
    int error = call(queue->fd, AMDKFD_IOC_UPDATE_QUEUE, &update);
    if (error != 0) {
        gpu_refuse("the driver refuses AMDKFD_IOC_UPDATE_QUEUE with error %d", error);
        return false;
    }
    queue->off = off;
    queue->priority_order = priority_order;
    return true;
}

bool amd_version(int fd, uint32_t *major, uint32_t *minor)
{
    struct kfd_ioctl_get_version_args version = {0};
    if (!amd_is_kfd(fd) || call(fd, AMDKFD_IOC_GET_VERSION, &version) != 0) {
        return false;
    }
    *major = version.major_version;
    *minor = version.minor_version;
    return true;
}
