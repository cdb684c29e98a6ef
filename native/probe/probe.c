/*
 * The smallest program that uses an accelerator as those do that know nothing of XSched: it finds
 * the driver by itself and has the device fill some memory. `xsched doctor` runs it to see whether
 * the scheduler notices.
 *
 *   xsched-probe [cuda|hip|opencl]
 *
 * Prints one line: "cuda NAME", "hip NAME" or "opencl NAME" when the device has done it, else "none
 * WHY". Then it stays until its standard input ends, so that it can be looked at. It declares what
 * it calls by itself: no driver's headers need to be there.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef XSCHED_FIRST
XSCHED_FIRST(dlopen);
XSCHED_FIRST(dlsym);
#endif

#define BYTES 4096

static char name[256]; /* of the device */
static char why[512];  /* nothing could be done; one part per driver */

static bool fail(const char *what, const char *about, long code)
{
    size_t length = strlen(why);
    snprintf(why + length, sizeof why - length, "%s%s %s", length == 0 ? "" : "; ", what, about);
    if (code != 0) {
        length = strlen(why);
        snprintf(why + length, sizeof why - length, " %ld", code);
    }
    return false;
}

/* All interfaces answer 0 when all is well. */
static bool did(const char *call, int code)
{
    return code == 0 || fail(call, "answers", code);
}

struct symbol {
    const char *name;
    void *function; /* address of the pointer to set */
};

static bool find(void *handle, const struct symbol *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(handle, symbols[i].name);
        if (function == NULL) {
            return fail(symbols[i].name, "is not in the driver", 0);
        }
        memcpy(symbols[i].function, &function, sizeof function);
    }
    return true;
}

static bool load(const char *library, const struct symbol *symbols, size_t count)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    return handle == NULL ? fail(library, "cannot be loaded", 0) : find(handle, symbols, count);
}

/* On the default stream of the primary context: that is where most programs work. */
static bool fill_by_cuda(void)
{
    int (*init)(unsigned);
    int (*get_device)(int *, int);
    int (*get_name)(char *, int, int);
    int (*retain)(void **, int);
    int (*set_current)(void *);
    int (*allocate)(unsigned long long *, size_t);
    int (*fill)(unsigned long long, unsigned char, size_t, void *);
    int (*synchronize)(void);
    const struct symbol symbols[] = {
        {"cuInit", &init},
        {"cuDeviceGet", &get_device},
        {"cuDeviceGetName", &get_name},
        {"cuDevicePrimaryCtxRetain", &retain},
        {"cuCtxSetCurrent", &set_current},
        {"cuMemAlloc_v2", &allocate},
        {"cuMemsetD8Async", &fill},
        {"cuCtxSynchronize", &synchronize},
    };
    int device;
    void *context;
    unsigned long long memory;
    return load("libcuda.so.1", symbols, sizeof symbols / sizeof symbols[0]) &&
           did("cuInit", init(0)) &&
           did("cuDeviceGet", get_device(&device, 0)) &&
           did("cuDeviceGetName", get_name(name, sizeof name, device)) &&
           did("cuDevicePrimaryCtxRetain", retain(&context, device)) &&
           did("cuCtxSetCurrent", set_current(context)) &&
           did("cuMemAlloc", allocate(&memory, BYTES)) &&
           did("cuMemsetD8Async", fill(memory, 1, BYTES, NULL)) &&
           did("cuCtxSynchronize", synchronize());
}

/* As programs find it: the newest version that is there, or another one that they are told of. */
static void *open_hip(void)
{
    static const char *const names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        "libamdhip64.so"};
    const char *told = getenv("XSCHED_HIP_LIB");
    if (told != NULL && told[0] != '\0') {
        return dlopen(told, RTLD_NOW | RTLD_LOCAL);
    }
    void *handle = NULL;
    for (size_t i = 0; handle == NULL && i < sizeof names / sizeof names[0]; i++) {
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    return handle;
}

