/* Waiting for commands, and looking whether there are any. */

#include "api.h"

#define SHORTEST_NANOS 20000
#define LONGEST_NANOS 1000000

/* A thread that the program cancels while it waits has the lock, and is a user of the queue. */
static void leave(void *argument)
{
    struct api_xqueue *xqueue = argument;
    pthread_mutex_unlock(&xqueue->lock);
    api_release(xqueue);
}

void api_await_change(struct api_xqueue *xqueue)
{
    pthread_cleanup_push(leave, xqueue);
    pthread_cond_wait(&xqueue->changed, &xqueue->lock);
    pthread_cleanup_pop(0);
}

/* All that was submitted so far has been launched, or dropped, when this returns. */
static void wait_until_settled(struct api_xqueue *xqueue)
{
    pthread_mutex_lock(&xqueue->lock);
    uint64_t wanted = xqueue->submitted;
    while (xqueue->settled < wanted) {
        api_await_change(xqueue);
    }
    pthread_mutex_unlock(&xqueue->lock);
}

/* Who destroyed the queue meanwhile has waited for the stream, which is not to be found here then. */
static XResult sync_stream(struct api_xqueue *xqueue)
{
    XResult result = api_sync(xqueue->stream);
    return atomic_load(&xqueue->gave_stream_back) ? kXSchedSuccess : result;
}

XResult api_wait_all(struct api_xqueue *xqueue)
{
    if (api_is_worker_of(xqueue)) {
        return kXSchedErrorNotAllowed;
    }
    wait_until_settled(xqueue);
    return sync_stream(xqueue);
}

bool api_is_idle(struct api_xqueue *xqueue)
{
    struct xshim_unit *unit = xqueue->stream->unit;
    pthread_mutex_lock(&xqueue->lock);
    bool settled = xqueue->settled == xqueue->submitted;
    pthread_mutex_unlock(&xqueue->lock);
    if (settled && xshim_in_flight(unit) != 0) {
        xshim_look_at_tails(unit, false);
        xshim_reap(unit);
    }
    return settled && xshim_in_flight(unit) == 0;
}

/*
 * If nothing comes behind the command, the driver's own wait is the best. Else that would wait for
 * too much: a mark tells, or the watcher, and there is nothing to sleep on until they do.
 */
static XResult wait_for_number(struct api_xqueue *xqueue, uint64_t number, bool is_last)
{
    struct xshim_stream *stream = xqueue->stream;
    int64_t nanos = SHORTEST_NANOS;
    if (is_last && xshim_reached_by(stream) < number) {
        return sync_stream(xqueue);
    }
    while (xshim_reached_by(stream) < number && !atomic_load(&stream->gone)) {
        if (atomic_load(&stream->marked) < number) {
            xshim_plant_mark(stream);
        }
        xsched_sleep(nanos);
        nanos = nanos * 2 > LONGEST_NANOS ? LONGEST_NANOS : nanos * 2;
    }
    xshim_reap(stream->unit);
    return kXSchedSuccess;
}

static XResult wait_for(struct api_xqueue *xqueue, struct api_command *command)
{
    if (atomic_load(&command->queue) != xqueue->object.handle || api_is_worker_of(xqueue)) {
        return kXSchedErrorNotAllowed;
    }
    pthread_mutex_lock(&xqueue->lock);
    /* One that still waits for room when the queue is destroyed does not get into it any more. */
    while (command->state == COMMAND_PENDING ||
           (command->state == COMMAND_NEW && !xqueue->closed)) {
        api_await_change(xqueue);
    }
    bool launched = command->state == COMMAND_LAUNCHED;
    XResult result = launched ? command->result : kXSchedErrorNotFound;
    uint64_t number = command->number;
    bool is_last = xqueue->settled == xqueue->submitted;
    pthread_mutex_unlock(&xqueue->lock);
    return result == kXSchedSuccess ? wait_for_number(xqueue, number, is_last)
                                    : result;
}

XSCHED_PUBLIC XResult XQueueWait(XQueueHandle xq, HwCommandHandle hw_cmd)
{
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    struct api_command *command = api_use(hw_cmd, API_COMMAND);
    XResult result = kXSchedErrorNotFound;
    if (command != NULL) {
        result = wait_for(xqueue, command);
        api_release(command);
    }
    api_release(xqueue);
    return result;
}

XSCHED_PUBLIC XResult XQueueWaitAll(XQueueHandle xq)
{
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    XResult result = api_wait_all(xqueue);
    api_release(xqueue);
    return result;
}
