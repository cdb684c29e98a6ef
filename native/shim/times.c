/*
 * How long commands of one kind take on the device: the same kernel, of the same size. A window that
 * only counts commands is wrong for networks whose kernels take from 3 to 200 us.
 */
#include "shim.h"

#define KINDS 4096u
#define PROBES 8u
#define FIRST_TIMES 3u  /* each of these is measured */
#define THEN_EVERY 256u /* and then one in so many, because inputs change */

/* Entries are never removed: a program with more kinds has its other ones taken for average. */
static struct kind {
    _Atomic uint64_t what; /* 0: free */
    _Atomic uint64_t nanos;
    _Atomic uint32_t launches;
    _Atomic uint32_t times;
} kinds[KINDS];

static struct kind *kind_of(uint64_t what, bool make)
{
    for (uint64_t i = 0; i < PROBES; i++) {
        struct kind *kind = &kinds[(what + i) % KINDS];
        uint64_t there = atomic_load_explicit(&kind->what, memory_order_acquire);
        if (there == what) {
            return kind;
        }
        if (there == 0 && (!make || atomic_compare_exchange_strong(&kind->what, &there, what) ||
                           there == what)) {
            return make ? kind : NULL;
        }
    }
    return NULL;
}

uint64_t xshim_expected_nanos(uint64_t what)
{
    struct kind *kind = kind_of(what, false);
    return kind == NULL ? 0 : atomic_load_explicit(&kind->nanos, memory_order_relaxed);
}

bool xshim_wants_time(uint64_t what)
{
    struct kind *kind = kind_of(what, true);
    return kind != NULL && (atomic_load(&kind->times) < FIRST_TIMES ||
                            atomic_fetch_add(&kind->launches, 1) % THEN_EVERY == 0);
}

/*
 * What is measured may be too long, never too short: another process had the device, or it waited
 * for the next launch. So less is believed at once, and more only in small steps: times that are
 * taken for too long make the window too small, and then the device waits for launches more often.
 */
void xshim_learn_time(uint64_t what, uint64_t nanos)
{
    struct kind *kind = kind_of(what, true);
    if (kind == NULL) {
        return;
    }
    uint64_t known = atomic_load(&kind->nanos);
    if (known != 0 && nanos > known) {
        nanos = known + (nanos - known < known / 32 ? nanos - known : known / 32);
    }
    atomic_store(&kind->nanos, nanos == 0 ? 1 : nanos);
    atomic_fetch_add(&kind->times, 1);
}
