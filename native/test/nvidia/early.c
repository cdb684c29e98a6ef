/* The device turns to a program before its requests come, as ordered, and stays no longer than that. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orders.h"

#define MILLI 1000000ll
#define SECOND (1000 * MILLI)
#define EVERY (20 * MILLI)
#define LEAD (MILLI / 2)
#define SLACK (3 * MILLI / 2)
#define A_WHILE_MILLIS 120 /* in which some requests were expected */
#define APART_MILLIS 3     /* two requests, and not one */
#define SLOW_MILLIS 5
#define LONG_MILLIS 40 /* much more than until it is tried to be ready for the next one */
#define MOST_TRIES 40  /* by the eighth it is known that launches follow */

static uint64_t turns(void)
{
    return __atomic_load_n(&gpu()->early_turns, __ATOMIC_SEQ_CST);
}

static uint64_t in_vain(void)
{
    return __atomic_load_n(&gpu()->early_in_vain, __ATOMIC_SEQ_CST);
}

static uint64_t begins(void)
{
    return __atomic_load_n(&gpu()->begins, __ATOMIC_SEQ_CST);
}

static void launch_and_wait_at_once(void)
{
    launch(NULL);
    CHECK(cuStreamSynchronize(NULL) == 0);
}

static void request(void)
{
    sleep_millis(APART_MILLIS);
    launch_and_wait_at_once();
}

static void order(int64_t at, int64_t every, int64_t lead, int64_t slack, int64_t until)
{
    __atomic_store_n(&gpu()->early_every, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&gpu()->early_at, at, __ATOMIC_SEQ_CST);
    __atomic_store_n(&gpu()->early_lead, lead, __ATOMIC_SEQ_CST);
    __atomic_store_n(&gpu()->early_slack, slack, __ATOMIC_SEQ_CST);
    __atomic_store_n(&gpu()->early_until, until, __ATOMIC_SEQ_CST);
    __atomic_store_n(&gpu()->early_every, every, __ATOMIC_SEQ_CST);
    raise_orders();
    CHECK(cuStreamSynchronize(NULL) == 0);
}

static void order_usual(void)
{
    order(now_nanos(), EVERY, LEAD, SLACK, now_nanos() + 1000 * SECOND);
}

static void start_noting(void)
{
    start();
    order_slice(1000000); /* without slices there is nothing to turn from */
    EVENTUALLY(slice() == 1000000);
    __atomic_store_n(&slot->others, XSCHED_OTHERS_EARLY, __ATOMIC_SEQ_CST);
    request();
}

static void start_turning(void)
{
    start_noting();
    order_usual();
    EVENTUALLY(turns() > 0);
}

/* The program still runs and nothing is left on the device. */
static void end_well(void)
{
    order(0, 0, 0, 0, 0);
    sleep_millis(APART_MILLIS);
    EVENTUALLY(standin_staying() == 0);
    request();
    CHECK(standin_spoiled() == 0 && rm_is_clean());
}

/* A turn that was under way is counted, and after a while no other one has come. */
static bool no_more_turns(void)
{
    sleep_millis(APART_MILLIS);
    uint64_t before = turns();
    sleep_millis(A_WHILE_MILLIS);
    return turns() == before;
}

static bool turns_for_requests(void)
{
    uint64_t before = turns();
    for (int i = 0; i < A_WHILE_MILLIS / APART_MILLIS; i++) {
        request();
    }
    return turns() > before;
}

/* What stays has something behind it, or the device would turn away when it ends. */
static bool stays_soon(void)
{
    request();
    for (int i = 0; i < A_WHILE_MILLIS && standin_staying() != 2; i++) {
        sleep_millis(1);
    }
    return standin_staying() == 2;
}

static void ask(void)
{
    int device;
    sleep_millis(APART_MILLIS);
    CHECK(cuCtxGetDevice(&device) == 0);
}

/* What it does is learned, if this machine does it fast enough. */
static void ask_and_launch(void)
{
    for (int i = 0; i < 10; i++) {
        ask();
        launch_and_wait_at_once();
    }
}

static bool turns_when_asked(void)
{
    ask_and_launch();
    uint64_t before = turns();
    ask();
    sleep_millis(1);
    launch_and_wait_at_once();
    return turns() > before;
}

