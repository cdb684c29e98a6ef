/* The experiments' programs, each as a plan. */
#ifndef XSCHED_WORKER_WORKLOADS_H
#define XSCHED_WORKER_WORKLOADS_H

#include "plan.h"
#include "words.h"

/* The one with that label; reads what it needs of the line. On failure nothing is left behind. */
bool plan_workload(struct plan *plan, const char *label, struct words *words, void *queue);

/*
 * Kernels that take about as long as asked for, which is found out on this queue, and which the
 * plan says in words as it turned out.
 */
bool plan_commands(struct plan *plan, int64_t each_ns, int64_t count, void *queue);

#endif
