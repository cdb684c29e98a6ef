/* What is captured is not work yet, and nothing of ours gets into it or spoils it. */
#include <pthread.h>
#include <string.h>

#include "program.h"

#define MODES 3
#define A_WHILE_MILLIS 20 /* for the watcher, to do what it should not */

static void *begin(unsigned flags, int mode)
{
    void *stream;
    CHECK(cuStreamCreate(&stream, flags) == 0);
    CHECK(cuStreamBeginCapture_v2(stream, mode) == 0);
    return stream;
}

static void *end(void *stream)
{
    void *graph = NULL;
    CHECK(cuStreamEndCapture(stream, &graph) == 0 && graph != NULL);
    CHECK(standin_spoiled() == 0);
    return graph;
}

static void captures_pass_the_gate(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    uint64_t before = launched();
    for (int mode = 0; mode < MODES; mode++) {
        standin_set_gate(slot, 1);
        void *stream = begin(NON_BLOCKING, mode);
        for (int i = 0; i < 10; i++) {
            launch(stream);
            CHECK(cuMemsetD8Async(0, 0, 1, stream) == 0);
        }
        void *graph = end(stream);
        CHECK(standin_nodes(graph, NULL) == 20 && standin_nodes(graph, NAME(cuLaunchKernel)) == 10);
        standin_set_gate(slot, 0);
    }
    CHECK(launched() == before && slot->submitted == before && slot->gate_waits == 0);
}

static void a_graph_is_one_command(void)
{
    void *executable;
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *stream = begin(NON_BLOCKING, MODE_GLOBAL);
    for (int i = 0; i < 10; i++) {
        launch(stream);
    }
    CHECK(cuGraphInstantiateWithFlags(&executable, end(stream), 0) == 0);
    uint64_t before = launched(), executed = standin_executed();
    for (int i = 1; i <= 5; i++) {
        CHECK(cuGraphLaunch(executable, stream) == 0);
        CHECK(launched() == before + (uint64_t)i);
    }
    finish();
    CHECK(standin_executed() == executed + 5);
}

struct launch_later {
    void *executable, *stream;
};

static void *launch_graph(void *argument)
{
    struct launch_later *later = argument;
    CHECK(cuCtxSetCurrent(context) == 0);
    CHECK(cuGraphLaunch(later->executable, later->stream) == 0);
    return NULL;
}

static void a_graph_waits_at_a_closed_gate(void)
{
    struct launch_later later;
    pthread_t thread;
    start_scheduled(XSCHED_OTHERS_BELOW);
    later.stream = begin(NON_BLOCKING, MODE_GLOBAL);
    launch(later.stream);
    CHECK(cuGraphInstantiateWithFlags(&later.executable, end(later.stream), 0) == 0);
    standin_set_gate(slot, 1);
    CHECK(pthread_create(&thread, NULL, launch_graph, &later) == 0);
    EVENTUALLY(__atomic_load_n(&slot->gate_waits, __ATOMIC_SEQ_CST) == 1);
    CHECK(standin_calls(NAME(cuGraphLaunch)) == 0);
    standin_set_gate(slot, 0);
    pthread_join(thread, NULL);
    CHECK(standin_calls(NAME(cuGraphLaunch)) == 1);
    finish();
}

/* What was launched before is in flight all the while, so somebody wants to know. */
static void nobody_asks_while_something_is_captured(void)
{
    static const unsigned flags[] = {NON_BLOCKING, 0};
    start_scheduled(XSCHED_OTHERS_BELOW);
    for (int i = 0; i < 2 * MODES; i++) {
        void *other = new_stream();
        standin_hold();
        launch(NULL);
        launch(PER_THREAD);
        launch(other);
        void *stream = begin(flags[i % 2], i / 2);
        for (int j = 0; j < 70; j++) {
            launch(stream);
            launch(other);
            launch(PER_THREAD);
        }
        sleep_millis(A_WHILE_MILLIS);
        void *graph = end(stream);
        CHECK(standin_nodes(graph, NULL) == 70);
        standin_release();
        finish();
    }
}

/* The stream that is captured has work in flight, too. */
static void captured_behind_work(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    for (int mode = 0; mode < MODES; mode++) {
        void *stream = new_stream();
        standin_hold();
        launch(stream);
        CHECK(cuStreamBeginCapture_v2(stream, mode) == 0);
        launch(stream);
        sleep_millis(A_WHILE_MILLIS);
        CHECK(standin_nodes(end(stream), NULL) == 1);
        standin_release();
        finish();
    }
}

static void streams_that_join_are_captured(void)
{
    void *event;
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(cuEventCreate(&event, 0) == 0);
    uint64_t before = launched();
    void *stream = begin(NON_BLOCKING, MODE_GLOBAL), *joined = new_stream();
    launch(stream);
    CHECK(cuEventRecord(event, stream) == 0 && cuStreamWaitEvent(joined, event, 0) == 0);
    launch(joined);
    CHECK(cuEventRecord(event, joined) == 0 && cuStreamWaitEvent(stream, event, 0) == 0);
    CHECK(standin_nodes(end(stream), NULL) == 2 && launched() == before);
}

