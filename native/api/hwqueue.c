/* Streams of drivers as hardware queues. */
#include <stdlib.h>

#include "api.h"
#include "platforms.h"

pthread_mutex_t api_hardware_queues = PTHREAD_MUTEX_INITIALIZER;
static struct api_hwqueue *all;

static bool same(const struct xshim_key *a, const struct xshim_key *b)
{
    return a->platform == b->platform && a->handle == b->handle && a->context == b->context &&
           a->thread == b->thread;
}

struct xshim_stream *api_stream_of(const struct api_hwqueue *hwqueue)
{
    return xshim_find(&hwqueue->key);
}

/* With hardware_queues locked. */
static struct api_hwqueue *find(const struct xshim_key *key)
{
    struct api_hwqueue *hwqueue = all;
    while (hwqueue != NULL && !same(&hwqueue->key, key)) {
        hwqueue = hwqueue->next;
    }
    return hwqueue;
}

/* With hardware_queues locked. */
static struct api_hwqueue *make(const struct xshim_key *key)
{
    struct api_hwqueue *hwqueue = calloc(1, sizeof *hwqueue);
    if (hwqueue == NULL) {
        return NULL;
    }
    hwqueue->key = *key;
    if (api_add(&hwqueue->object, API_HWQUEUE) == 0) {
        free(hwqueue);
        return NULL;
    }
    hwqueue->next = all;
    all = hwqueue;
    return hwqueue;
}

static XResult create(HwQueueHandle *handle, const struct xshim_stream *stream)
{
    if (stream == NULL) {
        return kXSchedErrorHardware;
    }
    pthread_mutex_lock(&api_hardware_queues);
    struct api_hwqueue *hwqueue = find(&stream->key);
    if (hwqueue == NULL) {
        hwqueue = make(&stream->key);
    }
    if (hwqueue != NULL) {
        *handle = hwqueue->object.handle;
    }
    pthread_mutex_unlock(&api_hardware_queues);
    return hwqueue == NULL ? kXSchedErrorUnknown : kXSchedSuccess;
}

static bool has_driver(const struct xshim_platform *platform)
{
    return xshim_real(platform, &platform->functions[0]) != NULL;
}

XSCHED_PUBLIC XResult OpenclQueueCreate(HwQueueHandle *hwq, struct _cl_command_queue *queue)
{
    if (hwq == NULL || queue == NULL) {
        return kXSchedErrorInvalidValue;
    }
    if (!has_driver(&opencl_platform)) {
        return kXSchedErrorNotSupported;
    }
    return create(hwq, opencl_stream(queue));
}

XSCHED_PUBLIC XResult CudaQueueCreate(HwQueueHandle *hwq, struct CUstream_st *stream)
{
    if (hwq == NULL) {
        return kXSchedErrorInvalidValue;
    }
    if (!has_driver(&cuda_platform)) {
        return kXSchedErrorNotSupported;
    }
    return create(hwq, cuda_stream(stream));
}

XSCHED_PUBLIC XResult CudaQueueGet(HwQueueHandle *hwq, struct CUstream_st *stream)
{
    if (hwq == NULL) {
        return kXSchedErrorInvalidValue;
    }
    const struct xshim_stream *known = has_driver(&cuda_platform) ? cuda_stream(stream) : NULL;
    XResult result = kXSchedErrorNotFound;
    if (known != NULL) {
        pthread_mutex_lock(&api_hardware_queues);
        const struct api_hwqueue *hwqueue = find(&known->key);
        if (hwqueue != NULL) {
            *hwq = hwqueue->object.handle;
            result = kXSchedSuccess;
        }
        pthread_mutex_unlock(&api_hardware_queues);
    }
    return result;
}

XSCHED_PUBLIC XResult HipQueueCreate(HwQueueHandle *hwq, struct ihipStream_t *stream)
{
    if (hwq == NULL) {
        return kXSchedErrorInvalidValue;
    }
    if (!has_driver(&hip_platform)) {
        return kXSchedErrorNotSupported;
    }
    return create(hwq, hip_stream(stream));
}

static void in_child(void)
{
    pthread_mutex_init(&api_hardware_queues, NULL);
    all = NULL;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

static void take_off_list(struct api_hwqueue *hwqueue)
{
    struct api_hwqueue **link = &all;
    while (*link != NULL && *link != hwqueue) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = hwqueue->next;
    }
}

XSCHED_PUBLIC XResult HwQueueDestroy(HwQueueHandle hwq)
{
    struct api_hwqueue *hwqueue = api_use(hwq, API_HWQUEUE);
    if (hwqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    XResult result = kXSchedErrorNotAllowed;
    pthread_mutex_lock(&api_hardware_queues);
    if (hwqueue->xqueue == NULL) {
        result = kXSchedErrorNotFound;
        if (api_remove(hwq, API_HWQUEUE) != NULL) {
            take_off_list(hwqueue);
            api_release(hwqueue);
            result = kXSchedSuccess;
        }
    }
    pthread_mutex_unlock(&api_hardware_queues);
    api_release(hwqueue);
    return result;
}

/* What is found out is counted, as if the program had made the call itself. */
XResult api_sync(struct xshim_stream *stream)
{
    struct xshim_call call = {0};
    if (stream == NULL || atomic_load(&stream->gone)) {
        return kXSchedErrorHardware;
    }
    xshim_before_sync(&call, stream);
    xshim_inside++;
    bool succeeded = stream->key.platform->sync != NULL && stream->key.platform->sync(stream);
    xshim_inside--;
    xshim_after_sync(&call, succeeded);
    xshim_reap(stream->unit);
    return succeeded ? kXSchedSuccess : kXSchedErrorHardware;
}

XSCHED_PUBLIC XResult HwQueueSynchronize(HwQueueHandle hwq)
{
    struct api_hwqueue *hwqueue = api_use(hwq, API_HWQUEUE);
    if (hwqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    XResult result = api_sync(api_stream_of(hwqueue));
    api_release(hwqueue);
    return result;
}

XSCHED_PUBLIC XResult HwQueueLaunch(HwQueueHandle hwq, HwCommandHandle hw_cmd)
{
    struct api_hwqueue *hwqueue = api_use(hwq, API_HWQUEUE);
    struct api_command *command = api_use(hw_cmd, API_COMMAND);
    XResult result = kXSchedErrorNotFound;
    if (hwqueue != NULL && command != NULL) {
        result = atomic_load(&command->queue) != 0 ? kXSchedErrorNotAllowed
                                                   : command->launch(hwq, command->data);
    }
    if (hwqueue != NULL) {
        api_release(hwqueue);
    }
    if (command != NULL) {
        api_release(command);
    }
    return result;
}
