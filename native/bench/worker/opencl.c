/* OpenCL, found at run time: without it the worker still does CUDA. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "answer.h"
#include "backend.h"
#include "text.h"

#define FUNCTIONS(X)                                                                               \
    X(clGetPlatformIDs)                                                                            \
    X(clGetDeviceIDs)                                                                              \
    X(clGetDeviceInfo)                                                                             \
    X(clCreateContext)                                                                             \
    X(clCreateProgramWithSource)                                                                   \
    X(clBuildProgram)                                                                              \
    X(clGetProgramBuildInfo)                                                                       \
    X(clCreateCommandQueueWithProperties)                                                          \
    X(clReleaseCommandQueue)                                                                       \
    X(clCreateBuffer)                                                                              \
    X(clReleaseMemObject)                                                                          \
    X(clCreateKernel)                                                                              \
    X(clSetKernelArg)                                                                              \
    X(clReleaseKernel)                                                                             \
    X(clEnqueueNDRangeKernel)                                                                      \
    X(clEnqueueReadBuffer)                                                                         \
    X(clGetEventInfo)                                                                              \
    X(clWaitForEvents)                                                                             \
    X(clReleaseEvent)                                                                              \
    X(clFlush)

#define POINTER(function) static __typeof__(function) *p_##function;
FUNCTIONS(POINTER)

static cl_device_id device;
static cl_context context;
static cl_program program;

static bool succeeded(cl_int result, const char *call)
{
    return result == CL_SUCCESS ||
           problem("%s gave %d; see with '%s' whether the device is still there", call, result,
                   backend->shown_by);
}

static bool find_functions(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return problem("no libOpenCL.so.1; install an OpenCL driver such as pocl-opencl-icd");
    }
#define LOOK_UP(function)                                                                          \
    p_##function = (__typeof__(function) *)dlsym(library, #function);                              \
    if (p_##function == NULL) {                                                                    \
        return problem("libOpenCL.so.1 has no %s; install a driver of OpenCL 2.0 or later",       \
                       #function);                                                                 \
    }
    FUNCTIONS(LOOK_UP)
    return true;
}

static bool build(void)
{
    cl_int error;
    char log[256] = "", path[4096];
    char *source = beside(path, sizeof path, "kernels.cl") ? read_text(path) : NULL;
    if (source == NULL) {
        return problem("no kernels.cl beside this worker; build it again with 'make -C native'");
    }
    const char *text = source;
    program = p_clCreateProgramWithSource(context, 1, &text, NULL, &error);
    free(source);
    if (!succeeded(error, "clCreateProgramWithSource")) {
        return false;
    }
    error = p_clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (error != CL_SUCCESS) {
        p_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        return problem("this OpenCL does not compile kernels.cl (%d); mend it there: %s", error,
                       log);
    }
    return true;
}

static bool open_device(void)
{
    cl_platform_id platform;
    cl_int error;
    if (!find_functions()) {
        return false;
    }
    if (p_clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        p_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        return problem("no OpenCL device; install a driver such as pocl-opencl-icd");
    }
    context = p_clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    return succeeded(error, "clCreateContext") && build();
}

static bool enter(void)
{
    return true;
}

static struct grid full(void)
{
    cl_device_type type = 0;
    cl_uint units = 1;
    p_clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    p_clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    /* Some more groups than cores, so that none waits long for another that got its core late. */
    size_t group = (type & CL_DEVICE_TYPE_CPU) != 0 ? 1 : 256;
    return (struct grid){.width = units * 4u * group, .height = 1, .group = group};
}

static bool make_queue(void **queue)
{
    cl_int error;
    *queue = p_clCreateCommandQueueWithProperties(context, device, NULL, &error);
    return succeeded(error, "clCreateCommandQueueWithProperties");
}

static void free_queue(void *queue)
{
    p_clReleaseCommandQueue(queue);
}

static bool make_buffer(uint64_t *buffer, size_t bytes)
{
    cl_int error;
    *buffer = (uintptr_t)p_clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    return succeeded(error, "clCreateBuffer");
}

static void free_buffer(uint64_t buffer)
{
    p_clReleaseMemObject((cl_mem)(uintptr_t)buffer);
}

static bool make_kernel(void **kernel, const char *name, const struct value *values, int count)
{
    cl_int error;
    *kernel = p_clCreateKernel(program, name, &error);
    for (int i = 0; error == CL_SUCCESS && i < count; i++) {
        error = p_clSetKernelArg(*kernel, (cl_uint)i, values[i].size, &values[i].of);
    }
    return succeeded(error, name);
}

static void free_kernel(void *kernel)
{
    p_clReleaseKernel(kernel);
}

static bool launch(void *queue, void *kernel, const struct grid *grid, void **mark)
{
    size_t global[2] = {grid->width, grid->height};
    size_t local[2] = {grid->group, 1};
    cl_event event;
    if (!succeeded(p_clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL,
                                            mark == NULL ? NULL : &event),
                   "clEnqueueNDRangeKernel")) {
        return false;
    }
    if (mark != NULL) {
        *mark = event;
    }
    return mark == NULL || succeeded(p_clFlush(queue), "clFlush");
}

static bool has_ended(void *mark, bool *ended)
{
    cl_int status = CL_QUEUED;
    cl_int result = p_clGetEventInfo(mark, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                     &status, NULL);
    *ended = status <= CL_COMPLETE;
    return succeeded(result, "clGetEventInfo");
}

static bool wait(void *mark)
{
    cl_event event = mark;
    cl_int result = p_clWaitForEvents(1, &event);
    p_clReleaseEvent(event);
    return succeeded(result, "clWaitForEvents");
}

static bool read(void *queue, uint64_t buffer, size_t bytes, void *to)
{
    return succeeded(p_clEnqueueReadBuffer(queue, (cl_mem)(uintptr_t)buffer, CL_TRUE, 0, bytes, to,
                                           0, NULL, NULL),
                     "clEnqueueReadBuffer");
}

const struct backend opencl_backend = {
    .name = "opencl",
    .hwqueue_create = "OpenclQueueCreate",
    .shown_by = "clinfo",
    .large = false,
    .networks = true,
    .open = open_device,
    .enter = enter,
    .full = full,
    .make_queue = make_queue,
    .free_queue = free_queue,
    .make_buffer = make_buffer,
    .free_buffer = free_buffer,
    .make_kernel = make_kernel,
    .free_kernel = free_kernel,
    .launch = launch,
    .launch_watched = launch,
    .has_ended = has_ended,
    .wait = wait,
    .read = read,
};
