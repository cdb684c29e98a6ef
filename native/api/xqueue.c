/* XQueues: a stream with a unit of its own. */
#include <stdio.h>
#include <stdlib.h>

#include "api.h"

#define MOST_COMMANDS 1000000

static int highest_level(const struct xshim_unit *unit)
{
    uint32_t levels =
        unit->queue == NULL ? 0 : __atomic_load_n(&unit->queue->slot->levels, __ATOMIC_ACQUIRE);
    return (levels & 4u) != 0 ? 3 : (levels & 2u) != 0 ? 2 : 1;
}

static bool is_level(int64_t level)
{
    return level > kPreemptLevelUnknown && level < kPreemptLevelMax;
}

static int available_level(const struct xshim_unit *unit, int64_t asked)
{
    int highest = highest_level(unit);
    if (asked <= highest) {
        return (int)asked;
    }
    xsched_say(0, "preemption level %d is not available on %s; the XQueue has level %d",
               (int)asked, unit->device, highest);
    return highest;
}

/* With hardware_queues locked. */
static struct api_xqueue *make(struct api_hwqueue *hwqueue, struct xshim_stream *stream,
                               int64_t level, int64_t flags)
{
    static unsigned made;
    char name[32];
    struct api_xqueue *xqueue = calloc(1, sizeof *xqueue);
    if (xqueue == NULL) {
        return NULL;
    }
    pthread_mutex_init(&xqueue->lock, NULL);
    pthread_cond_init(&xqueue->changed, NULL);
    snprintf(name, sizeof name, "xqueue %u", ++made);
    xqueue->stream = xshim_separate(stream, name);
    if (xqueue->stream == NULL || api_add(&xqueue->object, API_XQUEUE) == 0) {
        free(xqueue);
        return NULL;
    }
    xqueue->hwqueue = hwqueue;
    xqueue->blocking_submit = (flags & kQueueCreateFlagBlockingSubmit) != 0;
    xqueue->launched_before = atomic_load(&xqueue->stream->unit->launched);
    atomic_store(&xqueue->level, available_level(xqueue->stream->unit, level));
    atomic_fetch_add(&hwqueue->object.users, 1);
    hwqueue->xqueue = xqueue;
    return xqueue;
}

static bool is_closed(struct api_xqueue *xqueue)
{
    pthread_mutex_lock(&xqueue->lock);
    bool closed = xqueue->closed;
    pthread_mutex_unlock(&xqueue->lock);
    return closed;
}

/* With hardware_queues locked. */
static XResult create(XQueueHandle *xq, struct api_hwqueue *hwqueue, int64_t level, int64_t flags)
{
    struct api_xqueue *xqueue = hwqueue->xqueue;
    if (xqueue == NULL) {
        struct xshim_stream *stream = api_stream_of(hwqueue);
        if (stream == NULL) {
            return kXSchedErrorHardware;
        }
        xqueue = make(hwqueue, stream, level, flags);
        if (xqueue == NULL) {
            return kXSchedErrorUnknown;
        }
    } else if (is_closed(xqueue)) {
        return kXSchedErrorNotAllowed;
    }
    *xq = xqueue->object.handle;
    return kXSchedSuccess;
}

