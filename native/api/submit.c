/* Commands that wait in a queue for their turn. */
#include "api.h"

#define DEFAULT_THRESHOLD 16 /* of commands that are pending, with blocking submit */

struct api_command *api_take_first(struct api_xqueue *xqueue)
{
    struct api_command *command = xqueue->first;
    if (command != NULL) {
        xqueue->first = command->next;
        if (xqueue->first == NULL) {
            xqueue->last = NULL;
        }
        command->next = NULL;
        xqueue->pending--;
    }
    return command;
}

void api_drop(struct api_xqueue *xqueue, struct api_command *command)
{
    command->state = COMMAND_DROPPED;
    xqueue->settled++;
    api_keep_command(command->object.handle);
    api_release(command);
}

void api_drop_all(struct api_xqueue *xqueue)
{
    struct api_command *command;
    while ((command = api_take_first(xqueue)) != NULL) {
        api_drop(xqueue, command);
    }
}

/* With the queue locked. The queue becomes a user of the command. */
static void append(struct api_xqueue *xqueue, struct api_command *command)
{
    atomic_fetch_add(&command->object.users, 1);
    command->state = COMMAND_PENDING;
    if (xqueue->last == NULL) {
        xqueue->first = command;
    } else {
        xqueue->last->next = command;
    }
    xqueue->last = command;
    xqueue->pending++;
    xqueue->submitted++;
    if (!xqueue->suspended) {
        /* Now and not at the gate: the queue is ready as long as there is a command in it. */
        xqueue->counted++;
        xsched_submitted(xqueue->stream->unit->queue);
    }
}

static bool is_full(const struct api_xqueue *xqueue)
{
    uint32_t threshold = atomic_load(&xqueue->stream->unit->threshold);
    return xqueue->pending >= (threshold == 0 ? DEFAULT_THRESHOLD : threshold);
}

static XResult submit(struct api_xqueue *xqueue, struct api_command *command)
{
    bool may_wait = xqueue->blocking_submit && !api_is_worker_of(xqueue);
    XResult result = kXSchedSuccess;
    pthread_mutex_lock(&xqueue->lock);
    while (may_wait && is_full(xqueue) && !xqueue->closed) {
        api_await_change(xqueue);
    }
    if (xqueue->closed) {
        result = kXSchedErrorNotFound;
    } else if (!xqueue->has_worker && !api_start_worker(xqueue)) {
        result = kXSchedErrorUnknown;
    } else {
        append(xqueue, command);
        pthread_cond_broadcast(&xqueue->changed);
    }
    pthread_mutex_unlock(&xqueue->lock);
    return result;
}

XSCHED_PUBLIC XResult XQueueSubmit(XQueueHandle xq, HwCommandHandle hw_cmd)
{
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    struct api_command *command = api_use(hw_cmd, API_COMMAND);
    XResult result = kXSchedErrorNotFound;
    if (command != NULL) {
        uint64_t none = 0;
        result = kXSchedErrorNotAllowed;
        if (atomic_compare_exchange_strong(&command->queue, &none, xq)) {
            result = submit(xqueue, command);
            if (result != kXSchedSuccess) {
                atomic_store(&command->queue, 0);
            }
        }
        api_release(command);
    }
    api_release(xqueue);
    return result;
}
