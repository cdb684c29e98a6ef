/* The gate in front of a launch. The rules are those of xsched_control.h, "to launch". */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

void xsched_wake(uint32_t *word, int waiters)
{
    int error = errno;
    syscall(SYS_futex, word, FUTEX_WAKE, waiters, NULL, NULL, 0);
    errno = error;
}

void xsched_wake_gpu_watchers(void)
{
    struct xsched_block *block = xsched_client.block;
    __atomic_fetch_add(&block->gpu_orders, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&block->gpu_watchers, __ATOMIC_SEQ_CST) != 0) {
        xsched_wake(&block->gpu_orders, INT32_MAX);
    }
}

static void sleep_on(uint32_t *word, uint32_t while_it_is, int64_t nanos)
{
    struct timespec time = {.tv_sec = nanos / 1000000000ll, .tv_nsec = nanos % 1000000000ll};
    syscall(SYS_futex, word, FUTEX_WAIT, while_it_is, &time, NULL, 0);
}

/* A heartbeat from the future is as bad as an old one: the memory holds garbage. */
bool xsched_heartbeat_is_fresh(int64_t now)
{
    int64_t beat = __atomic_load_n(&xsched_client.block->heartbeat, __ATOMIC_ACQUIRE);
    return beat > now - XSCHED_HEARTBEAT_LOST_NANOS && beat < now + XSCHED_HEARTBEAT_LOST_NANOS;
}

/* Returns whether a ceiling stands above the queue, and its word. */
static bool is_below_ceiling(struct xsched_queue *queue, const struct xsched_link *link,
                             uint64_t *word)
{
    uint32_t index = __atomic_load_n(&queue->slot->ceiling, __ATOMIC_ACQUIRE);
    if (index >= XSCHED_CEILINGS) {
        return false;
    }
    *word = __atomic_load_n(&link->board->ceiling[index].word, __ATOMIC_ACQUIRE);
    int32_t rank = __atomic_load_n(&queue->slot->rank, __ATOMIC_ACQUIRE);
    return rank < (int32_t)(uint32_t)*word &&
           *word != atomic_load_explicit(&queue->ignored, memory_order_acquire) &&
           __atomic_load_n(&xsched_client.block->ignore_ceilings, __ATOMIC_ACQUIRE) == 0;
}

bool xsched_is_open(struct xsched_queue *queue, const struct xsched_link *link)
{
    uint64_t word;
    return link == NULL || (__atomic_load_n(&queue->slot->gate, __ATOMIC_ACQUIRE) == 0 &&
                            !is_below_ceiling(queue, link, &word));
}

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* What one thread at the gate knows about the ceiling it waits for. */
struct patience {
    uint64_t word;
    int64_t since; /* 0: no ceiling seen yet */
};

/* How long the daemon still has to confirm that ceiling; 0 or less: it is to be ignored. */
static int64_t patience_left(struct patience *patience, uint64_t word)
{
    int64_t now = xsched_now();
    if (patience->since == 0 || patience->word != word) {
        *patience = (struct patience){.word = word, .since = now};
    }
    return patience->since + XSCHED_CONFIRM_NANOS - now;
}

/* Sleeps until somebody wakes us or it is time to look again. */
static void sleep_at_gate(struct xsched_queue *queue, const struct xsched_link *link,
                          struct patience *patience)
{
    struct xsched_slot *slot = queue->slot;
    uint64_t word;
    __atomic_fetch_add(&slot->waiters, 1, __ATOMIC_SEQ_CST);
    uint32_t gate = __atomic_load_n(&slot->gate, __ATOMIC_SEQ_CST);
    if (gate != 0) {
        sleep_on(&slot->gate, gate, XSCHED_WAIT_NANOS);
    } else if (is_below_ceiling(queue, link, &word)) {
        /* The gate is open: wait for it to close, which is how the daemon confirms. */
        int64_t nanos = patience_left(patience, word);
        if (nanos > 0) {
            sleep_on(&slot->gate, 0, nanos);
        } else {
            atomic_store_explicit(&queue->ignored, word, memory_order_release);
        }
    }
    __atomic_fetch_sub(&slot->waiters, 1, __ATOMIC_SEQ_CST);
}

