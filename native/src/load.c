#include "load.h"

#include <stdlib.h>
#include <time.h>

static int64_t now_nanos(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void take(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) {
        /* a signal */
    }
}

static bool is_over(const struct lane *lane)
{
    return atomic_load(lane->stop) || (lane->until != 0 && now_nanos() >= lane->until) ||
           (lane->options->commands != 0 &&
            lane->submitted >= (uint64_t)lane->options->commands);
}

static void launch_one(struct lane *lane)
{
    struct in_flight *place = &lane->ring[lane->submitted % (uint64_t)lane->options->window];
    take(&lane->room);
    int64_t start = now_nanos();
    xsched_gate(lane->queue);
    int64_t waited = now_nanos() - start;
    if (waited > lane->longest_gate_wait) {
        lane->longest_gate_wait = waited;
    }
    xsched_launched(lane->queue);
    place->sequence = ++lane->submitted;
    place->end = xsched_sharedxpu_launch(lane->device, lane->tag, place->sequence,
                                         lane->options->command_us * 1000);
    sem_post(&lane->launched);
}

/* Waits until the device is done with all of this lane's commands. */
static void drain(struct lane *lane)
{
    for (long long i = 0; i < lane->options->window; i++) {
        take(&lane->room);
    }
    for (long long i = 0; i < lane->options->window; i++) {
        sem_post(&lane->room);
    }
}

static void record_burst(struct lane *lane, double millis)
{
    if (lane->burst_count == lane->burst_room) {
        size_t room = lane->burst_room == 0 ? 1024 : 2 * lane->burst_room;
        double *grown = realloc(lane->bursts, room * sizeof *grown);
        if (grown == NULL) {
            return;
        }
        lane->bursts = grown;
        lane->burst_room = room;
    }
    lane->bursts[lane->burst_count++] = millis;
}

static void run_bursts(struct lane *lane)
{
    int64_t period = lane->options->period_us * 1000;
    int64_t due = now_nanos();
    while (!is_over(lane)) {
        for (long long i = 0; i < lane->options->burst && !is_over(lane); i++) {
            launch_one(lane);
        }
        drain(lane);
        int64_t now = now_nanos();
        record_burst(lane, (double)(now - due) / 1e6);
        due += period;
        while (due < now) {
            due += period;
            lane->missed++;
        }
        xsched_sharedxpu_sync(due);
    }
}

static void *launch_all(void *argument)
{
    struct lane *lane = argument;
    if (lane->options->period_us != 0) {
        run_bursts(lane);
    } else {
        while (!is_over(lane)) {
            launch_one(lane);
        }
    }
    atomic_store(&lane->finished, true);
    sem_post(&lane->launched);
    return NULL;
}

static void *wait_for_all(void *argument)
{
    struct lane *lane = argument;
    int64_t last_end = 0;
    for (uint64_t expected = 1;; expected++) {
        take(&lane->launched);
        if (atomic_load(&lane->finished) && expected > lane->submitted) {
            return NULL;
        }
        struct in_flight *command =
            &lane->ring[(expected - 1) % (uint64_t)lane->options->window];
        if (command->sequence != expected || command->end < last_end) {
            lane->exactly_once = false;
        }
        last_end = command->end;
        xsched_sharedxpu_sync(command->end);
        xsched_completed(lane->queue, 1, (uint64_t)lane->options->command_us * 1000);
        atomic_fetch_add(&lane->completed, 1);
        sem_post(&lane->room);
    }
}

bool lane_start(struct lane *lane)
{
    lane->exactly_once = true;
    lane->ring = calloc((size_t)lane->options->window, sizeof *lane->ring);
    if (lane->ring == NULL) {
        return false;
    }
    sem_init(&lane->room, 0, (unsigned)lane->options->window);
    sem_init(&lane->launched, 0, 0);
    return pthread_create(&lane->launcher, NULL, launch_all, lane) == 0 &&
           pthread_create(&lane->waiter, NULL, wait_for_all, lane) == 0;
}

void lane_join(struct lane *lane)
{
    pthread_join(lane->launcher, NULL);
    pthread_join(lane->waiter, NULL);
}

void lane_free(struct lane *lane)
{
    sem_destroy(&lane->room);
    sem_destroy(&lane->launched);
    free(lane->ring);
    free(lane->bursts);
}
