/* Whatever stream work is on, it is gated and counted, and its end is noticed. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "program.h"

#define LONG_NANOS 1000000000000ull

static void *run(void *(*body)(void *), void *argument)
{
    pthread_t *thread = malloc(sizeof *thread);
    CHECK(thread != NULL && pthread_create(thread, NULL, body, argument) == 0);
    return thread;
}

static void join(void *thread)
{
    CHECK(pthread_join(*(pthread_t *)thread, NULL) == 0);
    free(thread);
}

static void every_stream_counts(void)
{
    void *early;
    CHECK(cuInit(0) == 0 && cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0 && cuStreamCreate(&early, 0) == 0);
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *const streams[] = {NULL, LEGACY, PER_THREAD, early, new_stream()};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        uint64_t before = launched();
        standin_hold();
        launch(streams[i]);
        CHECK(launched() == before + 1 && completed() == before && !is_idle());
        CHECK(cuLaunchKernel_ptsz(NULL, 1, 1, 1, 1, 1, 1, 0, streams[i], NULL, NULL) == 0);
        CHECK(launched() == before + 2);
        standin_release();
        finish(); /* without a call of the program */
    }
}

static void alone_it_is_noticed_too(void)
{
    start_scheduled(0);
    for (int i = 0; i < 200; i++) {
        launch(NULL);
        launch(PER_THREAD);
    }
    finish();
}

#ifndef ON_HIP
static void wait_for(void *semaphore)
{
    sem_wait(semaphore);
}

static void each_context_has_its_own_default_stream(void)
{
    void *second;
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
    CHECK(cuLaunchHostFunc(NULL, wait_for, &semaphore) == 0);
    uint64_t before = completed();
    CHECK(cuCtxSetCurrent(context) == 0);
    launch(NULL);
    CHECK(cuStreamSynchronize(NULL) == 0);
    EVENTUALLY(completed() == before + 1);
    CHECK(launched() == before + 2 && !is_idle());
    sem_post(&semaphore);
    finish();
    CHECK(guest.block->slot[1].state == XSCHED_SLOT_FREE); /* one device, one unit */
}
#endif

static void each_device_is_a_queue(void)
{
    void *second;
    start_scheduled(XSCHED_OTHERS_BELOW);
    uint64_t before = launched();
    CHECK(cuCtxCreate_v2(&second, 0, 1) == 0);
    launch(NULL);
    CHECK(launched() == before && guest.block->slot[1].launched == 1);
    CHECK(strcmp(guest.block->slot[0].device, guest.block->slot[1].device) != 0);
    EVENTUALLY(__atomic_load_n(&guest.block->slot[1].ready_since, __ATOMIC_SEQ_CST) == 0);
}

static void *launch_one(void *stream)
{
    CHECK(cuCtxSetCurrent(context) == 0);
    launch(stream);
    return NULL;
}

static void waits_at_a_closed_gate(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *const streams[] = {NULL, PER_THREAD, new_stream()};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        uint64_t waits = slot->gate_waits, calls = standin_calls(NAME(cuLaunchKernel));
        standin_set_gate(slot, 1);
        void *thread = run(launch_one, streams[i]);
        EVENTUALLY(__atomic_load_n(&slot->gate_waits, __ATOMIC_SEQ_CST) == waits + 1);
        CHECK(standin_calls(NAME(cuLaunchKernel)) == calls && !is_idle());
        standin_set_gate(slot, 0);
        join(thread);
        CHECK(standin_calls(NAME(cuLaunchKernel)) == calls + 1);
        finish();
    }
}

static void waiting_is_not_gated(void)
{
    void *event, *stream;
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(cuEventCreate(&event, 0) == 0);
    stream = new_stream();
    launch(stream);
    launch(PER_THREAD);
    launch(NULL);
    standin_set_gate(slot, 1);
    CHECK(cuEventRecord(event, stream) == 0);
    CHECK(cuStreamWaitEvent(NULL, event, 0) == 0);
    CHECK(cuEventSynchronize(event) == 0 && cuEventQuery(event) == 0);
    CHECK(cuStreamSynchronize(stream) == 0 && cuStreamQuery(stream) == 0);
    CHECK(cuStreamSynchronize(PER_THREAD) == 0 && cuStreamSynchronize(NULL) == 0);
    CHECK(cuCtxSynchronize() == 0);
    finish();
    CHECK(slot->gate_waits == 0);
}

