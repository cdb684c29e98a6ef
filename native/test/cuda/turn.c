/* Before a graph comes that the GPU has to turn to, a kernel of the library's has it turn already. */
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define APART (XSCHED_OTHERS_BELOW | XSCHED_OTHERS_APART)
#define SLOW_MILLIS 5 /* longer than any kernel of the library's stays */
#define A_WHILE_MILLIS 20

static void *graph_of(int count)
{
    void *graph, *executable, *stream = new_stream();
    CHECK(cuStreamBeginCapture_v2(stream, MODE_GLOBAL) == 0);
    for (int i = 0; i < count; i++) {
        launch(stream);
    }
    CHECK(cuStreamEndCapture(stream, &graph) == 0);
    CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0) == 0);
    return executable;
}

static void *graph, *stream;

/* Returns whether the device turned to it before. */
static bool launch_graph(void)
{
    uint64_t before = standin_turned();
    CHECK(cuGraphLaunch(graph, stream) == 0);
    EVENTUALLY(standin_staying() == 0);
    return standin_turned() != before;
}

static void start(uint32_t others)
{
    start_scheduled(others);
    graph = graph_of(3);
    stream = new_stream();
}

/* The first graph has the kernel made, once that can be. */
static void start_turning(void)
{
    start(APART);
    CHECK(!launch_graph());
    finish();
    for (int i = 0; i < 1000 && !launch_graph(); i++) {
        finish();
        sleep_millis(1);
    }
    finish();
    CHECK(launch_graph());
    finish();
    CHECK(standin_calls("cuModuleLoadData") == 1);
}

static void it_turns(void)
{
    start_turning();
    uint64_t executed = standin_executed();
    for (int i = 0; i < 20; i++) {
        CHECK(launch_graph());
        CHECK(cuStreamSynchronize(stream) == 0);
        finish();
    }
    CHECK(standin_executed() == executed + 20); /* nothing of ours counts */
    CHECK(standin_calls("cuModuleLoadData") == 1);
}

static void it_has_work_already(void)
{
    start_turning();
    standin_hold();
    CHECK(launch_graph());
    CHECK(!launch_graph());
    launch(NULL);
    CHECK(!launch_graph());
    standin_release();
    finish();
    CHECK(launch_graph());
    finish();
}

static void single_kernels_are_told_at_once(void)
{
    start_turning();
    uint64_t kernels = standin_calls("cuLaunchKernel");
    for (int i = 0; i < 20; i++) {
        launch(stream);
        finish();
    }
    CHECK(standin_calls("cuLaunchKernel") == kernels + 20);
}

/* Where nobody else has the device, or the device does not turn by itself. */
static void it_need_not_turn(void)
{
    static const uint32_t others[] = {0, XSCHED_OTHERS_BELOW, XSCHED_OTHERS_ABOVE};
    start_turning();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        __atomic_store_n(&slot->others, others[i], __ATOMIC_SEQ_CST);
        CHECK(!launch_graph());
        CHECK(cuStreamSynchronize(stream) == 0);
        finish();
    }
    __atomic_store_n(&slot->others, APART, __ATOMIC_SEQ_CST);
    CHECK(launch_graph());
    finish();
}

static void nothing_is_made_for_who_never_turns(void)
{
    start(XSCHED_OTHERS_BELOW);
    for (int i = 0; i < 20; i++) {
        CHECK(!launch_graph());
        finish();
    }
    sleep_millis(A_WHILE_MILLIS);
    CHECK(standin_calls("cuModuleLoadData") == 0);
}

static void the_driver_refuses_the_graph(void)
{
    start_turning();
    standin_refuse("cuGraphLaunch", 1);
    CHECK(cuGraphLaunch(graph, stream) == 1);
    EVENTUALLY(standin_staying() == 0);
    finish();
    CHECK(launch_graph());
    finish();
}

static void the_driver_cannot(void)
{
    start(APART);
    standin_refuse("cuModuleLoadData", 221);
    for (int i = 0; i < 1000 && standin_calls("cuModuleLoadData") == 0; i++) {
        CHECK(!launch_graph());
        finish();
        sleep_millis(1);
    }
    for (int i = 0; i < 20; i++) {
        CHECK(!launch_graph());
        finish();
    }
    CHECK(standin_calls("cuModuleLoadData") == 1);
}

/* As where each launch is to be over before it returns. */
static void launches_take_long(void)
{
    int turned = 0;
    start_turning();
    standin_slow("cuLaunchKernel", SLOW_MILLIS);
    for (int i = 0; i < 10; i++) {
        turned += launch_graph();
        finish();
    }
    CHECK(turned == 3);
    standin_slow("", 0);
    CHECK(!launch_graph());
    finish();
}

static void launches_take_long_for_a_moment(void)
{
    start_turning();
    for (int i = 0; i < 10; i++) {
        standin_slow(i % 3 == 0 ? "" : "cuLaunchKernel", SLOW_MILLIS);
        CHECK(launch_graph());
        finish();
    }
}

static void a_capture_is_left_alone(void)
{
    void *captured;
    start_turning();
    void *other = new_stream();
    CHECK(cuStreamBeginCapture_v2(other, MODE_GLOBAL) == 0);
    launch(other);
    CHECK(!launch_graph());
    launch(other);
    CHECK(cuStreamEndCapture(other, &captured) == 0);
    CHECK(standin_spoiled() == 0 && standin_nodes(captured, NULL) == 2);
    finish();
    CHECK(launch_graph());
    finish();
}

static void a_context_ends(void)
{
    void *second;
    start_turning();
    CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
    void *first_stream = stream;
    stream = new_stream();
    for (int i = 0; i < 1000 && !launch_graph(); i++) {
        finish();
        sleep_millis(1);
    }
    finish();
    CHECK(standin_calls("cuModuleLoadData") == 2);
    CHECK(cuCtxDestroy_v2(second) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    stream = first_stream;
    CHECK(launch_graph());
    finish();
}

static void a_context_ends_before_it_is_made(void)
{
    start(APART);
    for (int i = 0; i < 20; i++) {
        void *second, *first_stream = stream;
        CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
        stream = new_stream();
        launch_graph();
        CHECK(cuCtxDestroy_v2(second) == 0);
        stream = first_stream;
        CHECK(cuCtxSetCurrent(context) == 0);
        finish();
    }
}

static void a_child_has_none(void)
{
    int status;
    start_turning();
    pid_t child = fork();
    if (child == 0) {
        exit(cuGraphLaunch(graph, stream) != 0 ? 0 : 1); /* no driver works there */
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(launch_graph());
    finish();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"the device turns to a program before its graph comes", it_turns},
        {"it has work of the program already", it_has_work_already},
        {"single kernels need no other before them", single_kernels_are_told_at_once},
        {"it need not turn", it_need_not_turn},
        {"nothing is made for who never has it turn", nothing_is_made_for_who_never_turns},
        {"the driver refuses the graph", the_driver_refuses_the_graph},
        {"the driver cannot", the_driver_cannot},
        {"launches take long", launches_take_long},
        {"launches take long for a moment", launches_take_long_for_a_moment},
        {"a capture is left alone", a_capture_is_left_alone},
        {"a context ends", a_context_ends},
        {"a context ends before it is made", a_context_ends_before_it_is_made},
        {"a child has none", a_child_has_none},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