static bool fill_by_hip(void)
{
    int (*init)(unsigned);
    int (*set_device)(int);
    int (*get_name)(char *, int, int);
    int (*allocate)(void **, size_t);
    int (*fill)(void *, int, size_t, void *);
    int (*synchronize)(void);
    const struct symbol symbols[] = {
        {"hipInit", &init},
        {"hipSetDevice", &set_device},
        {"hipDeviceGetName", &get_name},
        {"hipMalloc", &allocate},
        {"hipMemsetAsync", &fill},
        {"hipDeviceSynchronize", &synchronize},
    };
    void *memory;
    void *handle = open_hip();
    if (handle == NULL) {
        return fail("libamdhip64.so", "cannot be loaded", 0);
    }
    return find(handle, symbols, sizeof symbols / sizeof symbols[0]) &&
           did("hipInit", init(0)) &&
           did("hipSetDevice", set_device(0)) &&
           did("hipDeviceGetName", get_name(name, sizeof name, 0)) &&
           did("hipMalloc", allocate(&memory, BYTES)) &&
           did("hipMemsetAsync", fill(memory, 1, BYTES, NULL)) &&
           did("hipDeviceSynchronize", synchronize());
}

#define CL_DEVICE_TYPE_ALL 0xffffffffull
#define CL_DEVICE_NAME 0x102bu
#define CL_MEM_READ_WRITE 1ull
#define MOST_PLATFORMS 16

typedef int (*device_lister)(void *platform, uint64_t type, uint32_t room, void **devices,
                             uint32_t *count);

static bool first_device(void *const *platforms, uint32_t count, device_lister get, void **device)
{
    for (uint32_t i = 0; i < count && i < MOST_PLATFORMS; i++) {
        uint32_t found = 0;
        if (get(platforms[i], CL_DEVICE_TYPE_ALL, 1, device, &found) == 0 && found > 0) {
            return true;
        }
    }
    return fail("OpenCL", "has no device", 0);
}

static bool fill_by_opencl(void)
{
    int (*get_platforms)(uint32_t, void **, uint32_t *);
    device_lister get_devices;
    int (*get_info)(void *, uint32_t, size_t, void *, size_t *);
    void *(*make_context)(const intptr_t *, uint32_t, void **, void *, void *, int *);
    void *(*make_queue)(void *, void *, uint64_t, int *);
    void *(*make_buffer)(void *, uint64_t, size_t, void *, int *);
    int (*fill)(void *, void *, const void *, size_t, size_t, size_t, uint32_t, void *, void *);
    int (*finish)(void *);
    const struct symbol symbols[] = {
        {"clGetPlatformIDs", &get_platforms},
        {"clGetDeviceIDs", &get_devices},
        {"clGetDeviceInfo", &get_info},
        {"clCreateContext", &make_context},
        {"clCreateCommandQueue", &make_queue},
        {"clCreateBuffer", &make_buffer},
        {"clEnqueueFillBuffer", &fill},
        {"clFinish", &finish},
    };
    void *platforms[MOST_PLATFORMS];
    uint32_t count = 0;
    void *device;
    if (!load("libOpenCL.so.1", symbols, sizeof symbols / sizeof symbols[0]) ||
        !did("clGetPlatformIDs", get_platforms(MOST_PLATFORMS, platforms, &count)) ||
        !first_device(platforms, count, get_devices, &device) ||
        !did("clGetDeviceInfo", get_info(device, CL_DEVICE_NAME, sizeof name, name, NULL))) {
        return false;
    }
    int code = 0;
    void *context = make_context(NULL, 1, &device, NULL, NULL, &code);
    if (context == NULL) {
        return did("clCreateContext", code);
    }
    void *queue = make_queue(context, device, 0, &code);
    if (queue == NULL) {
        return did("clCreateCommandQueue", code);
    }
    void *buffer = make_buffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    if (buffer == NULL) {
        return did("clCreateBuffer", code);
    }
    const uint8_t pattern = 1;
    return did("clEnqueueFillBuffer",
               fill(queue, buffer, &pattern, 1, 0, BYTES, 0, NULL, NULL)) &&
           did("clFinish", finish(queue));
}

static void stay_until_input_ends(void)
{
    char ignored[64];
    while (read(STDIN_FILENO, ignored, sizeof ignored) > 0) {
    }
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        bool (*fill)(void);
    } drivers[] = {{"cuda", fill_by_cuda}, {"hip", fill_by_hip}, {"opencl", fill_by_opencl}};
    const char *wanted = count > 1 ? arguments[1] : "";
    const char *used = NULL;
    for (size_t i = 0; used == NULL && i < sizeof drivers / sizeof drivers[0]; i++) {
        bool asked = wanted[0] == '\0' || strcmp(wanted, drivers[i].name) == 0;
        if (asked && drivers[i].fill()) {
            used = drivers[i].name;
        }
    }
    printf("%s %s\n", used == NULL ? "none" : used, used == NULL ? why : name);
    fflush(stdout);
    if (used != NULL) {
        stay_until_input_ends();
    }
    return used == NULL;
}
