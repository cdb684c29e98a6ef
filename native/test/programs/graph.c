/*
 * Finds OpenCL by itself. One queue that may reorder, two buffers whose steps depend on each other
 * by events only, and waits for events.
 */
#include "opencl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct functions cl;

#define LOOK_UP(function) cl.function = (__typeof__(function) *)dlsym(library, #function);

int main(int count, char **arguments)
{
    cl_uint result[ITEMS];
    long requests = 0;
    cl_uint number = 0;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        puts("no OpenCL");
        return 77;
    }
    FUNCTIONS(LOOK_UP)
    read_options(count, arguments);
    open_device();
    cl_command_queue queue = new_queue(true);
    cl_mem buffers[2] = {new_buffer(), new_buffer()};
    cl_kernel kernels[2] = {new_kernel(buffers[0]), new_kernel(buffers[1])};
    for (; goes_on(requests); requests++) {
        cl_event last[2] = {NULL, NULL};
        for (long i = 0; i < options.kernels; i++) {
            for (int side = 0; side < 2; side++) {
                cl_event next;
                /* After its own last step and, now and then, the other side's. */
                cl_event waits[2] = {last[side], last[1 - side]};
                cl_uint wait_count = last[side] == NULL ? 0 : i % 4 == 3 ? 2 : 1;
                launch(queue, kernels[side], ++number, wait_count,
                       wait_count == 0 ? NULL : waits, &next);
                if (last[side] != NULL) {
                    MUST(cl.clReleaseEvent(last[side]));
                }
                last[side] = next;
            }
        }
        MUST(cl.clWaitForEvents(2, last));
        MUST(cl.clReleaseEvent(last[0]));
        MUST(cl.clReleaseEvent(last[1]));
    }
    for (int side = 0; side < 2; side++) {
        MUST(cl.clEnqueueReadBuffer(queue, buffers[side], CL_TRUE, 0, BYTES, result, 0, NULL, NULL));
        add_to_hash(result, sizeof result);
    }
    print_results(requests, number);
    MUST(cl.clReleaseCommandQueue(queue));
    return 0;
}