static void the_first_call_of_a_request(void)
{
    start_noting();
    EVENTUALLY(turns_when_asked());
    __atomic_store_n(&slot->others, XSCHED_OTHERS_BELOW | XSCHED_OTHERS_APART | XSCHED_OTHERS_EARLY,
                     __ATOMIC_SEQ_CST);
    EVENTUALLY(turns_when_asked());
    end_well();
}

static bool turns_before_a_long_request(void)
{
    uint64_t before = turns();
    sleep_millis(LONG_MILLIS);
    ask();
    standin_hold();
    launch(NULL);
    sleep_millis(LONG_MILLIS);
    standin_release();
    CHECK(cuStreamSynchronize(NULL) == 0);
    return turns() > before;
}

/* It is tried again to be ready for that until one is over. */
static void the_first_call_of_long_requests(void)
{
    int tries = 0;
    start_noting();
    while (!turns_before_a_long_request()) {
        CHECK(++tries < MOST_TRIES);
    }
    end_well();
}

static bool is_ready(void)
{
    return __atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) != 0;
}

static bool is_ready_when_asked(void)
{
    ask_and_launch();
    EVENTUALLY(!is_ready());
    ask();
    return is_ready();
}

static void the_first_call_where_others_are_above_and_below(void)
{
    start_noting();
    __atomic_store_n(&slot->others, XSCHED_OTHERS_ABOVE | XSCHED_OTHERS_BELOW, __ATOMIC_SEQ_CST);
    EVENTUALLY(is_ready_when_asked());
    EVENTUALLY(!is_ready());
    ask();
    CHECK(!is_ready()); /* it was in vain */
    EVENTUALLY(is_ready_when_asked());
    launch(NULL);
    CHECK(is_ready() || standin_executed() > 0);
    CHECK(cuStreamSynchronize(NULL) == 0);
    EVENTUALLY(!is_ready());
    CHECK(slot->submitted == slot->completed && slot->launched == slot->submitted);
    EVENTUALLY(is_ready_when_asked());
    __atomic_store_n(&slot->others, XSCHED_OTHERS_BELOW | XSCHED_OTHERS_YIELD, __ATOMIC_SEQ_CST);
    ask_and_launch();
    EVENTUALLY(!is_ready());
    ask();
    CHECK(!is_ready());
    end_well();
}

static void requests_are_noted(void)
{
    start_noting();
    uint64_t before = begins();
    int64_t since = now_nanos(), last = 0;
    for (int i = 0; i < 40; i++) {
        request();
    }
    CHECK(begins() == before + 40);
    for (uint64_t i = begins() - XSCHED_BEGUN; i < begins(); i++) {
        int64_t begun = gpu()->begun[i % XSCHED_BEGUN];
        CHECK(begun > since && begun < now_nanos() && begun > last);
        last = begun;
    }
    end_well();
}

static void a_request_is_what_is_waited_for(void)
{
    start_noting();
    uint64_t before = begins();
    for (int i = 0; i < 4; i++) {
        sleep_millis(APART_MILLIS);
        launch(NULL);
    }
    CHECK(begins() == before + 1);
    CHECK(cuCtxSynchronize() == 0);
    request();
    CHECK(begins() == before + 2);
    end_well();
}

static void nothing_is_noted_where_nobody_asks(void)
{
    start_noting();
    __atomic_store_n(&slot->others, 0, __ATOMIC_SEQ_CST);
    uint64_t before = begins();
    request();
    CHECK(begins() == before);
    end_well();
}

static void nothing_is_noted_for_who_does_not_want_it(void)
{
    setenv("XSCHED_EARLY_TURNS", "OFF", 1);
    start_noting();
    request();
    CHECK(begins() == 0);
    end_well();
}

static void not_wanted_in_other_words(void)
{
    catch_errors();
    setenv("XSCHED_EARLY_TURNS", "maybe", 1);
    start_noting();
    request();
    CHECK(begins() > 0);
    CHECK(count_lines(caught_errors(), "XSCHED_EARLY_TURNS is 'maybe'; say ON or OFF") == 1);
    end_well();
}

/* It may take long, so not while a request is there or about to come. */
static void it_is_prepared_halfway_between_requests(void)
{
    start_noting();
    int64_t expected = now_nanos() + 5 * EVERY;
    order(expected, 10 * EVERY, LEAD, SLACK, INT64_MAX);
    EVENTUALLY(standin_calls("cuModuleLoadData") > 0);
    CHECK(now_nanos() >= expected - LEAD + 5 * EVERY && turns() == 0);
    EVENTUALLY(turns() > 0);
    end_well();
}

