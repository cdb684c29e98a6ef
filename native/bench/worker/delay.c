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
    int launches = launches_in(20 * MILLI, each_ns);
    *rounds = 1;
    if (!time_of_one(*rounds, sink, launches_in(20 * MILLI, 100000), queue, &nothing)) {
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

bool plan_commands(struct plan *plan, int64_t each_ns, int64_t count, int64_t rounds, void *queue)
{
    double took;
    struct grid grid = backend->full();
    uint64_t sink = plan_random(plan, grid.width, 0, 1);
    if (plan->failed || !plan_run(&plan->setup, queue)) {
        return false;
    }
    bool fine = rounds == 0 ? calibrate(each_ns, sink, queue, &rounds, &took)
                            : time_of_one(rounds, sink, launches_in(20 * MILLI, each_ns), queue,
                                          &took);
    if (!fine) {
        return false;
    }
    plan->rounds = rounds;
    for (int64_t i = 0; i < count; i++) {
        plan_step(plan, &plan->request, "delay", grid.width, 1, grid.group, "bi", sink,
                  (int)rounds);
    }
    plan_result(plan, sink, grid.width);
    snprintf(plan->describe, sizeof plan->describe,
             "%lld kernels that fill the device for a fixed number of steps, asked for %.1f us "
             "each, measured %.1f us each",
             (long long)count, (double)each_ns / 1e3, took / 1e3);
    return !plan->failed;
}
