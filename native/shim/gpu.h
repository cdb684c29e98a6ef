/*
 * GPUs, beside the gates that all devices have: what their kernel driver can do more, as it comes.
 * What the program's own driver library asks of the kernel is watched (ioctl.c and a watcher for each
 * maker); with what was learned so, it is asked for more. gpu_show.c shows the daemon what there is,
 * and gpu_agent.c does what that orders. What differs between makers is one table each.
 */
#ifndef XSCHED_SHIM_GPU_H
#define XSCHED_SHIM_GPU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct xsched_gpu;
struct xshim_unit;
struct gpu;

struct gpu_maker {
    uint32_t offers; /* xsched_gpu_offers, unless there is an objection */

    /* Why nothing is offered; NULL: it is, for all it knows. */
    const char *(*objection)(void);

    /* Finds out which of the driver's the GPU is, if that can be told. */
    void (*recognize)(struct gpu *gpu);

    /* Shows what was learned. */
    void (*fill_in)(struct xsched_gpu *shown, const struct gpu *gpu);

    /*
     * Takes the program's work off the GPU, or puts it back: all of it, or only what is not as it
     * should be. False if not all of it could be.
     */
    bool (*turn)(const struct gpu *gpu, bool off, bool all);
    bool (*is_off)(const struct gpu *gpu); /* any of it, by `turn` */

    /*
     * After work is back on the GPU, whoever put it there: has the GPU look at it. By all means also by
     * those that hold up others. NULL where none is forgotten. False if there are no other means, or not
     * any more, or if with no slice so far anybody takes work off in a way that has it forgotten.
     */
    bool (*can_remind)(const struct gpu *gpu, uint64_t slice_micros);
    void (*remind)(const struct gpu *gpu, bool by_all_means);

    /* NULL where that is not offered; false if it could not be. 0 is what it was without us. */
    bool (*set_slice)(const struct gpu *gpu, uint64_t micros);
    bool (*set_priority)(const struct gpu *gpu, uint32_t priority);
};

struct gpu {
    const struct gpu_maker *maker;
    char device[64];
    bool is_known;     /* which of the driver's it is */
    uint32_t instance; /* the driver's number */

    /* gpu_agent.c */
    uint64_t slice_micros;
    uint32_t priority;
    uint32_t seq;      /* of the last interrupt */
    int64_t confirmed; /* when that came */
    uint32_t order;     /* the last one, to go on or not */
    uint32_t order_seq; /* its number */
    bool reminds;       /* whenever its work is put back */
    bool may_forget;    /* the GPU, what work there is */
    bool doubted;       /* whether it gets on: by the daemon, or as it cannot be reminded now */
    bool by_daemon;
    uint64_t registrations; /* which daemon's */
    uint32_t looks_alone;   /* since there is none */
    bool overruled;         /* that interrupt took too long */
};

/* ioctl.c */
int gpu_ioctl(int fd, unsigned long request, void *argument); /* the real one */

/* gpu_show.c; what follows the lock is to be called with it held, unless it says so */
extern struct gpu gpus[];
extern uint32_t gpu_count;
void gpu_lock(void);
void gpu_unlock(void);
void gpu_show(bool anyway); /* what is news to the daemon */
bool gpu_offers(uint32_t gpu);
void gpu_tell(uint32_t gpu);

extern _Atomic uint32_t gpu_changes; /* raised when a watcher has news */

/* The first refusal of a driver is kept: nothing more is offered then. NULL: none. Without the lock. */
void gpu_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *gpu_refusal(void);

/* gpu_agent.c: to be called now and then; what there is to do is done by a thread of its own */
void gpu_look(void);
void gpu_wake(void); /* the agent, if there is one */
void gpu_end(void);

/* Until other orders come than those when block.gpu_orders was that, or for so long; 0: no longer. */
void gpu_sleep_until_ordered(uint32_t seen, int64_t nanos);

/* early.c */
void early_start(void);
void early_turn_now(struct xshim_unit *unit, int64_t now); /* work may come soon */
void early_end(void);

/* nvidia_gpu.c and amd_gpu.c */
extern const struct gpu_maker nvidia_maker, amd_maker;
bool nvidia_is_here(void); /* its driver */
bool amd_is_here(void);
bool amd_knows(const char *device); /* as one of its own */

#endif