static void *end_elsewhere(void *stream)
{
    void *graph;
    CHECK(cuCtxSetCurrent(context) == 0);
    CHECK(cuStreamEndCapture(stream, &graph) == 908);
    return NULL;
}

/* A call that fails to end a capture does not end it for us either. */
static void who_cannot_end_it_does_not(void)
{
    pthread_t thread;
    void *graph, *event;
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *joined = new_stream(), *other = new_stream();
    CHECK(cuEventCreate(&event, 0) == 0);
    void *stream = begin(NON_BLOCKING, MODE_GLOBAL);
    CHECK(cuEventRecord(event, stream) == 0 && cuStreamWaitEvent(joined, event, 0) == 0);
    CHECK(cuStreamEndCapture(joined, &graph) == 903 && cuStreamEndCapture(other, &graph) == 903);
    CHECK(pthread_create(&thread, NULL, end_elsewhere, stream) == 0);
    pthread_join(thread, NULL);
    standin_hold();
    launch(other);
    sleep_millis(A_WHILE_MILLIS);
    launch(stream);
    CHECK(standin_nodes(end(stream), NULL) == 1);
    standin_release();
    finish();
}

static void captures_that_fail(void)
{
    void *graph;
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *stream = begin(NON_BLOCKING, MODE_GLOBAL);
    CHECK(cuStreamBeginCapture_v2(stream, MODE_GLOBAL) == 900); /* it goes on all the same */
    CHECK(cuStreamSynchronize(stream) == 900);
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL) == 901);
    CHECK(cuStreamEndCapture(stream, &graph) == 901 && graph == NULL);
    CHECK(cuStreamEndCapture(stream, &graph) == 903);
    CHECK(cuStreamBeginCapture_v2(LEGACY, MODE_GLOBAL) == 900);
    uint64_t before = launched();
    launch(stream);
    CHECK(launched() == before + 1);
    finish(); /* somebody asks again */

    /* One that is given up with its stream. */
    stream = begin(NON_BLOCKING, MODE_GLOBAL);
    CHECK(cuStreamDestroy_v2(stream) == 0);
    launch(NULL);
    finish();

    /* And one with its context. */
    void *second;
    CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
    begin(NON_BLOCKING, MODE_RELAXED);
    CHECK(cuCtxDestroy_v2(second) == 0);
    launch(NULL);
    finish();
}

/* All at once. */

#define CAPTURES 150
static atomic_bool stop;

static void *capture_many(void *argument)
{
    int mode = *(int *)argument;
    CHECK(cuCtxSetCurrent(context) == 0);
    void *stream = new_stream(), *executable;
    for (int i = 0; i < CAPTURES; i++) {
        CHECK(cuStreamBeginCapture_v2(stream, mode) == 0);
        for (int j = 0; j < 5; j++) {
            launch(stream);
        }
        void *graph = NULL;
        int result = cuStreamEndCapture(stream, &graph);
        CHECK(result == 0 && standin_nodes(graph, NULL) == 5);
        CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0) == 0);
        CHECK(cuGraphLaunch(executable, stream) == 0);
    }
    return NULL;
}

static void *launch_on(void *stream)
{
    CHECK(cuCtxSetCurrent(context) == 0);
    while (!atomic_load(&stop)) {
        launch(stream);
    }
    return NULL;
}

static void nothing_spoils_a_capture(void)
{
    static const uint32_t others[] = {0, XSCHED_OTHERS_BELOW, XSCHED_OTHERS_ABOVE, 3};
    int modes[MODES] = {MODE_GLOBAL, MODE_THREAD_LOCAL, MODE_RELAXED};
    start_scheduled(0);
    void *const streams[] = {new_stream(), PER_THREAD, NULL};
    for (size_t round = 0; round < sizeof others / sizeof *others; round++) {
        pthread_t capturing[MODES], launching[3];
        __atomic_store_n(&slot->others, others[round], __ATOMIC_SEQ_CST);
        atomic_store(&stop, false);
        for (int i = 0; i < 3; i++) {
            CHECK(pthread_create(&launching[i], NULL, launch_on, streams[i]) == 0);
            CHECK(pthread_create(&capturing[i], NULL, capture_many, &modes[i]) == 0);
        }
        for (int i = 0; i < 3; i++) {
            pthread_join(capturing[i], NULL);
        }
        atomic_store(&stop, true);
        for (int i = 0; i < 3; i++) {
            pthread_join(launching[i], NULL);
        }
        finish();
    }
    CHECK(standin_spoiled() == 0);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"what is captured passes a closed gate and does not count", captures_pass_the_gate},
        {"a graph is one command", a_graph_is_one_command},
        {"a graph waits at a closed gate", a_graph_waits_at_a_closed_gate},
        {"nobody asks while something is captured", nobody_asks_while_something_is_captured},
        {"a stream is captured behind its work", captured_behind_work},
        {"streams that join are captured, too", streams_that_join_are_captured},
        {"who cannot end a capture does not", who_cannot_end_it_does_not},
        {"captures fail, and work goes on", captures_that_fail},
        {"nothing spoils a capture", nothing_spoils_a_capture},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
