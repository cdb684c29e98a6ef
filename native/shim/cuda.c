/*
 * The CUDA driver API. A mark is an event without a time: on an H200 it costs the device nothing and
 * the launching thread 0.3 us, to ask for it 0.13 us. A value that the device writes behind the work
 * (cuStreamWriteValue64) would be read by a load, but holds up the stream for 2.1 us each and costs
 * the thread 1.1 us (results/shim-marks-h200-20261115.json).
 *
 * Three kinds of stream: created ones, which a handle names; the legacy default stream of each
 * context; and the default stream that each thread has in each context. What is captured into a
 * graph is not work yet: it is neither gated nor counted, and while anything is being captured the
 * driver is asked nothing, because a question at the wrong moment spoils a capture.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "alone.h"
#include "cuda.h"
#include "platforms.h"

#define CUDA_NO_DRIVER 303 /* CUDA_ERROR_SHARED_OBJECT_INIT_FAILED */
#define CU_STREAM_LEGACY ((void *)1)
#define CU_STREAM_PER_THREAD ((void *)2)
#define CU_EVENT_DISABLE_TIMING 2u
#define BUSY_COMMANDS 3u /* with so many in flight, it will not run dry during a launch */

/* What no stream means, in the function as such and in its per-thread twin. */
#define CUDA_NO_STREAM(stream) ((stream) == NULL ? CU_STREAM_LEGACY : (stream))
#define CUDA_OWN_STREAM(stream) ((stream) == NULL ? CU_STREAM_PER_THREAD : (stream))

static void *current_context(void)
{
    void *context = NULL;
    return REAL(cuda, cuCtxGetCurrent)(&context) == 0 ? context : NULL;
}

/*
 * Events are made in the current context: where that is another one, somebody else will mark. What
 * could spoil a capture is an event on a stream that is being captured, or on the legacy stream; the
 * stream of this very thread has just been launched on.
 */
static bool cuda_mark(struct xshim_stream *stream, uint64_t number)
{
    (void)number;
    uint64_t next = atomic_load(&stream->marks_planted);
    bool is_own = atomic_load(&stream->private_to_thread);
    if (next - atomic_load(&stream->marks_reached) >= XSHIM_MARKS ||
        current_context() != stream->context || (!is_own && !cuda_may_ask())) {
        return false;
    }
    void **event = &stream->events[next % XSHIM_MARKS];
    bool planted =
        (*event != NULL || REAL(cuda, cuEventCreate)(event, CU_EVENT_DISABLE_TIMING) == 0) &&
        REAL(cuda, cuEventRecord)(*event, stream->key.handle) == 0;
    if (!is_own) {
        cuda_done_asking();
    }
    return planted;
}

static uint64_t cuda_poll(struct xshim_stream *stream)
{
    uint64_t number = 0;
    if (!cuda_may_ask()) {
        return 0;
    }
    uint64_t planted = atomic_load(&stream->marks_planted);
    for (uint64_t next = atomic_load(&stream->marks_reached);
         next != planted && REAL(cuda, cuEventQuery)(stream->events[next % XSHIM_MARKS]) == 0;
         next++) {
        number = stream->marks[next % XSHIM_MARKS].number;
    }
    cuda_done_asking();
    return number;
}

static bool cuda_look(struct xshim_stream *stream, uint64_t number)
{
    void *popped;
    (void)number;
    if (!cuda_may_ask()) {
        return false;
    }
    bool empty = false;
    if (REAL(cuda, cuCtxPushCurrent_v2)(stream->context) == 0) {
        empty = REAL(cuda, cuStreamQuery)(stream->key.handle) == 0;
        REAL(cuda, cuCtxPopCurrent_v2)(&popped);
    }
    cuda_done_asking();
    return empty;
}

static bool cuda_sync(struct xshim_stream *stream)
{
    void *popped;
    if (REAL(cuda, cuCtxPushCurrent_v2)(stream->context) != 0) {
        return false;
    }
    bool done = REAL(cuda, cuStreamSynchronize)(stream->key.handle) == 0;
    REAL(cuda, cuCtxPopCurrent_v2)(&popped);
    return done;
}

static void cuda_attach(struct xshim_stream *stream)
{
    REAL(cuda, cuCtxSetCurrent)(stream->context);
}

static uint64_t this_thread(void)
{
    static _Thread_local uint64_t id;
    if (id == 0) {
        id = (uint64_t)syscall(SYS_gettid);
    }
    return id;
}

