/* Parts of the worker by themselves, with moments that are made up. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness.h"
#include "answer.h"
#include "arrivals.h"
#include "ledger.h"
#include "ptx.h"
#include "throttle.h"
#include "words.h"

static void only_ends_in_the_measured_interval_count(void)
{
    struct ledger ledger = {.from = 100, .to = 200};
    static const int64_t requests[][2] = {{50, 99}, {90, 100}, {110, 120}, {115, 199}, {199, 200}};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        ledger_offered(&ledger, requests[i][0]);
        ledger_done(&ledger, requests[i][0], 0, 0, requests[i][1]);
    }
    CHECK(ledger.offered == 3);
    CHECK(ledger.done.count == 3 && ledger.arrived.count == 3);
    CHECK(ledger.arrived.values[0] == -10 && ledger.done.values[0] == 0);
    CHECK(ledger.arrived.values[2] == 15 && ledger.done.values[2] == 99);
    ledger_free(&ledger);
}

static void wants_are_merged_and_clipped(void)
{
    struct ledger ledger = {.from = 100, .to = 200};
    static const int64_t wanted[][2] = {{50, 60}, {90, 110}, {105, 108},
                                        {110, 120}, {130, 140}, {150, 300}};
    static const int64_t expected[] = {0, 20, 30, 40, 50, 100};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ledger_wanted(&ledger, wanted[i][0], wanted[i][1]);
    }
    CHECK(ledger.wants.count == 6);
    CHECK(memcmp(ledger.wants.values, expected, sizeof expected) == 0);
    ledger_free(&ledger);
}

static void even_arrivals_keep_step(void)
{
    struct arrivals arrivals = arrivals_from(1000, SPACING_EVEN, 10, 0, random_of(1, "a"));
    for (int i = 0; i < 100; i++) {
        CHECK(arrivals_next(&arrivals) == 1000 + 10 * i);
    }
}

static void arrivals_around_a_period_stay_in_their_bounds(void)
{
    struct arrivals arrivals = arrivals_from(0, SPACING_AROUND, 1000000, 0.5, random_of(1, "a"));
    int64_t last = 0, shortest = INT64_MAX, longest = 0;
    for (int i = 0; i < 10000; i++) {
        int64_t next = arrivals_next(&arrivals);
        shortest = next - last < shortest ? next - last : shortest;
        longest = next - last > longest ? next - last : longest;
        last = next;
    }
    CHECK(shortest >= 500000 && shortest < 510000);
    CHECK(longest <= 1500000 && longest > 1490000);
    CHECK(fabs((double)last / 10000 - 1000000) < 10000);
}

static void log_normal_arrivals_have_the_period_as_mean_and_sigma_as_spread(void)
{
    enum { COUNT = 200000 };
    struct arrivals arrivals = arrivals_from(0, SPACING_LOGNORMAL, 1000000, 0.5, random_of(7, "b"));
    double logs = 0, squares = 0;
    int64_t last = 0;
    for (int i = 0; i < COUNT; i++) {
        int64_t next = arrivals_next(&arrivals);
        double log_of_interval = log((double)(next - last));
        logs += log_of_interval;
        squares += log_of_interval * log_of_interval;
        last = next;
    }
    double mean = logs / COUNT;
    CHECK(fabs((double)last / COUNT - 1000000) < 10000);
    CHECK(fabs(sqrt(squares / COUNT - mean * mean) - 0.5) < 0.01);
}

static void arrivals_are_those_of_their_seed_and_name(void)
{
    struct arrivals one = arrivals_from(0, SPACING_AROUND, 1000000, 0.5, random_of(1, "a"));
    struct arrivals same = arrivals_from(0, SPACING_AROUND, 1000000, 0.5, random_of(1, "a"));
    struct arrivals seed = arrivals_from(0, SPACING_AROUND, 1000000, 0.5, random_of(2, "a"));
    struct arrivals name = arrivals_from(0, SPACING_AROUND, 1000000, 0.5, random_of(1, "b"));
    int64_t first = arrivals_next(&one);
    CHECK(arrivals_next(&same) == first);
    CHECK(arrivals_next(&seed) != first);
    CHECK(arrivals_next(&name) != first);
}

/* Requests of 10 ms, begun whenever that is allowed, for 10 s of made-up time. */
static double part_used(uint64_t share)
{
    struct throttle_page page = {.share = share};
    struct throttle throttle = {.page = &page};
    int64_t now = 1, used = 0;
    while (now < 10000000000ll) {
        int64_t wait = throttle_wait(&throttle, now);
        if (wait == 0) {
            now += 10000000;
            used += 10000000;
            throttle_charge(&throttle, 10000000);
        } else {
            now += wait;
        }
    }
    CHECK(page.done == (uint64_t)used / 10000000);
    return (double)used / 1e10;
}

