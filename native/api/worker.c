/* The thread of an XQueue that launches what was submitted to it. Most XQueues never need one. */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "api.h"

static _Atomic bool ending;

/* Drivers are taken down by handlers registered before this one, so after it has run. */
static void end(void)
{
    atomic_store(&ending, true);
}

static void watch_the_end(void)
{
    atexit(end);
}

/* NULL: the queue is closed and empty. */
static struct api_command *next_command(struct api_xqueue *xqueue, bool *counted)
{
    pthread_mutex_lock(&xqueue->lock);
    while (!(xqueue->closed && xqueue->first == NULL) &&
           (xqueue->first == NULL || xqueue->suspended)) {
        pthread_cond_wait(&xqueue->changed, &xqueue->lock);
    }
    struct api_command *command = api_take_first(xqueue);
    *counted = xqueue->counted > 0;
    xqueue->counted -= *counted;
    pthread_mutex_unlock(&xqueue->lock);
    return command;
}

/* What the callback calls is not gated again: all of it together is this one command. */
static void launch(struct api_xqueue *xqueue, struct api_command *command, bool counted)
{
    struct xshim_stream *stream = xqueue->stream;
    struct xshim_call call = {.counted = counted};
    xshim_before(&call, stream, 0);
    atomic_fetch_add(&xqueue->launched_submitted, 1);
    bool mark = xshim_mark_is_due(&call);
    xshim_inside++;
    xshim_callbacks++;
    XResult result = command->launch(xqueue->hwqueue->object.handle, command->data);
    xshim_callbacks--;
    xshim_inside--;
    xshim_after(&call);
    uint64_t number = atomic_load(&stream->issued);
    if (mark) {
        xshim_plant_mark(stream);
    }
    api_keep_command(command->object.handle);
    pthread_mutex_lock(&xqueue->lock);
    command->result = result;
    command->number = number;
    command->state = COMMAND_LAUNCHED;
    xqueue->settled++;
    pthread_cond_broadcast(&xqueue->changed);
    pthread_mutex_unlock(&xqueue->lock);
    api_release(command);
}

/* The program ends. Its own handlers may still wait for the queue, and must not do so for ever. */
static void give_up(struct api_xqueue *xqueue, struct api_command *command)
{
    pthread_mutex_lock(&xqueue->lock);
    xqueue->closed = true;
    api_drop(xqueue, command);
    api_drop_all(xqueue);
    pthread_cond_broadcast(&xqueue->changed);
    pthread_mutex_unlock(&xqueue->lock);
}

static void *work(void *argument)
{
    struct api_xqueue *xqueue = argument;
    const struct xshim_platform *platform = xqueue->stream->key.platform;
    bool counted;
    struct api_command *command;
    prctl(PR_SET_NAME, "xsched-queue");
    if (platform->attach != NULL) {
        xshim_inside++;
        platform->attach(xqueue->stream);
        xshim_inside--;
    }
    while ((command = next_command(xqueue, &counted)) != NULL && !atomic_load(&ending)) {
        launch(xqueue, command, counted);
    }
    if (command != NULL) {
        give_up(xqueue, command);
    }
    return NULL;
}

/*
 * What was submitted waits here and not in the driver, also while the program is alone: else there
 * would be nothing left to suspend.
 */
bool api_start_worker(struct api_xqueue *xqueue)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sigset_t all, before;
    pthread_once(&once, watch_the_end);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    atomic_store(&xqueue->stream->unit->bounded, true);
    xqueue->has_worker = pthread_create(&xqueue->worker, NULL, work, xqueue) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return xqueue->has_worker;
}

bool api_is_worker_of(struct api_xqueue *xqueue)
{
    pthread_mutex_lock(&xqueue->lock);
    bool is_it = xqueue->has_worker && pthread_equal(xqueue->worker, pthread_self());
    pthread_mutex_unlock(&xqueue->lock);
    return is_it;
}

/* The queue is closed and empty. */
void api_end_worker(struct api_xqueue *xqueue)
{
    if (xqueue->has_worker) {
        pthread_join(xqueue->worker, NULL);
    }
}
