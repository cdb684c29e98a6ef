/* Streams, contexts, threads and processes end, with work in flight. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define A_WHILE_MILLIS 20 /* for the watcher, to do what it should not */

static void streams_end(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    for (int i = 0; i < 100; i++) {
        void *stream = new_stream();
        standin_hold();
        for (int j = 0; j <= i % 4; j++) {
            launch(stream);
        }
        CHECK(cuStreamDestroy_v2(stream) == 0);
        CHECK(!is_idle()); /* the device goes on with it */
        standin_release();
        finish();
    }
}

#ifndef ON_HIP
/* No mark can be put on them from here. */
static void streams_of_another_context_end(void)
{
    void *second;
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
    void *stream = new_stream();
    standin_hold();
    launch(stream);
    CHECK(cuCtxSetCurrent(context) == 0);
    CHECK(cuStreamDestroy_v2(stream) == 0);
    standin_release();
    finish();
}
#endif

#ifndef ON_HIP
static void contexts_end(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    for (int i = 0; i < 20; i++) {
        void *second;
        standin_hold();
        launch(NULL);
        CHECK(cuCtxCreate_v2(&second, 0, 0) == 0);
        uint64_t before = completed();
        launch(NULL);
        launch(PER_THREAD);
        launch(new_stream());
        CHECK(cuCtxDestroy_v2(second) == 0);
        EVENTUALLY(completed() == before + 3);
        sleep_millis(i == 0 ? A_WHILE_MILLIS : 0);
        CHECK(!is_idle());
        standin_release();
        finish();
    }
}
#endif

#ifndef ON_HIP
static void a_context_ends_with_its_last_user(void)
{
    void *again;
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(cuDevicePrimaryCtxRetain(&again, 0) == 0 && again == context);
    standin_hold();
    launch(NULL);
    launch(PER_THREAD);
    CHECK(cuDevicePrimaryCtxRelease_v2(0) == 0);
    sleep_millis(A_WHILE_MILLIS);
    CHECK(!is_idle() && launched() == completed() + 2);
    standin_release();
    finish();

    standin_hold();
    launch(NULL);
    CHECK(cuDevicePrimaryCtxRelease_v2(0) == 0);
    finish();
    standin_release();
}
#endif

static void devices_are_reset(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    for (int i = 0; i < 10; i++) {
        CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0 && cuCtxSetCurrent(context) == 0);
        standin_hold();
        launch(NULL);
        launch(PER_THREAD);
        launch(new_stream());
        CHECK(cuDevicePrimaryCtxReset_v2(0) == 0);
        finish();
        standin_release();
    }
}

static void *launch_and_end(void *unused)
{
    (void)unused;
    CHECK(cuCtxSetCurrent(context) == 0);
    launch(PER_THREAD);
    return NULL;
}

static void threads_end(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        standin_hold();
        CHECK(pthread_create(&thread, NULL, launch_and_end, NULL) == 0);
        pthread_join(thread, NULL);
        CHECK(!is_idle());
        standin_release();
        finish();
    }
    CHECK(standin_calls(NAME(cuEventCreate)) <= 2 * 64); /* what was kept for one serves the next */
}

static void end_well(pid_t child)
{
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

/* What a data loader does that was forked by a program with a device, by accident. */
static void be_a_child(void *stream, void *event)
{
    void *other;
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL) != 0);
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) != 0);
    CHECK(cuLaunchKernel_ptsz(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) != 0);
    CHECK(cuStreamSynchronize(stream) != 0 && cuStreamQuery(NULL) != 0);
    CHECK(cuCtxSynchronize() != 0 && cuEventQuery(event) != 0);
    CHECK(cuStreamBeginCapture_v2(stream, MODE_GLOBAL) != 0);
    CHECK(cuStreamEndCapture(stream, &other) != 0);
    CHECK(cuStreamDestroy_v2(stream) != 0 && cuCtxDestroy_v2(context) != 0);
    CHECK(cuDevicePrimaryCtxRelease_v2(0) != 0 && cuDevicePrimaryCtxReset_v2(0) != 0);
}

static void children_change_nothing(void)
{
    void *event;
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *stream = new_stream();
    CHECK(cuEventCreate(&event, 0) == 0);
    for (int i = 0; i < 10; i++) {
        uint64_t before = launched();
        standin_hold();
        launch(stream);
        launch(PER_THREAD);
        pid_t child = fork();
        if (child == 0) {
            be_a_child(stream, event);
            if (i % 2 == 0) {
                _exit(0);
            }
            exit(0);
        }
        end_well(child);
        CHECK(!is_idle() && launched() == before + 2);
        standin_release();
        finish();
        launch(stream);
        finish();
    }
}

