/* Gates on the device: the program launches ahead, and the device stops where it should. */
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define A_WHILE_MILLIS 20
#define COMMANDS 20
#define LONG_NANOS 1000000ull /* more than a piece: a gate in front of each command */
#define CEILING 3
#define RANK 5

static uint64_t gates(void)
{
    return standin_calls("cuStreamWaitValue32_v2");
}

static uint64_t waits(void)
{
    return __atomic_load_n(&slot->gate_waits, __ATOMIC_SEQ_CST);
}

/* Another kernel each time, whose time is not known: so it is taken for average. */
static void launch_of(void *stream, uint64_t nanos)
{
    static char kernels[1024], *kernel = kernels;
    __atomic_store_n(&slot->command_nanos, nanos, __ATOMIC_SEQ_CST);
    CHECK(cuLaunchKernel(kernel++, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL) == 0);
}

static void launch_long(void *stream)
{
    launch_of(stream, LONG_NANOS);
}

/* With the device held and two commands in flight that somebody is above: it launches ahead. */
static void launch_ahead_on(void *stream)
{
    __atomic_store_n(&slot->others, XSCHED_OTHERS_ABOVE, __ATOMIC_SEQ_CST);
    finish();
    standin_hold();
    uint64_t before = gates();
    for (int i = 0; i < 100 && gates() == before; i++) {
        launch_long(stream); /* two never wait for room, and then the keeper is awake */
        sleep_millis(A_WHILE_MILLIS);
    }
    CHECK(gates() > before);
}

static void close_gate(void)
{
    uint64_t before = waits();
    standin_set_gate(slot, 1);
    EVENTUALLY(waits() == before + 1);
}

/* Returns how many commands wait on the device. */
static uint64_t launch_at_closed_gate(void *stream)
{
    close_gate();
    for (int i = 0; i < COMMANDS; i++) {
        launch_long(stream);
    }
    standin_release();
    EVENTUALLY(standin_in_flight() <= COMMANDS + 1);
    sleep_millis(A_WHILE_MILLIS);
    CHECK(standin_in_flight() >= COMMANDS);
    return standin_in_flight();
}

static void the_device_waits(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *const streams[] = {new_stream(), NULL, PER_THREAD};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        launch_ahead_on(streams[i]);
        launch_at_closed_gate(streams[i]);
        CHECK(!is_idle());
        standin_set_gate(slot, 0);
        CHECK(cuStreamSynchronize(streams[i]) == 0);
        CHECK(standin_in_flight() == 0);
        finish();
    }
}

/* In front of a hundred short commands. */
static uint64_t count_gates(uint32_t others)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    launch_ahead_on(NULL);
    __atomic_store_n(&slot->others, others, __ATOMIC_SEQ_CST);
    uint64_t before = gates();
    for (int i = 0; i < 100; i++) {
        launch_of(NULL, 5000);
    }
    uint64_t planted = gates() - before;
    standin_release();
    finish();
    return planted;
}

static void gates_are_rare(void)
{
    uint64_t planted = count_gates(XSCHED_OTHERS_ABOVE);
    CHECK(planted > 6 && planted <= 15);
}

static void gates_are_rarer_where_they_are_closed_for_moments_only(void)
{
    uint64_t planted = count_gates(XSCHED_OTHERS_ABOVE | XSCHED_OTHERS_BRIEFLY);
    CHECK(planted > 0 && planted <= 6);
}

/* Nobody above it: nothing is put in front of its work. */
static void only_below_others(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    for (int i = 0; i < 100; i++) {
        launch(NULL);
    }
    CHECK(gates() == 0);
    finish();
}

static void what_is_above_leaves(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    launch_ahead_on(NULL);
    launch_at_closed_gate(NULL);
    __atomic_store_n(&slot->others, 0, __ATOMIC_SEQ_CST);
    standin_set_gate(slot, 0);
    CHECK(cuCtxSynchronize() == 0);
    uint64_t before = gates();
    launch(NULL);
    CHECK(gates() == before);
    finish();
}

static void the_daemon_dies(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    launch_ahead_on(NULL);
    launch_at_closed_gate(NULL);
    catch_errors();
    standin_die(&standin, &guest);
    CHECK(cuCtxSynchronize() == 0);
    CHECK(standin_in_flight() == 0);
}

