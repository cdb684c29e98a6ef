/*
 * Gates in streams: a stream waits until a word is 0. Each context has its own word. The memory is
 * ours and stays, whatever becomes of the context: the keeper may write at any moment.
 */
#include <stdlib.h>

#include "cuda.h"
#include "platforms.h"

#define CU_STREAM_WAIT_VALUE_EQ 1u

struct gate {
    struct xshim_unit *unit;
    void *context; /* NULL: of none any more */
    uint32_t *word;
    uint64_t on_device;
    struct gate *next;
};

static struct gate *gates;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* no driver is called with it held */

/* Where the device finds the word; 0: there is none. */
static uint64_t find(void *context)
{
    uint64_t on_device = 0;
    pthread_mutex_lock(&lock);
    for (struct gate *gate = gates; gate != NULL && on_device == 0; gate = gate->next) {
        on_device = gate->context == context ? gate->on_device : 0;
    }
    pthread_mutex_unlock(&lock);
    return on_device;
}

/* Of two threads that make one at once, each has its own, and both are turned. */
static uint64_t make(struct xshim_stream *stream)
{
    struct gate *gate = calloc(1, sizeof *gate);
    void *current = NULL;
    if (gate == NULL || REAL(cuda, cuCtxGetCurrent)(&current) != 0 || current != stream->context) {
        free(gate);
        return 0;
    }
    gate->unit = stream->unit;
    gate->context = stream->context;
    gate->word = REAL(cuda, cuStreamWaitValue32_v2) == NULL ? NULL : cuda_page(&gate->on_device);
    if (gate->word == NULL) {
        atomic_store(&stream->unit->no_device_gate, true);
        free(gate);
        return 0;
    }
    pthread_mutex_lock(&lock);
    gate->next = gates;
    gates = gate;
    pthread_mutex_unlock(&lock);
    return gate->on_device;
}

bool cuda_plant_gate(struct xshim_stream *stream)
{
    if (!captures_may_ask()) {
        return false;
    }
    uint64_t gate = find(stream->context);
    bool planted = (gate != 0 || (gate = make(stream)) != 0) &&
                   REAL(cuda, cuStreamWaitValue32_v2)(stream->key.handle, gate, 0,
                                                      CU_STREAM_WAIT_VALUE_EQ) == 0;
    captures_done_asking();
    return planted;
}

void cuda_turn_gates(struct xshim_unit *unit, bool closed)
{
    pthread_mutex_lock(&lock);
    for (struct gate *gate = gates; gate != NULL; gate = gate->next) {
        if (gate->unit == unit && gate->context != NULL) {
            __atomic_store_n(gate->word, closed, __ATOMIC_SEQ_CST);
        }
    }
    pthread_mutex_unlock(&lock);
}

void cuda_forget_gate(void *context)
{
    pthread_mutex_lock(&lock);
    for (struct gate *gate = gates; gate != NULL; gate = gate->next) {
        if (gate->context == context) {
            __atomic_store_n(gate->word, 0, __ATOMIC_SEQ_CST); /* what waits may have to end first */
            gate->context = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
}

/* No driver works in a forked child, but the child may clean up what its parent made. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    gates = NULL; /* they are the parent's */
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
