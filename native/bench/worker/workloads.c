#include "workloads.h"

#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "times.h"

#define GROUP 64

static void black_scholes(struct plan *plan)
{
    int options = backend->large ? 16 << 20 : 64 << 10;
    int launches = backend->large ? 32 : 16;
    size_t count = (size_t)options;
    uint64_t spot = plan_random(plan, count, 5, 30);
    uint64_t strike = plan_random(plan, count, 1, 100);
    uint64_t years = plan_random(plan, count, 0.25, 10);
    uint64_t call = plan_buffer(plan, count);
    uint64_t put = plan_buffer(plan, count);
    for (int i = 0; i < launches; i++) {
        plan_step(plan, &plan->request, "black_scholes", count, 1, GROUP, "bbbbbirr", spot, strike,
                  years, call, put, options, 0.02, 0.1 + 0.02 * i);
    }
    plan_result(plan, call, count);
    snprintf(plan->describe, sizeof plan->describe,
             "Black-Scholes prices of %d options at %d volatilities, one kernel each", options,
             launches);
}

static const struct {
    const char *label;
    void (*plan)(struct plan *plan);
} workloads[] = {
    {"black_scholes", black_scholes},
};

static bool commands(struct plan *plan, struct words *words, void *queue)
{
    int64_t each_ns, count;
    return word_number(words, "each_ns", 1000, 200 * MILLI, &each_ns) &&
           word_number(words, "count", 1, 100000, &count) && words_all_asked_for(words) &&
           plan_commands(plan, each_ns, count, queue);
}

static bool named(struct plan *plan, const char *label, struct words *words)
{
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        if (strcmp(workloads[i].label, label) == 0) {
            if (!words_all_asked_for(words)) {
                return false;
            }
            workloads[i].plan(plan);
            return !plan->failed;
        }
    }
    return problem("no workload '%s' on %s; give commands, black_scholes, cfd or memory_hungry%s",
                   label, backend->name, backend->large ? "" : ", or a network");
}

bool plan_workload(struct plan *plan, const char *label, struct words *words, void *queue)
{
    *plan = (struct plan){0};
    bool planned = strcmp(label, "commands") == 0 ? commands(plan, words, queue)
                                                  : named(plan, label, words);
    if (!planned) {
        plan_free(plan);
    }
    return planned;
}
