/* One queue in a play, on a thread of its own. */
#ifndef XSCHED_WORKER_PLAYER_H
#define XSCHED_WORKER_PLAYER_H

#include <pthread.h>

#include "arrivals.h"
#include "ledger.h"
#include "queue.h"
#include "throttle.h"

struct player {
    pthread_t thread;
    const struct queue *queue;
    bool continuous;
    struct arrivals arrivals; /* unless it is continuous */
    bool drops;               /* what comes while it is busy */
    struct throttle throttle;
    int64_t start;
    struct ledger ledger;
    bool failed;
};

/* A thread's function. */
void *player_run(void *player);

#endif
