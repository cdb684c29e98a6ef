/*
 * Does what the daemon orders for a GPU. All orders are standing ones, and none outlives who gave it:
 * when the daemon is gone or silent, and when the program ends, slices and priorities are as they were
 * without us and all work runs.
 *
 * The agent is a thread that is started when the first order comes, and sleeps until the next one.
 * While an order is in force it looks now and then whether the daemon lives.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gpu.h"
#include "shim.h"

#define LONGEST_SLICE_MICROS 10000000
#define HIGHEST_PRIORITY 16
#define STANDING_NANOS 250000000   /* how often the daemon is looked after */
#define INTERRUPTED_NANOS 50000000 /* the same, where nothing runs meanwhile */
#define ROUNDS 2                   /* enabling what somebody else has disabled */
#define LOOKS_ALONE 8              /* the same, while a call of a lost daemon may be under way */

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool started;
static _Atomic bool ending;
static _Atomic uint32_t orders_seen;

static double limit_in_environment(void)
{
    const char *text = getenv("XSCHED_INTERRUPT_LIMIT");
    char *end;
    double seconds = text == NULL || *text == 0 ? 5 : strtod(text, &end);
    if (text != NULL && *text != 0 && (*end != 0 || !(seconds > 0) || seconds > 3600)) {
        xsched_say(0, "XSCHED_INTERRUPT_LIMIT is '%.32s' and is taken as 5; give seconds up to 3600",
                   text);
        return 5;
    }
    return seconds;
}

static int64_t limit_nanos(void)
{
    static int64_t limit; /* by the agent alone */
    if (limit == 0) {
        limit = (int64_t)(limit_in_environment() * 1e9);
    }
    return limit;
}

static void enable(struct gpu *gpu)
{
    gpu->may_forget |= gpu->by_daemon || gpu->maker->is_off(gpu);
    for (int i = 0; i < ROUNDS && gpu->by_daemon; i++) {
        gpu->maker->turn(gpu, false, true);
    }
    gpu->by_daemon = false;
    gpu->maker->turn(gpu, false, false);
    if (gpu->may_forget && gpu->maker->remind != NULL) {
        gpu->maker->remind(gpu, gpu->doubted);
    }
    gpu->may_forget = false;
    gpu->doubted = false;
}

static void set_slice(struct gpu *gpu, uint64_t order)
{
    uint64_t micros = order <= LONGEST_SLICE_MICROS ? order : 0;
    if (gpu->maker->set_slice != NULL && gpu->maker->set_slice(gpu, micros)) {
        gpu->slice_micros = micros;
    }
}

static void set_priority(struct gpu *gpu, uint32_t order)
{
    uint32_t priority = order <= HIGHEST_PRIORITY ? order : 0;
    if (gpu->maker->set_priority != NULL && gpu->maker->set_priority(gpu, priority)) {
        gpu->priority = priority;
    }
}

/* What may be wanted for ever, as long as somebody says so. */
static bool takes_too_long(struct gpu *gpu, uint32_t seq)
{
    int64_t now = xsched_now();
    if (gpu->seq != seq || gpu->confirmed == 0) {
        gpu->seq = seq;
        gpu->confirmed = now;
        gpu->overruled = false;
    }
    return now - gpu->confirmed > limit_nanos();
}

static void obey_interrupt(struct gpu *gpu, uint32_t order, uint32_t seq, bool has_daemon)
{
    if (gpu->order_seq != seq) {
        /* Also if the daemon interrupted and restored it before we came to look; that is two orders. */
        gpu->may_forget = true;
        gpu->doubted |= order == XSCHED_INTERRUPT_NONE && gpu->order == order &&
                        seq == gpu->order_seq + 1;
        gpu->order_seq = seq;
        gpu->order = order;
    }
    if (order == XSCHED_INTERRUPT_NONE) {
        /* The one that interrupted has restored it, if it still lives. */
        gpu->by_daemon &= !has_daemon || gpu->registrations != xsched_registrations();
        gpu->confirmed = 0;
        enable(gpu);
    } else if (takes_too_long(gpu, seq)) {
        enable(gpu);
        if (!gpu->overruled) {
            gpu->overruled = true;
            xsched_say(0, "interrupted for %.1f s without a decision that wants it so; going on",
                       (double)(xsched_now() - gpu->confirmed) / 1e9);
        }
    } else if (order == XSCHED_INTERRUPT_BY_DAEMON) {
        gpu->by_daemon = true;
        gpu->registrations = xsched_registrations();
    } else if (!gpu->maker->turn(gpu, true, false) && gpu_refusal() != NULL) {
        enable(gpu);
    }
}