static atomic_bool stop;

static void *launch_on(void *stream)
{
    CHECK(cuCtxSetCurrent(context) == 0);
    while (!atomic_load(&stop)) {
        launch(stream);
    }
    return NULL;
}

static void children_of_busy_parents(void)
{
    pthread_t threads[3];
    void *event;
    start_scheduled(3);
    CHECK(cuEventCreate(&event, 0) == 0);
    void *stream = new_stream();
    void *const streams[] = {NULL, PER_THREAD, stream};
    for (int i = 0; i < 3; i++) {
        CHECK(pthread_create(&threads[i], NULL, launch_on, streams[i]) == 0);
    }
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            be_a_child(stream, event);
            _exit(0);
        }
        end_well(child);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    finish();
}

/* The test's own end is what is tested: the driver ends it with another status if it is called. */

static void ends_with_work_in_flight(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    standin_hold();
    launch(NULL);
    launch(PER_THREAD);
    launch(new_stream());
}

static void ends_at_once(void)
{
    ends_with_work_in_flight();
    _exit(0);
}

/* A driver that came when the watcher was there already. */
static void ends_with_a_late_driver(void)
{
    void *second;
    start_scheduled(XSCHED_OTHERS_BELOW);
    standin_end_earlier();
    CHECK(cuCtxCreate_v2(&second, 0, 1) == 0);
    launch(NULL);
    __atomic_store_n(&guest.block->slot[1].others, XSCHED_OTHERS_BELOW, __ATOMIC_SEQ_CST);
    standin_hold();
    launch(NULL);
    launch(new_stream());
}

static void *launch_one(void *stream)
{
    CHECK(cuCtxSetCurrent(context) == 0);
    launch(stream);
    return NULL;
}

static void ends_at_a_closed_gate(void)
{
    pthread_t thread;
    start_scheduled(XSCHED_OTHERS_BELOW);
    standin_set_gate(slot, 1);
    CHECK(pthread_create(&thread, NULL, launch_one, NULL) == 0);
    EVENTUALLY(__atomic_load_n(&slot->gate_waits, __ATOMIC_SEQ_CST) == 1);
}

/* The same process, and a new program. */

static void be_a_program(const char *stage)
{
    CHECK(cuInit(0) == 0 && cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    standin_hold();
    launch(NULL);
    if (strcmp(stage, "1") == 0) {
        setenv("STAGE", "2", 1);
        execl(program_path(), "lifetime", (char *)NULL);
        _exit(1);
    }
    launch(PER_THREAD);
    exit(0); /* what was launched alone is counted at the latest now */
}

static void programs_follow_each_other(void)
{
    static struct guest second;
    standin_start(&standin);
    standin_host(&standin, &guest);
    pid_t child = fork();
    if (child == 0) {
        setenv("STAGE", "1", 1);
        execl(program_path(), "lifetime", (char *)NULL);
        _exit(1);
    }
    standin_hosted(&standin);
    standin_host(&standin, &second);
    standin_hosted(&standin);
    end_well(child);
    CHECK(guest.pid == child && second.pid == child);
    CHECK(guest.block->slot[0].launched == 1 && second.block->slot[0].launched == 2);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"streams end with work in flight", streams_end},
#ifndef ON_HIP
        {"streams of another context end", streams_of_another_context_end},
#endif
#ifndef ON_HIP
        {"contexts end with work in flight", contexts_end},
#endif
#ifndef ON_HIP
        {"a primary context ends with its last user", a_context_ends_with_its_last_user},
#endif
        {"a device is reset with work in flight", devices_are_reset},
        {"threads end with work on their own stream", threads_end},
        {"forked children change nothing", children_change_nothing},
        {"forked children of busy parents", children_of_busy_parents},
        {"a program ends with work in flight", ends_with_work_in_flight},
        {"a program ends at once", ends_at_once},
        {"a program ends with a driver that came late", ends_with_a_late_driver},
        {"a program ends at a closed gate", ends_at_a_closed_gate},
        {"a program becomes another", programs_follow_each_other},
    };
    const char *stage = getenv("STAGE");
    if (stage != NULL) {
        be_a_program(stage);
    }
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
