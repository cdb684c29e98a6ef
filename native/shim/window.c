/*
 * The in-flight window of a unit: by time, and by count where the daemon says so. Only kept while
 * work may come that goes first. The launching thread waits here, and looks for completions itself:
 * no other thread has to wake it.
 */
#include <sys/prctl.h>

#include "shim.h"

/*
 * Work in flight when the daemon does not say. What a higher rank waits for, at most. Where the driver
 * calls back, each mark wakes a thread of its, which may then lack where the work is done, as on PoCL.
 */
#define WINDOW_NANOS 200000
#define WINDOW_WITH_CALLBACKS_NANOS 1000000
#define LEAST_COMMANDS 2 /* the device would run dry between one command and the next */
#define MOST_COMMANDS 1024
#define FIRST_GUESS_NANOS 50000
#define NO_BOUND_NANOS (UINT64_MAX / 16)
#define UNBOUNDED_NANOS 8000000 /* marks are as rare as in such a window if there is none */

#define MARKS_PER_WINDOW 8
#define CALLBACKS_PER_WINDOW 4
#define MARKS_PER_WINDOW_BRIEFLY 1
#define SHORTEST_SLEEP_NANOS 40000 /* below, waking up takes longer than the sleep */
#define LONGEST_SLEEP_NANOS 2000000
#define WAKING_NANOS 100000 /* what waking up may take */

/*
 * Commands that wait for something this very thread is going to do (a user event, a host function)
 * never complete while it waits here. So whoever sees no progress for that long, and for the time of
 * several commands, goes on.
 */
#define STALL_NANOS 50000000
#define MOST_STALLS 16 /* each doubles the window, so a thousand such commands wait a few times */

/* The commands of an XQueue are waited for one by one, so its marks are worth their price. */
static bool has_dear_marks(const struct xshim_unit *unit)
{
    return atomic_load(&unit->is_called_back) && !unit->is_xqueue;
}

uint64_t xshim_command_nanos(const struct xshim_unit *unit)
{
    uint64_t nanos = __atomic_load_n(&unit->queue->slot->command_nanos, __ATOMIC_RELAXED);
    return nanos == 0 ? FIRST_GUESS_NANOS : nanos;
}

uint64_t xshim_window_nanos(const struct xshim_unit *unit)
{
    const struct xsched_slot *slot = unit->queue->slot;
    uint64_t nanos = __atomic_load_n(&slot->window_nanos, __ATOMIC_ACQUIRE);
    if (nanos == 0 && (atomic_load_explicit(&unit->threshold, memory_order_relaxed) != 0 ||
                       __atomic_load_n(&slot->window_commands, __ATOMIC_ACQUIRE) != 0)) {
        return NO_BOUND_NANOS; /* a count was asked for, and nothing else */
    }
    if (nanos == 0) {
        nanos = has_dear_marks(unit) ? WINDOW_WITH_CALLBACKS_NANOS : WINDOW_NANOS;
    }
    return nanos << atomic_load(&unit->stalls);
}

bool xshim_counts_commands(const struct xshim_unit *unit)
{
    return xshim_window_nanos(unit) == NO_BOUND_NANOS;
}

static uint64_t window_commands(const struct xshim_unit *unit)
{
    uint32_t most = __atomic_load_n(&unit->queue->slot->window_commands, __ATOMIC_ACQUIRE);
    if (most == 0) {
        most = atomic_load_explicit(&unit->threshold, memory_order_relaxed);
    }
    return (most == 0 || most > MOST_COMMANDS ? MOST_COMMANDS : most) << atomic_load(&unit->stalls);
}

void xshim_window_from_environment(struct xshim_unit *unit)
{
    uint32_t threshold = xsched_count_in_environment("XSCHED_AUTO_XQUEUE_THRESHOLD");
    uint32_t batch = xsched_count_in_environment("XSCHED_AUTO_XQUEUE_BATCH_SIZE");
    atomic_store(&unit->threshold, threshold);
    atomic_store(&unit->batch, batch);
    atomic_store(&unit->bounded, threshold != 0);
}

