/* Queues and their facts. */
#include <limits.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

struct xsched_client xsched_client = {
    .table = PTHREAD_MUTEX_INITIALIZER,
    .registering = PTHREAD_MUTEX_INITIALIZER,
    .block_file = {.fd = -1},
    .socket = {.fd = -1},
};

static void ring(const struct xsched_link *link)
{
    struct xsched_board *board = link->board;
    __atomic_fetch_or(&board->rung[link->bit / 64], 1ull << link->bit % 64, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&board->bell, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&board->asleep, __ATOMIC_SEQ_CST) != 0) {
        xsched_wake(&board->bell, 1);
    }
}

/* The steps and their order are those of xsched_control.h, "to tell a fact". */
void xsched_tell(uint32_t slot)
{
    __atomic_fetch_or(&xsched_client.block->changed[slot / 64], 1ull << slot % 64,
                      __ATOMIC_SEQ_CST);
    const struct xsched_link *link = atomic_load(&xsched_client.link);
    if (link != NULL) {
        ring(link);
    }
}

void xsched_tell_all(void)
{
    pthread_mutex_lock(&xsched_client.table);
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        struct xsched_queue *queue = xsched_client.queues[i];
        if (queue != NULL &&
            __atomic_load_n(&queue->slot->state, __ATOMIC_ACQUIRE) == XSCHED_SLOT_USED) {
            __atomic_fetch_or(&xsched_client.block->changed[i / 64], 1ull << i % 64,
                              __ATOMIC_SEQ_CST);
        }
    }
    pthread_mutex_unlock(&xsched_client.table);
    const struct xsched_link *link = atomic_load(&xsched_client.link);
    if (link != NULL) {
        ring(link);
    }
}

/*
 * Raises the ceiling to the queue's rank unless it is higher, so that lower ranks stop at their
 * next launch and not only when the daemon has decided. A new epoch even where it stands there
 * already.
 */
