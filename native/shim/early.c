/*
 * Has the device turn to this program a moment before its work comes. Where programs of lower rank have
 * work there, that has to be saved first: 0.15 to 0.2 ms on an H200, from when the device hears of ours
 * (results/nvidia-switch-cost-h200.json). When requests come evenly, the daemon says when the next ones
 * are expected. Shortly before, a thread of ours puts something on the device that does nothing, and
 * stays there until the request is: without work of ours the device would turn back
 * (results/nvidia-turn-early-h200.json). Where nobody expected a request, the thread that is about to
 * launch something does the same (see sign.c). A request may begin with a copy, which is another engine's
 * work. So it stays until the program waits for the device, or for a moment after the first launch.
 *
 * What is put there ends by a word in memory, which is written by the thread that waits, or by ours. It
 * has to be compiled first, for which there may not be time right before a request. So that is done
 * between two.
 *
 * XSCHED_EARLY_TURNS=OFF leaves a program without it.
 */
#include <sys/prctl.h>

#include "gpu.h"
#include "shim.h"

#define CLOSE_NANOS 1000000       /* what begins so soon after another is the same request */
#define SETTLED_NANOS 200000      /* after the first launch of a request there is work of it */
#define SHORTEST_NANOS 5000000    /* between two requests; the same limits are the daemon's, or wider */
#define LONGEST_NANOS 10000000000
#define LONGEST_STAY_NANOS 2000000
#define AWAKE_NANOS 150000 /* before it is time: who sleeps wakes up late now and then */
#define MOST_IN_VAIN 2u    /* one after the other: it makes a pause, of which the daemon hears later */

struct order {
    int64_t at, every, lead, slack, until;
};

static struct xsched_switch wanted = {.name = "XSCHED_EARLY_TURNS", .usual = true};
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t working = PTHREAD_MUTEX_INITIALIZER; /* held while a driver is asked */
static _Atomic bool started;
static _Atomic bool ending;

static struct xsched_gpu *gpu_of(const struct xshim_unit *unit)
{
    uint32_t gpu = atomic_load(&unit->gpu);
    return gpu == 0 ? NULL : &xsched_client.block->gpu[gpu - 1];
}

/* Whether the program has waited for all that it launched, and nothing has come since. */
static bool is_between_requests(const struct xshim_stream *stream)
{
    return atomic_load(&stream->issued) == atomic_load(&stream->synced);
}

void xshim_notice_request(struct xshim_stream *stream)
{
    struct xshim_unit *unit = stream->unit;
    struct xsched_gpu *gpu = gpu_of(unit);
    if (gpu == NULL || !xsched_switched_on(&wanted) || !is_between_requests(stream)) {
        return;
    }
    int64_t now = xsched_now(), before = atomic_load(&unit->began_at);
    if (now - before < CLOSE_NANOS ||
        !atomic_compare_exchange_strong(&unit->began_at, &before, now)) {
        return;
    }
    atomic_store(&unit->began_on, stream);
    atomic_store(&unit->in_vain, 0);
    uint64_t number = __atomic_load_n(&gpu->begins, __ATOMIC_RELAXED);
    __atomic_store_n(&gpu->begun[number % XSCHED_BEGUN], now, __ATOMIC_RELEASE);
    __atomic_store_n(&gpu->begins, number + 1, __ATOMIC_RELEASE);
}

void xshim_leave(struct xshim_unit *unit)
{
    uint32_t *word = atomic_exchange(&unit->stays, NULL);
    if (word != NULL) {
        __atomic_store_n(word, 0, __ATOMIC_RELEASE);
    }
}

