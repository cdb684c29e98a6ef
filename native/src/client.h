/*
 * What the files of the client share. One per process, because a process is one program to the
 * daemon. Memory shared with the daemon has plain types in the contract; it is accessed with the
 * __atomic operations, which are C11's without the type.
 *
 * Two locks: `registering` is held for as long as talking to the daemon takes and is only ever
 * tried on the way to a launch; `table` is held for moments, and by whoever forks, so that no
 * descriptor gets into a child unnoticed. `registering` comes before `table`.
 */
#ifndef XSCHED_CLIENT_PRIVATE_H
#define XSCHED_CLIENT_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "xsched_client.h"
#include "xsched_control.h"

#define XSCHED_SPIN_NANOS 20000ll     /* before a wait at a gate goes to sleep */
/* Who has to close a gate on a device sleeps that long: a core that idles longer wakes up later. */
#define XSCHED_WATCH_NANOS 200000ll
#define XSCHED_LOOK_NANOS 20000ll      /* and looks that often where it cannot be woken */
#define XSCHED_CHECK_NANOS 250000000ll /* how often a daemon is looked for, or looked after */
#define XSCHED_WELCOME_MILLIS 500      /* the only time a program waits for a daemon's answer */
#define XSCHED_NEVER INT64_MAX
#define XSCHED_NONE_IGNORED UINT64_MAX

/* A registration. Not freed when it ends: a thread may be reading its board. */
struct xsched_link {
    struct xsched_board *board;
    uint32_t bit; /* of this program in board.rung */
    struct xsched_link *previous;
};

struct xsched_queue {
    struct xsched_slot *slot;
    uint32_t index;
    _Atomic uint32_t ready;   /* as told; private, so that the block is never read back */
    _Atomic uint64_t ignored; /* the ceiling word that nobody confirmed */
    pthread_mutex_t lock;     /* turning ready or idle, asking for hints */
    bool hidden;              /* with the lock held */
};

/*
 * A descriptor of ours. Programs that close every descriptor they see, as daemons do, may get the
 * same number for a file of their own; so the file is looked at before anything is done to it.
 */
struct xsched_file {
    int fd; /* -1: none */
    dev_t dev;
    ino_t ino;
};

struct xsched_client {
    _Atomic(struct xsched_link *) link; /* NULL: no daemon */
    _Atomic int64_t next_check;         /* coarse clock; XSCHED_NEVER: turned away, or left */
    _Atomic uint64_t registrations;
    _Atomic uint32_t left_interrupted; /* GPUs, a bit each, whose channels a lost daemon disabled */
    _Atomic uint32_t said; /* one bit per kind of message: each is said once */

    pthread_mutex_t table;
    struct xsched_block *block; /* at the same address for as long as the process lives */
    struct xsched_file block_file;
    struct xsched_queue *queues[XSCHED_SLOTS];
    int asked_level;
    const char *chosen_folder, *runtime_folder, *name; /* NULL: the environment has none */

    pthread_mutex_t registering;
    char folder[108]; /* where the daemon is; empty: where the environment says */
    struct xsched_file socket; /* changes with both locks held */
    struct xsched_link *links; /* all there ever were */
    bool heartbeat_lost;
};

extern struct xsched_client xsched_client;

enum xsched_message {
    XSCHED_SAID_NO_DAEMON = 1,
    XSCHED_SAID_NO_ANSWER = 2,
    XSCHED_SAID_LOST = 4,
    XSCHED_SAID_REFUSED = 8,
    XSCHED_SAID_NO_MEMORY = 16,
    XSCHED_SAID_TOO_MANY = 32
};

/* clock.c */
int64_t xsched_now(void);
int64_t xsched_now_coarse(void); /* some milliseconds behind, a fifth of the cost */
void xsched_sleep(int64_t nanos);

/*
 * Around what is done with a lock held, or half done: the program may cancel its threads, and many
 * calls of the system have that happen there, but no launch is such a call.
 */
