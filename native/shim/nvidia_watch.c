/*
 * Watches what NVIDIA's library asks of the kernel. What does not look as expected only means that we
 * offer nothing. No lock, no allocation: see ioctl.c.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "nvidia.h"
#include "nvidia_rm.h"

struct nvidia_object nvidia_objects[NVIDIA_OBJECTS];
_Atomic(const char *) nvidia_strange;
static _Atomic uint32_t used; /* how many places were ever used */

bool nvidia_is_control_device(int fd)
{
    struct stat status;
    int error = errno;
    bool is = fstat(fd, &status) == 0 && S_ISCHR(status.st_mode) &&
              major(status.st_rdev) == NV_MAJOR_DEVICE_NUMBER &&
              minor(status.st_rdev) == NV_CONTROL_DEVICE_MINOR;
    errno = error;
    return is;
}

static bool is_there(const struct nvidia_object *object, uint32_t client, uint32_t handle)
{
    return atomic_load_explicit(&object->kind, memory_order_acquire) > NVIDIA_HALF &&
           atomic_load(&object->handle) == handle && atomic_load(&object->client) == client;
}

struct nvidia_object *nvidia_find(uint32_t client, uint32_t handle)
{
    uint32_t end = atomic_load(&used);
    for (uint32_t i = 0; i < end; i++) {
        if (is_there(&nvidia_objects[i], client, handle)) {
            return &nvidia_objects[i];
        }
    }
    return NULL;
}

struct nvidia_object *nvidia_device_of(const struct nvidia_object *object)
{
    struct nvidia_object *parent = NULL;
    for (int depth = 0; depth < 3; depth++) {
        parent = nvidia_find(atomic_load(&object->client), atomic_load(&object->parent));
        if (parent == NULL || atomic_load(&parent->kind) == NVIDIA_DEVICE) {
            break;
        }
        object = parent;
    }
    return parent;
}

bool nvidia_computes(const struct nvidia_object *object, uint32_t instance)
{
    uint32_t kind = atomic_load(&object->kind);
    const struct nvidia_object *group = object;
    if (kind == NVIDIA_CHANNEL) {
        group = nvidia_find(atomic_load(&object->client), atomic_load(&object->parent));
    }
    if (group == NULL || atomic_load(&group->kind) != NVIDIA_GROUP ||
        atomic_load(&group->value) != NV2080_ENGINE_TYPE_GRAPHICS) {
        return false;
    }
    const struct nvidia_object *device = nvidia_device_of(group);
    return device != NULL && atomic_load(&device->value) == instance;
}

bool nvidia_was_used(void)
{
    return atomic_load(&used) > 0 || atomic_load(&nvidia_strange) != NULL;
}

static void find_strange(const char *what)
{
    const char *nothing = NULL;
    atomic_compare_exchange_strong(&nvidia_strange, &nothing, what);
    atomic_fetch_add(&gpu_changes, 1);
}

/* Takes a place that is free, or the next one. */
static struct nvidia_object *take_place(void)
{
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        uint32_t nothing = NVIDIA_NOTHING;
        if (atomic_compare_exchange_strong(&nvidia_objects[i].kind, &nothing, NVIDIA_HALF)) {
            uint32_t end = atomic_load(&used);
            while (end < i + 1 && !atomic_compare_exchange_weak(&used, &end, i + 1)) {
            }
            return &nvidia_objects[i];
        }
    }
    return NULL;
}

static void forget(struct nvidia_object *object)
{
    uint32_t kind = atomic_load(&object->kind);
    if (kind > NVIDIA_HALF &&
        atomic_compare_exchange_strong(&object->kind, &kind, NVIDIA_NOTHING)) {
        atomic_fetch_add(&gpu_changes, 1);
    }
}

/* An object goes with all that hangs on it, which is never deeper than client to channel. */
static void forget_with_children(uint32_t client, uint32_t handle, int depth)
{
    uint32_t end = atomic_load(&used);
    for (uint32_t i = 0; i < end; i++) {
        struct nvidia_object *object = &nvidia_objects[i];
        if (atomic_load(&object->kind) <= NVIDIA_HALF || atomic_load(&object->client) != client) {
            continue;
        }
        uint32_t own = atomic_load(&object->handle);
        if (own == handle || client == handle) {
            forget(object);
        } else if (atomic_load(&object->parent) == handle) {
            forget(object);
            if (depth > 0) {
                forget_with_children(client, own, depth - 1);
            }
        }
    }
}

