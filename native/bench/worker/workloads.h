/* The experiments' programs, each as a plan. */
#ifndef XSCHED_WORKER_WORKLOADS_H
#define XSCHED_WORKER_WORKLOADS_H

#include "plan.h"
#include "words.h"

#define MOST_ROUNDS 2000000000

/* The one with that label; reads what it needs of the line. On failure nothing is left behind. */
bool plan_workload(struct plan *plan, const char *label, struct words *words, void *queue);

/*
 * Kernels that take about as long as asked for. How many rounds that is, 0 has found out on this
 * queue. The plan has them, so that another program can be told: one that runs under a scheduler
 * would find fewer.
 */
bool plan_commands(struct plan *plan, int64_t each_ns, int64_t count, int64_t rounds, void *queue);

/* Kernels that do almost nothing, each waited for before the next is launched. */
bool plan_tiny(struct plan *plan, int64_t count);

#endif
