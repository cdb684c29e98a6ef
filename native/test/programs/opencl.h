/*
 * What small OpenCL programs share that know nothing of XSched: options, a device, a kernel whose
 * results depend on the number and the order of its launches, and what they print at their end.
 *
 *   --requests N   how much to do (then results are the same in every run), or
 *   --seconds S    how long
 *   --kernels N    per request
 *   --work N       steps of each work item of a kernel, so how long it takes
 *   --pause-us N   between requests
 */
#ifndef XSCHED_PROGRAMS_OPENCL_H
#define XSCHED_PROGRAMS_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

#define ITEMS 64u /* enough to keep a few cores busy */
#define BYTES (ITEMS * sizeof(cl_uint))

/* All that these programs call, so that one of them can look it up by itself. */
#define FUNCTIONS(X)                                                                               \
    X(clGetPlatformIDs)                                                                            \
    X(clGetDeviceIDs)                                                                              \
    X(clGetDeviceInfo)                                                                             \
    X(clCreateContext)                                                                             \
    X(clCreateCommandQueueWithProperties)                                                          \
    X(clReleaseCommandQueue)                                                                       \
    X(clCreateBuffer)                                                                              \
    X(clCreateProgramWithSource)                                                                   \
    X(clBuildProgram)                                                                              \
    X(clCreateKernel)                                                                              \
    X(clSetKernelArg)                                                                              \
    X(clEnqueueNDRangeKernel)                                                                      \
    X(clEnqueueReadBuffer)                                                                         \
    X(clEnqueueWriteBuffer)                                                                        \
    X(clEnqueueMapBuffer)                                                                          \
    X(clEnqueueUnmapMemObject)                                                                     \
    X(clCreateUserEvent)                                                                           \
    X(clSetUserEventStatus)                                                                        \
    X(clSetEventCallback)                                                                          \
    X(clWaitForEvents)                                                                             \
    X(clReleaseEvent)                                                                              \
    X(clFlush)                                                                                     \
    X(clFinish)

#define POINTER(function) __typeof__(function) *function;
struct functions {
    FUNCTIONS(POINTER)
};
extern struct functions cl; /* each program fills it in its own way */
#define LINK(function) .function = function,

struct options {
    long requests; /* 0: as long as it takes */
    double seconds;
    long kernels;
    cl_uint work;
    long pause_us;
};

extern struct options options;

void read_options(int count, char **arguments);

/* Ends the program if it does not succeed. */
#define MUST(call) must((call), #call, __FILE__, __LINE__)
void must(cl_int result, const char *call, const char *file, int line);

/* A device with one context; ends the program with code 77 if there is none. */
void open_device(void);
cl_context the_context(void);
cl_command_queue new_queue(bool out_of_order);
cl_mem new_buffer(void);
cl_kernel new_kernel(cl_mem buffer);

/* One step of the computation, whose result depends on this number. */
void launch(cl_command_queue queue, cl_kernel kernel, cl_uint number, cl_uint waits,
            const cl_event *events, cl_event *event);

int64_t now_nanos(void);

/* Whether another request is to be made, after so many. */
bool goes_on(long requests);

/* How long one took, for percentiles. */
void took(int64_t nanos);

void add_to_hash(const void *memory, size_t size);

/*
 * "device NAME", "requests N", "commands N", "seconds S", "per_second R", "busy_seconds S" in requests,
 * "p50_us", "p99_us", "hash H".
 */
void print_results(long requests, long commands);

#endif
