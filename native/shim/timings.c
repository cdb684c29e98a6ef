/*
 * Measures how long single commands take on the device, by events before and behind them. Only a few
 * of each kind are measured, and only while a window is kept: an event with a time costs some
 * microseconds.
 */
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define TIMINGS 32u

enum state { FREE, STARTED, STOPPED };

struct timing {
    enum state state;
    void *context; /* NULL: the events were not made yet, or went with their context */
    void *start, *stop;
    uint64_t what;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timing timings[TIMINGS];
static _Atomic unsigned in_use;

/* With the lock held and the context current. */
static bool prepare(const struct events_driver *driver, struct timing *timing, void *context)
{
    if (timing->context != context) {
        timing->context = NULL; /* the events of another context are left to it */
        if (DRIVER(driver, event_create)(&timing->start, 0) != 0 ||
            DRIVER(driver, event_create)(&timing->stop, 0) != 0) {
            return false;
        }
        timing->context = context;
    }
    return true;
}

static struct timing *free_timing(void *context)
{
    struct timing *found = NULL;
    for (unsigned i = 0; i < TIMINGS; i++) {
        struct timing *timing = &timings[i];
        if (timing->state == FREE && (found == NULL || timing->context == context)) {
            found = timing;
        }
    }
    return found;
}

void *timings_start(const struct events_driver *driver, struct xshim_stream *stream, uint64_t what)
{
    struct timing *timing = NULL;
    if (pthread_mutex_trylock(&lock) != 0) {
        return NULL;
    }
    if (captures_may_ask()) {
        timing = free_timing(stream->context);
        if (timing != NULL && prepare(driver, timing, stream->context) &&
            DRIVER(driver, event_record)(timing->start, stream->key.handle) == 0) {
            timing->state = STARTED;
            timing->what = what;
            atomic_fetch_add(&in_use, 1);
        } else {
            timing = NULL;
        }
        captures_done_asking();
    }
    pthread_mutex_unlock(&lock);
    return timing;
}

static void let_go(struct timing *timing)
{
    timing->state = FREE;
    atomic_fetch_sub(&in_use, 1);
}

void timings_stop(const struct events_driver *driver, void *started, struct xshim_stream *stream)
{
    struct timing *timing = started;
    pthread_mutex_lock(&lock);
    if (timing->context == stream->context && captures_may_ask()) {
        if (DRIVER(driver, event_record)(timing->stop, stream->key.handle) == 0) {
            timing->state = STOPPED;
        } else {
            let_go(timing);
        }
        captures_done_asking();
    } else {
        let_go(timing);
    }
    pthread_mutex_unlock(&lock);
}

void timings_read(const struct events_driver *driver, void *context)
{
    if (atomic_load_explicit(&in_use, memory_order_relaxed) == 0 ||
        pthread_mutex_trylock(&lock) != 0) {
        return;
    }
    if (captures_may_ask()) {
        for (unsigned i = 0; i < TIMINGS; i++) {
            struct timing *timing = &timings[i];
            float millis = 0;
            if (timing->state != STOPPED || timing->context != context ||
                DRIVER(driver, event_query)(timing->stop) != 0) {
                continue;
            }
            if (DRIVER(driver, event_elapsed_time)(&millis, timing->start, timing->stop) == 0) {
                xshim_learn_time(timing->what, (uint64_t)(millis * 1e6f));
            }
            let_go(timing);
        }
        captures_done_asking();
    }
    pthread_mutex_unlock(&lock);
}

void timings_forget(void *context)
{
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < TIMINGS; i++) {
        struct timing *timing = &timings[i];
        if (timing->context == context) {
            timing->context = NULL;
            if (timing->state == STOPPED) {
                let_go(timing);
            }
        }
    }
    pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    memset(timings, 0, sizeof timings);
    atomic_store(&in_use, 0);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