static void answer(uint32_t index, uint32_t seq)
{
    const struct gpu *gpu = &gpus[index];
    struct xsched_gpu *shown = &xsched_client.block->gpu[index];
    uint32_t interrupted = gpu->maker->is_off(gpu);
    bool news = __atomic_load_n(&shown->reminds, __ATOMIC_RELAXED) != gpu->reminds ||
                __atomic_load_n(&shown->slice_micros, __ATOMIC_RELAXED) != gpu->slice_micros ||
                __atomic_load_n(&shown->priority, __ATOMIC_RELAXED) != gpu->priority ||
                __atomic_load_n(&shown->interrupted, __ATOMIC_RELAXED) != interrupted ||
                __atomic_load_n(&shown->interrupt_seq, __ATOMIC_RELAXED) != seq;
    if (news) {
        __atomic_store_n(&shown->reminds, gpu->reminds, __ATOMIC_SEQ_CST); /* before the slice */
        __atomic_store_n(&shown->slice_micros, gpu->slice_micros, __ATOMIC_SEQ_CST);
        __atomic_store_n(&shown->priority, gpu->priority, __ATOMIC_SEQ_CST);
        __atomic_store_n(&shown->interrupted, interrupted, __ATOMIC_SEQ_CST);
        __atomic_store_n(&shown->interrupt_seq, seq, __ATOMIC_SEQ_CST);
        gpu_tell(index);
    }
}

/* Returns for how long it is as it should be; 0: until another order comes. */
static int64_t obey(uint32_t index, bool has_daemon)
{
    struct gpu *gpu = &gpus[index];
    const struct xsched_gpu *orders = &xsched_client.block->gpu[index];
    uint32_t seq = __atomic_load_n(&orders->interrupt_order_seq, __ATOMIC_SEQ_CST);
    uint32_t interrupt = __atomic_load_n(&orders->interrupt_order, __ATOMIC_SEQ_CST);
    uint64_t slice = __atomic_load_n(&orders->slice_order, __ATOMIC_SEQ_CST);
    uint32_t priority = __atomic_load_n(&orders->priority_order, __ATOMIC_SEQ_CST);
    bool offered = gpu_offers(index);
    bool stands =
        offered && (slice != 0 || priority != 0 || interrupt != XSCHED_INTERRUPT_NONE);
    gpu->looks_alone = has_daemon ? 0 : gpu->looks_alone + (gpu->looks_alone < LOOKS_ALONE);
    if (!has_daemon && interrupt == XSCHED_INTERRUPT_BY_DAEMON && gpu->looks_alone < LOOKS_ALONE) {
        /* It may have done so after we last looked, or after it seemed lost to us. */
        gpu->by_daemon = true;
    }
    uint32_t bit = 1u << index;
    gpu->by_daemon |= (atomic_fetch_and(&xsched_client.left_interrupted, ~bit) & bit) != 0;
    if (!has_daemon || !offered) {
        interrupt = XSCHED_INTERRUPT_NONE;
        slice = 0;
        priority = 0;
    }
    if (!gpu->is_known) {
        return 0;
    }
    if (__atomic_load_n(&orders->early_every, __ATOMIC_SEQ_CST) != 0) {
        early_start();
    }
    bool reminds = gpu->maker->can_remind != NULL && gpu->maker->can_remind(gpu, slice);
    gpu->doubted |= gpu->reminds && !reminds; /* what was to be reminded of now needs other means */
    gpu->reminds = reminds;
    obey_interrupt(gpu, interrupt, seq, has_daemon);
    set_slice(gpu, slice);
    set_priority(gpu, priority);
    if (offered && gpu_refusal() != NULL) {
        enable(gpu);
        set_slice(gpu, 0);
        set_priority(gpu, 0);
        gpu->slice_micros = 0;
        gpu->priority = 0;
        gpu_show(true);
        xsched_say(0, "%s; this program is held back at its launches alone", gpu_refusal());
    }
    answer(index, seq);
    if (interrupt != XSCHED_INTERRUPT_NONE || gpu->maker->is_off(gpu)) {
        return INTERRUPTED_NANOS;
    }
    return stands ? STANDING_NANOS : 0;
}

