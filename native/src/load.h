/* A program that uses the shared virtual XPU as others use a GPU. */
#ifndef XSCHED_LOAD_H
#define XSCHED_LOAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "xsched_client.h"
#include "xsched_sharedxpu.h"

#define LOAD_QUEUES 64

enum misbehave { BEHAVE, GARBAGE_BLOCK, GARBAGE_SOCKET, GARBAGE_BOARD, GARBAGE_HELLO };

struct options {
    const char *device;
    const char *name; /* of the queues; with a number after it */
    long long command_us;
    long long window;   /* most commands in flight, per queue */
    double seconds;     /* 0: no limit */
    long long commands; /* per queue; 0: no limit */
    long long period_us; /* 0: one command after the other */
    long long burst;
    long long queues;
    long long priority;
    bool has_priority;
    bool json;
    bool fork;
    bool exec_self;
    enum misbehave misbehave;
    long long seed;
};

/* Exits with a message if they make no sense. */
void options_parse(int count, char **words, struct options *options);

struct in_flight {
    uint64_t sequence;
    int64_t end;
};

/* One queue of the load: a thread that launches and one that waits, as with driver callbacks. */
struct lane {
    const struct options *options;
    struct xsched_sharedxpu *device;
    xsched_queue *queue;
    uint32_t tag;
    const atomic_bool *stop;
    int64_t until; /* 0: no limit */

    struct in_flight *ring; /* as long as the window */
    sem_t room;             /* places left in the ring */
    sem_t launched;         /* commands in the ring, and one more at the end */
    atomic_bool finished;

    uint64_t submitted; /* these are of the launching thread */
    int64_t longest_gate_wait;
    double *bursts; /* milliseconds from when a burst was due to its end */
    size_t burst_count;
    size_t burst_room;
    uint64_t missed; /* periods that began before the last burst was over */

    _Atomic uint64_t completed;
    bool exactly_once; /* each command once, in order */
    pthread_t launcher;
    pthread_t waiter;
};

/* Runs until it is stopped, the time is over or all commands are done. */
bool lane_start(struct lane *lane);
void lane_join(struct lane *lane);
void lane_free(struct lane *lane);

/* misbehave.c: does harm on a thread of its own until stop. */
void misbehave_start(const struct options *options, const atomic_bool *stop, pthread_t *thread);

#endif
