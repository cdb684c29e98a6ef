/*
 * A library with the names of the CUDA driver, to reach the paths that programs take to it where
 * there is no device. Never a proof of anything else: results/ has those, from real devices.
 *
 * What a launch, a sync and so on do is told here once per kind; generate.awk makes the functions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compute.h"
#include "machine.h"

#define CUDA_VERSION 13000
#define FIRST_V2_VERSION 12000 /* of those that have two versions here */
#define PER_THREAD_FLAG 2u
#define STREAM_NON_BLOCKING 1u
#define WAIT_VALUE_EQ 1u
#define LONGEST_STAY_NANOS 2000000u

struct function {
    const char *name;
    void *address;
};

static char spin; /* a kernel: bench/marks.c has it */
static char stay; /* another: shim/cuda_stay.c */
static struct context *primary[DEVICES];

/* Nothing is freed, so that whoever uses it after its end is found. */
static struct event *events;
static struct capture *all_captures;

/* 0, or why the stream cannot be used now. */
static int use_stream(void *handle, void *no_stream, struct stream **found)
{
    *found = stream_of(handle == NULL ? no_stream : handle);
    if (*found == NULL) {
        return INVALID_CONTEXT;
    }
    return (*found)->context != current_context() ? INVALID_HANDLE : implicit(*found, true);
}

static int node_of(struct stream *stream, const char *name)
{
    if (stream->capture->spoiled) {
        return CAPTURE_INVALIDATED;
    }
    add_node(stream->capture->graph, name);
    return 0;
}

static struct command command_of(const char *name, const uint64_t *a)
{
    struct command command = {.kind = WORK};
    if (strncmp(name, "cuLaunchHostFunc", 16) == 0) {
        command.function = (void (*)(void *))a[1];
        command.data = (void *)a[2];
    } else if (strncmp(name, "cuLaunchKernel", 14) == 0 && a[0] == (uint64_t)&spin) {
        uint64_t **parameters = (uint64_t **)a[9];
        command.address = (uint64_t *)(*parameters[1] & ~DEVICE_BIT);
        command.value = *parameters[2];
    } else if (strcmp(name, "cuLaunchKernel") == 0 && a[0] == (uint64_t)&stay) {
        uint64_t **parameters = (uint64_t **)a[9];
        command.kind = STAY;
        command.address = (uint64_t *)(*parameters[0] & ~DEVICE_BIT);
        command.nanos = *parameters[1];
        if (command.nanos > LONGEST_STAY_NANOS) {
            die("a kernel stays for %llu ns", (unsigned long long)command.nanos);
        }
    }
    compute(name, a, &command);
    return command;
}

static bool names_a_stream(const char *name)
{
    return strstr(name, "Async") != NULL || strncmp(name, "cuLaunch", 8) == 0 ||
           strncmp(name, "cuGraphLaunch", 13) == 0;
}

