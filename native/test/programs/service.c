/* Answers requests: some kernels and a blocking read of the result, then a pause. */
#include "opencl.h"

#include <time.h>

struct functions cl = {FUNCTIONS(LINK)};

static void pause_between(void)
{
    struct timespec time = {.tv_sec = options.pause_us / 1000000,
                            .tv_nsec = options.pause_us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

int main(int count, char **arguments)
{
    cl_uint result[ITEMS];
    long requests = 0;
    cl_uint number = 0;
    read_options(count, arguments);
    open_device();
    cl_command_queue queue = new_queue(false);
    cl_mem buffer = new_buffer();
    cl_kernel kernel = new_kernel(buffer);
    for (; goes_on(requests); requests++) {
        int64_t begin = now_nanos();
        for (long i = 0; i < options.kernels; i++) {
            launch(queue, kernel, ++number, 0, NULL, NULL);
        }
        MUST(cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));
        took(now_nanos() - begin);
        pause_between();
    }
    add_to_hash(result, sizeof result);
    print_results(requests, number + requests);
    MUST(cl.clReleaseCommandQueue(queue));
    return 0;
}
