/*
 * The HIP runtime API; events.c has what it shares with CUDA. A device is what a context is there:
 * every thread uses one, and a stream belongs to one.
 *
 * The runtime calls some of its own functions by their exported names, so that such calls come here,
 * too (in ROCm 5.2 hipMemcpyPeer calls hipMemcpy). They are known by the code that they come from:
 * these are neither gated nor counted, because the runtime may hold locks of its own meanwhile.
 */
#include <stdio.h>
#include <string.h>

#include "hip.h"
#include "platforms.h"

#define HIP_NO_DRIVER 303 /* hipErrorSharedObjectInitFailed */
#define HIP_STREAM_LEGACY ((void *)1)

/*
 * What no stream means, in the function as such and in its per-thread twin. The legacy stream has a
 * handle of its own only since ROCm 6.2, so to us it is none.
 */
#define HIP_NO_STREAM(stream) ((stream) == HIP_STREAM_LEGACY ? NULL : (stream))
#define HIP_OWN_STREAM(stream) ((stream) == NULL ? EVENTS_PER_THREAD : HIP_NO_STREAM(stream))

static struct xshim_code hip_code;
#define HIP_CALLS_ITSELF(real)                                                                     \
    xshim_is_in_code(&hip_code, (void *)(real), __builtin_return_address(0))

void hip_is_entered_by_table(void)
{
    atomic_store(&hip_code.start, 1);
    atomic_store(&hip_code.end, 1);
}

static void *context_on(int device)
{
    return (void *)(intptr_t)(device + 1);
}

static int device_of(void *context)
{
    return (int)(intptr_t)context - 1;
}

static void *current_device(void)
{
    int device;
    return REAL(hip, hipGetDevice)(&device) == 0 ? context_on(device) : NULL;
}

static void *context_of(void *stream)
{
    int device;
    if (REAL(hip, hipStreamGetDevice) != NULL) {
        return REAL(hip, hipStreamGetDevice)(stream, &device) == 0 ? context_on(device) : NULL;
    }
    device = REAL(hip, hipGetStreamDeviceId) == NULL ? -1 : REAL(hip, hipGetStreamDeviceId)(stream);
    return device < 0 ? current_device() : context_on(device); /* -1: it does not know */
}

static bool enter(void *context, void **before)
{
    *before = current_device();
    return *before == context || REAL(hip, hipSetDevice)(device_of(context)) == 0;
}

static void leave(void *before)
{
    if (before != NULL && current_device() != before) {
        REAL(hip, hipSetDevice)(device_of(before));
    }
}

static void hip_attach(struct xshim_stream *stream)
{
    REAL(hip, hipSetDevice)(device_of(stream->context));
}

/* After the device itself, or where the runtime does not know that, after where it is plugged in. */
static bool name_device(char *name, size_t size, void *context)
{
    static const unsigned char none[16];
    unsigned char uuid[16];
    char place[32];
    int device = device_of(context);
    if (REAL(hip, hipDeviceGetUuid) != NULL && REAL(hip, hipDeviceGetUuid)(uuid, device) == 0 &&
        memcmp(uuid, none, sizeof uuid) != 0) {
        xshim_name_after_uuid(name, size, uuid);
        return true;
    }
    if (REAL(hip, hipDeviceGetPCIBusId) == NULL ||
        REAL(hip, hipDeviceGetPCIBusId)(place, sizeof place, device) != 0) {
        return false;
    }
    snprintf(name, size, "hip:%s", place);
    return true;
}

/*
 * Up to ROCm 6, hipGetLastError() gives the result of the thread's last call, whatever that was, and
 * programs ask for it after each launch: neither may they see one of ours, nor may it hide theirs.
 */
static void succeed(void)
{
    int device;
    REAL(hip, hipGetDevice)(&device);
}

