/* Streams with a thread each that does what is on them, and the rules of capturing. */
#include "machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FUNCTIONS 512
#define STACK 64
#define END_MILLIS 30
#define LOOK_NANOS 200000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static pid_t process; /* where there are worker threads; not in its children */
static bool ended;

static struct record {
    const char *name;
    uint64_t calls;
    struct standin_call last;
} records[FUNCTIONS];

static const char *refused_name = "";
static int refused_result;
static int failed_result;
_Thread_local int last_result;

static bool held;
static uint64_t let, executed, in_flight, most_in_flight, spoiled, staying;
static const char *slow_name = "";
static int slow_millis;

static struct stream *streams;
static struct context *contexts;
struct capture *captures;
_Thread_local int capture_mode;

static _Thread_local struct context *stack[STACK];
static _Thread_local size_t depth;

void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "the stand-in driver: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    _exit(99);
}

uint64_t this_thread(void)
{
    return (uint64_t)syscall(SYS_gettid);
}

/* Stays a while: who does not know that it is over has time to show that. */
static void end(void)
{
    struct timespec time = {.tv_nsec = END_MILLIS * 1000000};
    if (getpid() == process) {
        pthread_mutex_lock(&lock);
        ended = true;
        pthread_mutex_unlock(&lock);
        nanosleep(&time, NULL);
    }
}

static struct record *record_of(const char *name)
{
    size_t i = 0;
    while (i < FUNCTIONS && records[i].name != NULL && strcmp(records[i].name, name) != 0) {
        i++;
    }
    if (i == FUNCTIONS) {
        die("too many functions");
    }
    return &records[i];
}

static void take_time(const char *name)
{
    pthread_mutex_lock(&lock);
    struct timespec time = {.tv_nsec = strcmp(name, slow_name) == 0 ? slow_millis * 1000000l : 0};
    pthread_mutex_unlock(&lock);
    if (time.tv_nsec != 0) {
        nanosleep(&time, NULL);
    }
}

static void start(void)
{
    process = getpid();
    atexit(end);
}

int enter(const char *name, size_t count, const uint64_t *arguments)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
    if (getpid() != process) {
        return NOT_INITIALIZED; /* as the real one does not work in children either */
    }
    take_time(name);
    pthread_mutex_lock(&lock);
    if (ended) {
        die("%s was called after the exit handler", name);
    }
    struct record *record = record_of(name);
    record->name = name;
    record->calls++;
    record->last.thread = this_thread();
    record->last.count = count;
    memcpy(record->last.arguments, arguments, count * sizeof *arguments);
    if (strcmp(name, refused_name) == 0) {
        refused_name = "";
        return leave(refused_result);
    }
    if (failed_result != 0 && (strstr(name, "Launch") != NULL || strstr(name, "Query") != NULL ||
                               strstr(name, "Synchronize") != NULL || strstr(name, "Record") != NULL)) {
        return leave(failed_result);
    }
    return 0;
}

int leave(int result)
{
    last_result = result;
    pthread_mutex_unlock(&lock);
    return result;
}

void changed(void)
{
    pthread_cond_broadcast(&change);
}

/* Contexts. */

struct context **context_top(void)
{
    if (depth == 0) {
        depth = 1;
    }
    return &stack[depth - 1];
}

struct context *current_context(void)
{
    struct context *context = *context_top();
    if (context != NULL && !context->alive) {
        return NULL;
    }
    return context;
}

void check_context(struct context *context)
{
    struct context *known = contexts;
    while (known != NULL && known != context) {
        known = known->next;
    }
    if (known == NULL || !known->alive) {
        die("context %p was destroyed, or never there", (void *)context);
    }
}

void push_context(struct context *context)
{
    check_context(context);
    if (depth == STACK) {
        die("contexts are pushed and never popped");
    }
    stack[depth++] = context;
}

struct context *pop_context(void)
{
    struct context *top = *context_top();
    stack[depth - 1] = NULL;
    depth--;
    return top;
}

struct context *new_context(int device)
{
    struct context *context = calloc(1, sizeof *context);
    context->device = device;
    context->alive = true;
    context->next = contexts;
    contexts = context;
    return context;
}

/* What is on its streams is never done. */
void end_context(struct context *context)
{
    check_context(context);
    context->alive = false;
    for (struct stream *stream = streams; stream != NULL; stream = stream->next) {
        if (stream->context == context) {
            stream->alive = false;
        }
    }
    changed();
}

/* Streams. */

