/* XSched's C interface, looked up at run time: a worker that is measured plain has none of it. */
#ifndef XSCHED_WORKER_XSCHED_INTERFACE_H
#define XSCHED_WORKER_XSCHED_INTERFACE_H

#include <stdbool.h>

#include "xsched.h"

#define INTERFACE(X)                                                                               \
    X(XQueueCreate)                                                                                \
    X(XQueueDestroy)                                                                               \
    X(XQueueSetPreemptLevel)                                                                       \
    X(XQueueSetLaunchConfig)                                                                       \
    X(XQueueSubmit)                                                                                \
    X(XQueueSuspend)                                                                               \
    X(XQueueResume)                                                                                \
    X(HwQueueDestroy)                                                                              \
    X(HwCommandCreateCallback)                                                                     \
    X(HwCommandDestroy)                                                                            \
    X(XHintSetScheduler)                                                                           \
    X(XHintPriority)

#define MEMBER(function) __typeof__(function) *function;
struct interface {
    INTERFACE(MEMBER)
    XResult (*hwqueue_create)(HwQueueHandle *hwq, void *queue); /* of this backend */
};

struct xqueue {
    HwQueueHandle hwq;
    XQueueHandle xq; /* 0: none */
};

/* Of the library that was loaded with this program or, if need be, of the one beside it. */
const struct interface *find_interface(bool only_preloaded);

bool xqueue_make(struct xqueue *xqueue, const struct interface *interface, void *stream,
                 int64_t level, int64_t flags);
void xqueue_free(struct xqueue *xqueue);

/* For a stream that goes on to be launched on as ever. */
bool xqueue_of_stream(struct xqueue *xqueue, void *stream, int64_t priority);

/* False, and a problem that names the call, unless it succeeded. */
bool xsched_succeeded(XResult result, const char *call);

#endif
