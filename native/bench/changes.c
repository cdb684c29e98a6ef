/*
 * Programs whose queues turn ready and idle all the time, and do nothing else:
 *
 *     changes PROGRAMS QUEUES RATE SECONDS
 *
 * starts that many programs with that many queues each. All programs together change RATE times a
 * second, evenly spread; who falls behind catches up. It prints
 *
 *     registered NANOS LATE    when all are on the daemon's list; how many of them had to wait for
 *                              an answer for longer than a program does
 *     changes COUNT NANOS      after SECONDS: how often queues changed, and how long that took
 *
 * and goes on after each line once it got one on its standard input, so that whoever started it can
 * look at the daemon in between.
 */
#include <stdio.h>
#include <stdlib.h>

#include "client.h"
#include "processes.h"

#define DEVICES 4
#define PRIORITIES 10
#define PATIENCE_NANOS 30000000000ll

enum phase { REGISTER = 0, CHANGE = 1, END = 2 };

struct bench {
    _Atomic uint32_t phase;
    _Atomic uint32_t registered;
    _Atomic uint32_t late;
    _Atomic uint32_t done;
    _Atomic uint64_t changes;
    _Atomic int64_t last_change;
    _Atomic int64_t begin; /* of the changes */
    long programs;
    long queues;
    long rate;
    long seconds;
};

struct program {
    struct bench *bench;
    long number;
};

static void await_phase(struct bench *bench, uint32_t phase)
{
    while (atomic_load(&bench->phase) < phase) {
        sleep_nanos(5000000);
    }
}

static void change(struct xsched_queue *queue)
{
    if (atomic_load(&queue->ready) == 0) {
        xsched_submitted(queue); /* as a program with a queue of its own would: it does not wait */
        xsched_launched(queue);
    } else {
        xsched_completed(queue, 1, 0);
    }
}

/* Makes all changes of this program, each at its time. */
static uint64_t make_changes(const struct program *program, struct xsched_queue **queues)
{
    struct bench *bench = program->bench;
    int64_t begin = atomic_load(&bench->begin);
    int64_t end = begin + bench->seconds * 1000000000ll;
    int64_t between = 1000000000ll * bench->programs / bench->rate;
    int64_t next = begin + between * program->number / bench->programs;
    uint64_t random = (uint64_t)program->number + 1;
    uint64_t changes = 0;
    for (; next < end; next += between) {
        if (xsched_now() < next) {
            sleep_until(next);
        }
        change(queues[next_random(&random, (uint64_t)bench->queues)]);
        changes++;
    }
    return changes;
}

static void run(void *argument)
{
    const struct program *program = argument;
    struct bench *bench = program->bench;
    struct xsched_queue *queues[XSCHED_SLOTS];
    for (long i = 0; i < bench->queues; i++) {
        char device[32];
        char name[32];
        snprintf(device, sizeof device, "bench:%ld", i % DEVICES);
        snprintf(name, sizeof name, "queue %ld", i);
        queues[i] = xsched_queue_open(device, name);
        xsched_hint(queues[i], XSCHED_HINT_PRIORITY, (program->number + i) % PRIORITIES);
    }
    if (!xsched_registered()) {
        atomic_fetch_add(&bench->late, 1);
    }
    int64_t end = xsched_now() + PATIENCE_NANOS;
    while (!xsched_registered()) {
        if (xsched_now() > end) {
            fail("no daemon: set XSCHED_DIR to the folder of one");
        }
        sleep_nanos(1000000);
        xsched_check_if_due();
    }
    atomic_fetch_add(&bench->registered, 1);
    await_phase(bench, CHANGE);
    if (bench->rate > 0) {
        atomic_fetch_add(&bench->changes, make_changes(program, queues));
        atomic_store(&bench->last_change, xsched_now());
    }
    atomic_fetch_add(&bench->done, 1);
    await_phase(bench, END);
    xsched_leave();
}

static void await_all(const _Atomic uint32_t *word, long programs, int64_t patience)
{
    int64_t end = xsched_now() + patience;
    while (atomic_load(word) < (uint32_t)programs) {
        if (xsched_now() > end) {
            fail("only %u of %ld programs came so far", atomic_load(word), programs);
        }
        sleep_nanos(1000000);
    }
}

static void await_line(void)
{
    fflush(stdout);
    int read;
    do {
        read = getchar();
        if (read == EOF) {
            exit(0); /* whoever started us has gone */
        }
    } while (read != '\n');
}

static long number(const char *text, long min, long max)
{
    long value = strtol(text, NULL, 10);
    if (value < min || value > max) {
        fail("%s: give a number from %ld to %ld", text, min, max);
    }
    return value;
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fail("usage: changes PROGRAMS QUEUES RATE SECONDS");
    }
    struct bench *bench = share(sizeof *bench);
    bench->programs = number(arguments[1], 1, XSCHED_BOARD_PROGRAMS);
    bench->queues = number(arguments[2], 1, XSCHED_SLOTS);
    bench->rate = number(arguments[3], 0, 10000000);
    bench->seconds = number(arguments[4], 0, 86400);
    int64_t started = xsched_now();
    for (long i = 0; i < bench->programs; i++) {
        struct program program = {.bench = bench, .number = i};
        start(run, &program);
    }
    await_all(&bench->registered, bench->programs, PATIENCE_NANOS);
    printf("registered %lld %u\n", (long long)(xsched_now() - started),
           atomic_load(&bench->late));
    await_line();

    int64_t begin = xsched_now() + 10000000; /* all are awake by then */
    atomic_store(&bench->begin, begin);
    atomic_store(&bench->phase, CHANGE);
    if (bench->rate == 0) {
        sleep_nanos(bench->seconds * 1000000000ll);
    }
    await_all(&bench->done, bench->programs, bench->seconds * 1000000000ll + PATIENCE_NANOS);
    int64_t end = bench->rate == 0 ? xsched_now() : atomic_load(&bench->last_change);
    printf("changes %llu %lld\n", (unsigned long long)atomic_load(&bench->changes),
           (long long)(end - begin));
    await_line();

    atomic_store(&bench->phase, END);
    await_children();
    return 0;
}