static const struct events_driver hip_driver = {
    .platform = &hip_platform,
    .legacy = NULL,
    .event_create = &hip_functions[at_hipEventCreateWithFlags],
    .event_record = &hip_functions[at_hipEventRecord],
    .event_query = &hip_functions[at_hipEventQuery],
    .event_elapsed_time = &hip_functions[at_hipEventElapsedTime],
    .stream_query = &hip_functions[at_hipStreamQuery],
    .stream_synchronize = &hip_functions[at_hipStreamSynchronize],
    .stream_is_capturing = &hip_functions[at_hipStreamIsCapturing],
    .current = current_device,
    .context_of = context_of,
    .enter = enter,
    .leave = leave,
    .name_device = name_device,
    .succeed = succeed,
};

struct xshim_stream *hip_stream(void *handle)
{
    return events_stream(&hip_driver, HIP_NO_STREAM(handle));
}

/* All streams and events of a device end. */
static void begin_reset(void *context)
{
    captures_forbid_asking();
    if (context != NULL) {
        events_forget_context(&hip_driver, context);
    }
}

EXPORTED int hipDeviceReset(void)
{
    hipDeviceReset_f real = REAL(hip, hipDeviceReset);
    if (real == NULL) {
        return HIP_NO_DRIVER;
    }
    begin_reset(current_device());
    int result = real();
    captures_allow_asking();
    return result;
}

EXPORTED int hipDevicePrimaryCtxReset(int device)
{
    hipDevicePrimaryCtxReset_f real = REAL(hip, hipDevicePrimaryCtxReset);
    if (real == NULL) {
        return HIP_NO_DRIVER;
    }
    begin_reset(context_on(device));
    int result = real(device);
    captures_allow_asking();
    return result;
}

/*
 * What a program asks for by name may be the per-thread twin, as flags have it. Which one it got is
 * told by its address. The runtime searches itself by dlsym, which is to find its own.
 */
static void replace(const char *symbol, void **address)
{
    size_t length = strlen(symbol);
    for (size_t i = 0; *address != NULL && i < HIP_FUNCTIONS; i++) {
        struct xshim_function *function = &hip_functions[i];
        if (function->wrapper != NULL && strncmp(function->name, symbol, length) == 0 &&
            xshim_real(&hip_platform, function) == *address) {
            *address = function->wrapper;
            return;
        }
    }
}

#define FINDS_FUNCTIONS(function, parameters, ...)                                                 \
    EXPORTED int function parameters                                                               \
    {                                                                                              \
        function##_f real = REAL(hip, function);                                                   \
        xshim_inside++;                                                                            \
        int result = real == NULL ? HIP_NO_DRIVER : real(__VA_ARGS__);                             \
        xshim_inside--;                                                                            \
        if (result == 0 && symbol != NULL && address != NULL) {                                    \
            replace(symbol, address);                                                              \
        }                                                                                          \
        return result;                                                                             \
    }

FINDS_FUNCTIONS(hipGetProcAddress,
                (void *symbol, void *address, int version, uint64_t flags, void *status), symbol,
                address, version, flags, status)
FINDS_FUNCTIONS(hipGetProcAddress_spt,
                (void *symbol, void *address, int version, uint64_t flags, void *status), symbol,
                address, version, flags, status)
FINDS_FUNCTIONS(hipGetDriverEntryPoint,
                (void *symbol, void *address, uint64_t flags, void *status), symbol, address, flags,
                status)
FINDS_FUNCTIONS(hipGetDriverEntryPoint_spt,
                (void *symbol, void *address, uint64_t flags, void *status), symbol, address, flags,
                status)

#include "hip.gen.c"

const struct xshim_platform hip_platform = {
    .name = "HIP",
    .library = "libamdhip64.so.7",
    .older = {"libamdhip64.so.6", "libamdhip64.so.5"},
    .library_variable = "XSCHED_HIP_LIB",
    .functions = hip_functions,
    .count = HIP_FUNCTIONS,
    .events = &hip_driver,
    .mark = events_mark,
    .poll = events_poll,
    .look = events_look,
    .sync = events_sync,
    .attach = hip_attach,
};
