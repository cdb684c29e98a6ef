/* What the user asks for by variables. */
#include <string.h>

#include "harness.h"
#include "standin.h"
#include "xsched_client.h"

static struct standin standin;
static struct guest guest;

static void register_now(void)
{
    standin_start(&standin);
    standin_host(&standin, &guest);
    xsched_queue_close(xsched_queue_open("device", "queue"));
    standin_hosted(&standin);
}

static void variables_become_hints(void)
{
    setenv("XSCHED_NAME", "my model", 1);
    setenv("XSCHED_AUTO_XQUEUE_PRIORITY", "-256", 1);
    setenv("XSCHED_AUTO_XQUEUE_UTILIZATION", "30", 1);
    setenv("XSCHED_AUTO_XQUEUE_TIMESLICE", "100", 1);
    setenv("XSCHED_AUTO_XQUEUE_DEADLINE", "9000000000", 1);
    setenv("XSCHED_AUTO_XQUEUE_KDEADLINE", "2", 1);
    setenv("XSCHED_AUTO_XQUEUE_LAXITY", "0", 1);
    setenv("XSCHED_AUTO_XQUEUE_SLO_P99", "20000", 1);
    setenv("XSCHED_AUTO_XQUEUE_SLO_RATIO", "1050", 1);
    setenv("XSCHED_AUTO_XQUEUE_LEVEL", "2", 1);
    register_now();
    const struct xsched_asks *asks = &guest.block->asks;
    CHECK(strcmp(guest.hello.name, "my model") == 0);
    CHECK(asks->seq == 1 && asks->mask == (1 | 2 | 4 | 8 | 64 | 128 | 512 | 1024));
    CHECK(asks->values[0] == -256 && asks->values[1] == 30 && asks->values[2] == 9000000000ll);
    CHECK(asks->values[3] == 0 && asks->values[6] == 100 && asks->values[7] == 2);
    CHECK(asks->values[9] == 20000 && asks->values[10] == 1050);
    CHECK(xsched_asked_level() == 2);
}

static void bad_values_are_named_and_ignored(void)
{
    catch_errors();
    setenv("XSCHED_AUTO_XQUEUE_PRIORITY", "256", 1);
    setenv("XSCHED_AUTO_XQUEUE_UTILIZATION", "half", 1);
    setenv("XSCHED_AUTO_XQUEUE_DEADLINE", "0", 1);
    setenv("XSCHED_AUTO_XQUEUE_TIMESLICE", "", 1);
    setenv("XSCHED_AUTO_XQUEUE_KDEADLINE", "99999999999999999999", 1);
    setenv("XSCHED_AUTO_XQUEUE_LEVEL", "4", 1);
    register_now();
    CHECK(guest.block->asks.seq == 0 && guest.block->asks.mask == 0);
    CHECK(xsched_asked_level() == 0 && guest.hello.name[0] == 0);
    const char *said = caught_errors();
    CHECK(count_lines(said, "\n") == 1);
    CHECK(strncmp(said,
                  "xsched: XSCHED_AUTO_XQUEUE_PRIORITY is '256' and is ignored, give a whole "
                  "number from -256 to 255; XSCHED_AUTO_XQUEUE_UTILIZATION is 'half' and is ignored",
                  150) == 0);
    CHECK(strstr(said, "DEADLINE is '0' and is ignored, give a whole number, 1 or more") != NULL);
}

static void a_bad_level_is_named_and_ignored(void)
{
    catch_errors();
    setenv("XSCHED_AUTO_XQUEUE_LEVEL", "4", 1);
    register_now();
    CHECK(xsched_asked_level() == 0);
    CHECK(strcmp(caught_errors(), "xsched: XSCHED_AUTO_XQUEUE_LEVEL is '4' and is ignored, "
                                  "give auto, 1, 2 or 3\n") == 0);
}

static void a_slip_of_the_pen_is_named(void)
{
    catch_errors();
    setenv("XSCHED_AUTO_XQUEUE", "ON", 1);
    setenv("XSCHED_AUTO_XQUEUE_THRESHOLD", "8", 1);
    setenv("XSCHED_AUTO_XQUEUE_BATCH_SIZE", "4", 1);
    setenv("XSCHED_AUTO_XQUEUE_PRIO", "5", 1);
    register_now();
    const char *said = caught_errors();
    CHECK(count_lines(said, "\n") == 1);
    CHECK(count_lines(said, "XSCHED_AUTO_XQUEUE_PRIO is '5' and is ignored, give "
                            "XSCHED_AUTO_XQUEUE_PRIORITY, _UTILIZATION,") == 1);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"variables become hints", variables_become_hints},
        {"bad values are named and ignored", bad_values_are_named_and_ignored},
        {"a bad level is named and ignored", a_bad_level_is_named_and_ignored},
        {"a slip of the pen is named", a_slip_of_the_pen_is_named},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
