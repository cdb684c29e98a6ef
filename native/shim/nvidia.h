/*
 * NVIDIA's GPUs, beside the gates that all devices have: time slices and interrupts, on the driver as
 * it comes. What the program's own driver library asks of the kernel is watched (nvidia_watch.c);
 * with what was learned so, it is asked for more (nvidia_control.c). Whether that may be is found out
 * in nvidia_offer.c; nvidia_gpu.c shows it to the daemon, and nvidia_agent.c does what that orders.
 */
#ifndef XSCHED_SHIM_NVIDIA_H
#define XSCHED_SHIM_NVIDIA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All contexts of a process: each has some 4 groups, 20 channels, a device and a subdevice. */
#define NVIDIA_OBJECTS 1024u

enum nvidia_kind {
    NVIDIA_NOTHING,
    NVIDIA_HALF, /* is being written */
    NVIDIA_DEVICE,
    NVIDIA_SUBDEVICE,
    NVIDIA_GROUP,
    NVIDIA_CHANNEL,
    NVIDIA_PARTITION, /* of a GPU that is divided (MIG) */
    NVIDIA_SHARED     /* by processes that the driver merges (MPS) */
};

/* An object of the program's. Kind and what follows it change only while it is NVIDIA_HALF. */
struct nvidia_object {
    _Atomic uint32_t kind;
    _Atomic uint32_t client;
    _Atomic uint32_t handle;
    _Atomic uint32_t parent;
    _Atomic uint32_t value; /* device: the driver's instance; group: the engine type */
    _Atomic int fd;         /* by which it was made */

    /* Of nvidia_agent.c. */
    _Atomic uint64_t slice_micros; /* group: 0 as the driver has it */
    _Atomic bool disabled;         /* channel: by us, once */
};

/* nvidia_watch.c */
extern struct nvidia_object nvidia_objects[NVIDIA_OBJECTS];
extern _Atomic uint32_t nvidia_changes;            /* raised when one comes or goes */
extern _Atomic(const char *) nvidia_strange;       /* what does not look as it should; NULL: nothing */
int nvidia_ioctl(int fd, unsigned long request, void *argument); /* the real one */
bool nvidia_is_control_device(int fd);
struct nvidia_object *nvidia_find(uint32_t client, uint32_t handle); /* NULL: there is none */
struct nvidia_object *nvidia_device_of(const struct nvidia_object *object); /* the same */

/* A group of the GPU that does the work, and a channel of such a group. */
bool nvidia_computes(const struct nvidia_object *object, uint32_t instance);

/* nvidia_control.c: false if the driver refuses, and there was no reason for that */
bool nvidia_set_slice(const struct nvidia_object *group, uint64_t micros);
bool nvidia_disable(const struct nvidia_object *subdevice, struct nvidia_object *const *channels,
                    uint32_t count, bool disable);
bool nvidia_uuid(const struct nvidia_object *subdevice, unsigned char *uuid);
const char *nvidia_refusal(void); /* what was refused first; NULL: nothing */
void nvidia_forget_refusal(void);

/* nvidia_offer.c: why neither slices nor interrupts are offered; NULL: they are, for all it knows */
const char *nvidia_objection(void);
uint32_t nvidia_gpus_of_machine(void);

/* nvidia_gpu.c */
struct nvidia_gpu {
    char device[64];
    bool is_known;     /* which of the driver's it is */
    uint32_t instance;
    /* nvidia_agent.c */
    uint64_t slice_micros;
    uint32_t seq;         /* of the last interrupt */
    int64_t confirmed;    /* when that came */
    bool by_daemon;
    uint64_t registrations; /* which daemon's */
    uint32_t looks_alone; /* since there is none */
    bool overruled;       /* that interrupt took too long */
};
extern struct nvidia_gpu nvidia_gpus[];
extern uint32_t nvidia_gpu_count; /* what follows is to be called with nvidia_lock held */
void nvidia_lock(void);
void nvidia_unlock(void);
void nvidia_show(bool anyway); /* what is news to the daemon */
bool nvidia_offers(uint32_t gpu);
void nvidia_tell(uint32_t gpu);
const struct nvidia_object *nvidia_subdevice(uint32_t instance);

/* nvidia_agent.c: to be called now and then; what there is to do is done by a thread of its own */
void nvidia_look(void);
void nvidia_wake(void); /* the agent, if there is one */
void nvidia_end(void);

#endif
