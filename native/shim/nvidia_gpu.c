/*
 * The GPUs of this program, as the daemon sees them: which of the driver's a device is, what was
 * learned of it, and what is offered.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "nvidia.h"
#include "platforms.h"
#include "shim.h"

#define UNKNOWN UINT32_MAX

struct nvidia_gpu nvidia_gpus[XSCHED_GPUS];
uint32_t nvidia_gpu_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t shown_changes;

void nvidia_lock(void)
{
    pthread_mutex_lock(&lock);
}

void nvidia_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* Of a client that works on that GPU, if there is one: others may be about to go. */
const struct nvidia_object *nvidia_subdevice(uint32_t instance)
{
    const struct nvidia_object *any = NULL;
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        struct nvidia_object *object = &nvidia_objects[i];
        const struct nvidia_object *device;
        if (atomic_load(&object->kind) != NVIDIA_SUBDEVICE ||
            (device = nvidia_device_of(object)) == NULL ||
            atomic_load(&device->value) != instance) {
            continue;
        }
        any = object;
        for (uint32_t j = 0; j < NVIDIA_OBJECTS; j++) {
            if (atomic_load(&nvidia_objects[j].client) == atomic_load(&object->client) &&
                atomic_load(&nvidia_objects[j].kind) == NVIDIA_GROUP &&
                nvidia_computes(&nvidia_objects[j], instance)) {
                return object;
            }
        }
    }
    return any;
}

static bool is_named(uint32_t instance, const char *device)
{
    unsigned char uuid[16];
    char name[64];
    const struct nvidia_object *subdevice = nvidia_subdevice(instance);
    if (subdevice == NULL || !nvidia_uuid(subdevice, uuid)) {
        return false;
    }
    xshim_name_after_uuid(name, sizeof name, uuid);
    return strcmp(name, device) == 0;
}

/*
 * The driver numbers its GPUs in an order of its own. Where there is only one there is nothing to
 * mistake; else the driver is asked for its UUID, which is what devices are named after.
 */
static void recognize(struct nvidia_gpu *gpu)
{
    for (uint32_t i = 0; i < NVIDIA_OBJECTS && !gpu->is_known; i++) {
        struct nvidia_object *object = &nvidia_objects[i];
        if (atomic_load(&object->kind) != NVIDIA_GROUP) {
            continue;
        }
        const struct nvidia_object *device = nvidia_device_of(object);
        uint32_t instance = device == NULL ? UNKNOWN : atomic_load(&device->value);
        if (instance != UNKNOWN && nvidia_computes(object, instance) &&
            (nvidia_gpus_of_machine() == 1 || is_named(instance, gpu->device))) {
            gpu->instance = instance;
            gpu->is_known = true;
        }
    }
}

static void put(struct xsched_gpu_object *to, const struct nvidia_object *object)
{
    to->client = atomic_load(&object->client);
    to->handle = atomic_load(&object->handle);
}

static void fill_in(struct xsched_gpu *shown, const struct nvidia_gpu *gpu)
{
    uint32_t groups = 0, channels = 0;
    const struct nvidia_object *subdevice = nvidia_subdevice(gpu->instance);
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        const struct nvidia_object *object = &nvidia_objects[i];
        uint32_t kind = atomic_load(&object->kind);
        if (kind <= NVIDIA_HALF || !nvidia_computes(object, gpu->instance)) {
            continue;
        }
        if (kind == NVIDIA_GROUP && groups++ < XSCHED_GPU_GROUPS) {
            put(&shown->groups[groups - 1], object);
        } else if (kind == NVIDIA_CHANNEL && channels++ < XSCHED_GPU_CHANNELS) {
            put(&shown->channels[channels - 1], object);
        }
    }
    shown->group_count = groups;
    shown->channel_count = channels;
    shown->instance = gpu->instance;
    shown->client = subdevice == NULL ? 0 : atomic_load(&subdevice->client);
    shown->subdevice = subdevice == NULL ? 0 : atomic_load(&subdevice->handle);
}

static const char *why_not(struct nvidia_gpu *gpu)
{
    const char *reason = nvidia_objection();
    if (reason == NULL) {
        recognize(gpu);
        reason = nvidia_refusal();
    }
    if (reason == NULL && !gpu->is_known) {
        reason = "there are several GPUs, and which of them this is cannot be told";
    }
    return reason;
}

/* The level of the queue that stands for all streams; XQueues are the program's own business. */
static void set_level(const char *device, bool offered)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        if (unit->queue != NULL && !unit->is_xqueue && strcmp(unit->device, device) == 0) {
            uint32_t *levels = &unit->queue->slot->levels;
            uint32_t higher = xsched_asked_level() == 3 ? 4u : 1u | 4u;
            __atomic_store_n(levels, offered ? higher : 1u, __ATOMIC_SEQ_CST);
        }
    }
}

bool nvidia_offers(uint32_t gpu)
{
    return __atomic_load_n(&xsched_client.block->gpu[gpu].offers, __ATOMIC_RELAXED) != 0;
}

void nvidia_tell(uint32_t gpu)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        if (unit->queue != NULL && !unit->is_xqueue &&
            strcmp(unit->device, nvidia_gpus[gpu].device) == 0) {
            xsched_tell(unit->queue->index);
        }
    }
}

static void show(uint32_t index)
{
    struct nvidia_gpu *gpu = &nvidia_gpus[index];
    struct xsched_gpu *shown = &xsched_client.block->gpu[index];
    const char *reason = why_not(gpu);
    uint32_t offers = reason == NULL ? XSCHED_OFFERS_SLICE | XSCHED_OFFERS_INTERRUPT : 0;
    __atomic_fetch_add(&shown->changes, 1, __ATOMIC_SEQ_CST);
    memcpy(shown->device, gpu->device, sizeof shown->device);
    snprintf(shown->reason, sizeof shown->reason, "%s", reason == NULL ? "" : reason);
    if (gpu->is_known) {
        fill_in(shown, gpu);
    }
    __atomic_store_n(&shown->offers, offers, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&shown->changes, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&shown->state, XSCHED_SLOT_USED, __ATOMIC_SEQ_CST);
    set_level(gpu->device, offers != 0);
    nvidia_tell(index);
}

void nvidia_show(bool anyway)
{
    uint32_t changes = atomic_load(&nvidia_changes);
    if (changes != shown_changes || anyway) {
        shown_changes = changes;
        for (uint32_t i = 0; i < nvidia_gpu_count; i++) {
            show(i);
        }
    }
}

static bool is_shown(const char *device)
{
    for (uint32_t i = 0; i < nvidia_gpu_count; i++) {
        if (strcmp(nvidia_gpus[i].device, device) == 0) {
            return true;
        }
    }
    return false;
}

/* A device of another maker has such a name, too: without NVIDIA's driver it is not mentioned. */
void nvidia_opened(const char *device)
{
    if (strncmp(device, "gpu:", 4) != 0 || xsched_client.block == NULL ||
        (nvidia_gpus_of_machine() == 0 && atomic_load(&nvidia_changes) == 0)) {
        return;
    }
    nvidia_lock();
    if (!is_shown(device) && nvidia_gpu_count < XSCHED_GPUS) {
        struct nvidia_gpu *gpu = &nvidia_gpus[nvidia_gpu_count++];
        memset(gpu, 0, sizeof *gpu);
        snprintf(gpu->device, sizeof gpu->device, "%s", device);
    }
    nvidia_show(true);
    nvidia_unlock();
}

static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    nvidia_gpu_count = 0;
    nvidia_forget_refusal();
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
