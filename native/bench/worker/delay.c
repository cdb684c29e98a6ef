/*
 * Commands of a length. A loop of so many rounds and not a look at a clock: a command that was
 * interrupted, or shares the device, still has all its work to do.
 */
#include <math.h>
#include <stdio.h>

#include "times.h"
#include "workloads.h"

#define ATTEMPTS 5
#define CORRECTIONS 6
#define SAMPLE (20 * MILLI) /* what takes longer is a multiple of this: trying it would take long */
#define TINY_GROUP 32

/* Time of one of several in a row, the best of some attempts, because other programs disturb. */
static bool time_of_one(int64_t rounds, uint64_t sink, int launches, void *queue, double *nanos)
{
    struct grid grid = backend->full();
    struct plan plan = {0};
    plan_step(&plan, &plan.request, "delay", grid.width, 1, grid.group, "bi", sink, (int)rounds);
    bool fine = !plan.failed;
    *nanos = 1e18;
    for (int attempt = 0; fine && attempt < ATTEMPTS; attempt++) {
        void *mark = NULL;
        int64_t start = now_nanos();
        for (int i = 0; fine && i < launches; i++) {
            fine = backend->launch(queue, plan.request.list->kernel, &plan.request.list->grid,
                                   i + 1 == launches ? &mark : NULL);
        }
        fine = fine && backend->wait(mark);
        double each = (double)(now_nanos() - start) / launches;
        *nanos = each < *nanos ? each : *nanos;
    }
    plan_free(&plan);
    return fine;
}

static int launches_in(int64_t nanos, int64_t each)
{
    int64_t launches = nanos / each;
    return launches < 2 ? 2 : launches > 200 ? 200 : (int)launches;
}

/* A straight line through what one round and some take; again where it ends, until it fits. */
static bool calibrate(int64_t each_ns, uint64_t sink, void *queue, int64_t *rounds, double *took)
{
    double nothing;
    int launches = launches_in(SAMPLE, each_ns);
    *rounds = 1;
    if (!time_of_one(*rounds, sink, launches_in(SAMPLE, 100000), queue, &nothing)) {
        return false;
    }
    *took = nothing;
    for (int i = 0; i < CORRECTIONS && fabs(*took / (double)each_ns - 1) > 0.02; i++) {
        double more =
            *took > nothing + 1000 ? ((double)each_ns - nothing) / (*took - nothing) : 100;
        double next = (double)*rounds * (more < 1000 ? more : 1000);
        *rounds = next < 1 ? 1 : next > (double)MOST_ROUNDS ? MOST_ROUNDS : (int64_t)next;
        if (!time_of_one(*rounds, sink, launches, queue, took)) {
            return false;
        }
    }
    return true;
}

static bool find_rounds(int64_t each_ns, uint64_t sink, void *queue, int64_t *rounds)
{
    double took;
    int64_t sample = each_ns < SAMPLE ? each_ns : SAMPLE;
    if (!calibrate(sample, sink, queue, rounds, &took)) {
        return false;
    }
    double all = (double)*rounds * (double)each_ns / (double)sample;
    *rounds = all > (double)MOST_ROUNDS ? MOST_ROUNDS : (int64_t)all;
    return true;
}

bool plan_commands(struct plan *plan, int64_t each_ns, int64_t count, int64_t rounds, void *queue)
{
    struct grid grid = backend->full();
    uint64_t sink = plan_random(plan, grid.width, 0, 1);
    if (plan->failed || !plan_run(&plan->setup, queue) ||
        (rounds == 0 && !find_rounds(each_ns, sink, queue, &rounds))) {
        return false;
    }
    plan->rounds = rounds;
    for (int64_t i = 0; i < count; i++) {
        plan_step(plan, &plan->request, "delay", grid.width, 1, grid.group, "bi", sink,
                  (int)rounds);
    }
    plan_result(plan, sink, grid.width);
    snprintf(plan->describe, sizeof plan->describe,
             "%lld kernels that fill the device for a fixed number of steps, about %.1f us each",
             (long long)count, (double)each_ns / 1e3);
    return !plan->failed;
}

bool plan_tiny(struct plan *plan, int64_t count)
{
    uint64_t sink = plan_random(plan, TINY_GROUP, 0, 1);
    plan_step(plan, &plan->request, "delay", TINY_GROUP, 1, TINY_GROUP, "bi", sink, 1);
    plan->request.times = (size_t)count;
    plan->waits = true;
    plan_result(plan, sink, TINY_GROUP);
    snprintf(plan->describe, sizeof plan->describe,
             "%lld kernels of one group that do almost nothing, each waited for",
             (long long)count);
    return !plan->failed;
}
