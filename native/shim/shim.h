/*
 * What the wrappers of all platforms share.
 *
 * A unit is what the daemon schedules: all that this process does on one device or, where the
 * program made an XQueue of a stream, that one stream. A stream is a queue of the driver and
 * belongs to one unit. Between processes the process is the unit, because a stream that is held back
 * while a sibling waits for its event is a deadlock.
 *
 * Before a launch the launching thread goes through the unit's gate, and then waits for room in its
 * window if work may come that goes first. Where the device itself can wait, the thread need not, and
 * gates are put between its work (device_gate.c). After it, the command is counted and now and then a mark
 * is planted behind it: something that tells, once the commands before it have completed, how many
 * these were. How is the platform's business: an event that can be asked for, or a callback of the
 * driver. What no mark covers is found by a synchronisation that the program makes anyway, or by the
 * watcher, one thread per process that sleeps while nothing is in flight.
 *
 * While nobody else is registered on the device there is no window, launches are counted later
 * (alone.h), marks are rare, and the watcher alone tells, some milliseconds late, that the unit is
 * idle.
 */
#ifndef XSCHED_SHIM_H
#define XSCHED_SHIM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"

#define EXPORTED __attribute__((visibility("default")))

struct xshim_stream;
struct xshim_unit;

/* A function of a driver: the name, what we put in front of it, and the driver's own. */
struct xshim_function {
    const char *name;
    void *wrapper; /* NULL: we only call it */
    _Atomic(void *) real;
};

#define XSHIM_OLDER_LIBRARIES 3
struct xshim_platform {
    const char *name;
    const char *library;          /* as the dynamic linker knows it */
    const char *older[XSHIM_OLDER_LIBRARIES]; /* the same under the names of earlier versions */
    const char *library_variable; /* names another one */
    struct xshim_function *functions;
    size_t count;
    const struct events_driver *events; /* events.h; NULL: it does without */

    /*
     * Plants a mark behind what has been launched on the stream so far, from a thread that may use
     * it. False if that is not possible now.
     */
    bool (*mark)(struct xshim_stream *stream, uint64_t number);

    /*
     * Returns how many commands the marks that were reached cover, from those that were planted and
     * not yet counted. NULL where the driver calls back instead. With unit->reaping held.
     */
    uint64_t (*poll)(struct xshim_stream *stream);

    /*
     * Finds out, from the watcher's thread, whether all of `number` commands have completed: true
     * if so; false if not, or if it has planted a mark that will tell.
     */
    bool (*look)(struct xshim_stream *stream, uint64_t number);
    bool look_is_dear; /* it is work for the device */

    /* Waits until the stream is empty; false if the driver refuses. From any thread. */
    bool (*sync)(struct xshim_stream *stream);

    /* Has this thread, one of ours, use the stream as the program's do; NULL: it can anyway. */
    void (*attach)(struct xshim_stream *stream);

    /* NULL: no gates on the device. Has the stream wait at this place while the unit's are closed. */
    bool (*plant_gate)(struct xshim_stream *stream);
    void (*turn_gates)(struct xshim_unit *unit, bool closed);

    /*
     * NULL: not possible. Puts something on the device that stays there while the word is not 0, but no
     * longer than that; from any thread. The word is NULL where it is not prepared in that context, which
     * may take long, or cannot be done there.
     */
    void (*prepare_stay)(void *context);
    uint32_t *(*stay_word)(void *context);
    bool (*stay)(void *context, uint64_t nanos);
};

/* What a platform knows a stream by. */
struct xshim_key {
    const struct xshim_platform *platform;
    void *context; /* NULL where the handle alone says it all */
    void *handle;
    uint64_t thread; /* 0 unless each thread has a stream of its own under this handle */
};

/* How much work, in time, is behind a mark: read when the mark is reached. */
struct xshim_mark {
    uint64_t number;
    uint64_t nanos;
};
#define XSHIM_MARKS 64u /* on their way at once; of more than that the time is not known */

