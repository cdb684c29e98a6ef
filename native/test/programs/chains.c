/*
 * Several queues, each of whose commands is enqueued by the callback of the one before. A request
 * is one such chain on each queue. Before that, each queue gets commands that wait for an event
 * which this very thread sets after it has enqueued them all; after it, buffers are mapped and read.
 */
#include "opencl.h"

#include <pthread.h>
#include <string.h>

#define QUEUES 3
#define HELD_BACK 40

struct functions cl = {FUNCTIONS(LINK)};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static int running;

static struct chain {
    cl_command_queue queue;
    cl_mem buffer;
    cl_kernel kernel;
    cl_uint number;
    long left;
} chains[QUEUES];

static void step(struct chain *chain);

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *data)
{
    struct chain *chain = data;
    MUST(status);
    MUST(cl.clReleaseEvent(event));
    if (chain->left > 0) {
        step(chain);
        return;
    }
    pthread_mutex_lock(&lock);
    running--;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
}

static void step(struct chain *chain)
{
    cl_event event;
    chain->left--;
    launch(chain->queue, chain->kernel, ++chain->number, 0, NULL, &event);
    MUST(cl.clSetEventCallback(event, CL_COMPLETE, on_complete, chain));
    MUST(cl.clFlush(chain->queue));
}

static void hold_back(void)
{
    cl_int error;
    cl_event go = cl.clCreateUserEvent(the_context(), &error);
    MUST(error);
    for (int q = 0; q < QUEUES; q++) {
        for (int i = 0; i < HELD_BACK; i++) {
            launch(chains[q].queue, chains[q].kernel, ++chains[q].number, 1, &go, NULL);
        }
    }
    MUST(cl.clSetUserEventStatus(go, CL_COMPLETE));
    MUST(cl.clReleaseEvent(go));
}

static void run_chains(void)
{
    running = QUEUES;
    for (int q = 0; q < QUEUES; q++) {
        chains[q].left = options.kernels;
        step(&chains[q]);
    }
    pthread_mutex_lock(&lock);
    while (running > 0) {
        pthread_cond_wait(&ended, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void look(struct chain *chain)
{
    cl_uint result[ITEMS];
    cl_int error;
    MUST(cl.clEnqueueReadBuffer(chain->queue, chain->buffer, CL_TRUE, 0, BYTES, result, 0, NULL,
                                NULL));
    cl_uint *mapped = cl.clEnqueueMapBuffer(chain->queue, chain->buffer, CL_TRUE,
                                            CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL,
                                            &error);
    MUST(error);
    MUST(memcmp(mapped, result, sizeof result));
    mapped[0] ^= 1;
    MUST(cl.clEnqueueUnmapMemObject(chain->queue, chain->buffer, mapped, 0, NULL, NULL));
    add_to_hash(result, sizeof result);
}

int main(int count, char **arguments)
{
    long requests = 0;
    cl_uint commands = 0;
    read_options(count, arguments);
    open_device();
    for (int q = 0; q < QUEUES; q++) {
        chains[q].queue = new_queue(false);
        chains[q].buffer = new_buffer();
        chains[q].kernel = new_kernel(chains[q].buffer);
    }
    for (; goes_on(requests); requests++) {
        hold_back();
        run_chains();
        for (int q = 0; q < QUEUES; q++) {
            look(&chains[q]);
        }
    }
    for (int q = 0; q < QUEUES; q++) {
        MUST(cl.clFinish(chains[q].queue));
        commands += chains[q].number;
        MUST(cl.clReleaseCommandQueue(chains[q].queue));
    }
    print_results(requests, commands);
    return 0;
}
