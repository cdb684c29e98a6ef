/*
 * Kernels that do next to nothing, so that launching them is all that counts. Every second request
 * goes straight to the driver, past whatever is in front of it: requests that follow each other in
 * one process meet the same machine, and what the one costs more is what stands in between.
 */
#include "opencl.h"

#include <CL/cl_icd.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REQUESTS 100000

struct functions cl = {FUNCTIONS(LINK)};

static double linked[MOST_REQUESTS], straight[MOST_REQUESTS];

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, long count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count == 0 ? 0 : values[count / 2];
}

/* Where the loader finds the driver's own functions: every object of OpenCL begins with them. */
static struct functions driver_of(cl_command_queue queue)
{
    const cl_icd_dispatch *dispatch = *(cl_icd_dispatch *const *)queue;
    struct functions driver = cl;
    driver.clSetKernelArg = dispatch->clSetKernelArg;
    driver.clEnqueueNDRangeKernel = dispatch->clEnqueueNDRangeKernel;
    driver.clFinish = dispatch->clFinish;
    return driver;
}

/* Processor time of the threads whose name begins so. */
static double seconds_of_threads(const char *prefix)
{
    double seconds = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
        char path[300], name[32] = "";
        unsigned long long nanos = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file != NULL && fgets(name, sizeof name, file) != NULL &&
            strncmp(name, prefix, strlen(prefix)) == 0) {
            snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", entry->d_name);
            FILE *times = fopen(path, "r");
            if (times != NULL && fscanf(times, "%llu", &nanos) == 1) {
                seconds += (double)nanos / 1e9;
            }
            if (times != NULL) {
                fclose(times);
            }
        }
        if (file != NULL) {
            fclose(file);
        }
    }
    if (threads != NULL) {
        closedir(threads);
    }
    return seconds;
}

int main(int count, char **arguments)
{
    cl_uint result[ITEMS];
    long requests = 0;
    cl_uint number = 0;
    options.work = 1;
    options.kernels = 100;
    read_options(count, arguments);
    open_device();
    cl_command_queue queue = new_queue(false);
    cl_mem buffer = new_buffer();
    cl_kernel kernel = new_kernel(buffer);
    launch(queue, kernel, ++number, 0, NULL, NULL); /* compiles it */
    MUST(cl.clFinish(queue));
    const struct functions loader = cl, driver = driver_of(queue);
    double library = seconds_of_threads("xsched");
    for (; goes_on(requests) && requests / 2 < MOST_REQUESTS; requests++) {
        cl = requests % 2 == 0 ? loader : driver;
        int64_t begin = now_nanos();
        for (long i = 0; i < options.kernels; i++) {
            launch(queue, kernel, ++number, 0, NULL, NULL);
        }
        MUST(cl.clFinish(queue));
        double micros = (double)(now_nanos() - begin) / 1e3 / (double)options.kernels;
        (requests % 2 == 0 ? linked : straight)[requests / 2] = micros;
    }
    cl = loader;
    library = seconds_of_threads("xsched") - library;
    MUST(cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));
    add_to_hash(result, sizeof result);
    print_results(requests, number);
    printf("linked_us %.4f\nstraight_us %.4f\nlibrary_seconds %.6f\n",
           median(linked, (requests + 1) / 2), median(straight, requests / 2), library);
    MUST(cl.clReleaseCommandQueue(queue));
    return 0;
}
