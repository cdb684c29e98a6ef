/* That what is expected of the kernel is what each of its threads does, step by step. */
#include "sums.h"

#include "../harness.h"

static uint64_t step_by_step(uint32_t threads, uint32_t rounds)
{
    uint64_t sum = 0;
    for (uint32_t thread = 0; thread < threads; thread++) {
        uint32_t value = thread;
        for (uint32_t i = 0; i < rounds; i++) {
            value = value * 1664525u + 1013904223u;
        }
        sum += value;
    }
    return sum;
}

static void sum_is_that_of_all_steps(void)
{
    CHECK(sum_of(128, 0) == step_by_step(128, 0));
    CHECK(sum_of(128, 1) == step_by_step(128, 1));
    CHECK(sum_of(5000, 777) == step_by_step(5000, 777));
}

/* One thread that is lost, one step too many. */
static void sum_tells_of_what_is_missing(void)
{
    CHECK(sum_of(5000, 777) != step_by_step(4999, 777));
    CHECK(sum_of(5000, 777) != step_by_step(5000, 778));
}

int main(int count, char **arguments)
{
    const struct test tests[] = {
        {"the sum is that of all steps of all threads", sum_is_that_of_all_steps},
        {"the sum tells of what is missing", sum_tells_of_what_is_missing},
    };
    return run_tests(count, arguments, tests, sizeof tests / sizeof *tests);
}