static void drop(struct stream *stream)
{
    for (struct command *command = stream->first; command != NULL; command = stream->first) {
        in_flight -= command->kind == WORK;
        staying -= command->kind == STAY;
        stream->first = command->next;
        stream->done++;
        free(command->owned);
        free(command);
    }
    changed();
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static bool is_due(const struct command *command)
{
    if (command->kind == WAIT) {
        return command->event->reached >= command->value;
    }
    if (command->kind == WAIT_FOR_VALUE) {
        return __atomic_load_n((uint32_t *)command->address, __ATOMIC_ACQUIRE) == command->value;
    }
    if (command->kind == STAY) {
        return __atomic_load_n((uint32_t *)command->address, __ATOMIC_ACQUIRE) == 0 ||
               now() - command->since >= (int64_t)command->nanos;
    }
    return command->kind != WORK || !held || let > 0;
}

/* Nobody tells when a word has changed. */
static void wait_for_change(const struct command *command)
{
    struct timespec time;
    if (command != NULL && (command->kind == WAIT_FOR_VALUE || command->kind == STAY)) {
        clock_gettime(CLOCK_REALTIME, &time);
        time.tv_nsec += LOOK_NANOS;
        time.tv_sec += time.tv_nsec / 1000000000;
        time.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&change, &lock, &time);
    } else {
        pthread_cond_wait(&change, &lock);
    }
}

static void execute(struct command *command)
{
    switch (command->kind) {
    case WORK:
        let -= held;
        if (command->function != NULL) {
            pthread_mutex_unlock(&lock);
            command->function(command->data);
            pthread_mutex_lock(&lock);
        }
        if (command->address != NULL) {
            __atomic_store_n(command->address, command->value, __ATOMIC_RELEASE);
        }
        executed++;
        in_flight--;
        break;
    case STAY:
        staying--;
        break;
    case WRITE:
        __atomic_store_n(command->address, command->value, __ATOMIC_RELEASE);
        break;
    case RECORD:
        if (command->event->reached < command->value) {
            command->event->reached = command->value;
            command->event->at = standin_time == NULL ? 0 : standin_time(command->since);
        }
        break;
    default:
        break;
    }
}

