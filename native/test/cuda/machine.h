/* The parts of the stand-in driver. Everything here is used with the one lock held. */
#ifndef XSCHED_CUDA_MACHINE_H
#define XSCHED_CUDA_MACHINE_H

#include <pthread.h>

#include "standin.h"

#define EXPORTED __attribute__((visibility("default")))
#define LEGACY ((void *)1)
#define PER_THREAD ((void *)2)
#define DEVICES 2

enum {
    INVALID_VALUE = 1,
    NOT_INITIALIZED = 3,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
    CAPTURE_UNMATCHED = 903,
    CAPTURE_IMPLICIT = 906,
    CAPTURED_EVENT = 907,
    CAPTURE_WRONG_THREAD = 908
};

enum { MODE_GLOBAL, MODE_THREAD_LOCAL, MODE_RELAXED };

struct context {
    int device;
    bool alive;
    unsigned users; /* of a primary context */
    struct context *next;
};

struct graph {
    size_t count;
    const char **nodes;
    uint64_t nanos; /* HIP: what its kernels take */
};

struct capture {
    int mode;
    uint64_t thread;
    bool spoiled;
    struct stream *origin;
    struct graph *graph;
    struct capture *next;  /* of those that go on */
    struct capture *older; /* of all */
};

struct event {
    uint64_t recorded, reached;
    struct capture *capture; /* the last record was captured */
    struct context *context;
    bool alive;
    int64_t at; /* HIP: when it was reached */
    struct event *next;
};

struct command {
    enum { WORK, WRITE, RECORD, WAIT, WAIT_FOR_VALUE, STAY } kind;
    void (*function)(void *); /* WORK: a host function */
    void *data;
    void *owned;       /* by a function that is never called; NULL: nothing */
    uint64_t *address; /* WRITE, WAIT_FOR_VALUE, STAY while it is not 0, and WORK: a kernel's last act */
    uint64_t nanos;    /* STAY: no longer than that */
    uint64_t value;
    struct event *event; /* RECORD, WAIT */
    int64_t since;       /* when it was put on the stream */
    struct command *next;
};

struct stream {
    struct context *context;
    bool alive, blocking, legacy;
    uint64_t thread; /* of whose default stream it is */
    struct command *first, *last;
    uint64_t issued, done;
    struct capture *capture;
    struct stream *next;
};

extern struct capture *captures; /* all that go on */
extern _Thread_local int capture_mode;

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t this_thread(void);

/* Takes the lock and writes the call down. Not 0: do nothing and return that; the lock is not held. */
int enter(const char *name, size_t count, const uint64_t *arguments);
int leave(int result);
extern _Thread_local int last_result; /* of this thread's last call */
#define COUNT(...) (sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
#define ENTER(...) ENTER_AS(__func__, __VA_ARGS__)
#define ENTER_AS(name, ...)                                                                        \
    do {                                                                                           \
        int refused = enter(name, COUNT(__VA_ARGS__), (const uint64_t[]){__VA_ARGS__});        \
        if (refused != 0) {                                                                        \
            return refused;                                                                        \
        }                                                                                          \
    } while (0)

struct context *current_context(void);
struct context **context_top(void); /* of this thread's stack */
void push_context(struct context *context);
struct context *pop_context(void);
struct context *new_context(int device);
void check_context(struct context *context);
void end_context(struct context *context);

/* NULL: no context is current. */
struct stream *stream_of(void *handle);
struct stream *new_stream(struct context *context, bool blocking);
void put(struct stream *stream, struct command command);
void await(struct stream *stream); /* lets others have the lock meanwhile */
void await_context(const struct context *context);
void await_event(struct event *event);
void changed(void);

/* What a call does to captures: 0, or the error it returns. */
int unsafe(void);
int implicit(const struct stream *stream, bool spoils);
void spoil(struct capture *capture);
void end_capture(struct capture *capture);
void add_node(struct graph *graph, const char *name);

#endif
