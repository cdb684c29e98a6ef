/*
 * What drivers with streams, events and captures have in common: CUDA's and HIP's. Three kinds of
 * stream: created ones, which a handle names; the legacy default stream of each context; and the
 * default stream that each thread has in each context. What is captured into a graph is not work yet:
 * it is neither gated nor counted, and while anything is being captured the driver is asked nothing,
 * because a question at the wrong moment spoils a capture.
 */
#ifndef XSCHED_SHIM_EVENTS_H
#define XSCHED_SHIM_EVENTS_H

#include "shim.h"

#define EVENTS_PER_THREAD ((void *)2) /* cudaStreamPerThread, hipStreamPerThread */

/* The driver's functions that are called here, and what differs. */
struct events_driver {
    const struct xshim_platform *platform;
    void *legacy; /* the handle of the default stream that all threads share */
    struct xshim_function *event_create, *event_record, *event_query, *event_elapsed_time;
    struct xshim_function *stream_query, *stream_synchronize, *stream_is_capturing;

    void *(*current)(void);            /* context of this thread; NULL: it has none */
    void *(*context_of)(void *stream); /* NULL: not known */
    bool (*enter)(void *context, void **before); /* uses that one from now on, until it leaves */
    void (*leave)(void *before);
    bool (*name_device)(char *name, size_t size, void *context);
    void (*forget)(void *context); /* what else there is of it, before it ends; NULL: nothing */

    /*
     * A call that succeeds, where a program may ask for the result of its thread's last call: after one
     * of its own that succeeded ours end with this, and after one that failed we make none. NULL: it
     * may not.
     */
    void (*succeed)(void);
};

typedef int (*event_create_f)(void *event, unsigned flags);
typedef int (*event_record_f)(void *event, void *stream);
typedef int (*event_query_f)(void *event);
typedef int (*event_elapsed_time_f)(void *millis, void *start, void *stop);
typedef int (*stream_query_f)(void *stream);
typedef int (*stream_synchronize_f)(void *stream);
typedef int (*stream_is_capturing_f)(void *stream, void *status);
#define DRIVER(driver, function)                                                                   \
    ((function##_f)xshim_real((driver)->platform, (driver)->function))

/* events.c: what the platform has to offer, and around the calls of its table */
bool events_mark(struct xshim_stream *stream, uint64_t number);
uint64_t events_poll(struct xshim_stream *stream);
bool events_look(struct xshim_stream *stream, uint64_t number);
bool events_sync(struct xshim_stream *stream);
struct xshim_stream *events_stream(const struct events_driver *driver, void *handle);
void events_forget_context(const struct events_driver *driver, void *context);

void events_before_launch(const struct events_driver *driver, struct xshim_call *call, void *handle,
                          uint64_t what);
void events_after_launch(const struct events_driver *driver, struct xshim_call *call,
                         bool succeeded);
void events_before_poll(const struct events_driver *driver, struct xshim_call *call, void *handle);
void events_after_poll(const struct events_driver *driver, struct xshim_call *call, bool succeeded);
void events_before_poll_any(const struct events_driver *driver, struct xshim_call *call, void *none);
void events_after_poll_any(const struct events_driver *driver, struct xshim_call *call,
                           bool succeeded);
void events_before_sync(const struct events_driver *driver, struct xshim_call *call, void *handle);
void events_after_sync(const struct events_driver *driver, struct xshim_call *call, bool succeeded);
void events_before_sync_any(const struct events_driver *driver, struct xshim_call *call, void *none);
void events_after_sync_any(const struct events_driver *driver, struct xshim_call *call,
                           bool succeeded);
void events_before_capture(const struct events_driver *driver, struct xshim_call *call,
                           void *handle);
void events_after_capture(const struct events_driver *driver, struct xshim_call *call,
                          bool succeeded);
void events_before_end_capture(const struct events_driver *driver, struct xshim_call *call,
                               void *handle);
void events_after_end_capture(const struct events_driver *driver, struct xshim_call *call,
                              bool succeeded);
void events_before_destroy(const struct events_driver *driver, struct xshim_call *call,
                           void *handle);
void events_after_destroy(const struct events_driver *driver, struct xshim_call *call,
                          bool succeeded);
void events_before_destroy_context(const struct events_driver *driver, struct xshim_call *call,
                                   void *context);
void events_after_destroy_context(const struct events_driver *driver, struct xshim_call *call,
                                  bool succeeded);

/* captures.c: false while anything is being captured; else the driver may be asked until done */
bool captures_may_ask(void);
void captures_done_asking(void);
bool captures_anything(void);

/* The same for this thread: where the driver must not be asked anything, and whether it was. */
extern _Thread_local bool captures_quiet, captures_asked;

/* Around what must not be disturbed: nobody is asking when forbid returns. */
void captures_forbid_asking(void);
void captures_allow_asking(void);

/* A capture that began on that stream keeps it forbidden until it ends. */
void captures_began(const struct xshim_key *key, void *context);
void captures_end(const struct xshim_key *key, void *context); /* NULL: all of the context */

/* timings.c: around a launch, with the stream's context current; NULL: not this one */
void *timings_start(const struct events_driver *driver, struct xshim_stream *stream, uint64_t what);
void timings_stop(const struct events_driver *driver, void *timing, struct xshim_stream *stream);
void timings_read(const struct events_driver *driver, void *context);
void timings_forget(void *context);

#endif
