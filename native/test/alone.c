/* Without a daemon. */
#include <string.h>

#include "harness.h"
#include "xsched_client.h"
#include "xsched_control.h"

static void runs_and_says_so_once(void)
{
    catch_errors();
    xsched_queue *queue = xsched_queue_open("none", "queue");
    int64_t start = now_nanos();
    while (now_nanos() < start + 600000000ll) { /* long enough for two more looks */
        xsched_gate(queue);
        xsched_launched(queue);
        xsched_completed(queue, 1, 10);
    }
    xsched_queue_close(queue);
    CHECK(!xsched_registered());
    CHECK(count_lines(caught_errors(), "\n") == 1);
    CHECK(count_lines(caught_errors(), "xsched: no daemon at /tmp/xsched-test-") == 1);
    CHECK(count_lines(caught_errors(), "; running unscheduled\n") == 1);
}

static void no_queue_is_no_trouble(void)
{
    xsched_gate(NULL);
    xsched_launched(NULL);
    xsched_completed(NULL, 1, 1);
    CHECK(!xsched_hint(NULL, XSCHED_HINT_PRIORITY, 1));
    xsched_queue_close(NULL);
}

static void queues_beyond_the_last_slot_are_not_scheduled(void)
{
    static xsched_queue *queues[XSCHED_SLOTS];
    catch_errors();
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        queues[i] = xsched_queue_open("none", "queue");
        CHECK(queues[i] != NULL);
    }
    CHECK(xsched_queue_open("none", "one more") == NULL);
    CHECK(count_lines(caught_errors(), "more than 256 queues") == 1);
    xsched_queue_close(queues[100]);
    queues[100] = xsched_queue_open("none", "one more");
    CHECK(queues[100] != NULL);
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        xsched_queue_close(queues[i]);
    }
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"without a daemon a program runs and says so once", runs_and_says_so_once},
        {"no queue is no trouble", no_queue_is_no_trouble},
        {"queues beyond the last slot are not scheduled",
         queues_beyond_the_last_slot_are_not_scheduled},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
