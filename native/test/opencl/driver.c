/*
 * An OpenCL library with one device that executes nothing, command after command, on one thread.
 * For what a real one cannot show: it stops and goes on when it is told to, it is as exact under a
 * sanitizer as without, and the memory of a queue that was released is the next queue's.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver.h"

#define EXPORTED __attribute__((visibility("default")))
#define MOST_WAITS 8
#define MOST_CALLBACKS 8

/* Without a completion for that long, a window may give way (window.c) until all is done. */
#define STALL_NANOS 15000000ll

struct callback {
    void(CL_CALLBACK *function)(cl_event, cl_int, void *);
    void *data;
};

struct _cl_event {
    int references;
    bool complete;
    int callback_count;
    struct callback callbacks[MOST_CALLBACKS];
};

struct command {
    struct _cl_command_queue *queue;
    struct _cl_event *event;
    struct _cl_event *waits[MOST_WAITS];
    unsigned wait_count;
    bool is_marker;
    struct command *next;
};

struct _cl_command_queue {
    int references;
    cl_command_queue_properties properties;
    int pending;
    struct _cl_command_queue *next_free;
};

struct _cl_device_id {
    int unused;
};

static struct _cl_device_id the_device;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct command *commands; /* in the order of enqueueing */
static struct _cl_command_queue *free_queues;
static bool started, stopped, stalled;
static int to_refuse, in_flight, most_in_flight;
static long long last_completion;

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void release(struct _cl_event *event)
{
    if (--event->references == 0) {
        free(event);
    }
}

static void let_go(struct _cl_command_queue *queue)
{
    if (queue->references == 0 && queue->pending == 0) {
        queue->next_free = free_queues;
        free_queues = queue;
    }
}

/* Callbacks run on the thread that completes the event, without the lock. */
static void complete(struct _cl_event *event)
{
    struct callback callbacks[MOST_CALLBACKS];
    int count = event->callback_count;
    memcpy(callbacks, event->callbacks, sizeof callbacks);
    event->complete = true;
    last_completion = now();
    event->references++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < count; i++) {
        callbacks[i].function(event, CL_COMPLETE, callbacks[i].data);
    }
    pthread_mutex_lock(&lock);
    release(event);
}

static bool is_first_of_queue(const struct command *command)
{
    const struct command *other = commands;
    while (other->queue != command->queue) {
        other = other->next;
    }
    return other == command;
}

static bool can_run(const struct command *command)
{
    bool ordered = (command->queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    if ((ordered || command->is_marker) && !is_first_of_queue(command)) {
        return false;
    }
    for (unsigned i = 0; i < command->wait_count; i++) {
        if (!command->waits[i]->complete) {
            return false;
        }
    }
    return true;
}

static struct command *take(void)
{
    struct command **link = &commands;
    while (*link != NULL && (stopped || !can_run(*link))) {
        link = &(*link)->next;
    }
    struct command *command = *link;
    if (command != NULL) {
        *link = command->next;
    }
    return command;
}

static void finish(struct command *command)
{
    for (unsigned i = 0; i < command->wait_count; i++) {
        release(command->waits[i]);
    }
    in_flight -= !command->is_marker;
    complete(command->event);
    release(command->event);
    command->queue->pending--;
    let_go(command->queue);
    free(command);
    pthread_cond_broadcast(&changed);
}

static void *execute(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        struct command *command = take();
        if (command == NULL) {
            pthread_cond_wait(&changed, &lock);
        } else {
            finish(command);
        }
    }
    return unused;
}

static void wait_for(struct _cl_event *event)
{
    while (!event->complete) {
        pthread_cond_wait(&changed, &lock);
    }
}

static struct _cl_event *new_event(int references)
{
    struct _cl_event *event = calloc(1, sizeof *event);
    event->references = references;
    return event;
}

static void add(struct command *command)
{
    struct command **link = &commands;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = command;
    command->queue->pending++;
    if (in_flight == 0) {
        last_completion = now();
        stalled = false;
    }
    stalled |= now() - last_completion > STALL_NANOS;
    in_flight += !command->is_marker;
    if (in_flight > most_in_flight && !stalled) {
        most_in_flight = in_flight;
    }
    if (!started) {
        pthread_t thread;
        started = pthread_create(&thread, NULL, execute, NULL) == 0;
        pthread_detach(thread);
    }
    pthread_cond_broadcast(&changed);
}

