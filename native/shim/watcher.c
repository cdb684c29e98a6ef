/*
 * A thread of ours in the program. It sleeps while nothing is in flight, and finds what nobody
 * else would tell: that the last commands have completed, and that times are right.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gpu.h"
#include "shim.h"

#define NEAR_NANOS 100000     /* others wait for this unit to turn idle */
#define TOLD_NANOS 500000     /* nobody waits for it, or somebody else will tell sooner */
#define PAUSE_NANOS 1000000   /* others are stopped until this unit has made a pause */
#define FAR_NANOS 10000000    /* nobody else is there */
#define QUIET_LOOKS 2         /* and it is idle after so many of these without work */

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool started, works; /* it may not be possible to start it */
static _Atomic bool ending;
static _Atomic uint32_t bell;
static _Atomic bool asleep;
static pthread_mutex_t working = PTHREAD_MUTEX_INITIALIZER; /* held while drivers are asked */

static bool is_drained(struct xshim_unit *unit)
{
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        if (atomic_load(&stream->progress) < atomic_load(&stream->issued) &&
            !atomic_load(&stream->gone)) {
            return false;
        }
    }
    return true;
}

/*
 * A program that is alone and waits for each of its commands would turn idle and ready hundreds of
 * times a second, for a daemon that has nothing to decide.
 */
static bool lingers(struct xshim_unit *unit)
{
    uint64_t launched = atomic_load(&unit->launched);
    unit->quiet_looks = launched == unit->launched_before ? unit->quiet_looks + 1 : 0;
    unit->launched_before = launched;
    return unit->quiet_looks < QUIET_LOOKS && is_drained(unit);
}

/* Returns how long it may take until somebody wants to know more; 0: nothing is in flight. */
static int64_t look_after(struct xshim_unit *unit)
{
    int64_t announced = xshim_announced_for(unit);
    if (xshim_in_flight(unit) == 0) {
        return announced;
    }
    xshim_look_after(unit);
    uint32_t others = xshim_others(unit);
    bool soon = xshim_look_at_tails(unit, true) && atomic_load(&unit->syncing) == 0;
    bool stopped = (xshim_all_others(unit) & XSCHED_OTHERS_STOPPED) != 0;
    int64_t later = stopped ? PAUSE_NANOS : FAR_NANOS;
    if (others == 0 && lingers(unit)) {
        return later;
    }
    xshim_reap(unit);
    if (xshim_in_flight(unit) == 0) {
        return announced;
    }
    if (others == 0) {
        return later;
    }
    return soon && (others & XSCHED_OTHERS_BELOW) != 0 ? NEAR_NANOS : TOLD_NANOS;
}

static int64_t look_after_all(void)
{
    int64_t soonest = 0;
    pthread_mutex_lock(&working);
    for (struct xshim_unit *unit = atomic_load(&xshim_units);
         unit != NULL && !atomic_load(&ending); unit = unit->next) {
        int64_t nanos = look_after(unit);
        if (nanos != 0 && (soonest == 0 || nanos < soonest)) {
            soonest = nanos;
        }
    }
    pthread_mutex_unlock(&working);
    return soonest;
}

static void sleep_until_rung(uint32_t seen)
{
    atomic_store(&asleep, true);
    syscall(SYS_futex, &bell, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    atomic_store(&asleep, false);
}

static void *watch(void *unused)
{
    (void)unused;
    prctl(PR_SET_NAME, "xsched");
    prctl(PR_SET_TIMERSLACK, 1);
    xshim_inside = 1;
    while (!atomic_load(&ending)) {
        uint32_t seen = atomic_load(&bell);
        int64_t nanos = look_after_all();
        gpu_look();
        if (nanos == 0) {
            sleep_until_rung(seen);
            /* Whoever rang has only just launched. */
            nanos = NEAR_NANOS;
        }
        xsched_sleep(nanos);
    }
    return NULL;
}

static void end(void)
{
    atomic_store(&ending, true);
    early_end();
    gpu_end();
    xshim_open_gates_for_good(); /* who asks the driver may wait for the device */
    pthread_mutex_lock(&working);
    pthread_mutex_unlock(&working);
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        xshim_settle_for_good(unit); /* nobody looks after it any more */
        xshim_retract(unit);
    }
}

/* Drivers are taken down by handlers that were registered before this one, so after it has run. */
void xshim_end_before_drivers(void)
{
    atexit(end);
}

/* Signals are the program's, so its threads get them. */
bool xshim_start_thread(void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool runs = pthread_create(&thread, &attributes, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return runs;
}

static void start(void)
{
    pthread_mutex_lock(&starting);
    if (!atomic_load(&started)) {
        atomic_store(&works, xshim_start_thread(watch, NULL));
        if (!atomic_load(&works)) {
            xsched_say(0, "no thread could be started; the scheduler learns late what is done");
        }
        atomic_store(&started, true);
    }
    pthread_mutex_unlock(&starting);
}

void xshim_wake_watcher(void)
{
    int error = errno;
    atomic_fetch_add(&bell, 1);
    if (!atomic_load_explicit(&started, memory_order_acquire)) {
        start();
    } else if (atomic_load(&asleep)) {
        syscall(SYS_futex, &bell, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
    errno = error;
}

bool xshim_is_watched(void)
{
    return atomic_load(&works) && !atomic_load(&ending);
}

static void in_child(void)
{
    atomic_store(&started, false);
    atomic_store(&works, false);
    atomic_store(&asleep, false);
    pthread_mutex_init(&working, NULL);
    pthread_mutex_init(&starting, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