static void a_ceiling_stops_it(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    __atomic_store_n(&slot->rank, RANK, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->ceiling, CEILING, __ATOMIC_SEQ_CST);
    launch_ahead_on(NULL);
    uint64_t before = waits();
    standin_set_ceiling(&standin, CEILING, RANK);
    sleep_millis(A_WHILE_MILLIS);
    CHECK(waits() == before); /* it stands at its own rank */
    standin_set_ceiling(&standin, CEILING, RANK + 1);
    EVENTUALLY(waits() == before + 1);
    standin_release();
    CHECK(cuCtxSynchronize() == 0); /* nobody confirms it */
    finish();
}

static void a_driver_that_cannot(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    __atomic_store_n(&slot->command_nanos, 100, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->others, XSCHED_OTHERS_ABOVE, __ATOMIC_SEQ_CST);
    standin_refuse("cuMemHostRegister_v2", 801);
    for (int i = 0; i < 20000 && standin_calls("cuMemHostRegister_v2") == 0; i++) {
        launch(NULL);
    }
    CHECK(standin_calls("cuMemHostRegister_v2") == 1);
    for (int i = 0; i < 2000; i++) {
        launch(NULL);
    }
    CHECK(gates() == 0 && standin_calls("cuMemHostRegister_v2") == 1);
    finish();
}

static void a_context_ends(void)
{
    void *second;
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
    launch_ahead_on(NULL);
    launch_at_closed_gate(NULL);
    CHECK(cuCtxDestroy_v2(second) == 0);
    standin_set_gate(slot, 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    finish();
    launch_ahead_on(NULL);
    launch_at_closed_gate(NULL);
    standin_set_gate(slot, 0);
    finish();
}

static void a_capture_is_left_alone(void)
{
    void *graph;
    start_scheduled(XSCHED_OTHERS_BELOW);
    launch_ahead_on(NULL);
    void *stream = new_stream(), *other = new_stream();
    CHECK(cuStreamBeginCapture_v2(stream, MODE_GLOBAL) == 0);
    standin_release();
    for (int i = 0; i < COMMANDS; i++) {
        launch(stream);
        launch(other);
    }
    CHECK(cuStreamEndCapture(stream, &graph) == 0);
    CHECK(standin_spoiled() == 0 && standin_nodes(graph, NULL) == COMMANDS);
    finish();
}

static void a_child_has_none(void)
{
    int status;
    start_scheduled(XSCHED_OTHERS_BELOW);
    launch_ahead_on(NULL);
    launch_at_closed_gate(NULL);
    pid_t child = fork();
    if (child == 0) {
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(standin_in_flight() >= COMMANDS); /* its end opened nothing here */
    standin_set_gate(slot, 0);
    finish();
}

/* Runs after the library's own handler, because it was registered before. */
static void expect_nothing_in_flight(void)
{
    for (int i = 0; i < 10000 && standin_in_flight() != 0; i++) {
        sleep_millis(1);
    }
    if (standin_in_flight() != 0) {
        fprintf(stderr, "work is left on the device\n");
        _exit(1);
    }
}

static void the_program_ends(void)
{
    atexit(expect_nothing_in_flight);
    start_scheduled(XSCHED_OTHERS_BELOW);
    launch_ahead_on(NULL);
    launch_at_closed_gate(NULL);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"the device waits, and the program goes on", the_device_waits},
        {"a gate is in front of a piece of work, not of each command", gates_are_rare},
        {"they are rarer where they are closed for moments only",
         gates_are_rarer_where_they_are_closed_for_moments_only},
        {"who has nobody above it has none", only_below_others},
        {"what is above leaves", what_is_above_leaves},
        {"the daemon dies while they are closed", the_daemon_dies},
        {"a ceiling closes them, until nobody confirms it", a_ceiling_stops_it},
        {"a driver that cannot is used as before", a_driver_that_cannot},
        {"a context ends while they are closed", a_context_ends},
        {"a capture is left alone", a_capture_is_left_alone},
        {"a child has none", a_child_has_none},
        {"the program ends while they are closed", the_program_ends},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
