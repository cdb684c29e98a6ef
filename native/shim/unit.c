/* Units, what is counted in them, and the way through the gate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"

#define AHEAD_BATCH 16 /* commands per mark if the device holds it back */
#define CACHE_LINE 64u
#define WAITS_NANOS 50000 /* no launch takes as long, unless it waits */
#define ASKING_NANOS 10000000 /* who waits asks more often */

_Thread_local int xshim_inside;
_Thread_local int xshim_callbacks;
_Thread_local bool xshim_on_drivers_thread;
struct xshim_unit *_Atomic xshim_units;
static struct xsched_switch automatic = {.name = "XSCHED_AUTO_XQUEUE", .usual = true};
static _Atomic bool has_xqueues;
static _Thread_local int64_t asking_since, asked_at;

bool xshim_is_on(void)
{
    return xsched_switched_on(&automatic) || atomic_load_explicit(&has_xqueues, memory_order_relaxed);
}

void *xshim_allocate(size_t size)
{
    size_t rounded = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *memory = aligned_alloc(CACHE_LINE, rounded);
    return memory == NULL ? NULL : memset(memory, 0, rounded);
}

static struct xshim_unit *new_unit(const char *device, const char *name, bool is_xqueue)
{
    struct xshim_unit *unit = xshim_allocate(sizeof *unit);
    if (unit == NULL) {
        return NULL;
    }
    snprintf(unit->device, sizeof unit->device, "%s", device);
    unit->is_xqueue = is_xqueue;
    pthread_mutex_init(&unit->reaping, NULL);
    xshim_end_before_drivers();
    xshim_choose_scheduler();
    if (is_xqueue) {
        unit->queue = xsched_xqueue_open(device, name);
        atomic_store(&has_xqueues, true);
    } else if (xsched_switched_on(&automatic)) {
        unit->queue = xsched_queue_open(device, name);
        xshim_window_from_environment(unit);
    }
    unit->next = atomic_load(&xshim_units);
    while (!atomic_compare_exchange_weak(&xshim_units, &unit->next, unit)) {
    }
    if (!is_xqueue && unit->queue != NULL) {
        atomic_store(&unit->gpu, gpu_opened(device));
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
        if (unit->retired && strcmp(unit->device, device) == 0 && xshim_in_flight(unit) == 0 &&
            xsched_queue_show(unit->queue, name)) {
            unit->retired = false;
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

/* Whether somebody wants to know how long it waits: for whose sake others would have to give way. */
static bool tells_waits(const struct xshim_unit *unit)
{
    return (xshim_others(unit) & XSCHED_OTHERS_BELOW) != 0;
}

/* Whether somebody wants to know at once what has completed. */
static bool is_prompt(const struct xshim_unit *unit)
{
    return xshim_others(unit) != 0 ||
           (unit->queue != NULL && atomic_load_explicit(&unit->bounded, memory_order_relaxed));
}

static void raise_to(_Atomic uint64_t *word, uint64_t number)
{
    uint64_t told = atomic_load(word);
    while (told < number && !atomic_compare_exchange_weak(word, &told, number)) {
    }
}

/* Nobody will tell any more how far it is: what was issued counts as completed. */
static bool is_lost(struct xshim_stream *stream, uint64_t issued)
{
    return atomic_load(&stream->gone) && atomic_load(&stream->marked) < issued;
}

/* With `reaping` held: how much time was expected for what has completed and was not counted. */
static uint64_t count_nanos(struct xshim_stream *stream, bool all)
{
    uint64_t nanos = stream->completed_nanos;
    uint64_t next = atomic_load(&stream->marks_reached);
    while (next != atomic_load(&stream->marks_planted) &&
           stream->marks[next % XSHIM_MARKS].number <= stream->completed) {
        nanos = stream->marks[next % XSHIM_MARKS].nanos;
        next++;
    }
    atomic_store(&stream->marks_reached, next);
    if (all) {
        nanos = atomic_load(&stream->issued_nanos);
    }
    if (nanos <= stream->completed_nanos) {
        return 0;
    }
    uint64_t more = nanos - stream->completed_nanos;
    stream->completed_nanos = nanos;
    return more;
}

/* With `reaping` held: how much of what was issued has completed and was not counted. */
static uint64_t count_streams(struct xshim_unit *unit)
{
    uint64_t done = 0;
    xshim_settle(unit); /* never more completed than launched */
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        uint64_t issued = stream->seen;
        if (stream->key.platform->poll != NULL &&
            atomic_load(&stream->marks_reached) != atomic_load(&stream->marks_planted)) {
            raise_to(&stream->progress, stream->key.platform->poll(stream));
        }
        uint64_t reached = atomic_load(&stream->progress);
        if (reached > issued || is_lost(stream, issued)) {
            reached = issued;
        }
        if (reached > stream->completed) {
            done += reached - stream->completed;
            stream->completed = reached;
            atomic_fetch_add(&unit->completed_nanos, count_nanos(stream, reached == issued));
        }
    }
    return done;
}

/*
 * The time from one look to the next is taken as device time, if something was in flight all the
 * while.
 */
static void count(struct xshim_unit *unit, uint64_t done)
{
    int64_t now = xsched_now();
    int64_t since = atomic_load(&unit->busy_since);
    uint64_t completed = atomic_fetch_add(&unit->completed, done) + done;
    if (completed != atomic_load(&unit->launched)) {
        atomic_store(&unit->busy_since, now);
    } else {
        /* Unless a launch has just set it. */
        int64_t seen = since;
        atomic_compare_exchange_strong(&unit->busy_since, &seen, 0);
    }
    atomic_store(&unit->stalls, 0);
    xsched_completed(unit->queue, done, since == 0 || now <= since ? 0 : (uint64_t)(now - since));
}

/* Whoever finds another at it leaves word, and that one looks again. */
void xshim_reap(struct xshim_unit *unit)
{
    atomic_store(&unit->news, true);
    while (atomic_load(&unit->news) && pthread_mutex_trylock(&unit->reaping) == 0) {
        atomic_store(&unit->news, false);
        uint64_t done = count_streams(unit);
        if (done == xshim_in_flight(unit) && atomic_load(&unit->looked_after)) {
            atomic_store(&unit->looked_after, false); /* before it turns idle */
            done += count_streams(unit);
        }
        if (done > 0) {
            count(unit, done);
            if (xshim_in_flight(unit) == 0) {
                atomic_store(&unit->news, true); /* xshim_after says why it looks once more */
            }
        }
        pthread_mutex_unlock(&unit->reaping);
    }
}

uint64_t xshim_reached_by(struct xshim_stream *stream)
{
    xshim_reap(stream->unit);
    return atomic_load(&stream->progress);
}

void xshim_progress(struct xshim_stream *stream, uint64_t number)
{
    raise_to(&stream->progress, number);
    if (is_prompt(stream->unit)) {
        xshim_reap(stream->unit);
    }
}

/* With the stream's `marking` held. */
static void look_at(struct xshim_stream *stream, uint64_t number)
{
    if (!atomic_load(&stream->gone) && number > atomic_load(&stream->marked)) {
        xshim_inside++;
        if (stream->key.platform->look(stream, number)) {
            xshim_progress(stream, number);
        }
        xshim_inside--;
    }
    stream->looked = number;
}

/* Whether the driver will call back without being asked. */
static bool will_tell(struct xshim_stream *stream, uint64_t number)
{
    return stream->key.platform->poll == NULL && atomic_load(&stream->marked) >= number;
}

/*
 * Returns whether that is worth another look soon. A stream that is still being fed is left alone
 * where looking costs the device something, for the launches plant marks themselves, or where it is
 * done often: the driver would have the launching thread wait meanwhile.
 */
static bool look_at_tail(struct xshim_stream *stream, bool may_rest)
{
    uint64_t number = atomic_load(&stream->issued);
    if (number <= atomic_load(&stream->progress) || is_lost(stream, number) ||
        will_tell(stream, number)) {
        return false;
    }
    if (pthread_mutex_trylock(&stream->marking) != 0) {
        return true;
    }
    bool is_dear = stream->key.platform->look_is_dear;
    bool rests = may_rest && stream->looked != number && (is_dear || xshim_others(stream->unit) != 0);
    if (rests) {
        stream->looked = number;
    } else if (!stream->private_to_thread) {
        look_at(stream, number);
    }
    bool told = will_tell(stream, number) || (rests && !is_dear);
    pthread_mutex_unlock(&stream->marking);
    return !told;
}

bool xshim_look_at_tails(struct xshim_unit *unit, bool may_rest)
{
    bool again = false;
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        again |= look_at_tail(stream, may_rest);
    }
    return again;
}

bool xshim_mark_is_due(const struct xshim_call *call)
{
    struct xshim_stream *stream = call->stream;
    struct xshim_unit *unit = stream->unit;
    if (!is_prompt(unit)) {
        return xshim_alone_mark_is_due(stream);
    }
    uint64_t unmarked = atomic_load_explicit(&stream->issued, memory_order_relaxed) + 1 -
                        atomic_load_explicit(&stream->marked, memory_order_relaxed);
    if (stream->private_to_thread) {
        return true;
    }
    if (call->ahead) {
        return unmarked >= AHEAD_BATCH;
    }
    return xshim_is_worth_a_mark(unit, unmarked,
                                 atomic_load(&stream->issued_nanos) + call->nanos -
                                     atomic_load(&stream->marked_nanos));
}

void xshim_marked(struct xshim_stream *stream, uint64_t number)
{
    uint64_t planted = atomic_load(&stream->marks_planted);
    atomic_store(&stream->marked, number);
    uint64_t nanos = atomic_load(&stream->issued_nanos);
    atomic_store(&stream->marked_nanos, nanos);
    if (planted - atomic_load(&stream->marks_reached) < XSHIM_MARKS) {
        stream->marks[planted % XSHIM_MARKS] =
            (struct xshim_mark){.number = number, .nanos = nanos};
        atomic_store(&stream->marks_planted, planted + 1);
    }
}

/* With `marking` held: who runs far ahead has its last mark put further behind, not left out. */
static void make_room_for_mark(struct xshim_stream *stream)
{
    uint64_t planted = atomic_load(&stream->marks_planted);
    if (planted - atomic_load(&stream->marks_reached) >= XSHIM_MARKS) {
        pthread_mutex_lock(&stream->unit->reaping); /* nobody asks for it meanwhile */
        if (planted - atomic_load(&stream->marks_reached) >= XSHIM_MARKS) {
            atomic_store(&stream->marks_planted, planted - 1);
        }
        pthread_mutex_unlock(&stream->unit->reaping);
    }
}

/* With `marking` held. */
static void plant(struct xshim_stream *stream)
{
    uint64_t number = atomic_load(&stream->issued);
    if (number > atomic_load(&stream->marked) && !atomic_load(&stream->gone)) {
        uint64_t planted = atomic_load(&stream->marks_planted);
        xshim_inside++;
        make_room_for_mark(stream);
        if (stream->key.platform->mark(stream, number)) {
            xshim_marked(stream, number);
        } else {
            atomic_store(&stream->marks_planted, planted);
        }
        xshim_inside--;
    }
}

/*
 * Not planted where the driver runs a callback of the program within a call of ours on this very
 * thread, which has the lock then: the watcher will find what is behind the last mark.
 */
void xshim_plant_mark(struct xshim_stream *stream)
{
    if (pthread_mutex_lock(&stream->marking) == 0) {
        plant(stream);
        pthread_mutex_unlock(&stream->marking);
    }
}

/* It is over when what was launched before it is. */
void xshim_refused(struct xshim_stream *stream)
{
    if (pthread_mutex_lock(&stream->marking) != 0) {
        return;
    }
    pthread_mutex_lock(&stream->unit->reaping);
    uint64_t number = atomic_load(&stream->issued), planted = atomic_load(&stream->marks_planted);
    if (planted != atomic_load(&stream->marks_reached)) {
        stream->marks[(planted - 1) % XSHIM_MARKS].number = number;
        atomic_store(&stream->marked, number);
    } else {
        raise_to(&stream->progress, number);
    }
    pthread_mutex_unlock(&stream->unit->reaping);
    pthread_mutex_unlock(&stream->marking);
    xshim_reap(stream->unit);
}

/* False if the program suspended the unit just now: it does not launch, and has to try again. */
static bool try_launch(struct xshim_call *call, struct xshim_unit *unit)
{
    if (atomic_load_explicit(&unit->held, memory_order_relaxed) != 0) {
        /* Who was suspended is not ready: nobody is to wait for it. */
        xsched_withdrawn(unit->queue, call->counted);
        call->counted = false;
        xshim_wait_while_held(unit);
    }
    if (!call->counted && !xshim_was_announced(unit)) {
        xsched_submitted(unit->queue);
    }
    call->counted = true;
    if (atomic_load(&unit->looked_after)) {
        xshim_stop_looking_after(unit); /* the window is to know what is in flight */
    }
    call->ahead = xshim_gate_on_device(call->stream, call->nanos);
    if (!call->ahead) {
        xsched_pass_gate(unit->queue);
    }
    bool asks = call->stream->key.platform->poll != NULL;
    uint64_t launched = call->ahead ? xshim_count_launch(unit, call->nanos)
                                    : xshim_take_room(unit, call->nanos, asks);
    if (launched == atomic_load(&unit->completed)) {
        /* Alone, completions are noticed too late to learn times from them. */
        atomic_store(&unit->busy_since, is_prompt(unit) ? xsched_now() : 0);
        xshim_wake_watcher();
    }
    /* After it was counted, so that whoever holds the unit sees it, or is seen. */
    if (atomic_load(&unit->held) == 0) {
        return true;
    }
    atomic_fetch_sub(&unit->launched_nanos, call->nanos);
    atomic_fetch_sub(&unit->launched, 1);
    return false;
}

void xshim_before(struct xshim_call *call, struct xshim_stream *stream, uint64_t nanos)
{
    struct xshim_unit *unit = stream->unit;
    call->stream = stream;
    call->nanos = nanos == 0 && is_prompt(unit) ? xshim_command_nanos(unit) : nanos;
    while (!try_launch(call, unit)) {
    }
    xsched_launched(unit->queue);
    asking_since = 0;
    xshim_launches(unit);
    call->number = atomic_load(&stream->issued);
    call->since = tells_waits(unit) ? xsched_now() : 0;
}

static void count_wait(struct xshim_unit *unit, uint64_t nanos)
{
    if (nanos != 0 && tells_waits(unit)) {
        __atomic_fetch_add(&unit->queue->slot->sync_nanos, nanos, __ATOMIC_RELAXED);
    }
}

/*
 * A copy between the device and memory that is not pinned waits for what was launched before, and
 * so does a launch that finds the driver's queue full.
 */
static void count_wait_of_launch(const struct xshim_call *call)
{
    int64_t nanos = call->since == 0 ? 0 : xsched_now() - call->since;
    if (nanos >= WAITS_NANOS) {
        count_wait(call->stream->unit, (uint64_t)nanos);
    }
}

void xshim_after(struct xshim_call *call)
{
    count_wait_of_launch(call);
    if (call->nanos != 0) {
        atomic_fetch_add(&call->stream->issued_nanos, call->nanos);
    }
    struct xshim_unit *unit = call->stream->unit;
    atomic_fetch_add(&call->stream->counted, 1);
    atomic_fetch_add(&call->stream->issued, 1);
    /*
     * Who settled between these two took an uncounted launch for this one. That is mended at the
     * next look, but there is none if what it took for completed was all that was counted. So it
     * looks again after that, or this launch sees it.
     */
    if (xshim_in_flight(unit) == 0) {
        xshim_reap(unit);
    }
}

void xshim_before_sync(struct xshim_call *call, struct xshim_stream *stream)
{
    call->stream = stream;
    if (stream != NULL) {
        call->number = atomic_load(&stream->issued);
        atomic_fetch_add(&stream->unit->syncing, 1);
    }
    call->since = stream == NULL || tells_waits(stream->unit) ? xsched_now() : 0;
}

/*
 * How long this thread waited, once that is over: who asks again and again, since it first asked. Who
 * launches meanwhile, or lets much time pass, asked in passing.
 */
static uint64_t waited_nanos(const struct xshim_call *call, bool over)
{
    bool goes_on = asking_since != 0 && call->since - asked_at < ASKING_NANOS;
    int64_t since = goes_on ? asking_since : call->since;
    asking_since = over ? 0 : since;
    asked_at = since == 0 ? 0 : xsched_now();
    return over && since != 0 ? (uint64_t)(asked_at - since) : 0;
}

/* Whether there was anything to wait for since the last time. */
static bool is_first_sync(struct xshim_stream *stream)
{
    uint64_t issued = atomic_load_explicit(&stream->issued, memory_order_relaxed);
    return atomic_exchange_explicit(&stream->synced, issued, memory_order_relaxed) != issued;
}

static void count_sync(struct xshim_unit *unit)
{
    if (unit->queue != NULL) {
        __atomic_fetch_add(&unit->queue->slot->syncs, 1, __ATOMIC_RELAXED);
    }
}

static void count_sync_of_any(struct xshim_unit *unit)
{
    bool any = false;
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        any |= is_first_sync(stream);
    }
    if (any) {
        count_sync(unit);
    }
}

void xshim_after_sync(struct xshim_call *call, bool succeeded)
{
    struct xshim_stream *stream = call->stream;
    uint64_t nanos = waited_nanos(call, succeeded);
    if (stream == NULL) {
        if (!succeeded) {
            return;
        }
        for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL;
             unit = unit->next) {
            count_sync_of_any(unit);
            count_wait(unit, nanos);
            if (xshim_others(unit) != 0 && xshim_in_flight(unit) != 0) {
                xshim_look_at_tails(unit, false);
                xshim_reap(unit);
            }
            xshim_settle_if_alone(unit);
            xshim_rests(unit);
        }
        return;
    }
    atomic_fetch_sub(&stream->unit->syncing, 1);
    if (succeeded) {
        if (is_first_sync(stream)) {
            count_sync(stream->unit);
        }
        count_wait(stream->unit, nanos);
        xshim_progress(stream, call->number);
        xshim_rests(stream->unit);
    }
    xshim_settle_if_alone(stream->unit);
}
