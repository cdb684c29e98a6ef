#include "objects.h"

#include <stdlib.h>

#include "device.h"
#include "kernels.h"

/* Nothing is freed, so that whoever uses it after its end is found. */
static struct event *events;

int use_stream(void *handle, void *no_stream, struct stream **found)
{
    settle();
    *found = stream_of(handle == NULL ? no_stream : handle);
    return *found == NULL ? INVALID_CONTEXT : implicit(*found, true);
}

void check_event(const struct event *event)
{
    if (!event->alive || !event->context->alive) {
        die("event %p was destroyed", (const void *)event);
    }
}

/* Streams and events. */

#define STREAM_NON_BLOCKING 1u

static int make_stream(void **stream, unsigned flags)
{
    settle();
    *stream = new_stream(current_context(), (flags & STREAM_NON_BLOCKING) == 0);
    return 0;
}

EXPORTED int hipStreamCreate(void **stream)
{
    ENTER((uint64_t)stream);
    return leave(make_stream(stream, 0));
}

EXPORTED int hipStreamCreateWithFlags(void **stream, unsigned flags)
{
    ENTER((uint64_t)stream, flags);
    return leave(make_stream(stream, flags));
}

EXPORTED int hipStreamCreateWithPriority(void **stream, unsigned flags, int priority)
{
    ENTER((uint64_t)stream, flags, (unsigned)priority);
    return leave(make_stream(stream, flags));
}

EXPORTED int hipGetStreamDeviceId(void *handle)
{
    ENTER((uint64_t)handle);
    settle();
    return leave(stream_of(handle == NULL ? LEGACY : handle)->context->device);
}

#ifndef OLD
EXPORTED int hipStreamGetDevice(void *handle, void *device)
{
    ENTER((uint64_t)handle, (uint64_t)device);
    settle();
    *(int *)device = stream_of(handle == NULL ? LEGACY : handle)->context->device;
    return leave(0);
}
#endif

/* Asked about the legacy stream, it tells of an implicit dependency and spoils nothing. */
EXPORTED int hipStreamIsCapturing(void *handle, void *status)
{
    ENTER((uint64_t)handle, (uint64_t)status);
    settle();
    struct stream *stream = stream_of(handle == NULL ? LEGACY : handle);
    if (implicit(stream, false) != 0) {
        return leave(CAPTURE_IMPLICIT);
    }
    *(int *)status = stream->capture == NULL ? 0 : stream->capture->spoiled ? 2 : 1;
    return leave(0);
}

EXPORTED int hipThreadExchangeStreamCaptureMode(int *mode)
{
    ENTER((uint64_t)mode);
    int before = capture_mode;
    capture_mode = *mode;
    *mode = before;
    return leave(0);
}

EXPORTED int hipEventCreateWithFlags(void *event, unsigned flags)
{
    ENTER((uint64_t)event, flags);
    settle();
    struct event *created = calloc(1, sizeof *created);
    created->alive = true;
    created->context = current_context();
    created->next = events;
    events = created;
    *(struct event **)event = created;
    return leave(0);
}

EXPORTED int hipEventCreate(void *event)
{
    return hipEventCreateWithFlags(event, 0);
}

EXPORTED int hipEventDestroy(void *event)
{
    ENTER((uint64_t)event);
    check_event(event);
    ((struct event *)event)->alive = false;
    return leave(0);
}

EXPORTED int hipEventRecord(void *handle, void *stream_handle)
{
    struct event *event = handle;
    struct stream *stream;
    ENTER((uint64_t)handle, (uint64_t)stream_handle);
    check_event(event);
    int refused = use_stream(stream_handle, LEGACY, &stream);
    if (refused == 0 && stream->context != event->context) {
        refused = INVALID_HANDLE;
    }
    if (refused == 0) {
        event->capture = stream->capture;
        if (stream->capture == NULL) {
            put(stream, (struct command){.kind = RECORD, .event = event, .value = ++event->recorded});
        }
    }
    return leave(refused);
}

EXPORTED int hipEventRecord_spt(void *event, void *stream)
{
    return hipEventRecord(event, stream == NULL ? PER_THREAD : stream);
}

EXPORTED int hipEventElapsedTime(void *millis, void *start, void *stop)
{
    ENTER((uint64_t)millis, (uint64_t)start, (uint64_t)stop);
    check_event(start);
    check_event(stop);
    *(float *)millis = (float)(((struct event *)stop)->at - ((struct event *)start)->at) / 1e6f;
    return leave(0);
}

/* Whoever waits for what is being captured is captured, too. */
EXPORTED int hipStreamWaitEvent(void *handle, void *event_handle, unsigned flags)
{
    struct event *event = event_handle;
    struct stream *stream;
    ENTER((uint64_t)handle, (uint64_t)event_handle, flags);
    check_event(event);
    int refused = use_stream(handle, LEGACY, &stream);
    if (refused == 0 && event->capture != NULL) {
        stream->capture = event->capture;
    } else if (refused == 0 && stream->capture == NULL) {
        put(stream, (struct command){.kind = WAIT, .event = event, .value = event->recorded});
    }
    return leave(refused);
}

EXPORTED int hipStreamWaitEvent_spt(void *stream, void *event, unsigned flags)
{
    return hipStreamWaitEvent(stream == NULL ? PER_THREAD : stream, event, flags);
}

/* Graphs. */

EXPORTED int hipGraphCreate(void **graph, unsigned flags)
{
    ENTER((uint64_t)graph, flags);
    *graph = new_graph();
    return leave(0);
}

EXPORTED int hipGraphInstantiateWithFlags(void **executable, void *graph, uint64_t flags)
{
    ENTER((uint64_t)executable, (uint64_t)graph, flags);
    *executable = graph;
    return leave(0);
}

EXPORTED int hipGraphInstantiate(void **executable, void *graph, void *node, void *log, size_t size)
{
    (void)node;
    (void)log;
    (void)size;
    return hipGraphInstantiateWithFlags(executable, graph, 0);
}

EXPORTED int hipGraphExecDestroy(void *executable)
{
    (void)executable;
    return 0;
}

EXPORTED int hipGraphDestroy(void *graph)
{
    (void)graph;
    return 0;
}
