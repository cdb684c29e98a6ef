/*
 * Stream captures, in all threads. Some calls of ours, at the wrong moment, would spoil one that a
 * program makes: so nothing is asked of the driver while there is any, and who begins one waits until
 * nobody is asking.
 */
#include <sched.h>
#include <stdlib.h>

#include "events.h"

/* Known by the stream on which it began, because other ones join and leave. */
struct capture {
    struct xshim_key key;
    void *context;
    struct capture *next;
};

static pthread_mutex_t capturing = PTHREAD_MUTEX_INITIALIZER;
static struct capture *all_captures;
static _Atomic int captures; /* under way, in whichever thread, and what else forbids to ask */
static _Atomic int asking;   /* threads of ours that are inside of a call that could spoil one */
_Thread_local bool captures_quiet, captures_asked;

bool captures_may_ask(void)
{
    if (captures_quiet) {
        return false;
    }
    captures_asked = true;
    atomic_fetch_add(&asking, 1);
    if (atomic_load(&captures) == 0) {
        return true;
    }
    atomic_fetch_sub(&asking, 1);
    return false;
}

void captures_done_asking(void)
{
    atomic_fetch_sub(&asking, 1);
}

bool captures_anything(void)
{
    return atomic_load_explicit(&captures, memory_order_acquire) > 0;
}

void captures_forbid_asking(void)
{
    atomic_fetch_add(&captures, 1);
    while (atomic_load(&asking) > 0) {
        sched_yield();
    }
}

void captures_allow_asking(void)
{
    atomic_fetch_sub(&captures, 1);
}

void captures_began(const struct xshim_key *key, void *context)
{
    struct capture *capture = malloc(sizeof *capture);
    if (capture != NULL) {
        *capture = (struct capture){.key = *key, .context = context};
        pthread_mutex_lock(&capturing);
        capture->next = all_captures;
        all_captures = capture;
        pthread_mutex_unlock(&capturing);
    }
}

void captures_end(const struct xshim_key *key, void *context)
{
    pthread_mutex_lock(&capturing);
    for (struct capture **link = &all_captures; *link != NULL;) {
        struct capture *capture = *link;
        if (key == NULL ? capture->context == context
                        : capture->key.handle == key->handle &&
                              capture->key.thread == key->thread) {
            *link = capture->next;
            free(capture);
            atomic_fetch_sub(&captures, 1);
        } else {
            link = &capture->next;
        }
    }
    pthread_mutex_unlock(&capturing);
}

static void in_child(void)
{
    pthread_mutex_init(&capturing, NULL);
    all_captures = NULL;
    atomic_store(&captures, 0);
    atomic_store(&asking, 0);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