/* How the daemon tells who waits for each kernel from who launches far ahead. */
static void waits_for_the_device_are_counted(void)
{
    void *event;
    start_scheduled(0);
    finish();
    uint64_t before = slot->syncs;
    void *stream = new_stream();
    CHECK(cuEventCreate(&event, 0) == 0);
    for (int i = 0; i < 3; i++) {
        launch(stream);
        launch(stream);
        CHECK(cuStreamSynchronize(stream) == 0 && cuStreamSynchronize(stream) == 0);
    }
    CHECK(slot->syncs == before + 3);
    launch(stream);
    CHECK(cuEventRecord(event, stream) == 0 && cuEventSynchronize(event) == 0);
    CHECK(slot->syncs == before + 4);
    launch(NULL);
    launch(stream);
    CHECK(cuCtxSynchronize() == 0 && cuCtxSynchronize() == 0);
    CHECK(slot->syncs == before + 5);
}

static void *release_later(void *unused)
{
    (void)unused;
    sleep_millis(100); /* so that it was waited for, also if the machine is busy */
    standin_release();
    return NULL;
}

static void waits_for_the_device_are_measured(void)
{
    void *event;
    start_scheduled(XSCHED_OTHERS_BELOW);
    finish();
    void *stream = new_stream();
    CHECK(cuEventCreate(&event, 0) == 0);
    for (int way = 0; way < 4; way++) {
        uint64_t before = slot->sync_nanos;
        standin_hold();
        launch(stream);
        CHECK(cuEventRecord(event, stream) == 0);
        void *thread = run(release_later, NULL);
        if (way == 0) {
            CHECK(cuStreamSynchronize(stream) == 0);
        } else if (way == 1) {
            CHECK(cuEventSynchronize(event) == 0);
        } else if (way == 2) {
            CHECK(cuCtxSynchronize() == 0);
        } else {
            EVENTUALLY(cuStreamQuery(stream) == 0);
        }
        CHECK(slot->sync_nanos - before >= 10000000);
        join(thread);
        finish();
    }
    __atomic_store_n(&slot->others, 0, __ATOMIC_SEQ_CST); /* nobody wants to know */
    uint64_t before = slot->sync_nanos;
    launch(stream);
    CHECK(cuStreamSynchronize(stream) == 0 && cuCtxSynchronize() == 0);
    CHECK(slot->sync_nanos == before);
}

/* As a memory allocator does, which uses again what the device has done with. */
static void asking_in_passing_is_no_wait(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    finish();
    void *stream = new_stream();
    for (int way = 0; way < 2; way++) {
        uint64_t before = slot->sync_nanos;
        standin_hold();
        launch(stream);
        CHECK(cuStreamQuery(stream) == 600);
        standin_release();
        finish();
        for (int i = 0; i < (way == 0 ? 1 : 200); i++) {
            sleep_millis(way == 0 ? 1000 : 5);
            launch(stream);
            cuStreamQuery(stream);
        }
        CHECK(cuStreamSynchronize(stream) == 0);
        CHECK(slot->sync_nanos - before < 500000000);
    }
}

static void *see_awaited(void *seen)
{
    sleep_millis(20);
    *(uint32_t *)seen = __atomic_load_n(&slot->awaited, __ATOMIC_SEQ_CST);
    standin_release();
    return NULL;
}

static void waiting_is_told_while_it_lasts(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW | XSCHED_OTHERS_YIELD);
    finish();
    void *stream = new_stream();
    for (int way = 0; way < 3; way++) {
        uint32_t seen = 0;
        standin_hold();
        launch(stream);
        CHECK(cuStreamQuery(stream) != 0 && slot->awaited == 0); /* asking is no waiting */
        if (way == 2) { /* nobody wants to know */
            __atomic_store_n(&slot->others, XSCHED_OTHERS_BELOW, __ATOMIC_SEQ_CST);
        }
        void *thread = run(see_awaited, &seen);
        CHECK((way == 1 ? cuCtxSynchronize() : cuStreamSynchronize(stream)) == 0);
        join(thread);
        CHECK(seen == (way < 2) && slot->awaited == 0);
        finish();
    }
}

