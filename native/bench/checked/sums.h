/*
 * What the kernel computes, computed here a second time. Each thread begins with its number, takes the
 * next number of a linear congruential generator so many times, and adds the last one to a sum that all
 * share. So the sum says whether each thread of each kernel did each of its steps exactly once, and does
 * not depend on the order in which they did.
 */
#ifndef XSCHED_CHECKED_SUMS_H
#define XSCHED_CHECKED_SUMS_H

#include <stdint.h>

#define SUM_FACTOR 1664525u
#define SUM_ADDEND 1013904223u

/* What one kernel adds. */
uint64_t sum_of(uint32_t threads, uint32_t rounds);

#endif
