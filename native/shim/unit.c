/* Units, what is counted in them, and the way through the gate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "shim.h"

/* Alone on a device, a mark behind so many commands is enough. */
#define ALONE_BATCH 64

_Thread_local int xshim_inside;
_Thread_local int xshim_callbacks;
struct xshim_unit *_Atomic xshim_units;
static _Atomic bool has_xqueues;

static bool is_automatic(void)
{
    static _Atomic int state; /* 0: not read yet */
    int known = atomic_load_explicit(&state, memory_order_relaxed);
    if (known == 0) {
        const char *value = getenv("XSCHED_AUTO_XQUEUE");
        bool off = value != NULL && (strcasecmp(value, "OFF") == 0 || strcmp(value, "0") == 0);
        if (value != NULL && !off && strcasecmp(value, "ON") != 0 && strcmp(value, "1") != 0) {
            xsched_say(0, "XSCHED_AUTO_XQUEUE is '%s'; say ON or OFF. It is taken as ON", value);
        }
        known = off ? 1 : 2;
        atomic_store(&state, known);
    }
    return known == 2;
}

bool xshim_is_on(void)
{
    return is_automatic() || atomic_load_explicit(&has_xqueues, memory_order_relaxed);
}

static struct xshim_unit *new_unit(const char *device, const char *name, bool is_xqueue)
{
    struct xshim_unit *unit = calloc(1, sizeof *unit);
    if (unit == NULL) {
        return NULL;
    }
    snprintf(unit->device, sizeof unit->device, "%s", device);
    unit->is_xqueue = is_xqueue;
    pthread_mutex_init(&unit->reaping, NULL);
    xshim_choose_scheduler();
    if (is_xqueue) {
        unit->queue = xsched_xqueue_open(device, name);
        atomic_store(&has_xqueues, true);
    } else if (is_automatic()) {
        unit->queue = xsched_queue_open(device, name);
        xshim_window_from_environment(unit);
    }
    if (unit->queue != NULL) {
        xshim_reached();
    }
    unit->next = atomic_load(&xshim_units);
    while (!atomic_compare_exchange_weak(&xshim_units, &unit->next, unit)) {
    }
    return unit;
}

struct xshim_unit *xshim_unit_of_device(const char *device)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        if (!unit->is_xqueue && strcmp(unit->device, device) == 0) {
            return unit;
        }
    }
    return new_unit(device, "all streams", false);
}

struct xshim_unit *xshim_unit_of_xqueue(const char *device, const char *name)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        if (unit->retired && strcmp(unit->device, device) == 0 && xshim_in_flight(unit) == 0) {
            unit->retired = false;
            xsched_queue_show(unit->queue, name);
            return unit;
        }
    }
    return new_unit(device, name, true);
}

void xshim_retire(struct xshim_unit *unit)
{
    xshim_reap(unit);
    atomic_store(&unit->threshold, 0);
    atomic_store(&unit->batch, 0);
    atomic_store(&unit->bounded, false);
    xsched_queue_hide(unit->queue);
    unit->retired = true;
}

uint64_t xshim_in_flight(struct xshim_unit *unit)
{
    uint64_t completed = atomic_load(&unit->completed);
    return atomic_load(&unit->launched) - completed;
}

/* Whether somebody wants to know at once what has completed. */
static bool is_prompt(struct xshim_unit *unit)
{
    return xshim_others(unit) != 0 || xshim_keeps_window(unit);
}

uint64_t xshim_reached_by(struct xshim_stream *stream)
{
    uint64_t told = atomic_load_explicit(&stream->progress, memory_order_acquire);
    uint64_t written = stream->device_progress == NULL
                           ? 0
                           : __atomic_load_n(stream->device_progress, __ATOMIC_ACQUIRE);
    return told > written ? told : written;
}

/*
 * Counts what has completed since it was last counted. The time from one such look to the next is
 * taken as device time, if something was in flight all the while.
 */
void xshim_reap(struct xshim_unit *unit)
{
    if (pthread_mutex_trylock(&unit->reaping) != 0) {
        return;
    }
    uint64_t done = 0;
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        uint64_t issued = atomic_load(&stream->issued);
        uint64_t reached = xshim_reached_by(stream);
        if (atomic_load(&stream->gone) || reached > issued) {
            reached = issued;
        }
        if (reached > stream->completed) {
            done += reached - stream->completed;
            stream->completed = reached;
        }
    }
    if (done > 0) {
        int64_t now = xsched_now();
        uint64_t completed = atomic_fetch_add(&unit->completed, done) + done;
        bool more = completed != atomic_load(&unit->launched);
        int64_t since = atomic_exchange(&unit->busy_since, more ? now : 0);
        xsched_completed(unit->queue, done, since == 0 || now <= since ? 0 : (uint64_t)(now - since));
    }
    pthread_mutex_unlock(&unit->reaping);
}

