/* Processes that measure together: they share memory, and none outlives the one that started it. */
#ifndef XSCHED_BENCH_PROCESSES_H
#define XSCHED_BENCH_PROCESSES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Says what is wrong on the standard error and ends the process. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Memory full of zeros that children share with us. */
void *share(size_t size);

/* Starts a child that runs the body and then ends. */
pid_t start(void (*body)(void *), void *argument);

/* Waits until all of our children have ended; fails, and has the others end, if one failed. */
void await_children(void);

/* Has this process run on the last core alone, or on all others; no change where there is one. */
void take_last_core(void);
void leave_last_core(void);

void sleep_nanos(int64_t nanos);
void sleep_until(int64_t nanos);

/* A number below the bound, the next of a fixed sequence (xorshift); the state must not be 0. */
uint64_t next_random(uint64_t *state, uint64_t bound);

#endif