static void raise_ceiling(const struct xsched_slot *slot)
{
    const struct xsched_link *link = atomic_load(&xsched_client.link);
    uint32_t index = __atomic_load_n(&slot->ceiling, __ATOMIC_ACQUIRE);
    if (link == NULL || index >= XSCHED_CEILINGS ||
        __atomic_load_n(&xsched_client.block->ignore_ceilings, __ATOMIC_ACQUIRE) != 0) {
        return;
    }
    int32_t rank = __atomic_load_n(&slot->rank, __ATOMIC_ACQUIRE);
    struct xsched_ceiling *ceiling = &link->board->ceiling[index];
    uint64_t *word = &ceiling->word;
    uint64_t old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    uint64_t raised;
    do {
        if (rank < (int32_t)(uint32_t)old) {
            return;
        }
        raised = ((old >> 32) + 1) << 32 | (uint32_t)rank;
    } while (!__atomic_compare_exchange_n(word, &old, raised, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    if (__atomic_load_n(&ceiling->watched, __ATOMIC_SEQ_CST) != 0) {
        __atomic_store_n(&ceiling->watched, 0, __ATOMIC_SEQ_CST);
        xsched_wake((uint32_t *)word, INT_MAX);
    }
}

static void turn_ready(struct xsched_queue *queue)
{
    struct xsched_slot *slot = queue->slot;
    __atomic_store_n(&slot->ready_since, xsched_now(), __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&slot->changes, 1, __ATOMIC_SEQ_CST);
    if (!queue->hidden) {
        /* In a forked child it is not on the list before its first command. */
        __atomic_store_n(&slot->state, XSCHED_SLOT_USED, __ATOMIC_SEQ_CST);
    }
    raise_ceiling(slot);
    xsched_tell(queue->index);
}

static void turn_idle(struct xsched_queue *queue)
{
    __atomic_store_n(&queue->slot->ready_since, 0, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&queue->slot->changes, 1, __ATOMIC_SEQ_CST);
    xsched_tell(queue->index);
}

/*
 * Has the queue be what its counts say. Called by who may have changed that, after counting: a
 * submitter that finds `ready` still set counted before the counts are compared here, so that a
 * queue never stays idle with a command in it.
 */
static void settle(struct xsched_queue *queue)
{
    struct xsched_slot *slot = queue->slot;
    pthread_mutex_lock(&queue->lock);
    bool was_ready = atomic_exchange(&queue->ready, 0) != 0;
    bool is_ready = __atomic_load_n(&slot->submitted, __ATOMIC_SEQ_CST) !=
                    __atomic_load_n(&slot->completed, __ATOMIC_SEQ_CST);
    atomic_store(&queue->ready, is_ready);
    if (is_ready && !was_ready) {
        turn_ready(queue);
    } else if (!is_ready && was_ready) {
        turn_idle(queue);
    }
    pthread_mutex_unlock(&queue->lock);
}

static void submitted(xsched_queue *queue, uint64_t commands)
{
    __atomic_fetch_add(&queue->slot->submitted, commands, __ATOMIC_SEQ_CST);
    if (atomic_load(&queue->ready) == 0) {
        settle(queue);
    }
}

void xsched_submitted(xsched_queue *queue)
{
    if (queue != NULL) {
        submitted(queue, 1);
    }
}

void xsched_launched(xsched_queue *queue)
{
    if (queue != NULL) {
        __atomic_fetch_add(&queue->slot->launched, 1, __ATOMIC_SEQ_CST);
    }
}

void xsched_awaited(xsched_queue *queue, bool awaited)
{
    if (queue != NULL) {
        __atomic_store_n(&queue->slot->awaited, awaited ? 1 : 0, __ATOMIC_RELEASE);
        if ((__atomic_load_n(&queue->slot->others, __ATOMIC_ACQUIRE) & XSCHED_OTHERS_YIELD) != 0) {
            xsched_tell(queue->index);
        }
    }
}

void xsched_launched_uncounted(xsched_queue *queue, uint64_t commands)
{
    if (queue != NULL) {
        submitted(queue, commands);
        __atomic_fetch_add(&queue->slot->launched, commands, __ATOMIC_SEQ_CST);
    }
}

/*
 * A moving average over about eight commands. Two threads at once may lose a sample. While the gate is
 * closed others may have the device, too: so more is believed in small steps only, which is how longer
 * commands are found where the gate is hardly ever open for as long as one takes.
 */
static void learn_command_time(struct xsched_slot *slot, uint64_t nanos)
{
    uint64_t old = __atomic_load_n(&slot->command_nanos, __ATOMIC_RELAXED);
    if (old != 0 && __atomic_load_n(&slot->gate, __ATOMIC_RELAXED) != 0 && nanos > old + old / 32) {
        nanos = old + old / 32;
    }
    uint64_t learned = old == 0 ? nanos : old - old / 8 + nanos / 8;
    __atomic_store_n(&slot->command_nanos, learned, __ATOMIC_RELAXED);
}

void xsched_completed(xsched_queue *queue, uint64_t commands, uint64_t nanos)
{
    if (queue == NULL || commands == 0) {
        return;
    }
    struct xsched_slot *slot = queue->slot;
    if (nanos != 0) {
        __atomic_fetch_add(&slot->busy_nanos, nanos, __ATOMIC_RELAXED);
        learn_command_time(slot, nanos / commands);
    }
    uint64_t completed =
        __atomic_add_fetch(&slot->completed, commands, __ATOMIC_SEQ_CST);
    if (completed == __atomic_load_n(&slot->launched, __ATOMIC_SEQ_CST) &&
        !xsched_is_open(queue, atomic_load(&xsched_client.link))) {
        __atomic_store_n(&slot->stopped, xsched_now(), __ATOMIC_SEQ_CST);
        xsched_tell(queue->index);
    }
    if (completed == __atomic_load_n(&slot->submitted, __ATOMIC_SEQ_CST)) {
        settle(queue);
    }
    xsched_check_if_due();
}

void xsched_withdrawn(xsched_queue *queue, uint64_t commands)
{
    if (queue != NULL && commands > 0) {
        __atomic_fetch_add(&queue->slot->launched, commands, __ATOMIC_SEQ_CST);
        xsched_completed(queue, commands, 0);
    }
}

static void ask(struct xsched_asks *asks, enum xsched_hint_index hint, int64_t value)
{
    __atomic_store_n(&asks->values[hint], value, __ATOMIC_SEQ_CST);
    __atomic_fetch_or(&asks->mask, 1u << hint, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&asks->seq, 1, __ATOMIC_SEQ_CST);
}

bool xsched_hint(xsched_queue *queue, enum xsched_hint_index hint, int64_t value)
{
    if (queue == NULL || (unsigned)hint > XSCHED_HINT_SLO_RATIO) {
        return false;
    }
    pthread_mutex_lock(&queue->lock);
    ask(&queue->slot->asks, hint, value);
    pthread_mutex_unlock(&queue->lock);
    xsched_tell(queue->index);
    return true;
}

bool xsched_hint_all(enum xsched_hint_index hint, int64_t value)
{
    if ((unsigned)hint > XSCHED_HINT_SLO_RATIO) {
        return false;
    }
    pthread_mutex_lock(&xsched_client.table);
    bool made = xsched_block_make();
    if (made) {
        ask(&xsched_client.block->asks, hint, value);
    }
    pthread_mutex_unlock(&xsched_client.table);
    if (made) {
        xsched_tell_all();
    }
    return made;
}

int64_t xsched_hinted_all(enum xsched_hint_index hint, int64_t otherwise)
{
    int64_t value = otherwise;
    pthread_mutex_lock(&xsched_client.table);
    if ((unsigned)hint <= XSCHED_HINT_SLO_RATIO && xsched_block_make()) {
        const struct xsched_asks *asks = &xsched_client.block->asks;
        value = (asks->mask & 1u << hint) != 0 ? asks->values[hint] : otherwise;
    }
    pthread_mutex_unlock(&xsched_client.table);
    return value;
}

/* With `table` held. */
static bool take_slot(struct xsched_queue *queue)
{
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        if (xsched_client.queues[i] == NULL) {
            xsched_client.queues[i] = queue;
            queue->index = i;
            queue->slot = &xsched_client.block->slot[i];
            queue->slot->submitted = queue->slot->launched = queue->slot->completed = 0;
            return true;
        }
    }
    xsched_say(XSCHED_SAID_TOO_MANY,
               "this program has more than %u queues; the others are not scheduled", XSCHED_SLOTS);
    return false;
}

static xsched_queue *open_queue(const char *device, const char *name, uint32_t buffered)
{
    int error = errno;
    struct xsched_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL) {
        return NULL;
    }
    pthread_mutex_init(&queue->lock, NULL);
    atomic_init(&queue->ignored, XSCHED_NONE_IGNORED);
    pthread_mutex_lock(&xsched_client.table);
    bool taken = xsched_block_make() && take_slot(queue);
    if (taken) {
        xsched_slot_identify(queue->slot, device, name, buffered);
        __atomic_store_n(&queue->slot->state, XSCHED_SLOT_USED, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&xsched_client.table);
    errno = error;
    if (!taken) {
        free(queue);
        return NULL;
    }
    xsched_reached();
    errno = error;
    xsched_tell(queue->index);
    xsched_check_if_due();
    return queue;
}

xsched_queue *xsched_queue_open(const char *device, const char *name)
{
    return open_queue(device, name, 0);
}

xsched_queue *xsched_xqueue_open(const char *device, const char *name)
{
    return open_queue(device, name, 1);
}

/* Its gate is nobody's business any more, so it is left open for threads that come late. */
void xsched_queue_hide(xsched_queue *queue)
{
    if (queue == NULL) {
        return;
    }
    struct xsched_slot *slot = queue->slot;
    pthread_mutex_lock(&queue->lock);
    queue->hidden = true;
    __atomic_store_n(&slot->state, XSCHED_SLOT_FREE, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->ceiling, XSCHED_NO_CEILING, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->gate, 0, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&queue->lock);
    xsched_wake(&slot->gate, INT32_MAX);
    xsched_tell(queue->index);
}

/*
 * Whoever counted a command as submitted counts it as completed, too, however late: if one half of
 * that were forgotten, the queue would be ready for ever, or never again. Who counts while this goes
 * on has it count for the new one, and waits for the lock before it tells.
 */
static bool forget_counts(struct xsched_queue *queue)
{
    struct xsched_slot *slot = queue->slot;
    uint64_t done = __atomic_load_n(&slot->completed, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&slot->submitted, __ATOMIC_SEQ_CST) != done ||
        __atomic_load_n(&slot->launched, __ATOMIC_SEQ_CST) != done ||
        atomic_load(&queue->ready) != 0) {
        return false;
    }
    __atomic_fetch_sub(&slot->submitted, done, __ATOMIC_SEQ_CST);
    __atomic_fetch_sub(&slot->launched, done, __ATOMIC_SEQ_CST);
    __atomic_fetch_sub(&slot->completed, done, __ATOMIC_SEQ_CST);
    return true;
}