bool xshim_keeps_window(const struct xshim_unit *unit)
{
    return unit->queue != NULL && !xshim_on_drivers_thread &&
           ((xshim_others(unit) & XSCHED_OTHERS_ABOVE) != 0 ||
            atomic_load_explicit(&unit->bounded, memory_order_relaxed));
}

/* Whether gates on the device keep the window, and are seldom closed. */
static bool is_gated_briefly(const struct xshim_unit *unit)
{
    return (xshim_all_others(unit) & XSCHED_OTHERS_BRIEFLY) != 0 &&
           atomic_load(&unit->gates) != NULL && !atomic_load(&unit->no_device_gate);
}

bool xshim_is_worth_a_mark(const struct xshim_unit *unit, uint64_t commands, uint64_t nanos)
{
    uint32_t batch = __atomic_load_n(&unit->queue->slot->window_batch, __ATOMIC_ACQUIRE);
    if (batch == 0) {
        batch = atomic_load_explicit(&unit->batch, memory_order_relaxed);
    }
    if (batch != 0) {
        return commands >= batch;
    }
    uint64_t marks = is_gated_briefly(unit) ? MARKS_PER_WINDOW_BRIEFLY
                     : has_dear_marks(unit) ? CALLBACKS_PER_WINDOW
                                            : MARKS_PER_WINDOW;
    uint64_t window = xshim_window_nanos(unit);
    if (!unit->is_xqueue && !xshim_keeps_window(unit) && window < UNBOUNDED_NANOS) {
        window = UNBOUNDED_NANOS;
    }
    return nanos >= window / marks || commands >= window_commands(unit) / marks;
}

/* How much work is in flight, in time. */
static uint64_t nanos_in_flight(struct xshim_unit *unit)
{
    uint64_t completed = atomic_load(&unit->completed_nanos);
    uint64_t launched = atomic_load(&unit->launched_nanos);
    return launched > completed ? launched - completed : 0;
}

/* Exact sleeps need a timer slack below the usual 50 us; it is the program's, so it is put back. */
static void sleep_nanos(int64_t nanos)
{
    int slack = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1);
    xsched_sleep(nanos);
    if (slack > 0) {
        prctl(PR_SET_TIMERSLACK, slack);
    }
}

static void pause_for(uint64_t nanos)
{
    if (nanos < SHORTEST_SLEEP_NANOS) {
        for (int i = 0; i < 64; i++) {
            __asm__ volatile("" ::: "memory");
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        return;
    }
    sleep_nanos((int64_t)(nanos > LONGEST_SLEEP_NANOS ? LONGEST_SLEEP_NANOS : nanos));
}

/*
 * Where marks can be asked for, the device is kept fed to the last microsecond: the thread sleeps
 * only as long as it may oversleep, and then asks, as the driver's own waits do. Where the driver
 * calls back, its threads need the processor more than this one.
 */
static void pause_until_room(uint64_t nanos, bool asks, int64_t waited)
{
    if (!asks) {
        bool sleeps = nanos >= SHORTEST_SLEEP_NANOS || waited >= SHORTEST_SLEEP_NANOS;
        nanos = sleeps && nanos < 2 * SHORTEST_SLEEP_NANOS ? 2 * SHORTEST_SLEEP_NANOS : nanos;
        pause_for(sleeps ? nanos - SHORTEST_SLEEP_NANOS / 2 : nanos);
    } else {
        pause_for(nanos < WAKING_NANOS + SHORTEST_SLEEP_NANOS ? 0 : nanos - WAKING_NANOS);
    }
}

static void mark_everything(struct xshim_unit *unit)
{
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        if (!stream->private_to_thread &&
            atomic_load(&stream->issued) > atomic_load(&stream->marked)) {
            xshim_plant_mark(stream);
        }
    }
}

