/*
 * The gate on the device itself. Holding back the launching thread keeps a program from running
 * ahead of its device, and what it does between two launches then becomes time in which the device
 * has nothing to do. So where a stream can wait for a word in memory, launches go on, and after each
 * piece of work the stream gets a gate, through which the device goes when it comes there. One thread
 * per unit, the keeper, closes these gates and opens them, as the daemon and the ceilings want it.
 *
 * The keeper never calls a driver: one that waits for the device may hold its locks meanwhile, and
 * the device may wait for the keeper.
 *
 * XQueues have none. Streams of one process share the device's channels, and one that waits holds up
 * whoever comes behind it in its channel, whatever the rank.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"

/*
 * A piece is a part of the window: the device may be past a gate already when it is closed, and
 * several streams may be. Each gate costs the device some time.
 */
#define PIECES_PER_WINDOW 4
#define PIECES_PER_WINDOW_BRIEFLY 2 /* where few gates are ever closed, their price counts more */

static _Atomic bool ending;

static bool is_wanted(struct xshim_unit *unit)
{
    return (xshim_others(unit) & XSCHED_OTHERS_ABOVE) != 0 && xshim_in_flight(unit) != 0;
}

static void sleep_until_rung(struct xshim_unit *unit)
{
    uint32_t seen = atomic_load(&unit->keeper_bell);
    atomic_store(&unit->keeper_awake, false);
    if (!is_wanted(unit)) {
        syscall(SYS_futex, &unit->keeper_bell, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    }
    atomic_store(&unit->keeper_awake, true);
}

static void *keep(void *argument)
{
    struct xshim_unit *unit = argument;
    const struct xshim_platform *platform = atomic_load(&unit->gates);
    prctl(PR_SET_NAME, "xsched-gate");
    prctl(PR_SET_TIMERSLACK, 1);
    atomic_store(&unit->keeper_awake, true);
    while (!atomic_load(&ending)) {
        if (!is_wanted(unit)) {
            sleep_until_rung(unit);
        } else if (xsched_holds_back(unit->queue)) {
            platform->turn_gates(unit, !atomic_load(&ending));
            xsched_pass_gate(unit->queue);
            platform->turn_gates(unit, false);
        } else {
            xsched_sleep_until_held_back(unit->queue);
        }
    }
    return NULL;
}

static void wake_keeper(struct xshim_unit *unit, const struct xshim_platform *platform)
{
    int error = errno;
    const struct xshim_platform *none = NULL;
    if (!atomic_compare_exchange_strong(&unit->gates, &none, platform)) {
        atomic_fetch_add(&unit->keeper_bell, 1);
        syscall(SYS_futex, &unit->keeper_bell, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    } else if (!xshim_start_thread(keep, unit)) {
        atomic_store(&unit->no_device_gate, true);
    }
    errno = error;
}

bool xshim_gate_on_device(struct xshim_stream *stream, uint64_t nanos)
{
    struct xshim_unit *unit = stream->unit;
    const struct xshim_platform *platform = stream->key.platform;
    if (platform->plant_gate == NULL || unit->is_xqueue || unit->queue == NULL ||
        (xshim_others(unit) & XSCHED_OTHERS_ABOVE) == 0 || xshim_counts_commands(unit) ||
        atomic_load(&unit->no_device_gate) || atomic_load(&ending)) {
        return false;
    }
    /* With nothing in flight there is no lead to lose, and nobody wakes too late. */
    if (!atomic_load(&unit->keeper_awake)) {
        wake_keeper(unit, platform);
        return false;
    }
    if (xshim_in_flight(unit) == 0) {
        return false;
    }
    bool briefly = (xshim_all_others(unit) & XSCHED_OTHERS_BRIEFLY) != 0;
    uint64_t pieces = briefly ? PIECES_PER_WINDOW_BRIEFLY : PIECES_PER_WINDOW;
    if (atomic_fetch_add(&stream->ungated_nanos, nanos) + nanos >
        xshim_window_nanos(unit) / pieces) {
        if (!platform->plant_gate(stream)) {
            return false;
        }
        atomic_store(&stream->ungated_nanos, nanos);
    }
    return true;
}

void xshim_open_gates_for_good(void)
{
    atomic_store(&ending, true);
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        const struct xshim_platform *platform = atomic_load(&unit->gates);
        if (platform != NULL) {
            platform->turn_gates(unit, false);
        }
    }
}

static void in_child(void)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        atomic_store(&unit->gates, NULL);
        atomic_store(&unit->keeper_awake, false);
    }
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
