/*
 * What there is of a GPU of NVIDIA's for the agent: groups of channels, which have a time slice each,
 * and the channels of these, which can be disabled.
 *
 * Disabling a channel counts, and the count outlives who raised it: so nothing is disabled twice, and
 * what is to run is enabled also where we are not sure, which does no harm.
 *
 * Work that a channel gets, or has left, while only its scheduling is disabled may be forgotten: when
 * the channel is enabled it waits for something that reminds the GPU of it. Its doorbell does, and holds
 * up nobody; to set the time slice of its group does, too, and holds up who has the GPU
 * (results/nvidia-forgotten-work-h200.json, results/nvidia-held-up-h200.json). So nothing is disabled in
 * this way where there are no doorbells.
 */
#include <string.h>

#include "nvidia.h"
#include "nvidia_rm.h"
#include "platforms.h"
#include "xsched_control.h"

#define UNKNOWN UINT32_MAX
#define DEFAULT_SLICE_MICROS 2048 /* the driver's own, as measured on an H200 with 580.159 */

/*
 * Up to here we wait for the end of a slice instead of preempting. The call is shorter then, and who
 * has the GPU meanwhile, who may be of the highest rank, keeps it. The shortest slice that the daemon
 * orders is 1 us; with the driver's own, others would wait for up to 2.5 ms
 * (results/nvidia-level-2-h200.json). InterruptedGpu.java has the same rule.
 */
#define SHORT_SLICE_MICROS 100

/* Of a client that works on that GPU, if there is one: others may be about to go. */
static const struct nvidia_object *subdevice_of(uint32_t instance)
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
    const struct nvidia_object *subdevice = subdevice_of(instance);
    if (subdevice == NULL || !nvidia_uuid(subdevice, uuid)) {
        return false;
    }
    xshim_name_after_uuid(name, sizeof name, uuid);
    return strcmp(name, device) == 0;
}

/*
 * The driver numbers its GPUs in an order of its own. Where there are several it is asked for their
 * UUIDs, which is what devices are named after. Where there is only one, others' may be there, too.
 */
static bool is_this(uint32_t instance, const char *device)
{
    return nvidia_gpus_of_machine() == 1 ? nvidia_minor_of(device) != NVIDIA_NOT_LISTED
                                         : is_named(instance, device);
}

