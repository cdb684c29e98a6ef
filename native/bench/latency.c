/*
 * How long after a program turned ready a program of lower rank sees that it must stop:
 *
 *     latency ROUNDS
 *
 * prints one line per round with three times in nanoseconds, all taken in that round:
 *
 *     store   until the lower one sees the raised ceiling, which no daemon has a part in
 *     daemon  until it sees its gate closed: the bell wakes the daemon, it decides and stores
 *     futex   from a FUTEX_WAKE until the process that it woke is back: what the machine can do
 *
 * Three processes. `low` looks at its words without pause, as a program in a launch loop does.
 * `high` sleeps for 1 to 3 ms before each event, so that whom it wakes has been asleep. `sleeper`
 * waits at a futex. Stamps are of CLOCK_MONOTONIC, which is one clock for all processes.
 *
 * `low` has the last core and the other two leave it alone: who does not run cannot look, and how
 * long the kernel lets two programs wait for one core is not what is measured. The daemon may run
 * anywhere.
 */
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "client.h"
#include "processes.h"

#define DEVICE "bench:latency"
#define HIGH_PRIORITY 10
#define PATIENCE_NANOS 5000000000ll
#define SLEEP_MIN_NANOS 1000000
#define SLEEP_SPREAD_NANOS 2000000
#define UNSEEN_ROUNDS 200 /* of the same kind, before those that count */

struct sample {
    int64_t store;
    int64_t daemon;
    int64_t futex;
};

struct bench {
    _Alignas(64) _Atomic int64_t ready_at; /* high: just before it turns ready */
    _Alignas(64) _Atomic uint32_t watching; /* low: the round that it waits for, from 1 */
    _Atomic uint32_t seen;                  /* low: the last round that it saw through */
    _Alignas(64) uint32_t word;             /* the futex that sleeper waits at */
    _Atomic int64_t woken_at;               /* high: just before it wakes sleeper */
    _Alignas(64) _Atomic uint32_t awake;    /* sleeper: how often it woke */
    uint32_t rounds;
    struct sample samples[];
};

static xsched_queue *open_queue(const char *name, int64_t priority)
{
    xsched_queue *queue = xsched_queue_open(DEVICE, name);
    if (queue == NULL || !xsched_registered()) {
        fail("no daemon: set XSCHED_DIR to the folder of one");
    }
    xsched_hint(queue, XSCHED_HINT_PRIORITY, priority);
    int64_t end = xsched_now() + PATIENCE_NANOS;
    while (__atomic_load_n(&queue->slot->ceiling, __ATOMIC_ACQUIRE) == XSCHED_NO_CEILING ||
           __atomic_load_n(&queue->slot->rank, __ATOMIC_ACQUIRE) != priority) {
        if (xsched_now() > end) {
            fail("the daemon gives no ranks; it needs the policy HPF");
        }
        sleep_nanos(1000000);
    }
    return queue;
}

static bool gate_is_open(const struct xsched_queue *queue)
{
    return __atomic_load_n(&queue->slot->gate, __ATOMIC_ACQUIRE) == 0;
}

static void low(void *argument)
{
    struct bench *bench = argument;
    take_last_core();
    struct xsched_queue *queue = open_queue("low", 0);
    const struct xsched_link *link = atomic_load(&xsched_client.link);
    xsched_gate(queue); /* has work from now on */
    for (uint32_t round = 1; round <= bench->rounds; round++) {
        while (!xsched_is_open(queue, link)) {
        }
        atomic_store(&bench->watching, round);
        while (xsched_is_open(queue, link)) {
        }
        int64_t ceiling_at = xsched_now();
        while (gate_is_open(queue)) {
        }
        int64_t gate_at = xsched_now();
        int64_t ready_at = atomic_load(&bench->ready_at);
        bench->samples[round - 1].store = ceiling_at - ready_at;
        bench->samples[round - 1].daemon = gate_at - ready_at;
        atomic_store(&bench->seen, round);
    }
    xsched_leave();
}

static void sleeper(void *argument)
{
    struct bench *bench = argument;
    leave_last_core();
    for (uint32_t round = 1; round <= bench->rounds; round++) {
        while (__atomic_load_n(&bench->word, __ATOMIC_SEQ_CST) < round) {
            syscall(SYS_futex, &bench->word, FUTEX_WAIT, round - 1, NULL, NULL, 0);
        }
        int64_t now = xsched_now();
        bench->samples[round - 1].futex = now - atomic_load(&bench->woken_at);
        atomic_store(&bench->awake, round);
    }
}

static void await(_Atomic uint32_t *word, uint32_t round, const char *what)
{
    int64_t end = xsched_now() + PATIENCE_NANOS;
    while (atomic_load(word) < round) {
        if (xsched_now() > end) {
            fail("round %u: %s", round, what);
        }
        sleep_nanos(SLEEP_MIN_NANOS);
    }
}

static void high(void *argument)
{
    struct bench *bench = argument;
    leave_last_core();
    struct xsched_queue *queue = open_queue("high", HIGH_PRIORITY);
    uint64_t random = 1;
    for (uint32_t round = 1; round <= bench->rounds; round++) {
        await(&bench->watching, round, "the gate of the lower program stays closed");
        sleep_nanos(SLEEP_MIN_NANOS + (int64_t)next_random(&random, SLEEP_SPREAD_NANOS));
        atomic_store(&bench->woken_at, xsched_now());
        __atomic_fetch_add(&bench->word, 1, __ATOMIC_SEQ_CST);
        xsched_wake(&bench->word, 1);

        sleep_nanos(SLEEP_MIN_NANOS + (int64_t)next_random(&random, SLEEP_SPREAD_NANOS));
        await(&bench->awake, round, "the sleeper was not woken");
        atomic_store(&bench->ready_at, xsched_now());
        xsched_gate(queue);
        xsched_launched(queue);

        sleep_nanos(SLEEP_MIN_NANOS);
        await(&bench->seen, round, "the gate of the lower program was not closed");
        xsched_completed(queue, 1, SLEEP_MIN_NANOS);
    }
    xsched_leave();
}

int main(int count, char **arguments)
{
    long wanted = count == 2 ? strtol(arguments[1], NULL, 10) : 0;
    if (wanted < 1 || wanted > 1000000) {
        fail("usage: latency ROUNDS");
    }
    uint32_t rounds = UNSEEN_ROUNDS + (uint32_t)wanted;
    struct bench *bench = share(sizeof *bench + rounds * sizeof bench->samples[0]);
    bench->rounds = rounds;
    start(sleeper, bench);
    start(low, bench);
    start(high, bench);
    await_children();
    for (uint32_t i = UNSEEN_ROUNDS; i < rounds; i++) {
        const struct sample *sample = &bench->samples[i];
        printf("%lld %lld %lld\n", (long long)sample->store, (long long)sample->daemon,
               (long long)sample->futex);
    }
    return 0;
}
