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

static uint64_t command_nanos(const struct xshim_unit *unit)
{
    uint64_t nanos = __atomic_load_n(&unit->queue->slot->command_nanos, __ATOMIC_RELAXED);
    return nanos == 0 ? FIRST_GUESS_NANOS : nanos;
}

static uint64_t limit_of(const struct xshim_unit *unit)
{
    const struct xsched_slot *slot = unit->queue->slot;
    uint64_t nanos = __atomic_load_n(&slot->window_nanos, __ATOMIC_ACQUIRE);
    uint32_t fixed = atomic_load_explicit(&unit->threshold, memory_order_relaxed);
    uint32_t most = __atomic_load_n(&slot->window_commands, __ATOMIC_ACQUIRE);
    if (fixed != 0 && nanos == 0 && most == 0) {
        return fixed;
    }
    uint64_t limit = (nanos == 0 ? WINDOW_NANOS : nanos) / command_nanos(unit);
    if (limit > MOST_COMMANDS) {
        limit = MOST_COMMANDS;
    }
    if (limit < LEAST_COMMANDS) {
        limit = LEAST_COMMANDS;
    }
    return most != 0 && most < limit ? most : limit;
}

uint64_t xshim_batch(struct xshim_unit *unit)
{
    uint32_t batch = __atomic_load_n(&unit->queue->slot->window_batch, __ATOMIC_ACQUIRE);
    if (batch == 0) {
        batch = atomic_load_explicit(&unit->batch, memory_order_relaxed);
    }
    uint64_t limit = limit_of(unit);
    if (batch != 0) {
        return batch < limit ? batch : limit;
    }
    return limit < MARKS_PER_WINDOW ? 1 : limit / MARKS_PER_WINDOW;
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

void xshim_window_from_environment(struct xshim_unit *unit)
{
    uint32_t threshold = xsched_count_in_environment("XSCHED_AUTO_XQUEUE_THRESHOLD");
    uint32_t batch = xsched_count_in_environment("XSCHED_AUTO_XQUEUE_BATCH_SIZE");
    atomic_store(&unit->threshold, threshold);
    atomic_store(&unit->batch, batch);
    atomic_store(&unit->bounded, threshold != 0);
}

bool xshim_keeps_window(struct xshim_unit *unit)
{
    return unit->queue != NULL && ((xshim_others(unit) & XSCHED_OTHERS_ABOVE) != 0 ||
                                   atomic_load_explicit(&unit->bounded, memory_order_relaxed));
}

void xshim_wait_for_room(struct xshim_unit *unit)
{
    uint64_t limit = limit_of(unit);
    if (xshim_in_flight(unit) < limit) {
        return;
    }
    xshim_reap(unit);
    uint64_t in_flight = xshim_in_flight(unit);
    if (in_flight < limit) {
        return;
    }
    mark_everything(unit);
    /* Half of it is free again before the next launch: one wait for several commands. */
    uint64_t wanted = limit / 2;
    int64_t moved = xsched_now();
    while (in_flight > wanted && xshim_keeps_window(unit)) {
        pause_for(in_flight - wanted, command_nanos(unit));
        xshim_reap(unit);
        uint64_t now_in_flight = xshim_in_flight(unit);
        int64_t now = xsched_now();
        if (now_in_flight != in_flight) {
            in_flight = now_in_flight;
            moved = now;
        } else if (now - moved > STALL_NANOS + 4 * (int64_t)command_nanos(unit)) {
            return;
        }
    }
}