static cl_int enqueue(cl_command_queue queue, bool is_marker, cl_bool blocking, cl_uint wait_count,
                      const cl_event *waits, cl_event *event)
{
    pthread_mutex_lock(&lock);
    if (queue == NULL || wait_count > MOST_WAITS || (!is_marker && to_refuse > 0)) {
        to_refuse -= !is_marker && to_refuse > 0;
        pthread_mutex_unlock(&lock);
        return CL_OUT_OF_RESOURCES;
    }
    struct command *command = calloc(1, sizeof *command);
    bool held = event != NULL || blocking;
    command->queue = queue;
    command->is_marker = is_marker;
    command->event = new_event(1 + held);
    command->wait_count = wait_count;
    for (unsigned i = 0; i < wait_count; i++) {
        command->waits[i] = waits[i];
        waits[i]->references++;
    }
    struct _cl_event *mine = command->event;
    if (event != NULL) {
        *event = mine;
    }
    add(command);
    if (blocking) {
        wait_for(mine);
        if (event == NULL) {
            release(mine);
        }
    }
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

EXPORTED void driver_run(bool running)
{
    pthread_mutex_lock(&lock);
    stopped = !running;
    last_completion = now();
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

EXPORTED void driver_refuse(int count)
{
    pthread_mutex_lock(&lock);
    to_refuse = count;
    pthread_mutex_unlock(&lock);
}

EXPORTED int driver_in_flight(void)
{
    pthread_mutex_lock(&lock);
    int count = in_flight;
    pthread_mutex_unlock(&lock);
    return count;
}

EXPORTED int driver_most_in_flight(void)
{
    pthread_mutex_lock(&lock);
    int count = most_in_flight;
    pthread_mutex_unlock(&lock);
    return count;
}

EXPORTED cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                               cl_command_queue_properties properties,
                                               cl_int *error)
{
    (void)context;
    (void)device;
    pthread_mutex_lock(&lock);
    struct _cl_command_queue *queue = free_queues;
    if (queue != NULL) {
        free_queues = queue->next_free;
    } else {
        queue = calloc(1, sizeof *queue);
    }
    *queue = (struct _cl_command_queue){.references = 1, .properties = properties};
    pthread_mutex_unlock(&lock);
    if (error != NULL) {
        *error = CL_SUCCESS;
    }
    return queue;
}

EXPORTED cl_int clRetainCommandQueue(cl_command_queue queue)
{
    pthread_mutex_lock(&lock);
    queue->references++;
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

EXPORTED cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    pthread_mutex_lock(&lock);
    queue->references--;
    let_go(queue);
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

EXPORTED cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what,
                                      size_t size, void *value, size_t *needed)
{
    (void)needed;
    struct _cl_device_id *device = &the_device;
    if (what == CL_QUEUE_DEVICE && size >= sizeof device) {
        memcpy(value, &device, sizeof device);
    } else if (what == CL_QUEUE_PROPERTIES && size >= sizeof queue->properties) {
        memcpy(value, &queue->properties, sizeof queue->properties);
    } else {
        return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
}

EXPORTED cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                                size_t *needed)
{
    (void)device;
    (void)needed;
    if (what != CL_DEVICE_NAME || size < sizeof "stand-in") {
        return CL_INVALID_VALUE;
    }
    memcpy(value, "stand-in", sizeof "stand-in");
    return CL_SUCCESS;
}

EXPORTED cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint size,
                               cl_device_id *devices, cl_uint *count)
{
    (void)platform;
    (void)type;
    if (size > 0 && devices != NULL) {
        devices[0] = &the_device;
    }
    if (count != NULL) {
        *count = 1;
    }
    return CL_SUCCESS;
}

EXPORTED cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                       const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event)
{
    (void)kernel;
    (void)dimensions;
    (void)offset;
    (void)global;
    (void)local;
    return enqueue(queue, false, CL_FALSE, wait_count, waits, event);
}

EXPORTED cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    size_t offset, size_t size, void *to, cl_uint wait_count,
                                    const cl_event *waits, cl_event *event)
{
    (void)buffer;
    (void)offset;
    (void)size;
    (void)to;
    return enqueue(queue, false, blocking, wait_count, waits, event);
}

EXPORTED cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                            const cl_event *waits, cl_event *event)
{
    return enqueue(queue, true, CL_FALSE, wait_count, waits, event);
}

EXPORTED cl_int clFlush(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

EXPORTED cl_int clFinish(cl_command_queue queue)
{
    pthread_mutex_lock(&lock);
    while (queue->pending > 0) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

EXPORTED cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < count; i++) {
        wait_for(events[i]);
    }
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

EXPORTED cl_int clReleaseEvent(cl_event event)
{
    pthread_mutex_lock(&lock);
    release(event);
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

EXPORTED cl_int clSetEventCallback(cl_event event, cl_int status,
                                   void(CL_CALLBACK *function)(cl_event, cl_int, void *),
                                   void *data)
{
    pthread_mutex_lock(&lock);
    bool at_once = event->complete;
    bool room = event->callback_count < MOST_CALLBACKS;
    if (!at_once && room) {
        event->callbacks[event->callback_count++] = (struct callback){function, data};
    }
    pthread_mutex_unlock(&lock);
    if (at_once) {
        function(event, status, data);
    }
    return at_once || room ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

EXPORTED cl_event clCreateUserEvent(cl_context context, cl_int *error)
{
    (void)context;
    if (error != NULL) {
        *error = CL_SUCCESS;
    }
    return new_event(1);
}

EXPORTED cl_int clSetUserEventStatus(cl_event event, cl_int status)
{
    (void)status;
    pthread_mutex_lock(&lock);
    complete(event);
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}
