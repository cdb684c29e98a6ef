/*
 * NVIDIA's GPUs: time slices and interrupts. What is asked of the kernel is watched (nvidia_watch.c);
 * with what was learned so, it is asked for more (nvidia_control.c). Whether that may be is found out
 * in nvidia_offer.c; nvidia_gpu.c is its table for the agent.
 */
#ifndef XSCHED_SHIM_NVIDIA_H
#define XSCHED_SHIM_NVIDIA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu.h"

/* All contexts of a process: each has some 4 groups, 20 channels, a device and a subdevice. */
#define NVIDIA_OBJECTS 1024u

enum nvidia_kind {
    NVIDIA_NOTHING,
    NVIDIA_HALF, /* is being written */
    NVIDIA_DEVICE,
    NVIDIA_SUBDEVICE,
    NVIDIA_GROUP,
    NVIDIA_CHANNEL,
    NVIDIA_DOORBELLS, /* a page of them */
    NVIDIA_PARTITION, /* of a GPU that is divided (MIG) */
    NVIDIA_SHARED     /* by processes that the driver merges (MPS) */
};

/* An object of the program's. Kind and what follows it change only while it is NVIDIA_HALF. */
struct nvidia_object {
    _Atomic uint32_t kind;
    _Atomic uint32_t client;
    _Atomic uint32_t handle;
    _Atomic uint32_t parent;
    _Atomic uint32_t value; /* device: the driver's instance; group: the engine type; doorbells: class */
    _Atomic int fd;         /* by which it was made */

    /* Of nvidia_gpu.c. */
    _Atomic uint64_t slice_micros; /* group: as we set it; 0: we never did */
    _Atomic bool disabled;         /* channel: by us, once */
    _Atomic uint64_t token;        /* channel: of its doorbell, and 2^32; 0: not asked for yet */
};

/* nvidia_watch.c */
extern struct nvidia_object nvidia_objects[NVIDIA_OBJECTS];
extern _Atomic(const char *) nvidia_strange;       /* what does not look as it should; NULL: nothing */
bool nvidia_was_used(void);
void nvidia_frees(unsigned long request, const void *argument); /* before the call */
void nvidia_allocated(int fd, unsigned long request, const void *argument); /* after it */
bool nvidia_is_control_device(int fd);
struct nvidia_object *nvidia_find(uint32_t client, uint32_t handle); /* NULL: there is none */
struct nvidia_object *nvidia_device_of(const struct nvidia_object *object); /* the same */

/* A group of the GPU that does the work, and a channel of such a group. */
bool nvidia_computes(const struct nvidia_object *object, uint32_t instance);

/* What is done to channels. */
enum nvidia_turn {
    NVIDIA_ON,
    NVIDIA_OFF,            /* whatever runs is preempted, also others' */
    NVIDIA_OFF_AFTER_SLICE /* nobody is preempted: bOnlyDisableScheduling */
};

/* nvidia_control.c: false if the driver refuses, and there was no reason for that */
bool nvidia_set_slice(const struct nvidia_object *group, uint64_t micros);
bool nvidia_turn_channels(const struct nvidia_object *subdevice,
                          struct nvidia_object *const *channels, uint32_t count,
                          enum nvidia_turn turn);
bool nvidia_uuid(const struct nvidia_object *subdevice, unsigned char *uuid);
bool nvidia_token(struct nvidia_object *channel, uint32_t *token);

/* nvidia_doorbells.c: with the lock of gpu.h held */
bool nvidia_has_doorbells(const struct gpu *gpu); /* opens them at the first question */
void nvidia_ring(const struct gpu *gpu, struct nvidia_object *channel); /* if it has */

/* nvidia_offer.c: why neither slices nor interrupts are offered; NULL: they are, for all it knows */
const char *nvidia_objection(void);
uint32_t nvidia_gpus_of_machine(void);

/* The number of the file of a GPU, which is listed by its UUID; negative: it is not, or none is. */
#define NVIDIA_NOT_LISTED (-1)
#define NVIDIA_NO_LIST (-2)
int nvidia_minor_of(const char *device);

#define NVIDIA_PROC "/proc/driver/nvidia"
bool nvidia_read(const char *path, char *text, size_t size); /* a short file, as text */

#endif