void xshim_progress(struct xshim_stream *stream, uint64_t number)
{
    uint64_t told = atomic_load(&stream->progress);
    while (told < number && !atomic_compare_exchange_weak(&stream->progress, &told, number)) {
    }
    if (is_prompt(stream->unit)) {
        xshim_reap(stream->unit);
    }
}

/* Asks the driver about streams whose last commands no mark covers. */
void xshim_look_at_tails(struct xshim_unit *unit)
{
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        if (stream->private_to_thread || pthread_mutex_trylock(&stream->marking) != 0) {
            continue;
        }
        uint64_t number = atomic_load(&stream->issued);
        if (!atomic_load(&stream->gone) && number > atomic_load(&stream->marked) &&
            number > xshim_reached_by(stream)) {
            xshim_inside++;
            if (stream->key.platform->look(stream, number)) {
                xshim_progress(stream, number);
            }
            xshim_inside--;
        }
        pthread_mutex_unlock(&stream->marking);
    }
}

bool xshim_mark_is_due(struct xshim_stream *stream)
{
    uint64_t unmarked = atomic_load_explicit(&stream->issued, memory_order_relaxed) + 1 -
                        atomic_load_explicit(&stream->marked, memory_order_relaxed);
    struct xshim_unit *unit = stream->unit;
    if (stream->private_to_thread) {
        return true;
    }
    return unmarked >= (is_prompt(unit) ? xshim_batch(unit) : ALONE_BATCH);
}

void xshim_plant_mark(struct xshim_stream *stream)
{
    /* Whoever has it plants a mark in this moment; if that misses a command, the watcher will not. */
    if (pthread_mutex_trylock(&stream->marking) != 0) {
        return;
    }
    uint64_t number = atomic_load(&stream->issued);
    if (number > atomic_load(&stream->marked) && !atomic_load(&stream->gone)) {
        xshim_inside++;
        if (stream->key.platform->mark(stream, number)) {
            atomic_store(&stream->marked, number);
        }
        xshim_inside--;
    }
    pthread_mutex_unlock(&stream->marking);
}

/* False if the program suspended the unit just now: it does not launch, and has to try again. */
static bool try_launch(struct xshim_unit *unit, bool *counted)
{
    if (atomic_load_explicit(&unit->held, memory_order_relaxed) != 0) {
        /* Who was suspended is not ready: nobody is to wait for it. */
        xsched_withdrawn(unit->queue, *counted);
        *counted = false;
        xshim_wait_while_held(unit);
    }
    if (*counted) {
        xsched_pass_gate(unit->queue);
    } else {
        xsched_gate(unit->queue);
    }
    if (xshim_keeps_window(unit)) {
        xshim_wait_for_room(unit);
    }
    if (atomic_fetch_add(&unit->launched, 1) == atomic_load(&unit->completed)) {
        /* Alone, completions are noticed too late to learn times from them. */
        atomic_store(&unit->busy_since, is_prompt(unit) ? xsched_now() : 0);
        xshim_wake_watcher();
    }
    /* After it was counted, so that whoever holds the unit sees it, or is seen. */
    if (atomic_load(&unit->held) == 0) {
        return true;
    }
    atomic_fetch_sub(&unit->launched, 1);
    xsched_withdrawn(unit->queue, 1);
    *counted = false;
    return false;
}

void xshim_before(struct xshim_call *call, struct xshim_stream *stream)
{
    struct xshim_unit *unit = stream->unit;
    call->stream = stream;
    while (!try_launch(unit, &call->counted)) {
    }
    xsched_launched(unit->queue);
}

void xshim_after(struct xshim_call *call)
{
    atomic_fetch_add(&call->stream->issued, 1);
}

void xshim_before_sync(struct xshim_call *call, struct xshim_stream *stream)
{
    call->stream = stream;
    if (stream != NULL) {
        call->number = atomic_load(&stream->issued);
        atomic_fetch_add(&stream->unit->syncing, 1);
    }
}

void xshim_after_sync(struct xshim_call *call, bool succeeded)
{
    struct xshim_stream *stream = call->stream;
    if (stream == NULL) {
        for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL;
             unit = unit->next) {
            if (xshim_others(unit) != 0 && xshim_in_flight(unit) != 0) {
                xshim_look_at_tails(unit);
                xshim_reap(unit);
            }
        }
        return;
    }
    atomic_fetch_sub(&stream->unit->syncing, 1);
    if (succeeded) {
        xshim_progress(stream, call->number);
    }
}