/* Which device a context is on, as a text that OpenCL uses for it, too. */
static bool name_device(char *name, size_t size, void *context)
{
    void *popped;
    int device;
    unsigned char uuid[16];
    if (REAL(cuda, cuCtxPushCurrent_v2)(context) != 0) {
        return false;
    }
    bool known = REAL(cuda, cuCtxGetDevice)(&device) == 0 &&
                 REAL(cuda, cuDeviceGetUuid)(uuid, device) == 0;
    REAL(cuda, cuCtxPopCurrent_v2)(&popped);
    if (known) {
        xshim_name_after_uuid(name, size, uuid);
    }
    return known;
}

static struct xshim_stream *enter(const struct xshim_key *key)
{
    char name[64];
    void *context = key->context;
    if (context == NULL && REAL(cuda, cuStreamGetCtx)(key->handle, &context) != 0) {
        context = current_context();
    }
    if (context == NULL || !name_device(name, sizeof name, context)) {
        return NULL;
    }
    return xshim_enter(key, context, name, true);
}

static struct xshim_key key_of(void *handle)
{
    struct xshim_key key = {.platform = &cuda_platform, .handle = handle};
    if (handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
        key.context = current_context();
        key.thread = handle == CU_STREAM_PER_THREAD ? this_thread() : 0;
    }
    return key;
}

struct xshim_stream *cuda_stream(void *handle)
{
    struct xshim_key key = key_of(CUDA_NO_STREAM(handle));
    struct xshim_stream *stream = xshim_find(&key);
    return stream != NULL ? stream : enter(&key);
}

static bool is_captured(void *handle)
{
    int status = 0;
    return REAL(cuda, cuStreamIsCapturing)(handle, &status) != 0 || status != 0;
}

static void cuda_before_launch(struct xshim_call *call, void *handle, void **event,
                               unsigned blocking, uint64_t what)
{
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0};
    if (xshim_inside++ > 0 || !xshim_is_on() ||
        (cuda_captures_anything() && is_captured(handle))) {
        return;
    }
    struct xshim_stream *stream = cuda_stream(handle);
    if (stream == NULL) {
        return;
    }
    if ((xshim_others(stream->unit) & XSCHED_OTHERS_ABOVE) == 0) {
        xshim_begin(call, stream, 0);
        return;
    }
    cuda_read_timings(stream->context);
    xshim_before(call, stream, xshim_expected_nanos(what));
    /* A device that has nothing else to do would be measured waiting for this very launch. */
    if (xshim_in_flight(stream->unit) > BUSY_COMMANDS && xshim_wants_time(what)) {
        call->timing = cuda_start_timing(stream, what);
    }
}

static void cuda_after_launch(struct xshim_call *call, bool succeeded)
{
    (void)succeeded; /* what the driver refused is over at once, and found by the next mark */
    if (call->stream != NULL) {
        if (call->timing != NULL) {
            cuda_stop_timing(call->timing, call->stream);
        }
        bool due = xshim_is_due(call);
        xshim_issued(call);
        if (due) {
            xshim_plant_mark(call->stream);
        }
    }
    xshim_inside--;
}

static void cuda_before_sync(struct xshim_call *call, void *handle, void **event, unsigned blocking)
{
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0};
    if (xshim_inside == 0) {
        struct xshim_key key = key_of(handle);
        call->stream = xshim_find(&key);
        if (call->stream != NULL) {
            xshim_before_sync(call, call->stream);
        }
    }
}

static void cuda_after_sync(struct xshim_call *call, bool succeeded)
{
    if (call->stream != NULL) {
        xshim_after_sync(call, succeeded);
    }
}

/* Events and whole contexts: what that means for each stream, the driver is asked afterwards. */
static void cuda_before_sync_any(struct xshim_call *call, void *none, void **event,
                                 unsigned blocking)
{
    (void)none;
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0};
}

static void cuda_after_sync_any(struct xshim_call *call, bool succeeded)
{
    if (xshim_inside == 0) {
        xshim_after_sync(call, succeeded);
    }
}

static void cuda_before_capture(struct xshim_call *call, void *handle, void **event,
                                unsigned blocking)
{
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0, .handle = handle};
    cuda_forbid_asking();
}

static void cuda_after_capture(struct xshim_call *call, bool succeeded)
{
    if (succeeded) {
        struct xshim_key key = key_of(call->handle);
        cuda_began_capture(&key, current_context());
    } else {
        cuda_allow_asking();
    }
}

static void cuda_before_end_capture(struct xshim_call *call, void *handle, void **event,
                                    unsigned blocking)
{
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0, .handle = handle};
}

/* Whether it ended well or not; but some calls fail to end it. */
static void cuda_after_end_capture(struct xshim_call *call, bool succeeded)
{
    if (succeeded || !is_captured(call->handle)) {
        struct xshim_key key = key_of(call->handle);
        cuda_end_captures(&key, NULL);
    }
}

