/*
 * A library with the names of the HIP runtime, to reach the paths that programs take to it where there
 * is no device. Never a proof of anything else: results/ has those, from real devices.
 *
 * What a launch, a sync and so on do is told here once per kind; test/cuda/generate.awk makes the
 * functions. Some call others of the library by their exported names, as ROCm's does: in Debian's
 * libamdhip64.so.5 these are hipMemcpy, hipMemcpyAsync, hipModuleLaunchKernel and
 * hipLaunchCooperativeKernel.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "dispatch.h"
#include "kernels.h"
#include "objects.h"
#include "structs.h"

static struct capture *all_captures; /* never freed */

static bool names_a_stream(const char *name)
{
    return strstr(name, "Async") != NULL || strstr(name, "Launch") != NULL ||
           strstr(name, "AddCallback") != NULL;
}

/* What a callback of hipStreamAddCallback gets. */
struct callback {
    void (*function)(void *stream, int status, void *data);
    void *stream, *data;
};

static void call_back(void *argument)
{
    struct callback *callback = argument;
    callback->function(callback->stream, 0, callback->data);
    free(callback);
}

static struct command command_of(const char *name, const uint64_t *a)
{
    struct command command = {.kind = WORK};
    if (strncmp(name, "hipLaunchHostFunc", 17) == 0) {
        command.function = (void (*)(void *))a[1];
        command.data = (void *)a[2];
    } else if (strncmp(name, "hipStreamAddCallback", 20) == 0) {
        struct callback *callback = malloc(sizeof *callback);
        *callback = (struct callback){(void (*)(void *, int, void *))a[1], (void *)a[0],
                                      (void *)a[2]};
        command.function = call_back;
        command.data = command.owned = callback;
    } else {
        fill_in(name, a, &command);
    }
    return command;
}

static int standin_launch(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    struct stream *stream;
    bool has_parameters = strstr(name, "KernelEx") != NULL || strstr(name, "MultiDevice") != NULL;
    int refused = has_parameters && a[0] == 0 ? INVALID_VALUE
                                              : use_stream(handle, no_stream, &stream);
    if (refused == 0 && !names_a_stream(name)) {
        refused = unsafe();
    }
    if (refused != 0) {
        return refused;
    }
    if (stream->capture != NULL) {
        if (stream->capture->spoiled) {
            return CAPTURE_INVALIDATED;
        }
        add_node(stream->capture->graph, name);
        stream->capture->graph->nanos += nanos_of(name, a);
        return 0;
    }
    put(stream, command_of(name, a));
    if (!names_a_stream(name)) {
        await(stream);
    }
    return 0;
}

static int standin_sync(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    struct stream *stream;
    int refused = use_stream(handle, no_stream, &stream);
    (void)a;
    if (refused == 0 && stream->capture != NULL) {
        spoil(stream->capture);
        refused = CAPTURE_UNSUPPORTED;
    }
    if (refused == 0) {
        refused = unsafe();
    }
    if (refused != 0) {
        return refused;
    }
    if (strncmp(name, "hipStreamQuery", 14) == 0) {
        return stream->done == stream->issued ? 0 : NOT_READY;
    }
    await(stream);
    return 0;
}

static int standin_sync_any(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    (void)handle;
    (void)no_stream;
    settle();
    if (strstr(name, "Event") == NULL) {
        int refused = unsafe();
        if (refused == 0) {
            await_context(current_context());
        }
        return refused;
    }
    struct event *event = (struct event *)a[0];
    check_event(event);
    if (event->capture != NULL) {
        spoil(event->capture);
        return CAPTURED_EVENT;
    }
    int refused = unsafe();
    if (refused != 0) {
        return refused;
    }
    if (strcmp(name, "hipEventQuery") == 0) {
        return event->reached == event->recorded ? 0 : NOT_READY;
    }
    await_event(event);
    return 0;
}

static int standin_capture(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    settle();
    struct stream *stream = stream_of(handle == NULL ? no_stream : handle);
    bool to_graph = strcmp(name, "hipStreamBeginCaptureToGraph") == 0;
    if (stream->legacy || stream->capture != NULL) {
        return CAPTURE_UNSUPPORTED;
    }
    struct capture *capture = calloc(1, sizeof *capture);
    capture->older = all_captures;
    all_captures = capture;
    capture->mode = (int)a[to_graph ? 5 : 1];
    capture->thread = this_thread();
    capture->origin = stream;
    capture->graph = to_graph ? (struct graph *)a[1] : new_graph();
    capture->next = captures;
    captures = capture;
    stream->capture = capture;
    return 0;
}

