#include "opencl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define CL_DEVICE_TYPE_ALL 0xffffffffull
#define CL_TRUE 1u
#define CL_MEM_READ_WRITE 1ull

static const char source[] =
    "kernel void append(global int *list, int value) { list[++list[0]] = value; }\n"
    "kernel void spin(global int *sink, int rounds)\n"
    "{\n"
    "    int x = sink[0];\n"
    "    for (int i = 0; i < rounds; i++) { x = x * 1664525 + 1013904223; x ^= x >> 7; }\n"
    "    sink[0] = x;\n"
    "}\n";

static void *library, *context, *device, *program, *sink;
static int rounds_per_milli = 1000;

static void *function(const char *name)
{
    void *found = dlsym(library, name);
    CHECK(found != NULL);
    return found;
}

#define CALL(name, returns, ...) ((returns(*)(__VA_ARGS__))function(#name))

static void *make_buffer(size_t bytes)
{
    int error = 0;
    void *buffer = CALL(clCreateBuffer, void *, void *, uint64_t, size_t, void *, int *)(
        context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    CHECK(error == 0);
    return buffer;
}

static void *make_kernel(const char *name)
{
    int error = 0;
    void *kernel = CALL(clCreateKernel, void *, void *, const char *, int *)(program, name, &error);
    CHECK(error == 0);
    return kernel;
}

/* One work item; the kernel is released at once, the driver keeps it for as long as it runs. */
static bool launch(struct _cl_command_queue *queue, const char *name, void *buffer, int number)
{
    size_t one = 1;
    void *kernel = make_kernel(name);
    CHECK(CALL(clSetKernelArg, int, void *, unsigned, size_t, const void *)(
              kernel, 0, sizeof buffer, &buffer) == 0);
    CHECK(CALL(clSetKernelArg, int, void *, unsigned, size_t, const void *)(
              kernel, 1, sizeof number, &number) == 0);
    int error = CALL(clEnqueueNDRangeKernel, int, void *, void *, unsigned, const size_t *,
                     const size_t *, const size_t *, unsigned, const void *, void **)(
        queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    CALL(clReleaseKernel, int, void *)(kernel);
    return error == 0;
}

static void learn_speed(void)
{
    struct _cl_command_queue *queue = opencl_queue();
    launch(queue, "spin", sink, 1);
    opencl_finish(queue);
    int64_t start = now_nanos();
    launch(queue, "spin", sink, 4000000);
    opencl_finish(queue);
    int64_t nanos = now_nanos() - start;
    rounds_per_milli = (int)(4000000ll * 1000000ll / (nanos > 0 ? nanos : 1));
    opencl_release(queue);
}

bool opencl_start(void)
{
    void *platform = NULL;
    unsigned count = 0;
    int error = 0;
    const char *text = source;
    library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (library == NULL ||
        CALL(clGetPlatformIDs, int, unsigned, void **, unsigned *)(1, &platform, &count) != 0 ||
        count == 0 ||
        CALL(clGetDeviceIDs, int, void *, uint64_t, unsigned, void **, unsigned *)(
            platform, CL_DEVICE_TYPE_ALL, 1, &device, &count) != 0) {
        printf("skipped: no OpenCL here\n");
        return false;
    }
    context = CALL(clCreateContext, void *, const void *, unsigned, void **, void *, void *,
                   int *)(NULL, 1, &device, NULL, NULL, &error);
    CHECK(error == 0);
    program = CALL(clCreateProgramWithSource, void *, void *, unsigned, const char **,
                   const size_t *, int *)(context, 1, &text, NULL, &error);
    CHECK(error == 0);
    CHECK(CALL(clBuildProgram, int, void *, unsigned, void **, const char *, void *, void *)(
              program, 1, &device, "", NULL, NULL) == 0);
    sink = make_buffer(sizeof(int));
    learn_speed();
    return true;
}

struct _cl_command_queue *opencl_queue(void)
{
    int error = 0;
    void *queue = CALL(clCreateCommandQueue, void *, void *, void *, uint64_t, int *)(
        context, device, 0, &error);
    CHECK(error == 0);
    return queue;
}

void opencl_release(struct _cl_command_queue *queue)
{
    CALL(clReleaseCommandQueue, int, void *)(queue);
}

bool opencl_finish(struct _cl_command_queue *queue)
{
    return CALL(clFinish, int, void *)(queue) == 0;
}

bool opencl_spin(struct _cl_command_queue *queue, int millis)
{
    return launch(queue, "spin", sink, rounds_per_milli * millis);
}

struct list {
    void *buffer;
    size_t most;
};

struct list *list_make(size_t most)
{
    struct list *list = malloc(sizeof *list);
    struct _cl_command_queue *queue = opencl_queue();
    int zero = 0;
    CHECK(list != NULL);
    *list = (struct list){.buffer = make_buffer((most + 1) * sizeof(int)), .most = most};
    CHECK(CALL(clEnqueueWriteBuffer, int, void *, void *, unsigned, size_t, size_t, const void *,
               unsigned, const void *, void **)(queue, list->buffer, CL_TRUE, 0, sizeof zero,
                                                &zero, 0, NULL, NULL) == 0);
    opencl_release(queue);
    return list;
}

void list_free(struct list *list)
{
    CALL(clReleaseMemObject, int, void *)(list->buffer);
    free(list);
}

bool list_append(struct list *list, struct _cl_command_queue *queue, int value)
{
    return launch(queue, "append", list->buffer, value);
}

size_t list_read(struct list *list, struct _cl_command_queue *queue, int *values)
{
    int *all = calloc(list->most + 1, sizeof *all);
    CHECK(all != NULL);
    CHECK(CALL(clEnqueueReadBuffer, int, void *, void *, unsigned, size_t, size_t, void *, unsigned,
               const void *, void **)(queue, list->buffer, CL_TRUE, 0,
                                      (list->most + 1) * sizeof(int), all, 0, NULL, NULL) == 0);
    size_t count = (size_t)all[0];
    CHECK(count <= list->most);
    if (values != NULL) {
        memcpy(values, all + 1, count * sizeof *values);
    }
    free(all);
    return count;
}
