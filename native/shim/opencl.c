/*
 * OpenCL. A mark is an event with a callback: the program's own event or one that we ask for. Queues
 * that may reorder get a marker of their own, which waits for all before it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "opencl.gen.h"
#include "platforms.h"

#define CL_COMPLETE 0
#define CL_QUEUE_DEVICE 0x1091u
#define CL_QUEUE_PROPERTIES 0x1093u
#define CL_QUEUE_OUT_OF_ORDER 1u
#define CL_DEVICE_TYPE_ALL 0xffffffffull
#define CL_DEVICE_NAME 0x102bu
#define CL_DEVICE_PLATFORM 0x1031u
#define CL_DEVICE_UUID_KHR 0x106au
#define OPENCL_NO_DRIVER (-1001) /* CL_PLATFORM_NOT_FOUND_KHR, what the loader says */
#define MOST_DEVICES 64u
#define OPENCL_NO_STREAM(queue) (queue)
#define OPENCL_CALLS_ITSELF(real) false

extern struct xshim_function opencl_functions[OPENCL_FUNCTIONS];

/* What a callback needs to know: which stream, and how far it is then. */
struct mark {
    struct xshim_stream *stream;
    uint64_t number;
};

static void on_complete(void *event, int status, void *data)
{
    (void)event;
    (void)status;
    struct mark mark = *(struct mark *)data;
    free(data);
    xshim_progress(mark.stream, mark.number);
}

/* Takes the event's completion for that of the first `number` commands. */
static bool call_back(struct xshim_stream *stream, void *event, uint64_t number)
{
    struct mark *mark = malloc(sizeof *mark);
    if (mark == NULL) {
        return false;
    }
    *mark = (struct mark){.stream = stream, .number = number};
    if (REAL(opencl, clSetEventCallback)(event, CL_COMPLETE, (void *)on_complete, mark) != 0) {
        free(mark);
        return false;
    }
    /* Nothing completes for sure that was not flushed. */
    REAL(opencl, clFlush)(stream->key.handle);
    return true;
}

static bool opencl_mark(struct xshim_stream *stream, uint64_t number)
{
    void *event = NULL;
    if (REAL(opencl, clEnqueueMarkerWithWaitList)(stream->key.handle, 0, NULL, &event) != 0) {
        return false;
    }
    bool planted = call_back(stream, event, number);
    REAL(opencl, clReleaseEvent)(event);
    return planted;
}

/* A marker does it from any thread; its callback tells. A queue that takes none is broken. */
static bool opencl_look(struct xshim_stream *stream, uint64_t number)
{
    if (!opencl_mark(stream, number)) {
        return true;
    }
    xshim_marked(stream, number);
    return false;
}

static bool opencl_sync(struct xshim_stream *stream)
{
    return REAL(opencl, clFinish)(stream->key.handle) == 0;
}

/* How many devices of the same name come before this one on its platform. */
static unsigned twins_before(void *device, const char *name)
{
    void *platform, *devices[MOST_DEVICES];
    unsigned count = 0, twins = 0;
    if (REAL(opencl, clGetDeviceInfo)(device, CL_DEVICE_PLATFORM, sizeof platform, &platform,
                                      NULL) != 0 ||
        REAL(opencl, clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &count) !=
            0) {
        return 0;
    }
    for (unsigned i = 0; i < count && i < MOST_DEVICES && devices[i] != device; i++) {
        char other[256] = "";
        REAL(opencl, clGetDeviceInfo)(devices[i], CL_DEVICE_NAME, sizeof other - 1, other, NULL);
        twins += strcmp(other, name) == 0;
    }
    return twins;
}

