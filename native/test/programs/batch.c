/* Linked with OpenCL; one queue in order, fed without a pause, and waited for after each request. */
#include "opencl.h"

struct functions cl = {FUNCTIONS(LINK)};

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
        for (long i = 0; i < options.kernels; i++) {
            launch(queue, kernel, ++number, 0, NULL, NULL);
        }
        MUST(cl.clFinish(queue));
    }
    MUST(cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));
    add_to_hash(result, sizeof result);
    print_results(requests, number);
    MUST(cl.clReleaseCommandQueue(queue));
    return 0;
}