static void waiting_is_told_before_it_begins(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW | XSCHED_OTHERS_YIELD);
    finish();
    void *stream = new_stream();
    for (int round = 0; round < 4; round++) {
        int launches = round == 3 ? 50 : 100;
        standin_hold();
        for (int i = 1; i <= launches; i++) {
            launch(stream);
            CHECK(slot->awaited == (round == 2 && i >= 95));
        }
        standin_release();
        CHECK(cuStreamSynchronize(stream) == 0);
        CHECK(slot->awaited == 0);
        finish();
    }
}

struct launcher {
    void *stream;
    int commands;
    int sync_every;
};

static void *launch_many(void *argument)
{
    const struct launcher *launcher = argument;
    CHECK(cuCtxSetCurrent(context) == 0);
    for (int i = 1; i <= launcher->commands; i++) {
        launch(launcher->stream);
        if (launcher->sync_every != 0 && i % launcher->sync_every == 0) {
            CHECK(cuStreamSynchronize(launcher->stream) == 0);
        }
    }
    return NULL;
}

static void threads_share_streams(void)
{
    static const uint32_t others[] = {0, XSCHED_OTHERS_BELOW, XSCHED_OTHERS_ABOVE, 3};
    start_scheduled(0);
    void *shared = new_stream(), *own = new_stream();
    struct launcher launchers[] = {{NULL, 300, 50},       {NULL, 300, 0},  {shared, 300, 7},
                                   {shared, 300, 0},      {own, 300, 0},   {PER_THREAD, 300, 0},
                                   {PER_THREAD, 300, 20}, {LEGACY, 300, 0}};
#define LAUNCHERS (sizeof launchers / sizeof *launchers)
    for (size_t round = 0; round < sizeof others / sizeof *others; round++) {
        void *threads[LAUNCHERS];
        uint64_t before = launched(), executed = standin_executed();
        __atomic_store_n(&slot->others, others[round], __ATOMIC_SEQ_CST);
        for (size_t i = 0; i < LAUNCHERS; i++) {
            threads[i] = run(launch_many, &launchers[i]);
        }
        for (size_t i = 0; i < LAUNCHERS; i++) {
            join(threads[i]);
        }
        finish();
        CHECK(launched() == before + 300 * LAUNCHERS && slot->submitted == launched());
        CHECK(standin_executed() == executed + 300 * LAUNCHERS);
    }
}

/* No wait for room may be taken for one in vain, however slow the machine is. */
static void set_window(uint32_t commands)
{
    __atomic_store_n(&slot->window_commands, commands, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->command_nanos, LONG_NANOS, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->others, XSCHED_OTHERS_ABOVE, __ATOMIC_SEQ_CST);
    standin_most_in_flight();
}

static void the_window_is_kept(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *const streams[] = {new_stream(), NULL, PER_THREAD};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        struct launcher launcher = {streams[i], 24, 0};
        set_window(4);
        standin_hold();
        uint64_t executed = standin_executed();
        void *thread = run(launch_many, &launcher);
        for (int step = 0; step < 20; step++) {
            EVENTUALLY(standin_in_flight() == 4);
            set_window(4);
            standin_let(1);
            EVENTUALLY(standin_executed() == executed + (uint64_t)step + 1);
        }
        CHECK(standin_most_in_flight() == 4);
        standin_release();
        join(thread);
        finish();
    }
}

static void the_window_is_of_all_streams(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    struct launcher launchers[] = {{new_stream(), 50, 0}, {NULL, 50, 0}, {PER_THREAD, 50, 0}};
    void *threads[3];
    set_window(4);
    standin_hold();
    for (int i = 0; i < 3; i++) {
        threads[i] = run(launch_many, &launchers[i]);
    }
    for (uint64_t done = standin_executed(), step = 1; step <= 140; step++) {
        EVENTUALLY(standin_in_flight() == 4);
        set_window(4);
        standin_let(1);
        EVENTUALLY(standin_executed() == done + step);
    }
    CHECK(standin_most_in_flight() == 4);
    standin_release();
    for (int i = 0; i < 3; i++) {
        join(threads[i]);
    }
    finish();
}