static void wait_at_gate(struct xsched_queue *queue, int64_t start)
{
    struct patience patience = {0};
    int64_t next_look = start + XSCHED_WAIT_NANOS;
    for (;;) {
        const struct xsched_link *link = atomic_load(&xsched_client.link);
        int64_t now = xsched_now();
        if (xsched_is_open(queue, link) || !xsched_heartbeat_is_fresh(now)) {
            return;
        }
        if (now < start + XSCHED_SPIN_NANOS) {
            relax();
            continue;
        }
        sleep_at_gate(queue, link, &patience);
        if (xsched_now() >= next_look) {
            /* Its socket tells of the daemon's death sooner than its heartbeat. */
            xsched_check(true);
            next_look = xsched_now() + XSCHED_WAIT_NANOS;
        }
    }
}

static __attribute__((noinline)) void closed(struct xsched_queue *queue)
{
    int error = errno;
    int64_t start = xsched_now();
    if (xsched_heartbeat_is_fresh(start)) {
        __atomic_fetch_add(&queue->slot->gate_waits, 1, __ATOMIC_RELAXED);
        wait_at_gate(queue, start);
        __atomic_fetch_add(&queue->slot->gate_wait_nanos, (uint64_t)(xsched_now() - start),
                           __ATOMIC_RELAXED);
    } else {
        xsched_check_if_due();
    }
    errno = error;
}

static const struct xsched_link *current_link(void)
{
    const struct xsched_link *link =
        atomic_load_explicit(&xsched_client.link, memory_order_acquire);
    if (link == NULL) {
        xsched_check_if_due();
        link = atomic_load(&xsched_client.link);
    }
    return link;
}

void xsched_pass_gate(xsched_queue *queue)
{
    if (queue != NULL && !xsched_is_open(queue, current_link())) {
        closed(queue);
    }
}

bool xsched_holds_back(xsched_queue *queue)
{
    return !xsched_is_open(queue, current_link()) && xsched_heartbeat_is_fresh(xsched_now());
}

/* Linux 5.16; older headers do not know it. */
#define FUTEX_WAITV_CALL 449
#define FUTEX_32_BITS 2u
struct futex_to_wait_for {
    uint64_t value;
    uint64_t word;
    uint32_t flags;
    uint32_t reserved;
};

/* Wakes when either word is not as it was; false if this system cannot wait for two. */
static bool sleep_on_both(uint32_t *one, uint32_t was_one, uint32_t *other, uint32_t was_other,
                          int64_t until)
{
    struct futex_to_wait_for both[] = {
        {.value = was_one, .word = (uintptr_t)one, .flags = FUTEX_32_BITS},
        {.value = was_other, .word = (uintptr_t)other, .flags = FUTEX_32_BITS},
    };
    struct timespec time = {.tv_sec = until / 1000000000ll, .tv_nsec = until % 1000000000ll};
    return syscall(FUTEX_WAITV_CALL, both, 2, 0, &time, CLOCK_MONOTONIC) >= 0 ||
           (errno != ENOSYS && errno != EPERM);
}

void xsched_sleep_until_held_back(xsched_queue *queue)
{
    struct xsched_slot *slot = queue->slot;
    const struct xsched_link *link = current_link();
    uint32_t index = __atomic_load_n(&slot->ceiling, __ATOMIC_ACQUIRE);
    bool slept = false;
    if (link != NULL && index < XSCHED_CEILINGS) {
        struct xsched_ceiling *ceiling = &link->board->ceiling[index];
        __atomic_fetch_add(&slot->waiters, 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&ceiling->watched, 1, __ATOMIC_SEQ_CST);
        uint32_t rank = (uint32_t)__atomic_load_n(&ceiling->word, __ATOMIC_SEQ_CST);
        slept = xsched_holds_back(queue) ||
                sleep_on_both(&slot->gate, 0, (uint32_t *)&ceiling->word, rank,
                              xsched_now() + XSCHED_WATCH_NANOS);
        __atomic_fetch_sub(&slot->waiters, 1, __ATOMIC_SEQ_CST);
    }
    if (!slept) {
        xsched_sleep(XSCHED_LOOK_NANOS);
    }
}

void xsched_gate(xsched_queue *queue)
{
    if (queue != NULL) {
        xsched_submitted(queue);
        xsched_pass_gate(queue);
    }
}
