/*
 * OpenCL. A mark is an event with a callback: the program's own event or one that we ask for. Queues
 * that may reorder get a marker of their own, which waits for all before it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.gen.h"
#include "platforms.h"
#include "shim.h"

#define CL_COMPLETE 0
#define CL_QUEUE_DEVICE 0x1091u
#define CL_QUEUE_REFERENCE_COUNT 0x1092u
#define CL_QUEUE_PROPERTIES 0x1093u
#define CL_QUEUE_OUT_OF_ORDER 1u
#define CL_DEVICE_TYPE_ALL 0xffffffffull
#define CL_DEVICE_NAME 0x102bu
#define CL_DEVICE_PLATFORM 0x1031u
#define CL_DEVICE_UUID_KHR 0x106au
#define OPENCL_NO_DRIVER (-1001) /* CL_PLATFORM_NOT_FOUND_KHR, what the loader says */
#define MOST_DEVICES 64u

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

/* A marker does it from any thread; its callback tells. */
static bool opencl_look(struct xshim_stream *stream, uint64_t number)
{
    if (opencl_mark(stream, number)) {
        atomic_store(&stream->marked, number);
    }
    return false;
}

static bool opencl_sync(struct xshim_stream *stream)
{
    return REAL(opencl, clFinish)(stream->key.handle) == 0;
}

static void name_after_uuid(char *name, size_t size, const unsigned char *uuid)
{
    int length = snprintf(name, size, "gpu:");
    for (int i = 0; i < 16; i++) {
        bool dash = i == 4 || i == 6 || i == 8 || i == 10;
        length += snprintf(name + length, size - (size_t)length, dash ? "-%02x" : "%02x", uuid[i]);
    }
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
        name_after_uuid(name, size, uuid);
        return;
    }
    REAL(opencl, clGetDeviceInfo)(device, CL_DEVICE_NAME, sizeof told - 1, told, NULL);
    unsigned twins = twins_before(device, told);
    int length = snprintf(name, size, "opencl:%.48s", told);
    if (twins > 0) {
        snprintf(name + length, size - (size_t)length, "#%u", twins);
    }
}

static struct xshim_stream *enter(const struct xshim_key *key)
{
    void *device;
    uint64_t properties = 0;
    char name[64];
    if (REAL(opencl, clGetCommandQueueInfo)(key->handle, CL_QUEUE_DEVICE, sizeof device, &device,
                                            NULL) != 0) {
        return NULL;
    }
    REAL(opencl, clGetCommandQueueInfo)(key->handle, CL_QUEUE_PROPERTIES, sizeof properties,
                                        &properties, NULL);
    name_device(name, sizeof name, device);
    return xshim_enter(key, name, (properties & CL_QUEUE_OUT_OF_ORDER) == 0);
}

/* NULL: a queue that the driver does not know; it will say so itself. */
struct xshim_stream *opencl_stream(void *queue)
{
    struct xshim_key key = {.platform = &opencl_platform, .handle = queue};
    struct xshim_stream *stream = queue == NULL ? NULL : xshim_find(&key);
    return stream != NULL || queue == NULL ? stream : enter(&key);
}

static void opencl_before(struct xshim_call *call, void *queue, void **event, unsigned blocking)
{
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0};
    struct xshim_stream *stream =
        xshim_inside > 0 || !xshim_is_on() ? NULL : opencl_stream(queue);
    if (stream == NULL) {
        return;
    }
    xshim_before(call, stream);
    call->mark = xshim_mark_is_due(stream);
    if (call->mark && event == NULL && stream->ordered) {
        call->event = &call->own_event;
    }
}

static void opencl_after(struct xshim_call *call, bool succeeded)
{
    struct xshim_stream *stream = call->stream;
    if (stream == NULL) {
        return;
    }
    xshim_after(call);
    uint64_t number = atomic_load(&stream->issued);
    if (succeeded && call->blocking && stream->ordered) {
        xshim_progress(stream, number);
    } else if (succeeded && call->mark && stream->ordered && call->event != NULL) {
        if (call_back(stream, *call->event, number)) {
            atomic_store(&stream->marked, number);
        }
    } else if (call->mark) {
        xshim_plant_mark(stream);
    }
    if (call->own_event != NULL) {
        REAL(opencl, clReleaseEvent)(call->own_event);
    }
}

static void opencl_before_sync(struct xshim_call *call, void *queue)
{
    *call = (struct xshim_call){0};
    if (xshim_inside == 0 && queue != NULL) {
        struct xshim_key key = {.platform = &opencl_platform, .handle = queue};
        xshim_before_sync(call, xshim_find(&key));
    }
}

static void opencl_after_sync(struct xshim_call *call, bool succeeded)
{
    if (xshim_inside == 0) {
        xshim_after_sync(call, succeeded);
    }
}

__attribute__((visibility("default"))) int clReleaseCommandQueue(void *queue)
{
    clReleaseCommandQueue_f real = REAL(opencl, clReleaseCommandQueue);
    if (real == NULL) {
        return OPENCL_NO_DRIVER;
    }
    struct xshim_key key = {.platform = &opencl_platform, .handle = queue};
    struct xshim_stream *stream = queue == NULL ? NULL : xshim_find(&key);
    unsigned references = 0;
    if (stream != NULL &&
        REAL(opencl, clGetCommandQueueInfo)(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references,
                                            &references, NULL) == 0 &&
        references == 1) {
        xshim_forget(stream);
    }
    return real(queue);
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
    .sync = opencl_sync,
};
