/*
 * A program that uses OpenCL and knows nothing of XSched, one act after another, as its arguments
 * say. After each it says the act's name, and waits for a line before the next.
 *
 *   program ACT...
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

#define MUST(call)                                                                                 \
    do {                                                                                           \
        int result = (call);                                                                       \
        if (result != 0) {                                                                         \
            fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, result);             \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static cl_command_queue queue;
static cl_event pending;
static char **own_arguments;

static cl_command_queue new_queue(cl_command_queue_properties properties)
{
    return clCreateCommandQueue(NULL, NULL, properties, NULL);
}

static void launch(cl_command_queue on, cl_uint waits, const cl_event *events, cl_event *event)
{
    MUST(clEnqueueNDRangeKernel(on, NULL, 0, NULL, NULL, NULL, waits, events, event));
}

static void launch_many(cl_command_queue on, int count)
{
    for (int i = 0; i < count; i++) {
        launch(on, 0, NULL, NULL);
    }
}

static void one(void)
{
    launch(queue, 0, NULL, NULL);
}

static void hundred(void)
{
    launch_many(queue, 100);
}

static void finish(void)
{
    MUST(clFinish(queue));
}

static void read_blocking(void)
{
    errno = 77;
    MUST(clEnqueueReadBuffer(queue, NULL, CL_TRUE, 0, 0, NULL, 0, NULL, NULL));
    MUST(errno == 77 ? 0 : errno);
}

static void out_of_order(void)
{
    cl_command_queue other = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event events[3];
    for (int i = 0; i < 50; i++) {
        launch(other, 0, NULL, &events[0]);
        launch(other, 0, NULL, &events[1]);
        launch(other, 2, events, &events[2]);
        MUST(clWaitForEvents(1, &events[2]));
        for (int e = 0; e < 3; e++) {
            MUST(clReleaseEvent(events[e]));
        }
    }
    MUST(clEnqueueReadBuffer(other, NULL, CL_TRUE, 0, 0, NULL, 0, NULL, NULL));
    MUST(clReleaseCommandQueue(other));
}

static void refused(void)
{
    driver_refuse(1);
    int answer = clEnqueueNDRangeKernel(queue, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL);
    MUST(answer == CL_OUT_OF_RESOURCES ? 0 : 1);
}

static void stop(void)
{
    driver_run(false);
}

static void go(void)
{
    driver_run(true);
}

static void let_go(void)
{
    MUST(clReleaseCommandQueue(queue));
}

/* Other objects may hold on to it. */
static void share(void)
{
    MUST(clRetainCommandQueue(queue));
    MUST(clReleaseCommandQueue(queue));
}

/* What lies elsewhere is kept meanwhile: else it would be what comes next, for ever. */
static cl_command_queue queue_at(cl_command_queue place)
{
    usleep(1000); /* the last one there may have a mark of ours to complete */
    cl_command_queue made = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    if (made == place) {
        return made;
    }
    cl_command_queue found = queue_at(place);
    MUST(clReleaseCommandQueue(made));
    return found;
}

/* The next queue lies where the last one was, and is of another kind. */
static void reuse(void)
{
    MUST(clReleaseCommandQueue(queue));
    queue = queue_at(queue);
    one();
}

static void *launch_in_thread(void *count)
{
    launch_many(queue, *(int *)count);
    return NULL;
}

static void in_threads(int threads, int count)
{
    pthread_t all[8];
    for (int i = 0; i < threads; i++) {
        MUST(pthread_create(&all[i], NULL, launch_in_thread, &count));
    }
    for (int i = 0; i < threads; i++) {
        MUST(pthread_join(all[i], NULL));
    }
}

static void thread_ends(void)
{
    in_threads(1, 3);
}

static void four_threads(void)
{
    in_threads(4, 250);
    finish();
}

static void most(void)
{
    printf("%d\n", driver_most_in_flight());
}

