/*
 * What a program does to be scheduled: the C side of xsched_control.h. Meant for the library that
 * is put in front of a driver; a program without a daemon runs as if none of this were there.
 *
 *     xsched_queue *queue = xsched_queue_open("shared:/tmp/xpu", "stream 7");
 *     ...
 *     xsched_gate(queue);           // may wait
 *     xsched_launched(queue);
 *     driver_launch(...);
 *     ...                           // once the driver says that it is done
 *     xsched_completed(queue, 1, nanos);
 *
 * Every function may be called from any thread, leaves errno alone, and takes NULL for a queue that
 * is not scheduled. No thread is started. After a fork, the child is a program of its own and goes
 * on with the same queues; nothing it does is counted as its parent's.
 */
#ifndef XSCHED_CLIENT_H
#define XSCHED_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct xsched_queue xsched_queue;

/* In the order of dev.xsched.policy.Hint. */
enum xsched_hint_index {
    XSCHED_HINT_PRIORITY = 0,
    XSCHED_HINT_UTILIZATION = 1,
    XSCHED_HINT_DEADLINE = 2,
    XSCHED_HINT_LAXITY = 3,
    XSCHED_HINT_LAX_PRIORITY = 4,
    XSCHED_HINT_CRITICAL_PRIORITY = 5,
    XSCHED_HINT_TIMESLICE = 6,
    XSCHED_HINT_K = 7,
    XSCHED_HINT_WINDOW_ACTIVE = 8,
    XSCHED_HINT_SLO_P99 = 9,
    XSCHED_HINT_SLO_RATIO = 10
};

/*
 * Opens a queue and, if it is the first, looks for the daemon (for half a second at most). The
 * device is the same text in every program that uses it. Texts longer than the block has room for
 * are cut.
 * NULL when there are too many queues already.
 */
xsched_queue *xsched_queue_open(const char *device, const char *name);

/* The same for an XQueue that the program made itself; the daemon then schedules it apart. */
xsched_queue *xsched_xqueue_open(const char *device, const char *name);

/*
 * Takes an idle queue off the daemon's list, and puts it there again under another name, as a queue
 * that knows nothing of its past. For who cannot be sure that no thread is inside of a call for it:
 * as long as one is on its way to or from the device, nothing is shown, and that is false.
 */
void xsched_queue_hide(xsched_queue *queue);
bool xsched_queue_show(xsched_queue *queue, const char *name);

/* No other thread may be inside of a call for this queue. */
void xsched_queue_close(xsched_queue *queue);

/*
 * To be called before each launch, by the thread that launches: counts the command as submitted, so
 * that the queue is ready while it waits, and returns when the command may be launched.
 */
void xsched_gate(xsched_queue *queue);

/*
 * The two halves of that: for a command that waits elsewhere before it comes to the gate, or that went
 * through it and then waited for something else.
 */
void xsched_submitted(xsched_queue *queue);
void xsched_pass_gate(xsched_queue *queue);
bool xsched_holds_back(xsched_queue *queue); /* whether pass_gate would wait now */
void xsched_sleep_until_held_back(xsched_queue *queue); /* or for no reason */

/* So many commands that were submitted will not be launched. */
void xsched_withdrawn(xsched_queue *queue, uint64_t commands);

/*
 * To be called after the gate and before the driver's own call, so that no command completes before
 * it was counted as launched. If the driver then refuses it, it has completed with 0 nanoseconds.
 */
void xsched_launched(xsched_queue *queue);

/* Some commands have completed, in all after that much time on the device; 0 if that is unknown. */
void xsched_completed(xsched_queue *queue, uint64_t commands, uint64_t nanos);

/* A thread waits for what was launched, or soon will, or has waited. Others may stop meanwhile. */
void xsched_awaited(xsched_queue *queue, bool awaited);

/* Asks for a hint for this queue; the daemon knows the ranges. False if there is no such hint. */
bool xsched_hint(xsched_queue *queue, enum xsched_hint_index hint, int64_t value);

/* The same for queues that this program opens from now on, and for hints of the whole system. */
bool xsched_hint_all(enum xsched_hint_index hint, int64_t value);

/* What was asked for all queues last, here or by the environment; `otherwise` if nothing was. */
int64_t xsched_hinted_all(enum xsched_hint_index hint, int64_t otherwise);

/* The preemption level that XSCHED_AUTO_XQUEUE_LEVEL asks for: 1 to 3, or 0 for the best. */
int xsched_asked_level(void);

/* Whether a daemon has this program on its list now, and how often one has welcomed it so far. */
bool xsched_registered(void);
uint64_t xsched_registrations(void);

/*
 * Leaves the daemon, if there is one, for that in another folder. "" stands for the one that the
 * environment names, and NULL for none at all: every gate is open then.
 */
void xsched_follow(const char *folder);

/* Leaves the daemon for good; every gate is open from then on. For a program about to end. */
void xsched_leave(void);

#endif
