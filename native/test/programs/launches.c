/* Kernels that do next to nothing, so that launching them is all that counts. */
#include "opencl.h"

#include <stdio.h>
#include <sys/resource.h>

struct functions cl = {FUNCTIONS(LINK)};

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
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
    double cpu = cpu_seconds();
    for (; goes_on(requests); requests++) {
        int64_t begin = now_nanos();
        for (long i = 0; i < options.kernels; i++) {
            launch(queue, kernel, ++number, 0, NULL, NULL);
        }
        MUST(cl.clFinish(queue));
        took(now_nanos() - begin);
    }
    cpu = cpu_seconds() - cpu;
    MUST(cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));
    add_to_hash(result, sizeof result);
    print_results(requests, number);
    printf("cpu_seconds %.6f\n", cpu);
    MUST(cl.clReleaseCommandQueue(queue));
    return 0;
}