/* False: there is none, or it makes no sense. The daemon may be writing it: then it comes again. */
static bool read_order(const struct xshim_unit *unit, int64_t now, struct order *order)
{
    const struct xsched_gpu *gpu = gpu_of(unit);
    if (gpu == NULL || (xshim_all_others(unit) & XSCHED_OTHERS_EARLY) == 0) {
        return false;
    }
    order->every = __atomic_load_n(&gpu->early_every, __ATOMIC_ACQUIRE);
    order->at = __atomic_load_n(&gpu->early_at, __ATOMIC_ACQUIRE);
    order->lead = __atomic_load_n(&gpu->early_lead, __ATOMIC_ACQUIRE);
    order->slack = __atomic_load_n(&gpu->early_slack, __ATOMIC_ACQUIRE);
    order->until = __atomic_load_n(&gpu->early_until, __ATOMIC_ACQUIRE);
    return order->every == __atomic_load_n(&gpu->early_every, __ATOMIC_ACQUIRE) &&
           order->every >= SHORTEST_NANOS && order->every <= LONGEST_NANOS && order->at > 0 &&
           order->at < now + LONGEST_NANOS && order->lead >= 0 && order->slack >= 0 &&
           order->lead <= LONGEST_STAY_NANOS && order->slack <= LONGEST_STAY_NANOS - order->lead &&
           order->until > now;
}

/* The first time after that moment at which the device is to turn. */
static int64_t turn_after(const struct order *order, int64_t moment)
{
    int64_t first = order->at - order->lead;
    return moment < first ? first - (first - moment - 1) / order->every * order->every
                          : first + ((moment - first) / order->every + 1) * order->every;
}

/* With the stream's `marking` held: its context lasts. */
static bool prepare(struct xshim_unit *unit, struct xshim_stream *stream)
{
    (void)unit;
    stream->key.platform->prepare_stay(stream->context);
    return true;
}

/* The same. */
static bool stay(struct xshim_unit *unit, struct xshim_stream *stream)
{
    const struct xshim_platform *platform = stream->key.platform;
    uint32_t *word = platform->stay_word(stream->context);
    if (word == NULL) {
        return false;
    }
    __atomic_store_n(word, 1, __ATOMIC_SEQ_CST);
    atomic_store(&unit->stays, word);
    if (!platform->stay(stream->context, (uint64_t)(unit->leaves_at - unit->turned_at))) {
        xshim_leave(unit);
        return false;
    }
    __atomic_fetch_add(&gpu_of(unit)->early_turns, 1, __ATOMIC_RELEASE);
    return true;
}

static bool act_between_requests(struct xshim_unit *unit,
                                 bool (*act)(struct xshim_unit *, struct xshim_stream *))
{
    struct xshim_stream *stream = atomic_load(&unit->began_on);
    if (stream == NULL || stream->key.platform->stay == NULL || !is_between_requests(stream) ||
        pthread_mutex_trylock(&stream->marking) != 0) {
        return false;
    }
    bool acted = !atomic_load(&stream->gone) && act(unit, stream);
    pthread_mutex_unlock(&stream->marking);
    return acted;
}

/* Returns when to look again whether it is to leave; 0: it has left. */
static int64_t leave_in_time(struct xshim_unit *unit, int64_t now)
{
    if (atomic_load(&unit->stays) == NULL) {
        return 0;
    }
    int64_t began = atomic_load(&unit->began_at);
    bool has_begun = began >= unit->turned_at;
    int64_t at = has_begun ? began + SETTLED_NANOS : unit->leaves_at;
    if (now < at) {
        int64_t soon = (now < unit->expected_at ? unit->expected_at : now) + SETTLED_NANOS;
        return soon < at ? soon : at;
    }
    xshim_leave(unit);
    if (!has_begun) {
        atomic_fetch_add(&unit->in_vain, 1);
        __atomic_fetch_add(&gpu_of(unit)->early_in_vain, 1, __ATOMIC_RELEASE);
    }
    return 0;
}

static void await(int64_t moment)
{
    while (xsched_now() < moment && !atomic_load(&ending)) {
    }
}

