/* Suspending and resuming by the program itself. */
#include "api.h"

/* With the queue locked. What is suspended is not ready: nobody is to wait for it. */
static void suspend(struct api_xqueue *xqueue)
{
    struct xshim_unit *unit = xqueue->stream->unit;
    xqueue->suspended = true;
    xshim_hold(unit);
    xsched_withdrawn(unit->queue, xqueue->counted);
    xqueue->counted = 0;
}

/* Whether there is no more to wait for: the queue was idle, or somebody destroys it. */
static bool suspend_if_idle(struct api_xqueue *xqueue)
{
    bool idle = api_is_idle(xqueue);
    pthread_mutex_lock(&xqueue->lock);
    bool closed = xqueue->closed;
    idle = idle && xqueue->settled == xqueue->submitted &&
           xshim_in_flight(xqueue->stream->unit) == 0;
    if (idle && !closed && !xqueue->suspended) {
        suspend(xqueue);
    }
    pthread_mutex_unlock(&xqueue->lock);
    return idle || closed;
}

static bool is_suspended(struct api_xqueue *xqueue)
{
    pthread_mutex_lock(&xqueue->lock);
    bool suspended = xqueue->suspended;
    pthread_mutex_unlock(&xqueue->lock);
    return suspended;
}

static XResult suspend_with(struct api_xqueue *xqueue, int64_t flags)
{
    XResult result = kXSchedSuccess;
    if (flags != 0 && api_is_worker_of(xqueue)) {
        return kXSchedErrorNotAllowed; /* it would wait for itself */
    }
    if (is_suspended(xqueue)) {
        flags &= kQueueSuspendFlagSyncHwQueue; /* nothing completes but what is in flight */
    }
    if ((flags & kQueueSuspendFlagWaitIdle) != 0) {
        do {
            result = api_wait_all(xqueue);
        } while (result == kXSchedSuccess && !suspend_if_idle(xqueue));
    } else if ((flags & kQueueSuspendFlagWaitAll) != 0) {
        result = api_wait_all(xqueue);
    }
    if (result != kXSchedSuccess) {
        return result;
    }
    pthread_mutex_lock(&xqueue->lock);
    if (xqueue->closed) { /* nobody could resume it, and XQueueDestroy waits for it */
        result = kXSchedErrorNotFound;
    } else if (!xqueue->suspended) {
        suspend(xqueue);
    }
    pthread_mutex_unlock(&xqueue->lock);
    if (result == kXSchedSuccess && (flags & kQueueSuspendFlagSyncHwQueue) != 0) {
        xshim_wait_for_launching(xqueue->stream->unit);
        result = api_sync(xqueue->stream);
    }
    return result;
}

XSCHED_PUBLIC XResult XQueueSuspend(XQueueHandle xq, int64_t flags)
{
    int64_t known = kQueueSuspendFlagSyncHwQueue | kQueueSuspendFlagWaitAll |
                    kQueueSuspendFlagWaitIdle;
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    XResult result = (flags & ~known) != 0 ? kXSchedErrorInvalidValue : suspend_with(xqueue, flags);
    api_release(xqueue);
    return result;
}

void api_release_queue(struct api_xqueue *xqueue, bool drop)
{
    struct xshim_unit *unit = xqueue->stream->unit;
    pthread_mutex_lock(&xqueue->lock);
    if (xqueue->suspended) {
        if (drop) {
            api_drop_all(xqueue);
        }
        for (xqueue->counted = 0; xqueue->counted < xqueue->pending; xqueue->counted++) {
            xsched_submitted(unit->queue);
        }
        xqueue->suspended = false;
        xshim_release(unit);
        pthread_cond_broadcast(&xqueue->changed);
    }
    pthread_mutex_unlock(&xqueue->lock);
}

XSCHED_PUBLIC XResult XQueueResume(XQueueHandle xq, int64_t flags)
{
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    bool known = (flags & ~(int64_t)kQueueResumeFlagDropCommands) == 0;
    if (known) {
        api_release_queue(xqueue, (flags & kQueueResumeFlagDropCommands) != 0);
    }
    api_release(xqueue);
    return known ? kXSchedSuccess : kXSchedErrorInvalidValue;
}
