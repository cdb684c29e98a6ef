/*
 * A program that suspends a queue of its own. Independent of the daemon's gate: a command is
 * launched when both let it.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"

#define LOOK_NANOS 50000

void xshim_hold(struct xshim_unit *unit)
{
    atomic_store(&unit->held, 1);
}

void xshim_release(struct xshim_unit *unit)
{
    int error = errno;
    atomic_store(&unit->held, 0);
    syscall(SYS_futex, &unit->held, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
    errno = error;
}

void xshim_wait_while_held(struct xshim_unit *unit)
{
    int error = errno;
    while (atomic_load(&unit->held) != 0) {
        syscall(SYS_futex, &unit->held, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    }
    errno = error;
}

/* Between `launched`, which is raised before the driver's call, and `issued`, which is after it. */
static uint64_t launching(struct xshim_unit *unit)
{
    uint64_t issued = 0;
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        issued += atomic_load(&stream->issued);
    }
    return atomic_load(&unit->launched) - issued;
}

void xshim_wait_for_launching(struct xshim_unit *unit)
{
    while (launching(unit) != 0) {
        xsched_sleep(LOOK_NANOS);
    }
}
