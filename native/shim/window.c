/*
 * The in-flight window of a unit: by time, and by count where the daemon says so. Only kept while
 * work may come that goes first. The launching thread waits here, and looks for completions itself:
 * no other thread has to wake it.
 */
#include <sys/prctl.h>
#include <time.h>

#include "shim.h"

/* Work in flight when the daemon does not say. What a higher rank waits for, at most. */
#define WINDOW_NANOS 250000
#define LEAST_COMMANDS 2 /* the device would run dry between one command and the next */
#define MOST_COMMANDS 1024
#define FIRST_GUESS_NANOS 50000

#define MARKS_PER_WINDOW 4
#define SHORTEST_SLEEP_NANOS 40000 /* below, waking up takes longer than the sleep */
#define LONGEST_SLEEP_NANOS 2000000

/*
 * Commands that wait for something this very thread is going to do (a user event, a host function)
 * never complete while it waits here. So whoever sees no progress for that long, and for the time of
 * several commands, goes on.
 */
#define STALL_NANOS 20000000
#define MOST_STALLS 16 /* each doubles the window, so a thousand such commands wait a few times */

static uint64_t command_nanos(const struct xshim_unit *unit)
{
    uint64_t nanos = __atomic_load_n(&unit->queue->slot->command_nanos, __ATOMIC_RELAXED);
    return nanos == 0 ? FIRST_GUESS_NANOS : nanos;
}

/* How many commands make a window. */
static uint64_t window_of(const struct xshim_unit *unit)
{
    const struct xsched_slot *slot = unit->queue->slot;
    uint64_t nanos = __atomic_load_n(&slot->window_nanos, __ATOMIC_ACQUIRE);
    uint32_t most = __atomic_load_n(&slot->window_commands, __ATOMIC_ACQUIRE);
    uint64_t limit = (nanos == 0 ? WINDOW_NANOS : nanos) / command_nanos(unit);
    if (limit > MOST_COMMANDS) {
        limit = MOST_COMMANDS;
    }
    if (limit < LEAST_COMMANDS) {
        limit = LEAST_COMMANDS;
    }
    return most != 0 && most < limit ? most : limit;
}

/* How many may be in flight now. */
static uint64_t limit_of(const struct xshim_unit *unit)
{
    if (xshim_on_drivers_thread || (xshim_others(unit) & XSCHED_OTHERS_ABOVE) == 0) {
        return UINT64_MAX;
    }
    return window_of(unit) << atomic_load(&unit->stalls);
}

uint64_t xshim_batch(struct xshim_unit *unit)
{
    uint32_t batch = __atomic_load_n(&unit->queue->slot->window_batch, __ATOMIC_ACQUIRE);
    if (batch != 0) {
        return batch;
    }
    uint64_t window = window_of(unit);
    return window < MARKS_PER_WINDOW ? 1 : window / MARKS_PER_WINDOW;
}

/* Exact sleeps need a timer slack below the usual 50 us; it is the program's, so it is put back. */
static void sleep_nanos(int64_t nanos)
{
    struct timespec time = {.tv_nsec = nanos};
    int slack = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    if (slack > 0) {
        prctl(PR_SET_TIMERSLACK, slack);
    }
}

static void pause_for(uint64_t commands, uint64_t each)
{
    uint64_t nanos = commands * each;
    if (nanos < SHORTEST_SLEEP_NANOS) {
        for (int i = 0; i < 64; i++) {
            __asm__ volatile("" ::: "memory");
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        return;
    }
    nanos -= SHORTEST_SLEEP_NANOS / 2;
    sleep_nanos((int64_t)(nanos > LONGEST_SLEEP_NANOS ? LONGEST_SLEEP_NANOS : nanos));
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

/* Half of it is free again before the next launch: one wait for several commands. */
static void wait_for_room(struct xshim_unit *unit)
{
    uint64_t in_flight = xshim_in_flight(unit);
    int64_t moved = xsched_now();
    while (in_flight > limit_of(unit) / 2) {
        pause_for(in_flight - window_of(unit) / 2, command_nanos(unit));
        xshim_reap(unit);
        uint64_t now_in_flight = xshim_in_flight(unit);
        int64_t now = xsched_now();
        if (now_in_flight != in_flight) {
            in_flight = now_in_flight;
            moved = now;
        } else if (now - moved > STALL_NANOS + 4 * (int64_t)command_nanos(unit)) {
            stalled(unit);
            return;
        }
    }
}

/* Counts a launch unless too much is in flight; `launched` is how many there were before. */
static bool take_room(struct xshim_unit *unit, uint64_t *launched)
{
    uint64_t limit = limit_of(unit);
    do {
        uint64_t completed = atomic_load(&unit->completed); /* first: may be too small, not too big */
        *launched = atomic_load(&unit->launched);
        if (*launched - completed >= limit) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&unit->launched, launched, *launched + 1));
    return true;
}

uint64_t xshim_take_room(struct xshim_unit *unit)
{
    uint64_t launched;
    if (take_room(unit, &launched)) {
        return launched;
    }
    xshim_reap(unit);
    while (!take_room(unit, &launched)) {
        mark_everything(unit);
        wait_for_room(unit);
        xsched_gate_again(unit->queue); /* it may have closed meanwhile */
    }
    return launched;
}