static void recognize(struct gpu *gpu)
{
    for (uint32_t i = 0; i < NVIDIA_OBJECTS && !gpu->is_known; i++) {
        struct nvidia_object *object = &nvidia_objects[i];
        if (atomic_load(&object->kind) != NVIDIA_GROUP) {
            continue;
        }
        const struct nvidia_object *device = nvidia_device_of(object);
        uint32_t instance = device == NULL ? UNKNOWN : atomic_load(&device->value);
        if (instance != UNKNOWN && nvidia_computes(object, instance) &&
            is_this(instance, gpu->device)) {
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

static void fill_in(struct xsched_gpu *shown, const struct gpu *gpu)
{
    uint32_t groups = 0, channels = 0;
    const struct nvidia_object *subdevice = subdevice_of(gpu->instance);
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

static bool set_slices(const struct gpu *gpu, uint64_t order)
{
    uint64_t micros = order == 0 ? DEFAULT_SLICE_MICROS : order;
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        struct nvidia_object *object = &nvidia_objects[i];
        uint64_t before = atomic_load(&object->slice_micros);
        if (atomic_load(&object->kind) == NVIDIA_GROUP && before != micros &&
            (order != 0 || before != 0) && nvidia_computes(object, gpu->instance)) {
            if (!nvidia_set_slice(object, micros)) {
                return false;
            }
            atomic_store(&object->slice_micros, micros);
        }
    }
    return true;
}

static bool is_short(uint64_t micros)
{
    return micros != 0 && micros <= SHORT_SLICE_MICROS;
}

static bool can_remind(const struct gpu *gpu, uint64_t micros)
{
    return (is_short(micros) || gpu->reminds) && nvidia_has_doorbells(gpu);
}

static void remind(const struct gpu *gpu, bool by_all_means)
{
    bool rings = gpu->reminds && nvidia_has_doorbells(gpu);
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        struct nvidia_object *object = &nvidia_objects[i];
        uint32_t kind = atomic_load(&object->kind);
        uint64_t micros = atomic_load(&object->slice_micros);
        if (kind <= NVIDIA_HALF || !nvidia_computes(object, gpu->instance)) {
            continue;
        }
        if (kind == NVIDIA_CHANNEL && rings) {
            nvidia_ring(gpu, object);
        } else if (kind == NVIDIA_GROUP && (by_all_means || rings != gpu->reminds) && micros != 0) {
            nvidia_set_slice(object, micros);
        }
    }
}

/*
 * By the slices that are in force: a group that has just come has the driver's own for a moment. If
 * that comes back while channels are off, what still runs of them has the GPU until others have work
 * and for that longer slice at most, and then is off as well: there is nothing to be done about it.
 */
static enum nvidia_turn how_to_disable(const struct gpu *gpu,
                                       struct nvidia_object *const *channels, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct nvidia_object *group = nvidia_find(atomic_load(&channels[i]->client),
                                                        atomic_load(&channels[i]->parent));
        if (group == NULL || !is_short(atomic_load(&group->slice_micros))) {
            return NVIDIA_OFF;
        }
    }
    return gpu->reminds ? NVIDIA_OFF_AFTER_SLICE : NVIDIA_OFF;
}

/* Does that to all channels of the GPU, or only to those that are not as they should be. */
static bool turn_channels(const struct gpu *gpu, bool disable, bool all)
{
    struct nvidia_object *channels[NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES];
    const struct nvidia_object *subdevice = subdevice_of(gpu->instance);
    uint32_t count = 0;
    bool done = true;
    for (uint32_t i = 0; i < NVIDIA_OBJECTS && subdevice != NULL; i++) {
        struct nvidia_object *object = &nvidia_objects[i];
        if (atomic_load(&object->kind) == NVIDIA_CHANNEL &&
            (all || atomic_load(&object->disabled) != disable) &&
            nvidia_computes(object, gpu->instance)) {
            channels[count++] = object;
        }
        if (count == sizeof channels / sizeof *channels ||
            (count > 0 && i == NVIDIA_OBJECTS - 1)) {
            enum nvidia_turn turn = disable ? how_to_disable(gpu, channels, count) : NVIDIA_ON;
            bool turned = nvidia_turn_channels(subdevice, channels, count, turn);
            if (!turned && disable) {
                /* Some of them may have been before one was refused. */
                nvidia_turn_channels(subdevice, channels, count, NVIDIA_ON);
            }
            for (uint32_t j = 0; j < count; j++) {
                atomic_store(&channels[j]->disabled,
                             turned ? disable : atomic_load(&channels[j]->disabled) && !disable);
            }
            done &= turned;
            count = 0;
        }
    }
    return done;
}

static bool is_disabled(const struct gpu *gpu)
{
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        const struct nvidia_object *object = &nvidia_objects[i];
        if (atomic_load(&object->kind) == NVIDIA_CHANNEL && atomic_load(&object->disabled) &&
            nvidia_computes(object, gpu->instance)) {
            return true;
        }
    }
    return false;
}

bool nvidia_is_here(void)
{
    return nvidia_gpus_of_machine() > 0 || nvidia_was_used();
}

const struct gpu_maker nvidia_maker = {
    .offers = XSCHED_OFFERS_SLICE | XSCHED_OFFERS_INTERRUPT,
    .objection = nvidia_objection,
    .recognize = recognize,
    .fill_in = fill_in,
    .turn = turn_channels,
    .is_off = is_disabled,
    .can_remind = can_remind,
    .remind = remind,
    .set_slice = set_slices,
};
