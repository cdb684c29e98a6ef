/*
 * What tests can ask of the CUDA driver in driver.c, beside what any driver does. It keeps what is
 * on its streams in order, knows contexts, events, captures and graphs, and computes nothing but the
 * sums of bench/checked.
 *
 * Whoever uses what was destroyed, or calls it after its exit handler, ends the process with a
 * message. It has two devices.
 */
#ifndef XSCHED_CUDA_STANDIN_H
#define XSCHED_CUDA_STANDIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STANDIN_ARGUMENTS 14

struct standin_call {
    uint64_t thread; /* as the kernel numbers them */
    size_t count;
    uint64_t arguments[STANDIN_ARGUMENTS];
};

/* While held, the device executes no work but what is let through, some commands at a time. */
void standin_hold(void);
void standin_let(uint64_t commands);
void standin_release(void);

/* How often a function was called, and how the last time; those of a name unknown are 0. */
uint64_t standin_calls(const char *name);
struct standin_call standin_last(const char *name);

/* The next call of that function does nothing and returns this. */
void standin_refuse(const char *name, int result);

/* That function takes so long from now on, less than a second. */
void standin_slow(const char *name, int millis);

/* A kernel has failed: from now on all work, and whatever waits for it or asks about it, is refused. */
void standin_fail(int result);

/* Work, that is without marks, events and such; graphs count as one. */
uint64_t standin_executed(void);
uint64_t standin_in_flight(void);
uint64_t standin_most_in_flight(void); /* since it was last asked */

/* Kernels of the library's that do nothing but stay. */
uint64_t standin_staying(void);

/* How many nodes of a graph were captured from that function, or with NULL, from any. */
size_t standin_nodes(void *graph, const char *name);

/* Its exit handler is to run before those that were registered so far. */
void standin_end_earlier(void);

/* How many captures a call of whichever thread has spoiled so far. */
uint64_t standin_spoiled(void);

/* Where there is more to the device: told of each context, and asked whether it may work now. */
__attribute__((weak)) void standin_opens(void);
__attribute__((weak)) bool standin_runs(void);

/* Where work takes time: how late it is for the device, from a stream's thread, at the earliest that. */
__attribute__((weak)) int64_t standin_time(int64_t since);

#endif