static void cuda_before_destroy(struct xshim_call *call, void *handle, void **event,
                                unsigned blocking)
{
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0, .handle = handle};
    struct xshim_key key = {.platform = &cuda_platform, .handle = handle};
    struct xshim_stream *stream = xshim_find(&key);
    if (stream != NULL) {
        xshim_forget(stream);
    }
}

static void cuda_after_destroy(struct xshim_call *call, bool succeeded)
{
    struct xshim_key key = {.handle = call->handle};
    if (succeeded) {
        cuda_end_captures(&key, NULL);
    }
}

static void forget_context(void *context)
{
    xshim_forget_context(&cuda_platform, context);
    cuda_forget_timings(context);
    cuda_forget_gate(context);
    cuda_end_captures(NULL, context);
}

static void cuda_before_destroy_context(struct xshim_call *call, void *context, void **event,
                                        unsigned blocking)
{
    *call = (struct xshim_call){.event = event, .blocking = blocking != 0};
    forget_context(context);
}

static void cuda_after_destroy_context(struct xshim_call *call, bool succeeded)
{
    (void)call;
    (void)succeeded;
}

static void forget_contexts_of(int device)
{
    unsigned char uuid[16];
    char name[64];
    void *context;
    if (REAL(cuda, cuDeviceGetUuid)(uuid, device) != 0) {
        return;
    }
    xshim_name_after_uuid(name, sizeof name, uuid);
    while ((context = xshim_context_on(&cuda_platform, name)) != NULL) {
        forget_context(context);
    }
}

static bool is_alive(int device)
{
    unsigned flags;
    int active = 0;
    return REAL(cuda, cuDevicePrimaryCtxGetState)(device, &flags, &active) == 0 && active != 0;
}

/* A device's primary context ends when the last of its users lets it go: known only afterwards. */
static int let_go(int device, int (*real)(int))
{
    cuda_forbid_asking(); /* until we know */
    int result = real(device);
    if (result == 0 && !is_alive(device)) {
        forget_contexts_of(device);
    }
    cuda_allow_asking();
    return result;
}

#define PRIMARY_CONTEXT_ENDS(function)                                                             \
    EXPORTED int function(int device)                                                              \
    {                                                                                              \
        function##_f real = REAL(cuda, function);                                                  \
        return real == NULL ? CUDA_NO_DRIVER : let_go(device, real);                               \
    }

PRIMARY_CONTEXT_ENDS(cuDevicePrimaryCtxRelease)
PRIMARY_CONTEXT_ENDS(cuDevicePrimaryCtxRelease_v2)
PRIMARY_CONTEXT_ENDS(cuDevicePrimaryCtxReset)
PRIMARY_CONTEXT_ENDS(cuDevicePrimaryCtxReset_v2)

/*
 * What a program asks for by name is one of several versions and variants, depending on the CUDA
 * version it was built for and on flags. Which one it got is told by its address.
 */
static void replace(const char *symbol, void **address)
{
    size_t length = strlen(symbol);
    for (size_t i = 0; *address != NULL && i < CUDA_FUNCTIONS; i++) {
        struct xshim_function *function = &cuda_functions[i];
        if (function->wrapper != NULL && strncmp(function->name, symbol, length) == 0 &&
            xshim_real(&cuda_platform, function) == *address) {
            *address = function->wrapper;
            return;
        }
    }
}

EXPORTED int cuGetProcAddress(void *symbol, void *address, int version, uint64_t flags)
{
    cuGetProcAddress_f real = REAL(cuda, cuGetProcAddress);
    int result = real == NULL ? CUDA_NO_DRIVER : real(symbol, address, version, flags);
    if (result == 0 && symbol != NULL && address != NULL) {
        replace(symbol, address);
    }
    return result;
}

EXPORTED int cuGetProcAddress_v2(void *symbol, void *address, int version, uint64_t flags,
                                 void *status)
{
    cuGetProcAddress_v2_f real = REAL(cuda, cuGetProcAddress_v2);
    int result = real == NULL ? CUDA_NO_DRIVER : real(symbol, address, version, flags, status);
    if (result == 0 && symbol != NULL && address != NULL) {
        replace(symbol, address);
    }
    return result;
}

#include "cuda.gen.c"

/* No driver works in a forked child, but the child may clean up what its parent made. */
static void in_child(void)
{
    cuda_captures_in_child();
    cuda_times_in_child();
    cuda_gates_in_child();
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

const struct xshim_platform cuda_platform = {
    .name = "CUDA",
    .library = "libcuda.so.1",
    .library_variable = "XSCHED_CUDA_LIB",
    .functions = cuda_functions,
    .count = CUDA_FUNCTIONS,
    .mark = cuda_mark,
    .poll = cuda_poll,
    .look = cuda_look,
    .sync = cuda_sync,
    .attach = cuda_attach,
    .plant_gate = cuda_plant_gate,
    .turn_gates = cuda_turn_gates,
};
