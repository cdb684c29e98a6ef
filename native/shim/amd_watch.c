/*
 * Watches what AMD's library asks of the kernel. What does not look as expected only means that we
 * offer nothing.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>

#include "amd.h"
#include "amd_kfd.h"

#define PATIENCE_SECONDS 1
#define BUSY "a call about another queue takes long" /* or its thread never came back from it */

struct amd_queue amd_queues[AMD_QUEUES];
_Atomic(const char *) amd_strange;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool amd_lock(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_SECONDS;
    return pthread_mutex_timedlock(&lock, &until) == 0;
}

void amd_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* Its number is another one on each machine. */
bool amd_is_kfd(int fd)
{
    struct stat one, kfd;
    int error = errno;
    bool is = fstat(fd, &one) == 0 && S_ISCHR(one.st_mode) && stat(KFD_DEVICE, &kfd) == 0 &&
              one.st_rdev == kfd.st_rdev;
    errno = error;
    return is;
}

static void find_strange(const char *what)
{
    const char *nothing = NULL;
    atomic_compare_exchange_strong(&amd_strange, &nothing, what);
    atomic_fetch_add(&gpu_changes, 1);
}

/* With the lock held. */
static struct amd_queue *find(uint32_t id)
{
    for (uint32_t i = 0; i < AMD_QUEUES; i++) {
        if (amd_queues[i].used && amd_queues[i].id == id) {
            return &amd_queues[i];
        }
    }
    return NULL;
}

/* Returns what is wrong; NULL: nothing. A process with several contexts of the driver has ids twice. */
static const char *keep(int fd, const struct kfd_ioctl_create_queue_args *made)
{
    if (find(made->queue_id) != NULL) {
        return "the program has two queues of the same number";
    }
    for (uint32_t i = 0; i < AMD_QUEUES; i++) {
        if (!amd_queues[i].used) {
            amd_queues[i] = (struct amd_queue){
                .used = true,
                .fd = fd,
                .id = made->queue_id,
                .gpu_id = made->gpu_id,
                .ring_base_address = made->ring_base_address,
                .ring_size = made->ring_size,
                .percentage = made->queue_percentage,
                .priority = made->queue_priority,
                .saves_waves = made->ctx_save_restore_size != 0,
            };
            return NULL;
        }
    }
    return "the program has more queues than there is room for";
}

/* Queues for copies are left alone: they run on, and who waits for a copy does not wait for us. */
void amd_created(int fd, unsigned long request, const void *argument)
{
    const struct kfd_ioctl_create_queue_args *made = argument;
    uint32_t size = _IOC_SIZE(request);
    if (!amd_is_kfd(fd)) {
        return;
    }
    if (size != sizeof *made && size != KFD_LONGER_CREATE_QUEUE_ARGS) {
        find_strange("the driver's AMDKFD_IOC_CREATE_QUEUE has another size");
        return;
    }
    if (made->queue_type != KFD_IOC_QUEUE_TYPE_COMPUTE &&
        made->queue_type != KFD_IOC_QUEUE_TYPE_COMPUTE_AQL) {
        return;
    }
    int error = errno;
    const char *wrong = BUSY;
    if (amd_lock()) {
        wrong = keep(fd, made);
        amd_unlock();
    }
    if (wrong != NULL) {
        find_strange(wrong);
    }
    atomic_fetch_add(&gpu_changes, 1);
    gpu_wake();
    errno = error;
}

static void learn(unsigned long request, const void *argument)
{
    const struct kfd_ioctl_update_queue_args *update = argument;
    const struct kfd_ioctl_destroy_queue_args *destroy = argument;
    if (_IOC_NR(request) == _IOC_NR(AMDKFD_IOC_DESTROY_QUEUE)) {
        struct amd_queue *gone = find(destroy->queue_id);
        if (gone != NULL) {
            gone->used = false;
        }
        return;
    }
    struct amd_queue *queue = find(update->queue_id);
    if (queue != NULL) {
        queue->ring_base_address = update->ring_base_address;
        queue->ring_size = update->ring_size;
        queue->percentage = update->queue_percentage;
        queue->priority = update->queue_priority;
        queue->off = false; /* whatever we had made of it */
        queue->priority_order = 0;
    }
}

int amd_call(int fd, unsigned long request, void *argument)
{
    if (!amd_is_kfd(fd)) {
        return gpu_ioctl(fd, request, argument);
    }
    if (request != AMDKFD_IOC_DESTROY_QUEUE && request != AMDKFD_IOC_UPDATE_QUEUE) {
        find_strange(_IOC_NR(request) == _IOC_NR(AMDKFD_IOC_UPDATE_QUEUE)
                         ? "the driver's AMDKFD_IOC_UPDATE_QUEUE has another form"
                         : "the driver's AMDKFD_IOC_DESTROY_QUEUE has another form");
        return gpu_ioctl(fd, request, argument);
    }
    bool locked = amd_lock();
    int result = gpu_ioctl(fd, request, argument);
    int error = errno;
    if (result == 0) {
        learn(request, argument); /* in any case: what is gone must never be updated again */
    }
    if (locked) {
        amd_unlock();
    } else {
        find_strange(BUSY);
    }
    atomic_fetch_add(&gpu_changes, 1);
    gpu_wake();
    errno = error;
    return result;
}

/* What the parent has is none of the child's; the driver says so, too. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    for (uint32_t i = 0; i < AMD_QUEUES; i++) {
        amd_queues[i].used = false;
    }
    atomic_store(&amd_strange, NULL);
}

__attribute__((constructor(101))) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
