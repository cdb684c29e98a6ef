/* What tests of XQueues share: an XQueue on a queue of OpenCL's, with or without a daemon. */
#ifndef XSCHED_TEST_XQUEUES_H
#define XSCHED_TEST_XQUEUES_H

#include "opencl.h"
#include "standin.h"
#include "xsched.h"

#define OK(call) CHECK((call) == kXSchedSuccess)

typedef struct _cl_command_queue *queue_t;

struct pair {
    queue_t queue;
    HwQueueHandle hwq;
    XQueueHandle xq;
};

extern struct standin standin;
extern struct guest guest;

struct pair make_pair(void);
struct pair make_pair_with(int64_t level, int64_t flags);
void destroy_pair(struct pair *pair);

/* Ends the test where there is no OpenCL. */
void need_opencl(void);

/* The same with a daemon, which has this program on its list once something was launched. */
void start_scheduled(void);

/* The slot in which the daemon finds a queue of that name; NULL if there is none. */
struct xsched_slot *slot_named(const char *name);

#endif
