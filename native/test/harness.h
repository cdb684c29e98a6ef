/* Runs each test in a process of its own, because the client is one per process. */
#ifndef XSCHED_HARNESS_H
#define XSCHED_HARNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline void check_that(bool is_true, const char *condition, const char *file, int line)
{
    if (!is_true) {
        fprintf(stderr, "%s:%d: not true: %s\n", file, line, condition);
        exit(1);
    }
}

struct test {
    const char *name; /* a statement about behaviour */
    void (*run)(void);
};

#define CHECK(condition) check_that(condition, #condition, __FILE__, __LINE__)

/* Waits for something that happens soon; how soon is no matter of these tests. */
#define EVENTUALLY(condition)                                                             \
    do {                                                                                  \
        bool came_true = (condition);                                                     \
        for (int tries = 0; tries < 10000 && !came_true; tries++) {                       \
            sleep_millis(1);                                                              \
            came_true = (condition); /* it may be so for a moment only */                 \
        }                                                                                 \
        check_that(came_true, #condition, __FILE__, __LINE__);                            \
    } while (0)

int run_tests(int count, char **arguments, const struct test *tests, size_t test_count);

void sleep_millis(int millis);
int64_t now_nanos(void);

/* A folder of this test alone, which goes when it ends, and which XSCHED_DIR names. */
const char *test_folder(void);

/* Has the standard error go to a file from now on, and returns what came so far. */
void catch_errors(void);
const char *caught_errors(void);
int count_lines(const char *text, const char *containing);

/* The xpuload program that belongs to these tests. */
const char *xpuload_path(void);

#endif
