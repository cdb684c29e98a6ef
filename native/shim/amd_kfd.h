/*
 * How programs talk to AMD's kernel driver for compute (KFD): the few numbers and structures of it that
 * we use, under the names of Linux's public header linux/kfd_ioctl.h. A test compares them with the one
 * that is installed. The driver takes a structure that is shorter than its own, so old sizes stay.
 */
#ifndef XSCHED_AMD_KFD_H
#define XSCHED_AMD_KFD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

#define KFD_DEVICE "/dev/kfd"
#define KFD_IOCTL_MAJOR_VERSION 1

struct kfd_ioctl_get_version_args {
    uint32_t major_version;
    uint32_t minor_version;
};

#define KFD_IOC_QUEUE_TYPE_COMPUTE 0x0
#define KFD_IOC_QUEUE_TYPE_SDMA 0x1
#define KFD_IOC_QUEUE_TYPE_COMPUTE_AQL 0x2

#define KFD_MAX_QUEUE_PERCENTAGE 100
#define KFD_MAX_QUEUE_PRIORITY 15

/* As it was until 1.16; since 1.17 there are 8 bytes more, of no concern to queues of compute. */
struct kfd_ioctl_create_queue_args {
    uint64_t ring_base_address;
    uint64_t write_pointer_address;
    uint64_t read_pointer_address;
    uint64_t doorbell_offset;
    uint32_t ring_size;
    uint32_t gpu_id;
    uint32_t queue_type;
    uint32_t queue_percentage;
    uint32_t queue_priority;
    uint32_t queue_id; /* by the driver */
    uint64_t eop_buffer_address;
    uint64_t eop_buffer_size;
    uint64_t ctx_save_restore_address;
    uint32_t ctx_save_restore_size; /* where waves are saved; 0: nowhere */
    uint32_t ctl_stack_size;
};
#define KFD_LONGER_CREATE_QUEUE_ARGS 96u /* since 1.17 */

struct kfd_ioctl_destroy_queue_args {
    uint32_t queue_id;
    uint32_t pad;
};

/* A percentage of 0 takes the queue off the device, its waves saved (CWSR); 100 puts it back. */
struct kfd_ioctl_update_queue_args {
    uint64_t ring_base_address;
    uint32_t queue_id;
    uint32_t ring_size;
    uint32_t queue_percentage; /* in its low byte; the next says on which part of the device */
    uint32_t queue_priority;
};
#define KFD_PERCENTAGE_BITS 0xffu

#define AMDKFD_IOCTL_BASE 'K'
#define AMDKFD_IOC_GET_VERSION _IOR(AMDKFD_IOCTL_BASE, 0x01, struct kfd_ioctl_get_version_args)
#define AMDKFD_IOC_CREATE_QUEUE _IOWR(AMDKFD_IOCTL_BASE, 0x02, struct kfd_ioctl_create_queue_args)
#define AMDKFD_IOC_DESTROY_QUEUE _IOWR(AMDKFD_IOCTL_BASE, 0x03, struct kfd_ioctl_destroy_queue_args)
#define AMDKFD_IOC_UPDATE_QUEUE _IOW(AMDKFD_IOCTL_BASE, 0x07, struct kfd_ioctl_update_queue_args)

_Static_assert(AMDKFD_IOC_GET_VERSION == 0x80084b01u, "as the driver has it");
_Static_assert(AMDKFD_IOC_CREATE_QUEUE == 0xc0584b02u, "as the driver has it");
_Static_assert(AMDKFD_IOC_DESTROY_QUEUE == 0xc0084b03u, "as the driver has it");
_Static_assert(AMDKFD_IOC_UPDATE_QUEUE == 0x40184b07u, "as the driver has it");
_Static_assert(offsetof(struct kfd_ioctl_create_queue_args, ring_size) == 32, "the same");
_Static_assert(offsetof(struct kfd_ioctl_create_queue_args, queue_id) == 52, "the same");
_Static_assert(offsetof(struct kfd_ioctl_create_queue_args, eop_buffer_address) == 56, "the same");
_Static_assert(offsetof(struct kfd_ioctl_create_queue_args, ctx_save_restore_size) == 80, "the same");
_Static_assert(offsetof(struct kfd_ioctl_update_queue_args, queue_id) == 8, "the same");
_Static_assert(offsetof(struct kfd_ioctl_update_queue_args, queue_percentage) == 16, "the same");

#endif