static inline int xsched_forbid_cancel(void)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void xsched_allow_cancel(int before)
{
    pthread_setcancelstate(before, NULL);
}

/* say.c: one line on the standard error; for messages with a bit, the first time only */
void xsched_say(uint32_t once, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* file.c */
void xsched_file_keep(struct xsched_file *file, int fd);
bool xsched_file_is_ours(const struct xsched_file *file);
bool xsched_file_may_have(size_t size); /* else making it as large ends the program (RLIMIT_FSIZE) */
void xsched_file_close(struct xsched_file *file);

/* environment.c */
void xsched_read_environment(struct xsched_client *client);
uint32_t xsched_count_in_environment(const char *name); /* 0: not there, or not a count */

/* ON or OFF in the environment, else what is usual; read at the first question. */
struct xsched_switch {
    const char *name;
    bool usual;
    _Atomic int state; /* 0: not read yet */
};
enum { XSCHED_SWITCHED_OFF = 1, XSCHED_SWITCHED_ON = 2 };
int xsched_read_switch(struct xsched_switch *which);

static inline bool xsched_switched_on(struct xsched_switch *which)
{
    int state = atomic_load_explicit(&which->state, memory_order_relaxed);
    return (state != 0 ? state : xsched_read_switch(which)) == XSCHED_SWITCHED_ON;
}

/* directory.c: connects client.socket without waiting; where: the folder, or all that were tried */
bool xsched_connect(char *where, size_t size);

/* hello.c */
enum xsched_answer { XSCHED_NO_ANSWER_YET, XSCHED_WELCOME, XSCHED_TURNED_AWAY, XSCHED_ENDED };
bool xsched_send_hello(int socket, int block_fd);
enum xsched_answer xsched_read_welcome(int socket, struct xsched_link *link, char *why,
                                       size_t size);

/* block.c */
bool xsched_block_make(void);
void xsched_slot_identify(struct xsched_slot *slot, const char *device, const char *name,
                          uint32_t buffered);

/* reached.c: where the program says that it reached the scheduler, and which one was started */
extern char xsched_run_file[512]; /* empty: nobody wants to know */
extern long xsched_run_process;
void xsched_reached(void);

/* register.c */
void xsched_check(bool at_once);

/* client.c */
void xsched_tell(uint32_t slot);
void xsched_tell_all(void);

/* client.c: these were launched before they are told as submitted */
void xsched_launched_uncounted(struct xsched_queue *queue, uint64_t commands);

/* gate.c */
bool xsched_heartbeat_is_fresh(int64_t now);
bool xsched_is_open(struct xsched_queue *queue, const struct xsched_link *link);
void xsched_wake(uint32_t *word, int waiters);
void xsched_wake_gpu_watchers(void); /* as if there were new orders */

/*
 * Whether a launch need not wait, as far as some loads tell. Who is below a ceiling that nobody
 * confirmed need not either.
 */
static inline bool xsched_is_plainly_open(const struct xsched_queue *queue)
{
    const struct xsched_slot *slot = queue->slot;
    const struct xsched_link *link = atomic_load_explicit(&xsched_client.link, memory_order_acquire);
    uint32_t index = __atomic_load_n(&slot->ceiling, __ATOMIC_ACQUIRE);
    return link == NULL ||
           (__atomic_load_n(&slot->gate, __ATOMIC_ACQUIRE) == 0 &&
            (index >= XSCHED_CEILINGS ||
             __atomic_load_n(&slot->rank, __ATOMIC_ACQUIRE) >=
                 (int32_t)(uint32_t)__atomic_load_n(&link->board->ceiling[index].word,
                                                    __ATOMIC_ACQUIRE)));
}

/* The part of a check that every call can afford: is one due? */
static inline void xsched_check_if_due(void)
{
    int64_t due = atomic_load_explicit(&xsched_client.next_check, memory_order_relaxed);
    if (due != XSCHED_NEVER && xsched_now_coarse() >= due) {
        xsched_check(false);
    }
}

#endif