XSCHED_PUBLIC XResult XQueueCreate(XQueueHandle *xq, HwQueueHandle hwq, int64_t level,
                                   int64_t flags)
{
    if (xq == NULL || !is_level(level) || (flags & ~(int64_t)kQueueCreateFlagBlockingSubmit) != 0) {
        return kXSchedErrorInvalidValue;
    }
    struct api_hwqueue *hwqueue = api_use(hwq, API_HWQUEUE);
    if (hwqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    api_check_interposed(hwqueue->key.platform);
    int cancel = xsched_forbid_cancel();
    pthread_mutex_lock(&api_hardware_queues);
    XResult result = create(xq, hwqueue, level, flags);
    pthread_mutex_unlock(&api_hardware_queues);
    xsched_allow_cancel(cancel);
    api_release(hwqueue);
    return result;
}

XSCHED_PUBLIC XResult XQueueGet(XQueueHandle *xq, HwQueueHandle hwq)
{
    if (xq == NULL) {
        return kXSchedErrorInvalidValue;
    }
    struct api_hwqueue *hwqueue = api_use(hwq, API_HWQUEUE);
    if (hwqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    pthread_mutex_lock(&api_hardware_queues);
    const struct api_xqueue *xqueue = hwqueue->xqueue;
    if (xqueue != NULL) {
        *xq = xqueue->object.handle;
    }
    pthread_mutex_unlock(&api_hardware_queues);
    api_release(hwqueue);
    return xqueue == NULL ? kXSchedErrorNotFound : kXSchedSuccess;
}

static void give_stream_back(struct api_xqueue *xqueue)
{
    pthread_mutex_lock(&api_hardware_queues);
    xqueue->hwqueue->xqueue = NULL;
    atomic_store(&xqueue->gave_stream_back, true);
    xshim_rejoin(xqueue->stream);
    pthread_mutex_unlock(&api_hardware_queues);
}

XSCHED_PUBLIC XResult XQueueDestroy(XQueueHandle xq)
{
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    if (api_is_worker_of(xqueue)) {
        api_release(xqueue);
        return kXSchedErrorNotAllowed;
    }
    if (api_remove(xq, API_XQUEUE) == NULL) { /* another thread was faster */
        api_release(xqueue);
        return kXSchedErrorNotFound;
    }
    int cancel = xsched_forbid_cancel(); /* nobody else could go on with it */
    pthread_mutex_lock(&xqueue->lock);
    xqueue->closed = true;
    pthread_cond_broadcast(&xqueue->changed);
    pthread_mutex_unlock(&xqueue->lock);
    api_release_queue(xqueue, false);
    api_wait_all(xqueue);
    api_end_worker(xqueue);
    give_stream_back(xqueue);
    api_release(xqueue->hwqueue);
    api_release(xqueue); /* the table's */
    api_release(xqueue);
    xsched_allow_cancel(cancel);
    return kXSchedSuccess;
}

XSCHED_PUBLIC XResult XQueueSetPreemptLevel(XQueueHandle xq, int64_t level)
{
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    XResult result = kXSchedSuccess;
    if (!is_level(level)) {
        result = kXSchedErrorInvalidValue;
    } else if (level > highest_level(xqueue->stream->unit)) {
        result = kXSchedErrorNotSupported;
    } else {
        atomic_store(&xqueue->level, (int)level);
    }
    api_release(xqueue);
    return result;
}

static XResult set_launch_config(struct xshim_unit *unit, int64_t threshold, int64_t batch)
{
    int64_t most = threshold > 0 ? threshold : atomic_load(&unit->threshold);
    int64_t at_once = batch > 0 ? batch : atomic_load(&unit->batch);
    if (most > MOST_COMMANDS || at_once > MOST_COMMANDS || (most > 0 && at_once > most)) {
        return kXSchedErrorInvalidValue;
    }
    atomic_store(&unit->batch, (uint32_t)at_once);
    atomic_store(&unit->threshold, (uint32_t)most);
    if (most > 0) {
        atomic_store(&unit->bounded, true); /* who asks for it gets it: experiments count on that */
    }
    return kXSchedSuccess;
}

XSCHED_PUBLIC XResult XQueueSetLaunchConfig(XQueueHandle xq, int64_t threshold, int64_t batch_size)
{
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    pthread_mutex_lock(&xqueue->lock);
    XResult result = set_launch_config(xqueue->stream->unit, threshold, batch_size);
    pthread_cond_broadcast(&xqueue->changed); /* a blocked submit may have room now */
    pthread_mutex_unlock(&xqueue->lock);
    api_release(xqueue);
    return result;
}

XSCHED_PUBLIC XResult XQueueQuery(XQueueHandle xq, XQueueState *state)
{
    if (state == NULL) {
        return kXSchedErrorInvalidValue;
    }
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    *state = api_is_idle(xqueue) ? kQueueStateIdle : kQueueStateReady;
    api_release(xqueue);
    return kXSchedSuccess;
}

/* Launches of the program's own, beside what was submitted. */
static uint64_t count_own_launches(struct api_xqueue *xqueue)
{
    uint64_t submitted, launched;
    do {
        submitted = atomic_load(&xqueue->launched_submitted);
        launched = atomic_load(&xqueue->stream->unit->launched);
    } while (atomic_load(&xqueue->launched_submitted) != submitted);
    return launched - xqueue->launched_before - submitted;
}

XSCHED_PUBLIC XResult XQueueProfileHwCommandCount(XQueueHandle xq, int64_t *count)
{
    if (count == NULL) {
        return kXSchedErrorInvalidValue;
    }
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    pthread_mutex_lock(&xqueue->lock);
    *count = (int64_t)(xqueue->submitted + count_own_launches(xqueue));
    pthread_mutex_unlock(&xqueue->lock);
    api_release(xqueue);
    return kXSchedSuccess;
}