/* The same text in every program: the UUID that CUDA knows the device by, too, else its name. */
static void name_device(char *name, size_t size, void *device)
{
    unsigned char uuid[16] = {0};
    char told[256] = "";
    if (REAL(opencl, clGetDeviceInfo)(device, CL_DEVICE_UUID_KHR, sizeof uuid, uuid, NULL) == 0) {
        xshim_name_after_uuid(name, size, uuid);
        return;
    }
    REAL(opencl, clGetDeviceInfo)(device, CL_DEVICE_NAME, sizeof told - 1, told, NULL);
    unsigned twins = twins_before(device, told);
    char number[16] = "";
    if (twins > 0) {
        snprintf(number, sizeof number, "#%u", twins);
    }
    /* As dev.xsched.opencl does it: what does not fit is cut, never within a character. */
    size_t room = size - sizeof "opencl:" - strlen(number);
    size_t length = strlen(told);
    if (length > room) {
        length = room;
        while (length > 0 && ((unsigned char)told[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    snprintf(name, size, "opencl:%.*s%s", (int)length, told, number);
}

/* Without these, nobody would ever know that a command has completed. */
static bool can_mark(void)
{
    return REAL(opencl, clEnqueueMarkerWithWaitList) != NULL &&
           REAL(opencl, clSetEventCallback) != NULL;
}

static struct xshim_stream *enter(const struct xshim_key *key)
{
    void *device;
    uint64_t properties = 0;
    char name[64];
    if (!can_mark() || REAL(opencl, clGetCommandQueueInfo)(key->handle, CL_QUEUE_DEVICE,
                                                           sizeof device, &device, NULL) != 0) {
        return NULL;
    }
    REAL(opencl, clGetCommandQueueInfo)(key->handle, CL_QUEUE_PROPERTIES, sizeof properties,
                                        &properties, NULL);
    name_device(name, sizeof name, device);
    struct xshim_stream *stream =
        xshim_enter(key, NULL, name, (properties & CL_QUEUE_OUT_OF_ORDER) == 0);
    uint32_t none = 0;
    if (stream != NULL && atomic_compare_exchange_strong(&stream->references, &none, 1)) {
        /* One of ours: the watcher may be asking the queue while the program lets go of it. */
        REAL(opencl, clRetainCommandQueue)(key->handle);
    }
    return stream;
}

/* NULL: a queue that the driver does not know; it will say so itself. */
struct xshim_stream *opencl_stream(void *queue)
{
    struct xshim_key key = {.platform = &opencl_platform, .handle = queue};
    struct xshim_stream *stream = queue == NULL ? NULL : xshim_find(&key);
    return stream != NULL || queue == NULL ? stream : enter(&key);
}

/* NULL: not ours. One that is known needs no more questions. */
static struct xshim_stream *stream_to_launch_on(void *queue)
{
    struct xshim_key key = {.platform = &opencl_platform, .handle = queue};
    struct xshim_stream *stream = xshim_recall(&key);
    return stream != NULL ? stream : xshim_is_on() ? opencl_stream(queue) : NULL;
}

static void opencl_before_launch(struct xshim_call *call, void *queue, void **event,
                                 unsigned blocking, uint64_t what)
{
    (void)what; /* its time cannot be measured unless the program asked for profiling */
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0};
    struct xshim_stream *stream = xshim_inside++ > 0 ? NULL : stream_to_launch_on(queue);
    if (stream == NULL) {
        return;
    }
    xshim_begin(call, stream, 0);
    call->mark = xshim_is_due(call);
    if (call->mark && event == NULL && stream->ordered) {
        call->event = &call->own_event;
    }
}

/*
 * In an ordered queue, a command's own event tells of all that were issued before it was; of those
 * that other threads issue in the same moment it may or may not.
 */
static void tell_progress(struct xshim_call *call, bool succeeded)
{
    struct xshim_stream *stream = call->stream;
    uint64_t number = call->number + 1;
    if (succeeded && call->blocking && stream->ordered) {
        xshim_progress(stream, number);
    } else if (succeeded && call->mark && stream->ordered && call->event != NULL) {
        if (pthread_mutex_lock(&stream->marking) == 0) { /* as in xshim_plant_mark */
            if (number > atomic_load(&stream->marked) && call_back(stream, *call->event, number)) {
                xshim_marked(stream, number);
            }
            pthread_mutex_unlock(&stream->marking);
        }
    } else if (call->mark || (call->blocking && xshim_others(stream->unit) != 0)) {
        xshim_plant_mark(stream);
    }
}

static void opencl_after_launch(struct xshim_call *call, bool succeeded)
{
    if (call->stream != NULL) {
        xshim_issued(call);
        tell_progress(call, succeeded);
    }
    if (call->own_event != NULL) {
        REAL(opencl, clReleaseEvent)(call->own_event);
    }
    xshim_inside--;
}

static void opencl_before_sync(struct xshim_call *call, void *queue, void **event,
                               unsigned blocking)
{
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0};
    if (xshim_inside++ == 0) {
        struct xshim_key key = {.platform = &opencl_platform, .handle = queue};
        xshim_before_sync(call, queue == NULL ? NULL : xshim_find(&key));
    }
}

static void opencl_after_sync(struct xshim_call *call, bool succeeded)
{
    if (--xshim_inside == 0) {
        xshim_after_sync(call, succeeded);
    }
}

/*
 * The program's references are counted here: the driver's own count includes those of events, so it
 * does not tell when the program is done with a queue.
 */
EXPORTED int clRetainCommandQueue(void *queue)
{
    clRetainCommandQueue_f real = REAL(opencl, clRetainCommandQueue);
    int result = real == NULL ? OPENCL_NO_DRIVER : real(queue);
    if (result == 0 && xshim_inside == 0 && xshim_is_on()) {
        struct xshim_stream *stream = opencl_stream(queue);
        if (stream != NULL) {
            atomic_fetch_add(&stream->references, 1);
        }
    }
    return result;
}

EXPORTED int clReleaseCommandQueue(void *queue)
{
    clReleaseCommandQueue_f real = REAL(opencl, clReleaseCommandQueue);
    if (real == NULL) {
        return OPENCL_NO_DRIVER;
    }
    struct xshim_key key = {.platform = &opencl_platform, .handle = queue};
    struct xshim_stream *stream = queue == NULL || xshim_inside > 0 ? NULL : xshim_find(&key);
    if (stream != NULL && atomic_fetch_sub(&stream->references, 1) == 1) {
        xshim_forget(stream);
        real(queue);
    }
    return real(queue);
}

/* A callback of the program's. */
typedef void (*callback_f)(void *event, int status, void *data);
struct callback {
    callback_f function;
    void *data;
};

/*
 * What it launches is the program's, even if the driver runs it inside of a call that we let
 * through. It must not wait for room in the window: the thread may be the one that makes room.
 */
static void run_callback(void *event, int status, void *data)
{
    struct callback callback = *(struct callback *)data;
    int inside = xshim_inside;
    bool on_drivers_thread = xshim_on_drivers_thread;
    free(data);
    xshim_inside = 0;
    xshim_on_drivers_thread = true;
    callback.function(event, status, callback.data);
    xshim_on_drivers_thread = on_drivers_thread;
    xshim_inside = inside;
}

EXPORTED int clSetEventCallback(void *event, int status, void *function, void *data)
{
    clSetEventCallback_f real = REAL(opencl, clSetEventCallback);
    struct callback *callback = NULL;
    if (real == NULL) {
        return OPENCL_NO_DRIVER;
    }
    if (function == NULL || xshim_inside > 0 || !xshim_is_on() ||
        (callback = malloc(sizeof *callback)) == NULL) {
        return real(event, status, function, data);
    }
    *callback = (struct callback){.function = (callback_f)function, .data = data};
    int result = real(event, status, (void *)run_callback, callback);
    if (result != 0) {
        free(callback);
    }
    return result;
}

#include "opencl.gen.c"

const struct xshim_platform opencl_platform = {
    .name = "OpenCL",
    .library = "libOpenCL.so.1",
    .library_variable = "XSCHED_OPENCL_LIB",
    .functions = opencl_functions,
    .count = OPENCL_FUNCTIONS,
    .mark = opencl_mark,
    .look = opencl_look,
    .look_is_dear = true,
    .sync = opencl_sync,
};