static int standin_end_capture(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    settle();
    struct stream *stream = stream_of(handle == NULL ? no_stream : handle);
    struct capture *capture = stream->capture;
    (void)name;
    if (capture == NULL || capture->origin != stream) {
        return CAPTURE_UNMATCHED;
    }
    if (capture->mode != MODE_RELAXED && capture->thread != this_thread()) {
        return CAPTURE_WRONG_THREAD;
    }
    end_capture(capture);
    *(struct graph **)a[1] = capture->spoiled ? NULL : capture->graph;
    return capture->spoiled ? CAPTURE_INVALIDATED : 0;
}

static int standin_destroy(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    struct stream *stream = stream_of(handle);
    (void)name;
    (void)no_stream;
    (void)a;
    if (stream->capture != NULL && stream->capture->origin == stream) {
        end_capture(stream->capture);
    }
    stream->alive = false;
    changed();
    return 0;
}

/* Those who ask are told apart from those who wait by their names, above. */
#define standin_poll standin_sync
#define standin_poll_any standin_sync_any
#include "driver.gen.c"

/* Those that call others of the library. */

int hipMemcpy(void *to, void *from, size_t size, int kind);
int hipMemcpyAsync(void *to, void *from, size_t size, int kind, void *stream);
int hipStreamSynchronize(void *stream);

EXPORTED int hipMemcpyPeer(void *to, int to_device, void *from, int from_device, size_t size)
{
    ENTER((uint64_t)to, (unsigned)to_device, (uint64_t)from, (unsigned)from_device, size);
    leave(0);
    return hipMemcpy(to, from, size, 3);
}

EXPORTED int hipMemcpyPeerAsync(void *to, int to_device, void *from, int from_device, size_t size,
                                void *stream)
{
    ENTER((uint64_t)to, (unsigned)to_device, (uint64_t)from, (unsigned)from_device, size,
          (uint64_t)stream);
    leave(0);
    return hipMemcpyAsync(to, from, size, 3, stream);
}

EXPORTED int hipMemcpyWithStream(void *to, void *from, size_t size, int kind, void *stream)
{
    ENTER((uint64_t)to, (uint64_t)from, size, (unsigned)kind, (uint64_t)stream);
    leave(0);
    int result = hipMemcpyAsync(to, from, size, kind, stream);
    return result == 0 ? hipStreamSynchronize(stream) : result;
}

/* None of those that are wrapped: it launches all the same. */
EXPORTED int hipMemcpyBatchAsync(void **to, void **from, size_t *sizes, size_t count,
                                 void *attributes, size_t *indices, size_t attribute_count,
                                 size_t *failed, void *stream)
{
    int result = 0;
    (void)attributes;
    (void)indices;
    (void)attribute_count;
    for (size_t i = 0; i < count && result == 0; i++) {
        result = hipMemcpyAsync(to[i], from[i], sizes[i], 4, stream);
        *failed = i;
    }
    return result;
}

/* By a search, as some versions bind what they call of themselves. */
static void *own_function(const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);
    return next != NULL ? next : dlsym(RTLD_DEFAULT, name);
}

EXPORTED int hipExtLaunchKernel(void *function, struct xshim_dim3 blocks, struct xshim_dim3 threads,
                                void *arguments, size_t shared, void *stream, void *start,
                                void *stop, int flags)
{
    ENTER((uint64_t)function, packed_d(blocks), packed_d(threads), (uint64_t)arguments, shared,
          (uint64_t)stream, (uint64_t)start, (uint64_t)stop, (unsigned)flags);
    leave(0);
    int (*launch)(void *, struct xshim_dim3, struct xshim_dim3, void *, size_t, void *) =
        (int (*)(void *, struct xshim_dim3, struct xshim_dim3, void *, size_t, void *))
            own_function("hipLaunchKernel");
    return launch(function, blocks, threads, arguments, shared, stream);
}
