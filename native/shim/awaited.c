/*
 * Tells that a program waits for its device, so that others make way, and shortly before that. What
 * others have on the device then takes a while to end, and who launches hundreds of commands before
 * it waits for them usually launches as many the next time.
 */
#include "shim.h"

#define LEAST_LAUNCHES 64 /* fewer have ended before anybody has made way */
#define EARLY_PART 20     /* of them so many are still to come when it is told */

static bool is_wanted(const struct xshim_unit *unit)
{
    return (xshim_all_others(unit) & XSCHED_OTHERS_YIELD) != 0;
}

void xshim_launches(struct xshim_unit *unit)
{
    uint64_t at = atomic_load_explicit(&unit->tells_at, memory_order_relaxed);
    if (at != 0 && atomic_load(&unit->launched) == at && is_wanted(unit)) {
        xsched_awaited(unit->queue, true);
    }
}

/* Only if it was the same number twice. */
static void learn(struct xshim_unit *unit)
{
    uint64_t launched = atomic_load(&unit->launched);
    uint64_t count = launched - atomic_exchange(&unit->launched_at_wait, launched);
    uint64_t before = atomic_exchange(&unit->launches_per_wait, count);
    uint64_t part = count / EARLY_PART;
    bool same = count >= LEAST_LAUNCHES && count + part >= before && before + part >= count;
    atomic_store(&unit->tells_at, same ? launched + count - part : 0);
}

static void begin(struct xshim_unit *unit)
{
    if (atomic_load(&unit->stays) != NULL) {
        xshim_leave(unit); /* or it would wait for that, too */
    }
    if (is_wanted(unit) && xshim_in_flight(unit) != 0) {
        learn(unit);
        xsched_awaited(unit->queue, true);
    }
}

static void end(struct xshim_unit *unit)
{
    if (unit->queue != NULL &&
        __atomic_load_n(&unit->queue->slot->awaited, __ATOMIC_RELAXED) != 0) {
        xsched_awaited(unit->queue, false);
    }
}

static void each(struct xshim_unit *one, void (*act)(struct xshim_unit *unit))
{
    if (one != NULL) {
        act(one);
        return;
    }
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        act(unit);
    }
}

void xshim_awaits(struct xshim_unit *unit)
{
    each(unit, begin);
}

void xshim_has_awaited(struct xshim_unit *unit)
{
    each(unit, end);
}