/* Of which one may be under way. */
static void repeat_until_not_in_vain(void (*act)(void))
{
    start_turning();
    for (int i = 0; i < 1000 && turns() - in_vain() < 3; i++) {
        EVENTUALLY(stays_soon());
        act();
    }
    CHECK(turns() - in_vain() >= 3);
    end_well();
}

static void launch_and_wait(void)
{
    launch(NULL);
    CHECK(cuStreamSynchronize(NULL) == 0);
    EVENTUALLY(standin_staying() == 0);
}

static void it_stays_until_the_program_waits(void)
{
    repeat_until_not_in_vain(launch_and_wait);
}

static void launch_and_ask(void)
{
    launch(NULL);
    EVENTUALLY(cuStreamQuery(NULL) == 0);
    EVENTUALLY(standin_staying() == 0);
}

static void it_stays_for_a_moment_after_the_launch(void)
{
    repeat_until_not_in_vain(launch_and_ask);
}

static void wait_for_nothing(void)
{
    CHECK(cuCtxSynchronize() == 0);
    CHECK(standin_staying() == 0);
}

static void it_does_not_stay_for_who_waits(void)
{
    repeat_until_not_in_vain(wait_for_nothing);
}

static void nobody_comes(void)
{
    start_turning();
    EVENTUALLY(standin_staying() == 0 && in_vain() == turns() && turns() == 2);
    CHECK(no_more_turns());
    EVENTUALLY(turns_for_requests());
    end_well();
}

static void a_request_is_under_way(void)
{
    start_turning();
    standin_hold();
    launch(NULL);
    CHECK(no_more_turns());
    standin_release();
    CHECK(cuStreamSynchronize(NULL) == 0);
    EVENTUALLY(turns_for_requests());
    end_well();
}

static void the_order_ends(void)
{
    start_noting();
    order(now_nanos(), EVERY, LEAD, SLACK, now_nanos() + SECOND);
    EVENTUALLY(now_nanos() > gpu()->early_until);
    EVENTUALLY(!turns_for_requests()); /* one may be under way */
    order_usual();
    EVENTUALLY(turns_for_requests());
    __atomic_store_n(&slot->others, 0, __ATOMIC_SEQ_CST);
    EVENTUALLY(!turns_for_requests());
    end_well();
}

static void an_order_from_long_ago_or_far_ahead(void)
{
    start_noting();
    order(now_nanos() - 100 * SECOND - 7 * MILLI, EVERY, LEAD, SLACK, INT64_MAX);
    EVENTUALLY(turns() > 0);
    order(now_nanos() + 5 * SECOND, EVERY, LEAD, SLACK, INT64_MAX);
    EVENTUALLY(turns_for_requests());
    end_well();
}

static void nonsense(void)
{
    int64_t far = now_nanos() + 1000 * SECOND;
    const int64_t orders[][5] = {
        {now_nanos(), 1, LEAD, SLACK, far},
        {now_nanos(), -EVERY, LEAD, SLACK, far},
        {now_nanos(), INT64_MAX, LEAD, SLACK, far},
        {now_nanos(), EVERY, -LEAD, SLACK, far},
        {now_nanos(), EVERY, LEAD, -SLACK, far},
        {now_nanos(), EVERY, SECOND, SLACK, far},
        {now_nanos(), EVERY, LEAD, SECOND, far},
        {now_nanos(), EVERY, INT64_MAX, INT64_MAX, far},
        {INT64_MIN, EVERY, LEAD, SLACK, far},
        {INT64_MAX, EVERY, LEAD, SLACK, far},
        {now_nanos(), EVERY, LEAD, SLACK, INT64_MIN},
    };
    start_noting();
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const int64_t *o = orders[i];
        order(o[0], o[1], o[2], o[3], o[4]);
        sleep_millis(30);
    }
    CHECK(turns() == 0);
    order_usual();
    EVENTUALLY(turns() > 0);
    end_well();
}

static void the_driver_refuses_the_kernel(void)
{
    start_noting();
    catch_errors();
    standin_refuse("cuModuleLoadData", 221);
    order_usual();
    EVENTUALLY(count_lines(caught_errors(), "CUDA does not take our kernel") == 1);
    CHECK(!turns_for_requests() && turns() == 0);
    CHECK(standin_calls("cuModuleLoadData") == 1);
    CHECK(count_lines(caught_errors(), "xsched: ") == 1);
    end_well();
}