static int standin_launch(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    struct stream *stream;
    bool has_parameters = strncmp(name, "cuLaunchKernelEx", 16) == 0 || strstr(name, "Multi") != NULL;
    int refused = has_parameters && a[0] == 0 ? INVALID_VALUE
                                              : use_stream(handle, no_stream, &stream);
    if (refused == 0 && !names_a_stream(name)) {
        refused = unsafe();
    }
    if (refused != 0) {
        return refused;
    }
    if (stream->capture != NULL) {
        return node_of(stream, name);
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
    if (strncmp(name, "cuStreamQuery", 13) == 0) {
        return stream->done == stream->issued ? 0 : NOT_READY;
    }
    await(stream);
    return 0;
}

static void check_event(const struct event *event)
{
    if (!event->alive || !event->context->alive) {
        die("event %p was destroyed", (const void *)event);
    }
}

static int standin_sync_any(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    (void)handle;
    (void)no_stream;
    if (strncmp(name, "cuCtxSynchronize", 16) == 0) {
        int refused = current_context() == NULL ? INVALID_CONTEXT : unsafe();
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
    if (strcmp(name, "cuEventQuery") == 0) {
        return event->reached == event->recorded ? 0 : NOT_READY;
    }
    await_event(event);
    return 0;
}

static int standin_capture(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    struct stream *stream = stream_of(handle == NULL ? no_stream : handle);
    bool to_graph = strncmp(name, "cuStreamBeginCaptureToGraph", 27) == 0;
    if (stream == NULL || stream->legacy || stream->capture != NULL) {
        return stream == NULL ? INVALID_CONTEXT : CAPTURE_UNSUPPORTED;
    }
    struct capture *capture = calloc(1, sizeof *capture);
    capture->older = all_captures;
    all_captures = capture;
    capture->mode = to_graph ? (int)a[5] : strstr(name, "_v2") != NULL ? (int)a[1] : MODE_GLOBAL;
    capture->thread = this_thread();
    capture->origin = stream;
    capture->graph = to_graph ? (struct graph *)a[1] : calloc(1, sizeof *capture->graph);
    capture->next = captures;
    captures = capture;
    stream->capture = capture;
    return 0;
}

static int standin_end_capture(const char *name, void *handle, void *no_stream, const uint64_t *a)
{
    struct stream *stream = stream_of(handle == NULL ? no_stream : handle);
    struct capture *capture = stream == NULL ? NULL : stream->capture;
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

static int standin_destroy_context(const char *name, void *handle, void *no_stream,
                                   const uint64_t *a)
{
    (void)name;
    (void)no_stream;
    (void)a;
    end_context(handle);
    if (*context_top() == handle) {
        pop_context();
    }
    return 0;
}

/* Those who ask are told apart from those who wait by their names, above. */
#define standin_poll standin_sync
#define standin_poll_any standin_sync_any
#include "driver.gen.c"

/* Devices and contexts. */

EXPORTED int cuInit(unsigned flags)
{
    ENTER(flags);
    return leave(0);
}

EXPORTED int cuDriverGetVersion(int *version)
{
    *version = CUDA_VERSION;
    return 0;
}

EXPORTED int cuDeviceGetCount(int *count)
{
    *count = DEVICES;
    return 0;
}

EXPORTED int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return ordinal >= 0 && ordinal < DEVICES ? 0 : 101;
}

EXPORTED int cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "stand-in %d", device);
    return 0;
}

EXPORTED int cuDeviceGetUuid(void *uuid, int device)
{
    ENTER((uint64_t)uuid, (unsigned)device);
    memset(uuid, 0, 16);
    ((unsigned char *)uuid)[15] = (unsigned char)device;
    return leave(0);
}

EXPORTED int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    ENTER((uint64_t)value, (unsigned)attribute, (unsigned)device);
    *value = 1;
    return leave(0);
}

EXPORTED int cuCtxCreate_v2(void **context, unsigned flags, int device)
{
    ENTER((uint64_t)context, flags, (unsigned)device);
    *context = new_context(device);
    push_context(*context);
    return leave(0);
}

EXPORTED int cuCtxGetCurrent(void *context)
{
    ENTER((uint64_t)context);
    *(struct context **)context = *context_top();
    return leave(0);
}

EXPORTED int cuCtxSetCurrent(void *context)
{
    ENTER((uint64_t)context);
    if (context != NULL) {
        check_context(context);
    }
    *context_top() = context;
    return leave(0);
}

EXPORTED int cuCtxPushCurrent_v2(void *context)
{
    ENTER((uint64_t)context);
    push_context(context);
    return leave(0);
}

EXPORTED int cuCtxPopCurrent_v2(void *context)
{
    ENTER((uint64_t)context);
    *(struct context **)context = pop_context();
    return leave(0);
}

EXPORTED int cuCtxGetDevice(void *device)
{
    ENTER((uint64_t)device);
    struct context *context = current_context();
    if (context == NULL) {
        return leave(INVALID_CONTEXT);
    }
    *(int *)device = context->device;
    return leave(0);
}

EXPORTED int cuCtxGetDevice_v2(void *device, void *context)
{
    ENTER((uint64_t)device, (uint64_t)context);
    struct context *asked = context == NULL ? current_context() : context;
    if (asked == NULL) {
        return leave(INVALID_CONTEXT);
    }
    *(int *)device = asked->device;
    return leave(0);
}

EXPORTED int cuDevicePrimaryCtxRetain(void **context, int device)
{
    ENTER((uint64_t)context, (unsigned)device);
    if (primary[device] == NULL) {
        primary[device] = new_context(device);
    }
    primary[device]->users++;
    *context = primary[device];
    int result = leave(0);
    if (standin_opens != NULL) {
        standin_opens();
    }
    return result;
}

EXPORTED int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
    ENTER((unsigned)device, flags);
    return leave(0);
}

EXPORTED int cuDevicePrimaryCtxGetState(int device, void *flags, void *active)
{
    ENTER((unsigned)device, (uint64_t)flags, (uint64_t)active);
    *(unsigned *)flags = 0;
    *(int *)active = primary[device] != NULL;
    return leave(0);
}