bool xsched_queue_show(xsched_queue *queue, const char *name)
{
    char device[sizeof queue->slot->device];
    if (queue == NULL) {
        return true;
    }
    pthread_mutex_lock(&queue->lock);
    bool is_free = forget_counts(queue);
    if (is_free) {
        queue->hidden = false;
        memcpy(device, queue->slot->device, sizeof device);
        xsched_slot_identify(queue->slot, device, name, queue->slot->buffered);
        atomic_store(&queue->ignored, XSCHED_NONE_IGNORED);
        __atomic_store_n(&queue->slot->state, XSCHED_SLOT_USED, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&queue->lock);
    if (is_free) {
        xsched_tell(queue->index);
    }
    return is_free;
}

void xsched_queue_close(xsched_queue *queue)
{
    if (queue == NULL) {
        return;
    }
    __atomic_store_n(&queue->slot->state, XSCHED_SLOT_FREE, __ATOMIC_SEQ_CST);
    xsched_tell(queue->index);
    pthread_mutex_lock(&xsched_client.table);
    xsched_client.queues[queue->index] = NULL;
    pthread_mutex_unlock(&xsched_client.table);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

int xsched_asked_level(void)
{
    return xsched_client.asked_level;
}

bool xsched_registered(void)
{
    return atomic_load(&xsched_client.link) != NULL;
}

uint64_t xsched_registrations(void)
{
    return atomic_load(&xsched_client.registrations);
}