/* What every launch touches comes first, in one cache line. */
struct xshim_stream {
    struct xshim_unit *unit;
    _Atomic uint64_t issued;     /* calls of the driver that have returned */
    _Atomic uint64_t marked;     /* how many of them the last mark covers */
    _Atomic uint64_t progress;   /* how many have completed, as the driver or a sync told */
    _Atomic uint64_t counted;    /* how many were counted before the call: all, unless alone */
    _Atomic uint64_t synced;     /* of `issued`, when the program last waited for it */
    _Atomic bool private_to_thread; /* the watcher cannot look at it, so each command gets a mark */
    bool ordered;                /* commands complete in the order of launch */
    _Atomic bool gone;
    struct xshim_key key;
    void *context; /* what it lives and dies with; NULL: nothing */
    _Atomic(struct xshim_stream *) next; /* of the same unit; streams are used again, never freed */
    uint64_t seen;               /* of `issued`, when it was settled; with unit->reaping held */
    uint64_t settled;            /* of these, counted after the call; the same */
    uint64_t completed;          /* how many were counted; with unit->reaping held */
    _Atomic uint64_t ungated_nanos;   /* work since its last gate on the device */
    _Atomic uint64_t marked_nanos;    /* the time that all of `marked` should take */
    _Atomic uint64_t issued_nanos;    /* the time that all of `issued` should take */
    uint64_t completed_nanos;         /* the same of `completed`; with unit->reaping held */
    struct xshim_mark marks[XSHIM_MARKS]; /* a ring */
    void *events[XSHIM_MARKS];        /* of the marks, where they are events */
    _Atomic uint64_t marks_planted;   /* with marking held */
    _Atomic uint64_t marks_reached;   /* with unit->reaping held */
    uint64_t looked;             /* how many there were at the last look; with marking held */
    _Atomic uint32_t references; /* OpenCL: how many the program holds */
    pthread_mutex_t marking;
    struct xshim_stream *chain;  /* streams.c */
};

struct xshim_unit {
    xsched_queue *queue; /* NULL: too many queues; the unit is not scheduled */
    _Atomic bool looked_after; /* alone.h: launches are not counted */
    _Atomic(uint32_t *) stays;  /* early.c: what ends what is there until work comes; NULL: nothing */
    char device[64];
    bool is_xqueue;
    _Atomic bool is_called_back; /* by the driver of its last new stream, which is not asked */
    bool retired; /* an XQueue that is no more, free for the next; with the table locked */
    struct xshim_unit *next;
    _Atomic(struct xshim_stream *) streams;
    _Atomic uint64_t launched;  /* commands that passed the gate, as far as they were counted */
    _Atomic uint64_t completed;
    _Atomic uint64_t launched_nanos; /* the time that these should take */
    _Atomic uint64_t completed_nanos;
    _Atomic uint32_t syncing;   /* threads that wait in the driver, and will tell what they find */
    _Atomic int64_t busy_since; /* 0: unknown */
    _Atomic uint32_t stalls;    /* window.c: waits in vain since something completed */
    _Atomic bool news;          /* for whoever is reaping */
    _Atomic uint32_t held;      /* futex; the program itself suspended it: nothing is launched */
    _Atomic uint32_t threshold; /* commands in flight, if the daemon has no order; 0: adapt */
    _Atomic uint32_t batch;     /* commands per mark, the same way */
    _Atomic bool bounded;       /* a window is kept in any case, also while nobody else is there */
    _Atomic(const struct xshim_platform *) gates; /* whose there are on the device; NULL: no keeper */
    _Atomic bool no_device_gate;
    _Atomic bool keeper_awake;
    _Atomic uint32_t keeper_bell; /* futex */
    _Atomic uint64_t launched_at_wait;  /* awaited.c: of `launched`, when it last waited for it */
    _Atomic uint64_t launches_per_wait; /* the last time */
    _Atomic uint64_t tells_at;          /* of `launched`, when it will soon wait; 0: not known */
    _Atomic uint32_t gpu;                    /* early.c: its place in the block, from 1 on; 0: none */
    _Atomic(struct xshim_stream *) began_on; /* the last request */
    _Atomic int64_t began_at;
    _Atomic uint32_t in_vain; /* the device turned so often since, and nothing came */
    _Atomic int64_t rests_since, sign_at; /* sign.c: 0: not so, or launched since */
    _Atomic uint32_t trust;
    _Atomic int64_t announced_at; /* when a command was that is not there yet; 0: none is */
    int64_t turned_at; /* with the lock there: when the device was to turn the last time, */
    int64_t expected_at, leaves_at; /* why, and when it may turn back at the latest */
    int64_t prepares_at; /* when it tries to be ready for that the next time; 0: it is, so far */
    pthread_mutex_t reaping;
    uint64_t launched_before;   /* watcher: at its last look */
    uint32_t quiet_looks;       /* watcher: since something was launched */
};

