/* Counts what was launched uncounted while the program was alone. alone.h says why that is right. */
#include "alone.h"

/*
 * With `reaping` held. Who counts itself raises `counted` before `issued`, and here they are read
 * the other way round: what is taken for uncounted may be too little, which the next one mends, but
 * never too much. And what was counted, before the driver's call or here, is at least what was
 * seen.
 */
static uint64_t uncounted(struct xshim_stream *stream)
{
    stream->seen = atomic_load(&stream->issued);
    uint64_t all = stream->seen - atomic_load(&stream->counted);
    if ((int64_t)(all - stream->settled) <= 0) {
        return 0;
    }
    uint64_t more = all - stream->settled;
    stream->settled = all;
    return more;
}

void xshim_settle(struct xshim_unit *unit)
{
    uint64_t more = 0;
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        more += uncounted(stream);
    }
    if (more == 0) {
        return;
    }
    xsched_launched_uncounted(unit->queue, more);
    if (atomic_fetch_add(&unit->launched, more) == atomic_load(&unit->completed)) {
        /* As for any launch: of who is alone, completions are noticed too late to learn from. */
        atomic_store(&unit->busy_since, xshim_others(unit) == 0 ? 0 : xsched_now());
        xshim_wake_watcher();
    }
}

/* Somebody may have wanted to reap meanwhile, and left it to whoever had the lock. */
static void unlock(struct xshim_unit *unit)
{
    pthread_mutex_unlock(&unit->reaping);
    if (atomic_load(&unit->news)) {
        xshim_reap(unit);
    }
}

void xshim_settle_if_alone(struct xshim_unit *unit)
{
    if (atomic_load(&unit->looked_after) && pthread_mutex_trylock(&unit->reaping) == 0) {
        xshim_settle(unit);
        unlock(unit);
    }
}

static bool may_be_alone(const struct xshim_unit *unit)
{
    return unit->queue != NULL && !unit->is_xqueue && !atomic_load(&unit->bounded) &&
           xshim_others(unit) == 0;
}

void xshim_look_after(struct xshim_unit *unit)
{
    if (!may_be_alone(unit)) {
        if (atomic_load(&unit->looked_after)) {
            xshim_stop_looking_after(unit);
        }
        return;
    }
    xsched_check_if_due(); /* the launches do not ask any more whether there is a daemon */
    if (pthread_mutex_trylock(&unit->reaping) == 0) {
        xshim_settle(unit);
        if (xshim_in_flight(unit) != 0) { /* and nobody makes it idle meanwhile */
            atomic_store(&unit->looked_after, true);
        }
        unlock(unit);
    }
}

void xshim_stop_looking_after(struct xshim_unit *unit)
{
    atomic_store(&unit->looked_after, false);
    xshim_reap(unit);
}

void xshim_settle_for_good(struct xshim_unit *unit)
{
    atomic_store(&unit->looked_after, false);
    if (pthread_mutex_trylock(&unit->reaping) == 0) {
        xshim_settle(unit);
        pthread_mutex_unlock(&unit->reaping);
    }
}
