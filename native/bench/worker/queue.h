/* The queues of this worker, each with a workload. */
#ifndef XSCHED_WORKER_QUEUE_H
#define XSCHED_WORKER_QUEUE_H

#include "plan.h"
#include "words.h"
#include "xsched_interface.h"

struct queue {
    struct queue *next;
    char name[64];
    void *stream; /* the driver's */
    struct plan plan;
    struct xqueue xqueue; /* if it has one */
};

/* A problem if there is none of that name. */
struct queue *queue_named(const char *name, size_t length);

/* Takes the place of the one of that name, if any. NULL, and a problem, if it cannot be made. */
struct queue *queue_load(struct words *words);

void queues_free(void);

#endif
