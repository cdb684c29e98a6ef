/*
 * A launch of a program that is alone on its device, as short as can be, so in the wrapper itself.
 *
 * Nobody waits for such a unit, nobody is to be held back for it, and the daemon knows it as ready.
 * So its launches are not counted before the driver's call. They only raise the stream's `issued`
 * after it, and what was issued uncounted is settled later: at the watcher's looks, and when
 * somebody wants to know.
 *
 * That no launch is forgotten: it raises `issued` and then looks whether the unit is looked after.
 * Whoever ends that clears `looked_after` and then settles, which reads `issued`. All four are
 * sequentially consistent, so at least one of the two sees the other: either the launch is settled
 * there, or it finds that it has to settle itself. It is ended before the unit turns idle, so the
 * watcher never sleeps while a launch counts on it.
 */
#ifndef XSCHED_SHIM_ALONE_H
#define XSCHED_SHIM_ALONE_H

#include "shim.h"

/* A mark behind so many commands is enough, if the program does not wait for them sooner. */
#define XSHIM_ALONE_BATCH 256

/*
 * What alone means. Who looks after a unit has seen before that it keeps no window and is no XQueue,
 * so that the program cannot suspend it either.
 */
static inline bool xshim_is_alone(const struct xshim_unit *unit)
{
    return atomic_load_explicit(&unit->looked_after, memory_order_relaxed) &&
           xshim_others(unit) == 0 && xsched_is_plainly_open(unit->queue);
}

/*
 * The first launch after a pause, which nobody looks after yet. It is settled right after the driver's
 * call, by who launched it: so the program does not wait until others are woken. Also where there are
 * others, if it is the device that turns from them.
 */
static inline bool xshim_begins_alone(struct xshim_unit *unit)
{
    uint32_t others = xshim_all_others(unit) & ~(uint32_t)XSCHED_OTHERS_EARLY;
    return unit->queue != NULL && !unit->is_xqueue &&
           (others == 0 || others == (XSCHED_OTHERS_BELOW | XSCHED_OTHERS_APART)) &&
           !atomic_load_explicit(&unit->bounded, memory_order_relaxed) &&
           xshim_in_flight(unit) == 0 && xsched_is_plainly_open(unit->queue);
}

static inline bool xshim_alone_mark_is_due(const struct xshim_stream *stream)
{
    uint64_t marked = atomic_load_explicit(&stream->marked, memory_order_relaxed);
    uint64_t done = atomic_load_explicit(&stream->progress, memory_order_relaxed);
    return atomic_load_explicit(&stream->private_to_thread, memory_order_relaxed) ||
           atomic_load_explicit(&stream->issued, memory_order_relaxed) + 1 >=
               (marked > done ? marked : done) + XSHIM_ALONE_BATCH;
}

/* These are what a wrapper calls; what they call otherwise is for all who are not alone. */
static inline void xshim_begin(struct xshim_call *call, struct xshim_stream *stream, uint64_t nanos)
{
    if (!xshim_is_alone(stream->unit) && !xshim_begins_alone(stream->unit)) {
        xshim_before(call, stream, nanos);
        return;
    }
    call->stream = stream;
    call->alone = true;
    call->number = atomic_load_explicit(&stream->issued, memory_order_relaxed);
}

static inline bool xshim_is_due(const struct xshim_call *call)
{
    return call->alone ? xshim_alone_mark_is_due(call->stream) : xshim_mark_is_due(call);
}

static inline void xshim_issued(struct xshim_call *call)
{
    if (!call->alone) {
        xshim_after(call);
        return;
    }
    atomic_fetch_add(&call->stream->issued, 1);
    if (!atomic_load(&call->stream->unit->looked_after)) {
        xshim_reap(call->stream->unit);
        xsched_check_if_due(); /* it may have come since the last launch */
    }
}

#endif