static void *work(void *argument)
{
    struct stream *stream = argument;
    pthread_mutex_lock(&lock);
    while (stream->alive || stream->first != NULL) {
        struct command *command = stream->first;
        if (!stream->context->alive) {
            drop(stream);
        } else if (command != NULL && is_due(command)) {
            execute(command);
            stream->first = command->next;
            stream->done++;
            free(command);
            changed();
        } else {
            wait_for_change(command);
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

struct stream *new_stream(struct context *context, bool blocking)
{
    pthread_t thread;
    struct stream *stream = calloc(1, sizeof *stream);
    stream->context = context;
    stream->alive = true;
    stream->blocking = blocking;
    stream->next = streams;
    streams = stream;
    if (pthread_create(&thread, NULL, work, stream) != 0) {
        die("no thread for a stream");
    }
    pthread_detach(thread);
    return stream;
}

static struct stream *default_stream(void *handle)
{
    struct context *context = current_context();
    uint64_t thread = handle == PER_THREAD ? this_thread() : 0;
    if (context == NULL) {
        return NULL;
    }
    for (struct stream *stream = streams; stream != NULL; stream = stream->next) {
        if (stream->alive && stream->context == context && stream->thread == thread &&
            stream->legacy == (handle == LEGACY) && (stream->legacy || thread != 0)) {
            return stream;
        }
    }
    struct stream *stream = new_stream(context, true);
    stream->legacy = handle == LEGACY;
    stream->thread = thread;
    return stream;
}

struct stream *stream_of(void *handle)
{
    if (handle == LEGACY || handle == PER_THREAD) {
        return default_stream(handle);
    }
    struct stream *stream = streams;
    while (stream != NULL && stream != handle) {
        stream = stream->next;
    }
    if (stream == NULL || !stream->alive) {
        die("stream %p was destroyed, or never there", handle);
    }
    return stream;
}

void put(struct stream *stream, struct command command)
{
    struct command *copy = malloc(sizeof *copy);
    *copy = command;
    copy->since = now();
    copy->next = NULL;
    if (stream->first == NULL) {
        stream->first = copy;
    } else {
        stream->last->next = copy;
    }
    stream->last = copy;
    stream->issued++;
    in_flight += command.kind == WORK;
    staying += command.kind == STAY;
    if (in_flight > most_in_flight) {
        most_in_flight = in_flight;
    }
    changed();
}

void await(struct stream *stream)
{
    uint64_t number = stream->issued;
    while (stream->done < number) {
        pthread_cond_wait(&change, &lock);
    }
}

void await_context(const struct context *context)
{
    for (struct stream *stream = streams; stream != NULL; stream = stream->next) {
        if (stream->context == context) {
            await(stream);
        }
    }
}

void await_event(struct event *event)
{
    uint64_t number = event->recorded;
    while (event->reached < number) {
        pthread_cond_wait(&change, &lock);
    }
}

/* Captures. */

void spoil(struct capture *capture)
{
    spoiled += !capture->spoiled;
    capture->spoiled = true;
}

/* For calls that may wait for other work, as the modes of capturing have it. */
int unsafe(void)
{
    int result = 0;
    for (struct capture *capture = captures; capture != NULL; capture = capture->next) {
        bool own = capture->thread == this_thread();
        if ((own && capture_mode != MODE_RELAXED && capture->mode != MODE_RELAXED) ||
            (!own && capture_mode == MODE_GLOBAL && capture->mode == MODE_GLOBAL)) {
            spoil(capture);
            result = CAPTURE_UNSUPPORTED;
        }
    }
    return result;
}

/* The legacy stream waits for all blocking ones, which it cannot for those being captured. */
int implicit(const struct stream *stream, bool spoils)
{
    int result = 0;
    for (struct stream *other = streams; stream->legacy && other != NULL; other = other->next) {
        if (other->context == stream->context && other->blocking && other->capture != NULL) {
            if (spoils) {
                spoil(other->capture);
            }
            result = CAPTURE_IMPLICIT;
        }
    }
    return result;
}

void end_capture(struct capture *capture)
{
    struct capture **link = &captures;
    while (*link != capture) {
        link = &(*link)->next;
    }
    *link = capture->next;
    for (struct stream *stream = streams; stream != NULL; stream = stream->next) {
        if (stream->capture == capture) {
            stream->capture = NULL;
        }
    }
}

void add_node(struct graph *graph, const char *name)
{
    graph->nodes = realloc(graph->nodes, (graph->count + 1) * sizeof *graph->nodes);
    graph->nodes[graph->count++] = name;
}

/* What tests ask. */

EXPORTED void standin_end_earlier(void)
{
    atexit(end);
}

EXPORTED void standin_hold(void)
{
    pthread_mutex_lock(&lock);
    held = true;
    let = 0;
    pthread_mutex_unlock(&lock);
}

EXPORTED void standin_let(uint64_t commands)
{
    pthread_mutex_lock(&lock);
    let += commands;
    changed();
    pthread_mutex_unlock(&lock);
}

EXPORTED void standin_release(void)
{
    pthread_mutex_lock(&lock);
    held = false;
    let = 0;
    changed();
    pthread_mutex_unlock(&lock);
}

EXPORTED uint64_t standin_calls(const char *name)
{
    pthread_mutex_lock(&lock);
    uint64_t calls = record_of(name)->calls;
    pthread_mutex_unlock(&lock);
    return calls;
}

EXPORTED struct standin_call standin_last(const char *name)
{
    pthread_mutex_lock(&lock);
    struct standin_call last = record_of(name)->last;
    pthread_mutex_unlock(&lock);
    return last;
}

EXPORTED void standin_refuse(const char *name, int result)
{
    pthread_mutex_lock(&lock);
    refused_name = name;
    refused_result = result;
    pthread_mutex_unlock(&lock);
}

EXPORTED void standin_slow(const char *name, int millis)
{
    pthread_mutex_lock(&lock);
    slow_name = name;
    slow_millis = millis;
    pthread_mutex_unlock(&lock);
}

EXPORTED void standin_fail(int result)
{
    pthread_mutex_lock(&lock);
    failed_result = result;
    pthread_mutex_unlock(&lock);
}

static uint64_t get(const uint64_t *number)
{
    pthread_mutex_lock(&lock);
    uint64_t value = *number;
    pthread_mutex_unlock(&lock);
    return value;
}

EXPORTED uint64_t standin_executed(void)
{
    return get(&executed);
}

EXPORTED uint64_t standin_in_flight(void)
{
    return get(&in_flight);
}

EXPORTED uint64_t standin_staying(void)
{
    return get(&staying);
}

EXPORTED uint64_t standin_most_in_flight(void)
{
    pthread_mutex_lock(&lock);
    uint64_t most = most_in_flight;
    most_in_flight = in_flight;
    pthread_mutex_unlock(&lock);
    return most;
}

EXPORTED uint64_t standin_spoiled(void)
{
    return get(&spoiled);
}

EXPORTED size_t standin_nodes(void *graph, const char *name)
{
    const struct graph *captured = graph;
    size_t count = 0;
    for (size_t i = 0; i < captured->count; i++) {
        count += name == NULL || strcmp(captured->nodes[i], name) == 0;
    }
    return count;
}
