/* That our numbers and structures are those of Linux's header. It is compiled with either. */
#include <stddef.h>
#include <stdint.h>

#ifdef LINUX
#include <linux/kfd_ioctl.h>
#define NUMBERS linux_numbers
#else
#include "../../shim/amd_kfd.h"
#include "../harness.h"
#define NUMBERS our_numbers
#endif

#define CREATE_AT(field) offsetof(struct kfd_ioctl_create_queue_args, field)
#define UPDATE_AT(field) offsetof(struct kfd_ioctl_update_queue_args, field)
#define COUNT 27

extern const uint64_t linux_numbers[COUNT], our_numbers[COUNT];
extern const uint64_t linux_create_size;

const uint64_t NUMBERS[COUNT] = {
    KFD_IOCTL_MAJOR_VERSION,
    KFD_IOC_QUEUE_TYPE_COMPUTE,
    KFD_IOC_QUEUE_TYPE_SDMA,
    KFD_IOC_QUEUE_TYPE_COMPUTE_AQL,
    KFD_MAX_QUEUE_PERCENTAGE,
    KFD_MAX_QUEUE_PRIORITY,
    AMDKFD_IOC_GET_VERSION,
    _IOC_NR(AMDKFD_IOC_CREATE_QUEUE),
    _IOC_DIR(AMDKFD_IOC_CREATE_QUEUE),
    AMDKFD_IOC_DESTROY_QUEUE,
    AMDKFD_IOC_UPDATE_QUEUE,
    offsetof(struct kfd_ioctl_get_version_args, minor_version),
    offsetof(struct kfd_ioctl_destroy_queue_args, queue_id),
    CREATE_AT(ring_base_address),
    CREATE_AT(ring_size),
    CREATE_AT(gpu_id),
    CREATE_AT(queue_type),
    CREATE_AT(queue_percentage),
    CREATE_AT(queue_priority),
    CREATE_AT(queue_id),
    CREATE_AT(ctx_save_restore_size),
    UPDATE_AT(ring_base_address),
    UPDATE_AT(queue_id),
    UPDATE_AT(ring_size),
    UPDATE_AT(queue_percentage),
    UPDATE_AT(queue_priority),
    sizeof(struct kfd_ioctl_update_queue_args),
};

#ifdef LINUX
const uint64_t linux_create_size = sizeof(struct kfd_ioctl_create_queue_args);
#else
static void the_same_numbers(void)
{
    for (int i = 0; i < COUNT; i++) {
        if (our_numbers[i] != linux_numbers[i]) {
            fprintf(stderr, "number %d is %llu in Linux's header and %llu in ours\n", i,
                    (unsigned long long)linux_numbers[i], (unsigned long long)our_numbers[i]);
            exit(1);
        }
    }
    CHECK(linux_create_size == sizeof(struct kfd_ioctl_create_queue_args) ||
          linux_create_size == KFD_LONGER_CREATE_QUEUE_ARGS);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {{"our numbers are those of Linux's header", the_same_numbers}};
    return run_tests(count, arguments, tests, 1);
}
#endif