static void stalled(struct xshim_unit *unit)
{
    uint32_t stalls = atomic_load(&unit->stalls);
    if (stalls < MOST_STALLS) {
        atomic_compare_exchange_strong(&unit->stalls, &stalls, stalls + 1);
    }
}

/*
 * How long it should take until there is room; 0: there is. Who sleeps meanwhile wants half of the
 * window, so that one wait is enough for several commands.
 */
static uint64_t nanos_until_room(struct xshim_unit *unit, uint64_t next, bool asks)
{
    uint64_t commands = xshim_in_flight(unit);
    uint64_t nanos = nanos_in_flight(unit);
    uint64_t most = window_commands(unit);
    uint64_t window = xshim_window_nanos(unit);
    uint64_t low_commands = asks ? most - 1 : most / 2;
    uint64_t low_nanos = !asks ? window / 2 : window > next ? window - next : 0;
    uint64_t by_count =
        commands > low_commands ? (commands - low_commands) * xshim_command_nanos(unit) : 0;
    uint64_t by_time = commands >= LEAST_COMMANDS && nanos > low_nanos ? nanos - low_nanos : 0;
    return by_count > by_time ? by_count : by_time;
}

static void wait_for_room(struct xshim_unit *unit, uint64_t next, bool asks)
{
    uint64_t completed = atomic_load(&unit->completed);
    int64_t moved = xsched_now();
    int64_t now = moved;
    uint64_t nanos;
    while (xshim_keeps_window(unit) && (nanos = nanos_until_room(unit, next, asks)) > 0) {
        pause_until_room(nanos, asks, now - moved);
        xshim_reap(unit);
        now = xsched_now();
        if (atomic_load(&unit->completed) != completed) {
            completed = atomic_load(&unit->completed);
            moved = now;
        } else if (now - moved > STALL_NANOS + 4 * (int64_t)xshim_command_nanos(unit)) {
            stalled(unit);
            return;
        }
    }
}

static void count_nanos(struct xshim_unit *unit, uint64_t nanos)
{
    if (nanos != 0) { /* unknown while nobody asks, and then this is the fast path */
        atomic_fetch_add(&unit->launched_nanos, nanos);
    }
}

uint64_t xshim_count_launch(struct xshim_unit *unit, uint64_t nanos)
{
    uint64_t launched = atomic_fetch_add(&unit->launched, 1);
    count_nanos(unit, nanos);
    return launched;
}

/* Counts a launch unless too much is in flight; `launched` is how many there were before. */
static bool take_room(struct xshim_unit *unit, uint64_t nanos, uint64_t *launched)
{
    if (!xshim_keeps_window(unit)) {
        *launched = xshim_count_launch(unit, nanos);
        return true;
    }
    do {
        uint64_t completed = atomic_load(&unit->completed); /* first: may be too small, not too big */
        *launched = atomic_load(&unit->launched);
        uint64_t in_flight = *launched - completed;
        if (in_flight >= window_commands(unit) ||
            (in_flight >= LEAST_COMMANDS && nanos_in_flight(unit) + nanos > xshim_window_nanos(unit))) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&unit->launched, launched, *launched + 1));
    count_nanos(unit, nanos);
    return true;
}

/* Apart, so that the fast path saves no registers for it. */
static __attribute__((noinline)) uint64_t wait_and_take_room(struct xshim_unit *unit,
                                                             uint64_t nanos, bool asks)
{
    uint64_t launched;
    xshim_reap(unit);
    while (!take_room(unit, nanos, &launched)) {
        mark_everything(unit);
        wait_for_room(unit, nanos, asks);
        xsched_pass_gate(unit->queue); /* it may have closed meanwhile */
    }
    return launched;
}

uint64_t xshim_take_room(struct xshim_unit *unit, uint64_t nanos, bool asks)
{
    uint64_t launched;
    return take_room(unit, nanos, &launched) ? launched : wait_and_take_room(unit, nanos, asks);
}