static int let_go(int device, bool all)
{
    if (primary[device] == NULL) {
        return all ? 0 : INVALID_CONTEXT;
    }
    if (all || --primary[device]->users == 0) {
        end_context(primary[device]);
        primary[device] = NULL;
    }
    return 0;
}

#define PRIMARY_CONTEXT_ENDS(function, all)                                                        \
    EXPORTED int function(int device)                                                              \
    {                                                                                              \
        ENTER((unsigned)device);                                                                   \
        return leave(let_go(device, all));                                                         \
    }

PRIMARY_CONTEXT_ENDS(cuDevicePrimaryCtxRelease, false)
PRIMARY_CONTEXT_ENDS(cuDevicePrimaryCtxRelease_v2, false)
PRIMARY_CONTEXT_ENDS(cuDevicePrimaryCtxReset, true)
PRIMARY_CONTEXT_ENDS(cuDevicePrimaryCtxReset_v2, true)

/* Memory and modules. */

EXPORTED int cuMemAlloc_v2(uint64_t *address, size_t size)
{
    ENTER((uint64_t)address, size);
    int refused = unsafe();
    if (refused == 0) {
        *address = compute_memory(size);
    }
    return leave(refused);
}

EXPORTED int cuMemHostRegister_v2(void *memory, size_t size, unsigned flags)
{
    ENTER((uint64_t)memory, size, flags);
    return leave(current_context() == NULL ? INVALID_CONTEXT : unsafe());
}

EXPORTED int cuMemHostGetDevicePointer_v2(void *address, void *memory, unsigned flags)
{
    ENTER((uint64_t)address, (uint64_t)memory, flags);
    *(uint64_t *)address = (uint64_t)memory | DEVICE_BIT;
    return leave(0);
}

EXPORTED int cuModuleLoadData(void *module, void *image)
{
    ENTER((uint64_t)module, (uint64_t)image);
    *(void **)module = &spin;
    return leave(0);
}

EXPORTED int cuModuleGetFunction(void *function, void *module, void *name)
{
    ENTER((uint64_t)function, (uint64_t)module, (uint64_t)name);
    void *found = strcmp(name, "spin") == 0          ? &spin
                  : strcmp(name, "xsched_stay") == 0 ? &stay
                                                     : compute_kernel(name);
    *(void **)function = found;
    return leave(found == NULL ? NOT_FOUND : 0);
}

/* Streams and events. */

EXPORTED int cuStreamCreate(void *stream, unsigned flags)
{
    ENTER((uint64_t)stream, flags);
    if (current_context() == NULL) {
        return leave(INVALID_CONTEXT);
    }
    *(struct stream **)stream = new_stream(current_context(), (flags & STREAM_NON_BLOCKING) == 0);
    return leave(0);
}

EXPORTED int cuStreamGetCtx(void *handle, void *context)
{
    ENTER((uint64_t)handle, (uint64_t)context);
    struct stream *stream = stream_of(handle == NULL ? LEGACY : handle);
    if (stream == NULL) {
        return leave(INVALID_CONTEXT);
    }
    *(struct context **)context = stream->context;
    return leave(0);
}

/* Asked about the legacy stream, it tells of an implicit dependency and spoils nothing. */
EXPORTED int cuStreamIsCapturing(void *handle, void *status)
{
    ENTER((uint64_t)handle, (uint64_t)status);
    struct stream *stream = stream_of(handle == NULL ? LEGACY : handle);
    if (stream == NULL) {
        return leave(INVALID_CONTEXT);
    }
    if (implicit(stream, false) != 0) {
        return leave(CAPTURE_IMPLICIT);
    }
    *(int *)status = stream->capture == NULL ? 0 : stream->capture->spoiled ? 2 : 1;
    return leave(0);
}

#ifndef OLD
EXPORTED int cuThreadExchangeStreamCaptureMode(void *mode)
{
    ENTER((uint64_t)mode);
    int before = capture_mode;
    capture_mode = *(int *)mode;
    *(int *)mode = before;
    return leave(0);
}

static int put_on(void *handle, const char *name, struct command command)
{
    struct stream *stream;
    uint64_t address = (uint64_t)command.address;
    int refused = use_stream(handle, LEGACY, &stream);
    if (refused == 0 && stream->capture != NULL) {
        return node_of(stream, name);
    }
    if (refused == 0) {
        refused = (address & DEVICE_BIT) == 0 ? INVALID_VALUE : unsafe();
    }
    if (refused == 0) {
        command.address = (uint64_t *)(address & ~DEVICE_BIT);
        put(stream, command);
    }
    return refused;
}