static uint32_t kind_of(uint32_t class)
{
    switch (class) {
    case NV01_DEVICE_0:
        return NVIDIA_DEVICE;
    case NV20_SUBDEVICE_0:
        return NVIDIA_SUBDEVICE;
    case KEPLER_CHANNEL_GROUP_A:
        return NVIDIA_GROUP;
    case AMPERE_SMC_PARTITION_REF:
        return NVIDIA_PARTITION;
    case MPS_COMPUTE:
        return NVIDIA_SHARED;
    default:
        if ((class & 0xff) == NV_USERMODE_LOW_BYTE && class >= VOLTA_USERMODE_A && class <= 0xffff) {
            return NVIDIA_DOORBELLS;
        }
        return (class & 0xff) == NV_CHANNEL_GPFIFO_LOW_BYTE && class >= KEPLER_CHANNEL_GPFIFO_A &&
                       class <= 0xffff
                   ? NVIDIA_CHANNEL
                   : NVIDIA_NOTHING;
    }
}

/* Whether what we read of the parameters is where we know it; 0 leaves their size to the driver. */
static bool parameters_fit(uint32_t kind, uint32_t size)
{
    return size == 0 || (kind != NVIDIA_DEVICE && kind != NVIDIA_GROUP) ||
           (kind == NVIDIA_DEVICE && size == sizeof(NV0080_ALLOC_PARAMETERS)) ||
           (kind == NVIDIA_GROUP && size == sizeof(NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS));
}

static uint32_t value_of(uint32_t kind, uint32_t class, const void *parameters)
{
    if (kind == NVIDIA_DOORBELLS) {
        return class;
    }
    if (parameters == NULL) {
        return 0;
    }
    return kind == NVIDIA_DEVICE
               ? ((const NV0080_ALLOC_PARAMETERS *)parameters)->deviceId
           : kind == NVIDIA_GROUP
               ? ((const NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS *)parameters)->engineType
               : 0;
}

static void keep(uint32_t kind, const NVOS21_PARAMETERS *call, uint32_t value, int fd)
{
    struct nvidia_object *object = take_place();
    if (object == NULL) {
        find_strange("the program has more objects of the driver than there is room for");
        return;
    }
    atomic_store(&object->client, call->hRoot);
    atomic_store(&object->handle, call->hObjectNew);
    atomic_store(&object->parent, call->hObjectParent);
    atomic_store(&object->value, value);
    atomic_store(&object->fd, fd);
    atomic_store(&object->slice_micros, 0);
    atomic_store(&object->disabled, false);
    atomic_store(&object->token, 0);
    atomic_store_explicit(&object->kind, kind, memory_order_release);
    atomic_fetch_add(&gpu_changes, 1);
    gpu_wake();
}

/* After a call that allocated something. Both structures begin alike. */
void nvidia_allocated(int fd, unsigned long request, const void *argument)
{
    const NVOS21_PARAMETERS *call = argument;
    const NVOS64_PARAMETERS *longer = argument;
    bool is_short = _IOC_SIZE(request) == sizeof *call;
    if (!is_short && _IOC_SIZE(request) != sizeof *longer) {
        if (nvidia_is_control_device(fd)) {
            find_strange("the driver's NV_ESC_RM_ALLOC has another size");
        }
        return;
    }
    uint32_t kind = kind_of(call->hClass);
    if (kind == NVIDIA_NOTHING || (is_short ? call->status : longer->status) != NV_OK ||
        !nvidia_is_control_device(fd)) {
        return;
    }
    if (!parameters_fit(kind, is_short ? call->paramsSize : longer->paramsSize)) {
        find_strange(kind == NVIDIA_GROUP
                         ? "the driver's NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS has another size"
                         : "the driver's NV0080_ALLOC_PARAMETERS has another size");
        return;
    }
    const void *parameters = (const void *)(uintptr_t)call->pAllocParms;
    keep(kind, call, value_of(kind, call->hClass, parameters), fd);
}

/* Before the call: afterwards, another thread may have got the same handle for something new. */
void nvidia_frees(unsigned long request, const void *argument)
{
    const NVOS00_PARAMETERS *call = argument;
    if (_IOC_SIZE(request) == sizeof *call && call != NULL && atomic_load(&used) > 0) {
        forget_with_children(call->hRoot, call->hObjectOld, 2);
    }
}

/* What the parent has is none of the child's. */
static void in_child(void)
{
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        atomic_store(&nvidia_objects[i].kind, NVIDIA_NOTHING);
    }
    atomic_store(&used, 0);
    atomic_store(&nvidia_strange, NULL);
}

__attribute__((constructor(101))) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