/* Waits in a thread, while the test looks. */
static void one_more(void)
{
    static int count = 1;
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, launch_in_thread, &count));
    MUST(pthread_detach(thread));
}

static void in_flight(void)
{
    printf("%d\n", driver_in_flight());
}

/* The thread that could let them run enqueues them all first. */
static void user_event(void)
{
    cl_event event = clCreateUserEvent(NULL, NULL);
    for (int i = 0; i < 200; i++) {
        launch(queue, 1, &event, NULL);
    }
    MUST(clSetUserEventStatus(event, CL_COMPLETE));
    MUST(clReleaseEvent(event));
    finish();
}

/* Four chains, each of which launches its next command when the last has completed. */
struct chain {
    cl_command_queue queue;
    int left;
};

static atomic_int chains_left;

static void next_of_chain(cl_event event, cl_int status, void *data)
{
    struct chain *chain = data;
    cl_event next;
    (void)status;
    MUST(clReleaseEvent(event));
    if (chain->left-- > 0) {
        launch(chain->queue, 0, NULL, &next);
        MUST(clSetEventCallback(next, CL_COMPLETE, next_of_chain, chain));
    } else {
        atomic_fetch_sub(&chains_left, 1);
    }
}

static void callbacks(void)
{
    struct chain chains[4];
    atomic_store(&chains_left, 4);
    for (int i = 0; i < 4; i++) {
        cl_event first;
        chains[i] = (struct chain){.queue = new_queue(0), .left = 99};
        launch(chains[i].queue, 0, NULL, &first);
        MUST(clSetEventCallback(first, CL_COMPLETE, next_of_chain, &chains[i]));
    }
    while (atomic_load(&chains_left) > 0) {
        usleep(1000);
    }
    for (int i = 0; i < 4; i++) {
        MUST(clReleaseCommandQueue(chains[i].queue));
    }
}

/* Whose end is seen by an event that nobody waits for. */
static void one_with_event(void)
{
    launch(queue, 0, NULL, &pending);
}

static void fork_idle(void)
{
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        exit(0);
    }
    MUST(waitpid(child, &status, 0) == child ? status : 1);
}

/* No driver survives a fork, but some calls of it may be made. */
static void fork_launching(void)
{
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        one();
        MUST(clReleaseCommandQueue(queue));
        exit(0);
    }
    MUST(waitpid(child, &status, 0) == child ? status : 1);
}

static void exec_again(void)
{
    execl(own_arguments[0], own_arguments[0], "hundred", "finish", (char *)NULL);
    MUST(errno);
}

static void close_all(void)
{
    for (int fd = 3; fd < 256; fd++) {
        close(fd);
    }
}

static const struct act {
    const char *name;
    void (*run)(void);
} acts[] = {
    {"one", one},
    {"hundred", hundred},
    {"finish", finish},
    {"read-blocking", read_blocking},
    {"out-of-order", out_of_order},
    {"refused", refused},
    {"stop", stop},
    {"go", go},
    {"let-go", let_go},
    {"share", share},
    {"reuse", reuse},
    {"thread-ends", thread_ends},
    {"four-threads", four_threads},
    {"most", most},
    {"one-more", one_more},
    {"in-flight", in_flight},
    {"user-event", user_event},
    {"callbacks", callbacks},
    {"one-with-event", one_with_event},
    {"fork-idle", fork_idle},
    {"fork-launching", fork_launching},
    {"exec", exec_again},
    {"close-all", close_all},
};

static void perform(const char *name)
{
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        if (strcmp(acts[i].name, name) == 0) {
            acts[i].run();
            return;
        }
    }
    fprintf(stderr, "no such act: %s\n", name);
    exit(2);
}

int main(int count, char **arguments)
{
    char line[16];
    own_arguments = arguments;
    queue = new_queue(0);
    for (int i = 1; i < count; i++) {
        perform(arguments[i]);
        printf("%s\n", arguments[i]);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL) {
            return 3;
        }
    }
    return 0;
}
