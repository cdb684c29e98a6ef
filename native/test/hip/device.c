/* Devices and memory. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#define NAME "Stand-in for an AMD GPU"
#define HIP_VERSION 60443482 /* 6.4 */
#define INVALID_DEVICE 101
#define MEMORY (1ull << 30)
#define MULTIPROCESSORS 4
#define WARP 64
#define BLOCK 1024
enum { MAX_THREADS_PER_BLOCK = 56, MULTIPROCESSOR_COUNT = 63, WARP_SIZE = 87 };

static struct context *devices[DEVICES];

static void tell(void)
{
    if (standin_opens != NULL) {
        standin_opens();
    }
}

void open_device(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, tell);
}

static struct context *context_of(int device)
{
    if (devices[device] == NULL) {
        devices[device] = new_context(device);
    }
    return devices[device];
}

void settle(void)
{
    struct context **top = context_top();
    if (*top == NULL || !(*top)->alive) {
        *top = context_of(*top == NULL ? 0 : (*top)->device);
    }
}

/* As many as a test wants; one where nobody asks. */
static int device_count(void)
{
    const char *wanted = getenv("XSCHED_TEST_HIP_DEVICES");
    int count = wanted == NULL ? 1 : atoi(wanted);
    return count < DEVICES ? count : DEVICES;
}

static bool is_device(int device)
{
    return device >= 0 && device < device_count();
}

EXPORTED int hipInit(unsigned flags)
{
    (void)flags;
    return 0;
}

EXPORTED int hipRuntimeGetVersion(int *version)
{
    *version = HIP_VERSION;
    return 0;
}

EXPORTED int hipDriverGetVersion(int *version)
{
    *version = HIP_VERSION;
    return 0;
}

EXPORTED int hipGetDeviceCount(int *count)
{
    *count = device_count();
    return 0;
}

EXPORTED int hipDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return is_device(ordinal) ? 0 : INVALID_DEVICE;
}

EXPORTED int hipDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, NAME);
    return is_device(device) ? 0 : INVALID_DEVICE;
}

#ifndef OLD
/* As on real ones: 16 letters of a number in hex. */
EXPORTED int hipDeviceGetUuid(void *uuid, int device)
{
    char text[17];
    snprintf(text, sizeof text, "5ca1ab1e%08x", (unsigned)device);
    memcpy(uuid, text, 16);
    return is_device(device) ? 0 : INVALID_DEVICE;
}

/* Of ROCm 6 on: other places for most, but the name. */
EXPORTED int hipGetDevicePropertiesR0600(char *properties, int device)
{
    strcpy(properties, NAME);
    return is_device(device) ? 0 : INVALID_DEVICE;
}
#endif

EXPORTED int hipGetDeviceProperties(char *properties, int device)
{
    strcpy(properties, NAME);
    return is_device(device) ? 0 : INVALID_DEVICE;
}

EXPORTED int hipDeviceGetPCIBusId(char *text, int size, int device)
{
    snprintf(text, (size_t)size, "0000:%02x:00.0", 0x0c + (unsigned)device);
    return is_device(device) ? 0 : INVALID_DEVICE;
}

EXPORTED int hipDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == MULTIPROCESSOR_COUNT    ? MULTIPROCESSORS
             : attribute == WARP_SIZE             ? WARP
             : attribute == MAX_THREADS_PER_BLOCK ? BLOCK
                                                  : 1;
    return is_device(device) ? 0 : INVALID_DEVICE;
}

EXPORTED int hipDeviceTotalMem(size_t *bytes, int device)
{
    *bytes = MEMORY;
    return is_device(device) ? 0 : INVALID_DEVICE;
}

EXPORTED int hipMemGetInfo(size_t *available, size_t *total)
{
    *available = *total = MEMORY;
    return 0;
}

EXPORTED int hipGetDevice(void *device)
{
    ENTER((uint64_t)device);
    settle();
    *(int *)device = current_context()->device;
    return leave(0);
}

EXPORTED int hipSetDevice(int device)
{
    ENTER((unsigned)device);
    if (is_device(device)) {
        *context_top() = context_of(device);
    }
    return leave(is_device(device) ? 0 : INVALID_DEVICE);
}

EXPORTED int hipSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return 0;
}

static int reset(int device)
{
    if (devices[device] != NULL) {
        end_context(devices[device]);
        devices[device] = NULL;
    }
    return 0;
}

EXPORTED int hipDeviceReset(void)
{
    ENTER(0);
    settle();
    return leave(reset(current_context()->device));
}

EXPORTED int hipDevicePrimaryCtxReset(int device)
{
    ENTER((unsigned)device);
    return leave(is_device(device) ? reset(device) : INVALID_DEVICE);
}

EXPORTED const char *hipGetErrorString(int error)
{
    return error == 0 ? "no error" : error == 100 ? "no ROCm-capable device" : "an error";
}

EXPORTED const char *hipGetErrorName(int error)
{
    return error == 0 ? "hipSuccess" : "hipErrorUnknown";
}

/* As up to ROCm 6, of whichever call. */
EXPORTED int hipGetLastError(void)
{
    int result = last_result;
    last_result = 0;
    return result;
}

/* Memory. */

EXPORTED int hipMalloc(void **memory, size_t size)
{
    ENTER((uint64_t)memory, size);
    int refused = unsafe();
    if (refused == 0) {
        *memory = new_memory(size);
    }
    return leave(refused);
}

EXPORTED int hipHostMalloc(void **memory, size_t size, unsigned flags)
{
    (void)flags;
    return hipMalloc(memory, size);
}

EXPORTED int hipFree(void *memory)
{
    ENTER((uint64_t)memory);
    settle();
    int refused = memory == NULL ? 0 : unsafe();
    if (refused == 0 && memory != NULL) {
        await_context(current_context());
        refused = forget_memory(memory) ? 0 : INVALID_VALUE;
    }
    return leave(refused);
}

EXPORTED int hipHostFree(void *memory)
{
    return hipFree(memory);
}