void early_turn_now(struct xshim_unit *unit, int64_t now)
{
    /* While our thread works, it may be about to do the same. */
    if (!xsched_switched_on(&wanted) || atomic_load(&unit->in_vain) >= MOST_IN_VAIN ||
        pthread_mutex_trylock(&working) != 0) {
        return;
    }
    xshim_inside++;
    if (atomic_load(&unit->stays) == NULL && !atomic_load(&ending)) {
        unit->turned_at = unit->expected_at = now;
        unit->leaves_at = now + CLOSE_NANOS;
        if (!act_between_requests(unit, stay)) {
            unit->prepares_at = now + SHORTEST_NANOS;
        }
    }
    xshim_inside--;
    pthread_mutex_unlock(&working);
    early_start();
    xsched_wake_gpu_watchers();
}

/* Returns when there is something to do again; 0: when another order comes. */
static int64_t look(struct xshim_unit *unit)
{
    struct order order;
    int64_t now = xsched_now(), leaves = leave_in_time(unit, now);
    if (leaves != 0) {
        return leaves;
    }
    if (unit->prepares_at != 0 && now >= unit->prepares_at) {
        struct xshim_stream *stream = atomic_load(&unit->began_on);
        bool later = stream != NULL && !atomic_load(&stream->gone) && !is_between_requests(stream);
        unit->prepares_at = later ? now + SHORTEST_NANOS : 0;
        (void)act_between_requests(unit, prepare);
    }
    if (unit->prepares_at != 0) {
        return unit->prepares_at;
    }
    if (!read_order(unit, now, &order)) {
        return 0;
    }
    /* By the next order the same request may be expected a little later. */
    int64_t handled = unit->turned_at + order.every / 2;
    int64_t next = turn_after(&order, handled > now - order.lead ? handled : now - order.lead);
    if (next - AWAKE_NANOS > now) {
        return next - AWAKE_NANOS;
    }
    bool pauses = atomic_load(&unit->in_vain) >= MOST_IN_VAIN;
    if (!pauses) {
        await(next);
    }
    unit->turned_at = next;
    unit->expected_at = next + order.lead;
    unit->leaves_at = unit->expected_at + order.slack;
    if (!pauses && act_between_requests(unit, stay)) {
        return unit->expected_at + SETTLED_NANOS;
    }
    unit->prepares_at = next + order.every / 2;
    return unit->prepares_at;
}

static int64_t look_at_all(void)
{
    int64_t soonest = 0;
    pthread_mutex_lock(&working);
    for (struct xshim_unit *unit = atomic_load(&xshim_units);
         unit != NULL && !atomic_load(&ending); unit = unit->next) {
        int64_t at = look(unit);
        soonest = at != 0 && (soonest == 0 || at < soonest) ? at : soonest;
    }
    pthread_mutex_unlock(&working);
    return soonest;
}

static void *run(void *unused)
{
    (void)unused;
    prctl(PR_SET_NAME, "xsched-early");
    prctl(PR_SET_TIMERSLACK, 1);
    xshim_inside = 1;
    while (!atomic_load(&ending)) {
        uint32_t seen = __atomic_load_n(&xsched_client.block->gpu_orders, __ATOMIC_SEQ_CST);
        int64_t at = look_at_all();
        int64_t left = at == 0 ? 0 : at - xsched_now();
        if (at == 0 || left > 0) {
            gpu_sleep_until_ordered(seen, left);
        }
    }
    return NULL;
}

void early_start(void)
{
    pthread_mutex_lock(&starting);
    if (!atomic_load(&started) && !atomic_load(&ending)) {
        atomic_store(&started, xshim_start_thread(run, NULL));
    }
    pthread_mutex_unlock(&starting);
}

void early_end(void)
{
    atomic_store(&ending, true);
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        xshim_leave(unit);
    }
    pthread_mutex_lock(&working);
    pthread_mutex_unlock(&working);
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        xshim_leave(unit); /* what was just about to stay */
    }
    if (atomic_load(&started)) {
        xsched_wake_gpu_watchers();
    }
}

static void in_child(void)
{
    pthread_mutex_init(&starting, NULL);
    pthread_mutex_init(&working, NULL);
    atomic_store(&started, false);
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        atomic_store(&unit->stays, NULL); /* that word is shared with the parent */
        atomic_store(&unit->began_on, NULL);
    }
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