EXPORTED int cuStreamWriteValue64_v2(void *handle, uint64_t address, uint64_t value, unsigned flags)
{
    ENTER((uint64_t)handle, address, value, flags);
    return leave(put_on(handle, __func__,
                        (struct command){.kind = WRITE, .address = (void *)address, .value = value}));
}

EXPORTED int cuStreamWaitValue32_v2(void *handle, uint64_t address, unsigned value, unsigned flags)
{
    ENTER((uint64_t)handle, address, value, flags);
    return leave(flags != WAIT_VALUE_EQ
                     ? INVALID_VALUE
                     : put_on(handle, __func__,
                              (struct command){.kind = WAIT_FOR_VALUE,
                                               .address = (void *)address,
                                               .value = value}));
}
#endif

EXPORTED int cuEventCreate(void *event, unsigned flags)
{
    ENTER((uint64_t)event, flags);
    if (current_context() == NULL) {
        return leave(INVALID_CONTEXT);
    }
    struct event *created = calloc(1, sizeof *created);
    created->alive = true;
    created->context = current_context();
    created->next = events;
    events = created;
    *(struct event **)event = created;
    return leave(0);
}

EXPORTED int cuEventDestroy_v2(void *event)
{
    ENTER((uint64_t)event);
    check_event(event);
    ((struct event *)event)->alive = false;
    return leave(0);
}

EXPORTED int cuEventRecord(void *handle, void *stream_handle)
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

EXPORTED int cuEventElapsedTime(void *millis, void *start, void *stop)
{
    ENTER((uint64_t)millis, (uint64_t)start, (uint64_t)stop);
    check_event(start);
    check_event(stop);
    *(float *)millis = 0.001f;
    return leave(0);
}

/* Whoever waits for what is being captured is captured, too. */
EXPORTED int cuStreamWaitEvent(void *handle, void *event_handle, unsigned flags)
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

/* Graphs. */

EXPORTED int cuGraphCreate(void **graph, unsigned flags)
{
    ENTER((uint64_t)graph, flags);
    *graph = calloc(1, sizeof(struct graph));
    return leave(0);
}

EXPORTED int cuGraphInstantiateWithFlags(void **executable, void *graph, uint64_t flags)
{
    ENTER((uint64_t)executable, (uint64_t)graph, flags);
    *executable = graph;
    return leave(0);
}

/* How programs ask for functions. */

static void *address_of(const char *name, const char *more, const char *twin)
{
    char full[128];
    snprintf(full, sizeof full, "%s%s%s", name, more, twin);
    for (size_t i = 0; i < sizeof exported / sizeof *exported; i++) {
        if (strcmp(exported[i].name, full) == 0) {
            return exported[i].address;
        }
    }
    return NULL;
}

static void *variant_of(const char *name, const char *twin, int version)
{
    void *plain = address_of(name, "", twin);
    void *second = address_of(name, "_v2", twin);
    return second != NULL && (version >= FIRST_V2_VERSION || plain == NULL) ? second : plain;
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), more = strlen(suffix);
    return length > more && strcmp(name + length - more, suffix) == 0;
}

/* By the name as such; which version and variant that means follows from the rest. */
static void *find(const char *name, int version, uint64_t flags)
{
    void *found = NULL;
    if (has_suffix(name, "_v2") || has_suffix(name, "_ptsz") || has_suffix(name, "_ptds")) {
        return NULL;
    }
    if ((flags & PER_THREAD_FLAG) != 0) {
        found = variant_of(name, "_ptsz", version);
        found = found == NULL ? variant_of(name, "_ptds", version) : found;
    }
    return found == NULL ? variant_of(name, "", version) : found;
}

EXPORTED int cuGetProcAddress(void *symbol, void *address, int version, uint64_t flags)
{
    ENTER((uint64_t)symbol, (uint64_t)address, (unsigned)version, flags);
    *(void **)address = find(symbol, version, flags);
    return leave(*(void **)address == NULL ? NOT_FOUND : 0);
}

#ifndef OLD
EXPORTED int cuGetProcAddress_v2(void *symbol, void *address, int version, uint64_t flags,
                                 void *status)
{
    ENTER((uint64_t)symbol, (uint64_t)address, (unsigned)version, flags, (uint64_t)status);
    *(void **)address = find(symbol, version, flags);
    bool found = *(void **)address != NULL;
    if (status != NULL) {
        *(int *)status = found ? 0 : 1;
    }
    return leave(found || status != NULL ? 0 : NOT_FOUND);
}
#endif
