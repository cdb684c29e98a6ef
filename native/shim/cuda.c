/* The CUDA driver API; events.c has what it shares with HIP. */
#include <string.h>

#include "cuda.h"
#include "platforms.h"

#define CUDA_NO_DRIVER 303 /* CUDA_ERROR_SHARED_OBJECT_INIT_FAILED */
#define CU_STREAM_LEGACY ((void *)1)

/* What no stream means, in the function as such and in its per-thread twin. */
#define CUDA_NO_STREAM(stream) ((stream) == NULL ? CU_STREAM_LEGACY : (stream))
#define CUDA_OWN_STREAM(stream) ((stream) == NULL ? EVENTS_PER_THREAD : (stream))
#define CUDA_CALLS_ITSELF(real) false /* its own functions are bound to itself */

static void *current_context(void)
{
    void *context = NULL;
    return REAL(cuda, cuCtxGetCurrent)(&context) == 0 ? context : NULL;
}

static void *context_of(void *stream)
{
    void *context = NULL;
    return REAL(cuda, cuStreamGetCtx)(stream, &context) == 0 ? context : current_context();
}

static bool enter(void *context, void **before)
{
    *before = NULL;
    return REAL(cuda, cuCtxPushCurrent_v2)(context) == 0;
}

static void leave(void *before)
{
    REAL(cuda, cuCtxPopCurrent_v2)(&before);
}

static void cuda_attach(struct xshim_stream *stream)
{
    REAL(cuda, cuCtxSetCurrent)(stream->context);
}

/* As a text that OpenCL uses for it, too. */
static bool name_device(char *name, size_t size, void *context)
{
    void *before;
    int device;
    unsigned char uuid[16];
    if (!enter(context, &before)) {
        return false;
    }
    bool known = REAL(cuda, cuCtxGetDevice)(&device) == 0 &&
                 REAL(cuda, cuDeviceGetUuid)(uuid, device) == 0;
    leave(before);
    if (known) {
        xshim_name_after_uuid(name, size, uuid);
    }
    return known;
}

static void forget(void *context)
{
    cuda_forget_gate(context);
    cuda_forget_stay(context);
}

static const struct events_driver cuda_driver = {
    .platform = &cuda_platform,
    .legacy = CU_STREAM_LEGACY,
    .event_create = &cuda_functions[at_cuEventCreate],
    .event_record = &cuda_functions[at_cuEventRecord],
    .event_query = &cuda_functions[at_cuEventQuery],
    .event_elapsed_time = &cuda_functions[at_cuEventElapsedTime],
    .stream_query = &cuda_functions[at_cuStreamQuery],
    .stream_synchronize = &cuda_functions[at_cuStreamSynchronize],
    .stream_is_capturing = &cuda_functions[at_cuStreamIsCapturing],
    .current = current_context,
    .context_of = context_of,
    .enter = enter,
    .leave = leave,
    .name_device = name_device,
    .forget = forget,
};

struct xshim_stream *cuda_stream(void *handle)
{
    return events_stream(&cuda_driver, CUDA_NO_STREAM(handle));
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
        events_forget_context(&cuda_driver, context);
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
    captures_forbid_asking(); /* until we know */
    int result = real(device);
    if (result == 0 && !is_alive(device)) {
        forget_contexts_of(device);
    }
    captures_allow_asking();
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

const struct xshim_platform cuda_platform = {
    .name = "CUDA",
    .library = "libcuda.so.1",
    .library_variable = "XSCHED_CUDA_LIB",
    .functions = cuda_functions,
    .count = CUDA_FUNCTIONS,
    .events = &cuda_driver,
    .mark = events_mark,
    .poll = events_poll,
    .look = events_look,
    .sync = events_sync,
    .attach = cuda_attach,
    .plant_gate = cuda_plant_gate,
    .turn_gates = cuda_turn_gates,
    .prepare_stay = cuda_prepare_stay,
    .stay_word = cuda_stay_word,
    .stay = cuda_stay,
};