#ifndef ON_HIP
/* A mark has to be on the stream of the context that the work is in. */
static void the_window_is_of_all_contexts(void)
{
    void *second;
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
    launch(NULL);
    finish();
    set_window(4);
    standin_hold();
    launch(NULL);
    launch(NULL);
    CHECK(cuCtxSetCurrent(context) == 0);
    launch(NULL);
    launch(NULL);
    struct launcher launcher = {NULL, 4, 0};
    void *thread = run(launch_many, &launcher);
    for (uint64_t done = standin_executed(), step = 1; step <= 4; step++) {
        standin_let(1);
        EVENTUALLY(standin_executed() == done + step);
        EVENTUALLY(standin_in_flight() == 4);
        set_window(4);
    }
    CHECK(standin_most_in_flight() == 4);
    join(thread);
    standin_release();
    finish();
}
#endif

/* A mark waits for the next command where the watcher is just looking, so it may be one less. */
static void marks_are_behind_batches(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *stream = new_stream();
    __atomic_store_n(&slot->window_batch, 4, __ATOMIC_SEQ_CST);
    uint64_t marks = standin_calls(NAME(cuEventRecord));
    standin_hold();
    for (int i = 0; i < 42; i++) {
        launch(stream);
    }
    marks = standin_calls(NAME(cuEventRecord)) - marks;
    CHECK(marks > 5 && marks <= 10);
    uint64_t before = completed();
    standin_let(11);
    EVENTUALLY(completed() >= before + 4); /* by the marks, without a call of the program */
    CHECK(completed() <= before + 11);
    standin_release();
    finish();
}

static void more_marks_than_there_is_room_for(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *const streams[] = {new_stream(), NULL, PER_THREAD};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        struct launcher launcher = {streams[i], 500, 0};
        standin_hold();
        void *thread = run(launch_many, &launcher);
        join(thread); /* and its own stream goes with it */
        CHECK(!is_idle());
        standin_release();
        finish();
    }
}

static void *launch_own(void *ready)
{
    CHECK(cuCtxSetCurrent(context) == 0);
    launch(PER_THREAD);
    sem_post(ready);
    return NULL;
}

/* While nobody may ask, somebody has to remember. */
static void own_streams_while_others_capture(void)
{
    sem_t ready;
    void *graph;
    sem_init(&ready, 0, 0);
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *stream = new_stream();
    CHECK(cuStreamBeginCapture_v2(stream, MODE_GLOBAL) == 0);
    void *thread = run(launch_own, &ready);
    join(thread);
    launch(stream);
    CHECK(cuStreamEndCapture(stream, &graph) == 0);
    finish();
    CHECK(standin_spoiled() == 0 && standin_nodes(graph, NULL) == 1);
}

/* As a kernel that writes where it must not: the program may live on, and do something else. */
static void a_kernel_fails(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *const streams[] = {NULL, PER_THREAD, new_stream()};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        standin_hold();
        launch(streams[i]);
        standin_fail(700);
        CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, streams[i], NULL, NULL) == 700);
        CHECK(cuCtxSynchronize() == 700);
        EVENTUALLY(is_idle());
        CHECK(completed() == launched());
        standin_fail(0);
        standin_release();
    }
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"every kind of stream is counted", every_stream_counts},
        {"alone on the device, its end is noticed too", alone_it_is_noticed_too},
#ifndef ON_HIP
        {"each context has its own default stream", each_context_has_its_own_default_stream},
#endif
        {"each device is a queue", each_device_is_a_queue},
        {"a launch waits at a closed gate", waits_at_a_closed_gate},
        {"waiting for the device is not gated", waiting_is_not_gated},
        {"waits for the device are counted", waits_for_the_device_are_counted},
        {"waits for the device are measured", waits_for_the_device_are_measured},
        {"asking in passing is no wait", asking_in_passing_is_no_wait},
        {"waiting is told while it lasts", waiting_is_told_while_it_lasts},
        {"waiting is told before it begins", waiting_is_told_before_it_begins},
        {"threads share streams", threads_share_streams},
        {"the window is kept", the_window_is_kept},
        {"the window is of all streams", the_window_is_of_all_streams},
#ifndef ON_HIP
        {"the window is of all contexts", the_window_is_of_all_contexts},
#endif
        {"marks are behind batches", marks_are_behind_batches},
        {"more marks than there is room for", more_marks_than_there_is_room_for},
        {"work on a thread's own stream while others capture", own_streams_while_others_capture},
        {"who has failed is not waited for", a_kernel_fails},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