static bool is_refused(void)
{
    request();
    standin_refuse("cuLaunchKernel", 719);
    sleep_millis(A_WHILE_MILLIS);
    standin_refuse("", 0);
    return count_lines(caught_errors(), "CUDA does not launch our kernel") == 1;
}

static void the_driver_refuses_a_launch(void)
{
    catch_errors();
    start_turning();
    EVENTUALLY(is_refused());
    CHECK(!turns_for_requests());
    end_well();
}

/* As where each launch is to be over before it returns. */
static void launches_take_long(void)
{
    catch_errors();
    start_turning();
    standin_slow("cuLaunchKernel", SLOW_MILLIS);
    EVENTUALLY(
        (request(), count_lines(caught_errors(), "CUDA takes too long to launch our kernel") == 1));
    standin_slow("", 0);
    CHECK(!turns_for_requests());
    end_well();
}

static void a_capture_is_left_alone(void)
{
    void *captured;
    start_turning();
    void *stream = new_stream();
    CHECK(cuStreamBeginCapture_v2(stream, MODE_GLOBAL) == 0);
    launch(stream);
    CHECK(no_more_turns());
    launch(stream);
    CHECK(cuStreamEndCapture(stream, &captured) == 0);
    CHECK(standin_spoiled() == 0 && standin_nodes(captured, NULL) == 2);
    EVENTUALLY(turns_for_requests());
    end_well();
}

static void a_context_ends(void)
{
    start_turning();
    for (int i = 0; i < 10; i++) {
        void *second;
        uint64_t loads = standin_calls("cuModuleLoadData");
        CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
        request();
        if (i % 2 == 0) {
            EVENTUALLY(standin_calls("cuModuleLoadData") == loads + 1);
        }
        CHECK(cuCtxDestroy_v2(second) == 0);
        CHECK(cuCtxSetCurrent(context) == 0);
    }
    CHECK(no_more_turns());
    request();
    EVENTUALLY(turns_for_requests());
    end_well();
}

static void a_child_has_none(void)
{
    int status;
    start_turning();
    pid_t child = fork();
    if (child == 0) {
        sleep_millis(A_WHILE_MILLIS);
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EVENTUALLY(turns_for_requests());
    end_well();
}

static void expect_nothing_to_stay(void)
{
    EVENTUALLY(standin_staying() == 0);
}

/* The stand-in ends who calls it after that. */
static void the_program_ends(void)
{
    atexit(expect_nothing_to_stay);
    start_turning();
    EVENTUALLY(stays_soon());
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"it is noted when requests begin", requests_are_noted},
        {"a request is what is waited for", a_request_is_what_is_waited_for},
        {"nothing is noted where nobody asks for it", nothing_is_noted_where_nobody_asks},
        {"nothing is noted for who does not want it", nothing_is_noted_for_who_does_not_want_it},
        {"who does not want it says so in other words", not_wanted_in_other_words},
        {"it is prepared halfway between requests", it_is_prepared_halfway_between_requests},
        {"the device stays until the program waits", it_stays_until_the_program_waits},
        {"or for a moment after a launch", it_stays_for_a_moment_after_the_launch},
        {"it does not stay for who waits for it", it_does_not_stay_for_who_waits},
        {"it does not stay for long if nobody comes", nobody_comes},
        {"it does not turn while a request is under way", a_request_is_under_way},
        {"the order ends", the_order_ends},
        {"an order counts from long ago, or far ahead", an_order_from_long_ago_or_far_ahead},
        {"nonsense", nonsense},
        {"the driver refuses the kernel", the_driver_refuses_the_kernel},
        {"the driver refuses a launch of it", the_driver_refuses_a_launch},
        {"launches take long", launches_take_long},
        {"a capture is left alone", a_capture_is_left_alone},
        {"a context ends", a_context_ends},
        {"a child has none", a_child_has_none},
        {"the program ends while it stays", the_program_ends},
        {"the first call of a request", the_first_call_of_a_request},
        {"the first call of long requests", the_first_call_of_long_requests},
        {"the first call where others are above and below",
         the_first_call_where_others_are_above_and_below},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
