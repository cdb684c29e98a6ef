#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_SAMPLES 1000000

static const char source[] =
    "__kernel void advance(__global uint *data, uint number, uint work) {"
    "  uint x = data[get_global_id(0)];"
    "  for (uint i = 0; i < work; i++) x = x * 1664525u + 1013904223u;"
    "  data[get_global_id(0)] = x * 69069u + number;"
    "}";

struct options options = {.seconds = 1, .kernels = 10, .work = 20000};

static cl_device_id device;
static cl_context context;
static cl_program program;
static int64_t start;
static int64_t *samples;
static size_t sample_count;
static uint64_t hash = 14695981039346656037ull;

int64_t now_nanos(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000ll + time.tv_nsec;
}

void must(cl_int result, const char *call, const char *file, int line)
{
    if (result != CL_SUCCESS) {
        fprintf(stderr, "%s:%d: %s gave %d\n", file, line, call, result);
        exit(1);
    }
}

void read_options(int count, char **arguments)
{
    for (int i = 1; i + 1 < count; i += 2) {
        double value = atof(arguments[i + 1]);
        if (strcmp(arguments[i], "--requests") == 0) {
            options.requests = (long)value;
        } else if (strcmp(arguments[i], "--seconds") == 0) {
            options.seconds = value;
        } else if (strcmp(arguments[i], "--kernels") == 0) {
            options.kernels = (long)value;
        } else if (strcmp(arguments[i], "--work") == 0) {
            options.work = (cl_uint)value;
        } else if (strcmp(arguments[i], "--pause-us") == 0) {
            options.pause_us = (long)value;
        } else {
            fprintf(stderr, "no such option: %s\n", arguments[i]);
            exit(2);
        }
    }
}

void open_device(void)
{
    cl_platform_id platform;
    cl_int error;
    const char *text = source;
    if (cl.clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        puts("no OpenCL device");
        exit(77);
    }
    context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    MUST(error);
    program = cl.clCreateProgramWithSource(context, 1, &text, NULL, &error);
    MUST(error);
    MUST(cl.clBuildProgram(program, 1, &device, "", NULL, NULL));
    samples = malloc(MOST_SAMPLES * sizeof *samples);
}

cl_context the_context(void)
{
    return context;
}

cl_command_queue new_queue(bool out_of_order)
{
    cl_int error;
    cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    cl_command_queue queue =
        cl.clCreateCommandQueueWithProperties(context, device, properties, &error);
    MUST(error);
    return queue;
}

cl_mem new_buffer(void)
{
    cl_int error;
    cl_uint zeros[ITEMS] = {0};
    cl_mem buffer = cl.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES,
                                      zeros, &error);
    MUST(error);
    return buffer;
}

cl_kernel new_kernel(cl_mem buffer)
{
    cl_int error;
    cl_kernel kernel = cl.clCreateKernel(program, "advance", &error);
    MUST(error);
    MUST(cl.clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    MUST(cl.clSetKernelArg(kernel, 2, sizeof options.work, &options.work));
    return kernel;
}

void launch(cl_command_queue queue, cl_kernel kernel, cl_uint number, cl_uint waits,
            const cl_event *events, cl_event *event)
{
    size_t items = ITEMS;
    size_t group = ITEMS / 8;
    MUST(cl.clSetKernelArg(kernel, 1, sizeof number, &number));
    MUST(cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, waits, events, event));
}

bool goes_on(long requests)
{
    if (start == 0) {
        start = now_nanos();
    }
    return options.requests > 0 ? requests < options.requests
                                : (double)(now_nanos() - start) < options.seconds * 1e9;
}

void took(int64_t nanos)
{
    if (sample_count < MOST_SAMPLES) {
        samples[sample_count++] = nanos;
    }
}

/* FNV-1a. */
void add_to_hash(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211ull;
    }
}

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

void print_results(long requests, long commands)
{
    double seconds = (double)(now_nanos() - start) / 1e9;
    char name[256] = "";
    MUST(cl.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
    printf("device %s\n", name);
    printf("requests %ld\ncommands %ld\nseconds %.6f\nper_second %.3f\n", requests, commands,
           seconds, (double)requests / seconds);
    if (sample_count > 0) {
        int64_t busy = 0;
        for (size_t i = 0; i < sample_count; i++) {
            busy += samples[i];
        }
        printf("busy_seconds %.6f\n", (double)busy / 1e9);
        qsort(samples, sample_count, sizeof *samples, compare);
        printf("p50_us %.1f\np99_us %.1f\n", (double)samples[(sample_count - 1) / 2] / 1e3,
               (double)samples[(sample_count - 1) * 99 / 100] / 1e3);
    }
    printf("hash %016llx\n", (unsigned long long)hash);
}