static void a_throttle_gives_its_share_of_the_time(void)
{
    CHECK(part_used(0) == 0);
    CHECK(fabs(part_used(100000) - 0.1) < 0.005);
    CHECK(fabs(part_used(500000) - 0.5) < 0.005);
    CHECK(part_used(1000000) >= 1);
}

static void a_throttle_saves_up_for_100_ms_at_most(void)
{
    struct throttle_page page = {.share = 500000};
    struct throttle throttle = {.page = &page};
    CHECK(throttle_wait(&throttle, 1) == 0);
    CHECK(throttle_wait(&throttle, 60000000000ll) == 0);
    CHECK(throttle.tokens == 100e6);
    throttle_charge(&throttle, 101000000);
    CHECK(throttle_wait(&throttle, 60000000000ll) == 2000000);
    CHECK(throttle_wait(&throttle, 60002000000ll) == 0);
}

static void words_are_taken_apart(void)
{
    char line[] = "play  a=1 b.c=x,y\tr=0.5\n";
    struct words words;
    int64_t number;
    double real;
    CHECK(words_split(&words, line));
    CHECK(strcmp(words.verb, "play") == 0);
    CHECK(word_number(&words, "a", 0, 10, &number) && number == 1);
    CHECK(word_real(&words, "r", 0, 1, &real) && real == 0.5);
    CHECK(word_if_any(&words, "nothing") == NULL);
    CHECK(!words_all_asked_for(&words));
    CHECK(strcmp(word_text(&words, "b.c"), "x,y") == 0);
    CHECK(words_all_asked_for(&words));
    words_free(&words);
}

/* Has a script be nvcc, and a folder that is empty take what is temporary. */
static const char *with_nvcc(const char *script)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/nvcc", test_folder());
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fprintf(file, "#!/bin/sh\n%s\n", script) > 0 && fclose(file) == 0);
    CHECK(chmod(path, 0700) == 0);
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", test_folder());
    CHECK(setenv("PATH", path, 1) == 0);
    snprintf(path, sizeof path, "%s/temporary", test_folder());
    CHECK(mkdir(path, 0700) == 0 && setenv("TMPDIR", path, 1) == 0);
    return path;
}

static void compiled_kernels_are_read_and_nothing_is_left(void)
{
    const char *temporary = with_nvcc("echo $4 of $7 > $6");
    char *ptx = make_ptx("a.cl", 9, 0);
    CHECK(ptx != NULL && strcmp(ptx, "-arch=compute_90 of a.cl\n") == 0);
    free(ptx);
    CHECK(rmdir(temporary) == 0);
}

static void kernels_that_do_not_compile_leave_nothing(void)
{
    const char *temporary = with_nvcc("echo half > $6; exit 1");
    CHECK(make_ptx("a.cl", 9, 0) == NULL);
    CHECK(rmdir(temporary) == 0);
}

static void without_nvcc_it_says_what_to_install(void)
{
    char *said = NULL;
    size_t length = 0;
    FILE *terminal = stdout;
    CHECK(setenv("PATH", "/no/such/folder", 1) == 0);
    CHECK(make_ptx("a.cl", 9, 0) == NULL);
    stdout = open_memstream(&said, &length);
    answer_problem();
    fclose(stdout);
    stdout = terminal;
    CHECK(strstr(said, "no nvcc to compile a.cl; install the CUDA toolkit") != NULL);
    free(said);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"only ends in the measured interval count", only_ends_in_the_measured_interval_count},
        {"wants are merged and clipped", wants_are_merged_and_clipped},
        {"even arrivals keep step", even_arrivals_keep_step},
        {"arrivals around a period stay in their bounds",
         arrivals_around_a_period_stay_in_their_bounds},
        {"log-normal arrivals have the period as mean and sigma as spread",
         log_normal_arrivals_have_the_period_as_mean_and_sigma_as_spread},
        {"arrivals are those of their seed and name", arrivals_are_those_of_their_seed_and_name},
        {"a throttle gives its share of the time", a_throttle_gives_its_share_of_the_time},
        {"a throttle saves up for 100 ms at most", a_throttle_saves_up_for_100_ms_at_most},
        {"words are taken apart", words_are_taken_apart},
        {"compiled kernels are read and nothing is left",
         compiled_kernels_are_read_and_nothing_is_left},
        {"kernels that do not compile leave nothing", kernels_that_do_not_compile_leave_nothing},
        {"without nvcc it says what to install", without_nvcc_it_says_what_to_install},
    };
    return run_tests(count, arguments, tests, sizeof tests / sizeof *tests);
}