static int64_t obey_all(void)
{
    int64_t soonest = 0;
    gpu_lock();
    if (!atomic_load(&ending)) {
        gpu_show(false);
        bool has_daemon = xsched_registered() && xsched_heartbeat_is_fresh(xsched_now());
        for (uint32_t i = 0; i < gpu_count; i++) {
            int64_t nanos = obey(i, has_daemon);
            soonest = nanos != 0 && (soonest == 0 || nanos < soonest) ? nanos : soonest;
        }
    }
    gpu_unlock();
    return soonest;
}

void gpu_sleep_until_ordered(uint32_t seen, int64_t nanos)
{
    struct xsched_block *block = xsched_client.block;
    struct timespec time = {.tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000};
    __atomic_fetch_add(&block->gpu_watchers, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &block->gpu_orders, FUTEX_WAIT, seen, nanos == 0 ? NULL : &time, NULL, 0);
    __atomic_fetch_sub(&block->gpu_watchers, 1, __ATOMIC_SEQ_CST);
}

static void *run(void *unused)
{
    (void)unused;
    prctl(PR_SET_NAME, "xsched-gpu");
    xshim_inside = 1;
    while (!atomic_load(&ending)) {
        uint32_t seen = __atomic_load_n(&xsched_client.block->gpu_orders, __ATOMIC_SEQ_CST);
        int64_t nanos = obey_all();
        gpu_sleep_until_ordered(seen, nanos);
        if (nanos != 0) {
            xsched_check_if_due();
        }
    }
    return NULL;
}

static void start(void)
{
    pthread_mutex_lock(&starting);
    if (!atomic_load(&started) && !atomic_load(&ending)) {
        atomic_store(&started, true);
        if (!xshim_start_thread(run, NULL)) {
            xsched_say(0, "no thread could be started; the GPU's driver is asked for nothing more");
        }
    }
    pthread_mutex_unlock(&starting);
}

void gpu_look(void)
{
    const struct xsched_block *block = xsched_client.block;
    static _Atomic uint32_t changes_seen;
    uint32_t changes = atomic_load_explicit(&gpu_changes, memory_order_relaxed);
    if (block == NULL || atomic_load_explicit(&started, memory_order_relaxed)) {
        return;
    }
    if (changes != atomic_exchange(&changes_seen, changes)) {
        gpu_lock();
        gpu_show(false);
        gpu_unlock();
    }
    uint32_t orders = __atomic_load_n(&block->gpu_orders, __ATOMIC_ACQUIRE);
    if (orders != atomic_exchange(&orders_seen, orders)) {
        for (uint32_t i = 0; i < XSCHED_GPUS; i++) {
            if (__atomic_load_n(&block->gpu[i].slice_order, __ATOMIC_SEQ_CST) != 0 ||
                __atomic_load_n(&block->gpu[i].priority_order, __ATOMIC_SEQ_CST) != 0 ||
                __atomic_load_n(&block->gpu[i].interrupt_order, __ATOMIC_SEQ_CST) != 0) {
                start();
            }
        }
    }
}

void gpu_wake(void)
{
    if (atomic_load(&started)) {
        xsched_wake_gpu_watchers();
    }
}

void gpu_end(void)
{
    gpu_lock();
    atomic_store(&ending, true);
    for (uint32_t i = 0; i < gpu_count && atomic_load(&started); i++) {
        if (gpus[i].is_known) {
            enable(&gpus[i]);
            set_slice(&gpus[i], 0);
            set_priority(&gpus[i], 0);
        }
    }
    gpu_unlock();
    gpu_wake();
}

static void in_child(void)
{
    atomic_store(&started, false);
    atomic_store(&orders_seen, 0);
    pthread_mutex_init(&starting, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