/* A call of the driver that is under way. */
struct xshim_call {
    struct xshim_stream *stream; /* NULL: passed through */
    void **event;                /* OpenCL: where the driver puts the command's event */
    void *own_event;
    uint64_t number;             /* commands of the stream that were issued before */
    uint64_t nanos;              /* that it should take */
    int64_t since;               /* when the driver's call began; 0: nobody wants to know */
    void *timing;                /* events: what measures its time; NULL: nothing */
    void *handle;                /* events: what a call is about that is no launch */
    bool ahead;                  /* launch: the gate is on the device */
    bool counted;                /* launch: as submitted, before it came here */
    bool alone;                  /* launch: not counted before the driver's call */
    bool mark;
    bool blocking;
};

/* lookup.c */
void *xshim_resolve(const struct xshim_platform *platform, struct xshim_function *function);
void *xshim_wrapper_of(const struct xshim_platform *platform, const char *name, void *real);
void *xshim_wrapper_in(void *library, const char *name); /* in front of what is found there */

/* Where a driver's code lies; found at the first question. */
struct xshim_code {
    _Atomic uintptr_t start, end;
};
void xshim_find_code(struct xshim_code *code, void *real);

/* Whether a driver, of which one function is known, is itself what calls from there. */
static inline bool xshim_is_in_code(struct xshim_code *code, void *real, void *caller)
{
    if (atomic_load_explicit(&code->end, memory_order_acquire) == 0) {
        xshim_find_code(code, real);
    }
    return (uintptr_t)caller - atomic_load_explicit(&code->start, memory_order_relaxed) <
           atomic_load_explicit(&code->end, memory_order_relaxed) -
               atomic_load_explicit(&code->start, memory_order_relaxed);
}

/* The version that all of glibc's functions had at first. */
#if defined(__x86_64__)
#define XSHIM_FIRST_GLIBC "GLIBC_2.2.5"
#else
#define XSHIM_FIRST_GLIBC "GLIBC_2.17"
#endif

