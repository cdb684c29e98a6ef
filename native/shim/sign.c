/*
 * Notices that a request begins before its first launch. Who has rested and now asks the driver anything
 * is about to launch something: CUDA's runtime asks for the current device first, whatever it is to do.
 * Others can make way meanwhile: the daemon is told, or the device turns from them at once. On an H200
 * that is 0.06 to 0.23 ms sooner (results/nvidia-first-sign-h200.json).
 *
 * Whether that is so for a program is learned: it counts only after it was so several times in a row.
 */
#include "gpu.h"
#include "shim.h"

#define REST_NANOS 1000000 /* who asks sooner asks about what has just ended */
#define SOON_NANOS 1000000 /* what is launched later has nothing to do with it */
#define TRUSTED 8u         /* in a row */

_Atomic bool xshim_heeds_signs;

static bool matters(const struct xshim_unit *unit)
{
    return (xshim_all_others(unit) & (XSCHED_OTHERS_BELOW | XSCHED_OTHERS_EARLY)) != 0 &&
           !unit->is_xqueue;
}

void xshim_rests(struct xshim_unit *unit)
{
    if (matters(unit)) {
        atomic_store(&unit->rests_since, xsched_now());
        atomic_store(&xshim_heeds_signs, true);
    }
}

static void announce(struct xshim_unit *unit, int64_t now)
{
    if (atomic_load(&unit->announced_at) == 0 && xshim_in_flight(unit) == 0) {
        xsched_submitted(unit->queue);
        atomic_store(&unit->announced_at, now);
        xshim_wake_watcher();
        if (!xshim_is_watched()) {
            xshim_retract(unit); /* nobody would notice that nothing comes */
        }
    }
}

static void make_way(struct xshim_unit *unit, int64_t now)
{
    uint32_t others = xshim_all_others(unit);
    if ((others & XSCHED_OTHERS_EARLY) != 0) {
        early_turn_now(unit, now);
    } else if ((others & (XSCHED_OTHERS_APART | XSCHED_OTHERS_YIELD)) == 0) {
        announce(unit, now); /* with a goal for its requests, these are measured from their first launch */
    }
}

void xshim_sign(void)
{
    if (xshim_inside != 0 || xshim_on_drivers_thread) {
        return;
    }
    bool heeds = false;
    int64_t now = xsched_now();
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        int64_t since = atomic_load(&unit->rests_since);
        if (since != 0 && now - since < REST_NANOS) {
            heeds = true;
        } else if (since != 0 && matters(unit) &&
                   atomic_compare_exchange_strong(&unit->rests_since, &since, 0)) {
            atomic_store(&unit->sign_at, now);
            if (atomic_load(&unit->trust) >= TRUSTED) {
                make_way(unit, now);
            }
        }
    }
    if (!heeds) {
        atomic_store(&xshim_heeds_signs, false);
    }
}

void xshim_launch_after_sign(struct xshim_unit *unit)
{
    int64_t at = atomic_exchange(&unit->sign_at, 0);
    atomic_store(&unit->rests_since, 0);
    if (at != 0) {
        uint32_t trust = atomic_load(&unit->trust);
        bool soon = xsched_now() - at <= SOON_NANOS;
        atomic_store(&unit->trust, !soon ? 0 : trust < TRUSTED ? trust + 1 : trust);
    }
}

bool xshim_was_announced(struct xshim_unit *unit)
{
    return atomic_load_explicit(&unit->announced_at, memory_order_relaxed) != 0 &&
           atomic_exchange(&unit->announced_at, 0) != 0;
}

int64_t xshim_announced_for(struct xshim_unit *unit)
{
    int64_t at = atomic_load(&unit->announced_at);
    if (at == 0) {
        return 0;
    }
    int64_t left = at + SOON_NANOS - xsched_now();
    if (left > 0) {
        return left;
    }
    xshim_retract(unit);
    return 0;
}

void xshim_retract(struct xshim_unit *unit)
{
    if (xshim_was_announced(unit)) {
        atomic_store(&unit->trust, 0);
        xsched_withdrawn(unit->queue, 1);
    }
}

/* It begins anew, and what its parent announced is its parent's. */
static void in_child(void)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        atomic_store(&unit->announced_at, 0);
        atomic_store(&unit->sign_at, 0);
        atomic_store(&unit->rests_since, 0);
        atomic_store(&unit->trust, 0);
    }
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