#define REAL(platform, function)                                                                   \
    ((function##_f)xshim_real(&platform##_platform, &platform##_functions[at_##function]))

static inline void *xshim_real(const struct xshim_platform *platform,
                               struct xshim_function *function)
{
    void *real = atomic_load_explicit(&function->real, memory_order_acquire);
    return real != NULL ? real : xshim_resolve(platform, function);
}

extern _Thread_local int xshim_inside; /* > 0: calls of this thread are our own, or were gated */
extern _Thread_local int xshim_callbacks; /* of these, callbacks of the program */

/* A program that looks a function up is to find ours, also from within a callback. */
static inline bool xshim_is_own_lookup(void)
{
    return xshim_inside > xshim_callbacks;
}

/* streams.c: the table of all streams; what it returns stays valid memory for ever */
struct xshim_stream *xshim_find(const struct xshim_key *key); /* NULL: not seen before */

/*
 * Looking one up is a few loads: each thread remembers the last it used, and a number that changes
 * when a stream goes tells whether it may still believe that.
 */
#define XSHIM_REMEMBERED 8u
struct xshim_memory {
    struct xshim_key key;
    struct xshim_stream *stream;
    uint64_t generation;
};
extern _Thread_local struct xshim_memory xshim_remembered[XSHIM_REMEMBERED];
extern _Atomic uint64_t xshim_generation;

static inline struct xshim_memory *xshim_memory_of(const struct xshim_key *key)
{
    return &xshim_remembered[((uintptr_t)key->handle >> 4 ^ key->thread) % XSHIM_REMEMBERED];
}

static inline bool xshim_is_same(const struct xshim_key *a, const struct xshim_key *b)
{
    return a->handle == b->handle && a->context == b->context && a->thread == b->thread &&
           a->platform == b->platform;
}

/* NULL: this thread did not use it of late */
static inline struct xshim_stream *xshim_recall(const struct xshim_key *key)
{
    const struct xshim_memory *memory = xshim_memory_of(key);
    return memory->generation == atomic_load_explicit(&xshim_generation, memory_order_acquire) &&
                   xshim_is_same(&memory->key, key)
               ? memory->stream
               : NULL;
}

/* Enters a stream into the unit of its device; the same text for the same device everywhere. */
struct xshim_stream *xshim_enter(const struct xshim_key *key, void *context, const char *device,
                                 bool ordered);

/* Gives a stream a unit of its own, as an XQueue has, or puts it back to the others; returns it. */
struct xshim_stream *xshim_separate(struct xshim_stream *stream, const char *name);
struct xshim_stream *xshim_rejoin(struct xshim_stream *stream);

/* The driver's stream is gone, or will be in a moment: nothing more is asked of it. */
void xshim_forget(struct xshim_stream *stream);
void xshim_forget_context(const struct xshim_platform *platform, void *context);
void xshim_forget_thread(uint64_t thread); /* the streams of its own */
void *xshim_context_on(const struct xshim_platform *platform, const char *device); /* any, or NULL */

/* unit.c */
extern struct xshim_unit *_Atomic xshim_units; /* never removed */
extern _Thread_local bool xshim_on_drivers_thread; /* nothing may complete while it waits */
void *xshim_allocate(size_t size); /* zeros, from the start of a cache line on; NULL: no memory */
bool xshim_is_on(void); /* XSCHED_AUTO_XQUEUE is not OFF, or the program made XQueues itself */
struct xshim_unit *xshim_unit_of_device(const char *device); /* with the table locked */
struct xshim_unit *xshim_unit_of_xqueue(const char *device, const char *name); /* the same */
void xshim_retire(struct xshim_unit *unit); /* the same; its streams are all gone */

/*
 * A launch: before may wait; nanos is the time that the command should take, 0 if that is unknown.
 * after counts it; plant the mark, if one was due, after that.
 */
void xshim_before(struct xshim_call *call, struct xshim_stream *stream, uint64_t nanos);
void xshim_after(struct xshim_call *call);
bool xshim_mark_is_due(const struct xshim_call *call); /* to be asked before `after` */
void xshim_marked(struct xshim_stream *stream, uint64_t number); /* one was planted otherwise */
void xshim_plant_mark(struct xshim_stream *stream);
void xshim_refused(struct xshim_stream *stream); /* the last command, where nobody looks */

/* A thread waits in the driver for a stream, or with NULL for something else. */
void xshim_before_sync(struct xshim_call *call, struct xshim_stream *stream);
void xshim_after_sync(struct xshim_call *call, bool succeeded);

/* It is known that the first `number` commands of the stream have completed. */
void xshim_progress(struct xshim_stream *stream, uint64_t number);
void xshim_reap(struct xshim_unit *unit);
uint64_t xshim_reached_by(struct xshim_stream *stream); /* how many have completed, for all we know */

/*
 * Asks the driver about streams whose last commands no mark covers, or only about those that get no
 * more of them. Returns whether to do so again soon: if not, all that is in flight will tell.
 */
bool xshim_look_at_tails(struct xshim_unit *unit, bool may_rest);
uint64_t xshim_in_flight(struct xshim_unit *unit);

/* hold.c: what the program itself decides, whatever the daemon does */
void xshim_hold(struct xshim_unit *unit);
void xshim_release(struct xshim_unit *unit);
void xshim_wait_while_held(struct xshim_unit *unit);
void xshim_wait_for_launching(struct xshim_unit *unit); /* of threads that were not held any more */

static inline uint32_t xshim_all_others(const struct xshim_unit *unit)
{
    return unit->queue == NULL ? 0
                               : __atomic_load_n(&unit->queue->slot->others, __ATOMIC_ACQUIRE);
}

/* Those for whose sake launches and completions are told at once. */
static inline uint32_t xshim_others(const struct xshim_unit *unit)
{
    return xshim_all_others(unit) & (XSCHED_OTHERS_ABOVE | XSCHED_OTHERS_BELOW);
}

/* awaited.c: it launches, begins to wait for that, has waited; NULL: all of them */
void xshim_launches(struct xshim_unit *unit);
void xshim_awaits(struct xshim_unit *unit);
void xshim_has_awaited(struct xshim_unit *unit);

/* sign.c: it has waited; the driver is asked something; it launches, perhaps after that */
extern _Atomic bool xshim_heeds_signs;
void xshim_rests(struct xshim_unit *unit);
void xshim_sign(void);
void xshim_launch_after_sign(struct xshim_unit *unit);

/* The next command was counted as submitted already; for how long it may still be waited for. */
bool xshim_was_announced(struct xshim_unit *unit);
int64_t xshim_announced_for(struct xshim_unit *unit);
void xshim_retract(struct xshim_unit *unit); /* it does not come */

static inline void xshim_heed_sign(void)
{
    if (atomic_load_explicit(&xshim_heeds_signs, memory_order_relaxed)) {
        xshim_sign();
    }
}

static inline void xshim_heed_launch(struct xshim_unit *unit)
{
    if ((atomic_load_explicit(&unit->rests_since, memory_order_relaxed) |
         atomic_load_explicit(&unit->sign_at, memory_order_relaxed)) != 0) {
        xshim_launch_after_sign(unit);
    }
}

/* early.c: a launch, which may begin a request; what stays until the program waits is to end */
void xshim_notice_request(struct xshim_stream *stream);
void xshim_leave(struct xshim_unit *unit);

/* window.c */
void xshim_window_from_environment(struct xshim_unit *unit);
bool xshim_keeps_window(const struct xshim_unit *unit);

/* counts a launch, if need be after a wait; returns how many there were before */
uint64_t xshim_take_room(struct xshim_unit *unit, uint64_t nanos, bool asks);
uint64_t xshim_count_launch(struct xshim_unit *unit, uint64_t nanos); /* the same, without */
uint64_t xshim_window_nanos(const struct xshim_unit *unit);
bool xshim_counts_commands(const struct xshim_unit *unit); /* a fixed number was asked for */
uint64_t xshim_command_nanos(const struct xshim_unit *unit); /* of one command, on average */

/* Whether so many commands, or so much work, should have a mark behind it while others wait. */
bool xshim_is_worth_a_mark(const struct xshim_unit *unit, uint64_t commands, uint64_t nanos);

/* device_gate.c: false if the launching thread has to go through the gate */
bool xshim_gate_on_device(struct xshim_stream *stream, uint64_t nanos);
void xshim_open_gates_for_good(void);

/* alone.c: launches that were not counted, because the program was alone; alone.h */
void xshim_settle(struct xshim_unit *unit);       /* counts them; with unit->reaping held */
void xshim_settle_if_alone(struct xshim_unit *unit);
void xshim_settle_for_good(struct xshim_unit *unit); /* and has later ones counted */
void xshim_look_after(struct xshim_unit *unit);   /* watcher: while something is in flight */
void xshim_stop_looking_after(struct xshim_unit *unit);

/* times.c: how long commands of one kind take on the device */
uint64_t xshim_expected_nanos(uint64_t what);          /* 0: not known yet */
bool xshim_wants_time(uint64_t what);                  /* whether this one should be measured */
void xshim_learn_time(uint64_t what, uint64_t nanos);

static inline uint64_t xshim_mix(uint64_t a, uint64_t b)
{
    uint64_t mixed = (a ^ b) * 0x9e3779b97f4a7c15ull;
    return mixed ^ mixed >> 29;
}

/* watcher.c */
void xshim_wake_watcher(void);
bool xshim_is_watched(void); /* somebody notices what nobody tells */
bool xshim_start_thread(void *(*run)(void *), void *argument);
void xshim_end_before_drivers(void); /* to be called for each driver once it is there */

/*
 * gpu_show.c: the program begins to use a device of that name, and the daemon has a queue for it. Returns
 * its place among the GPUs of the block, from 1 on; 0: it is none of these.
 */
uint32_t gpu_opened(const char *device);

/* api/scheduler.c: does what the environment says, if nobody did before */
void xshim_choose_scheduler(void);

#endif
