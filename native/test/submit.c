/* Commands that are submitted to XQueues, and launched by threads of theirs. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "xqueues.h"

#define COMMANDS 300

static struct list *list;
static struct pair pair;
static atomic_int called;

/* data is the value. */
static XResult append_value(HwQueueHandle hwq, void *data)
{
    CHECK(hwq == pair.hwq);
    atomic_fetch_add(&called, 1);
    return list_append(list, pair.queue, (int)(intptr_t)data) ? kXSchedSuccess
                                                              : kXSchedErrorHardware;
}

static XResult spin(HwQueueHandle hwq, void *data)
{
    (void)hwq;
    return opencl_spin(pair.queue, (int)(intptr_t)data) ? kXSchedSuccess : kXSchedErrorHardware;
}

static XResult count_up(HwQueueHandle hwq, void *data)
{
    (void)hwq;
    atomic_fetch_add((atomic_int *)data, 1);
    return kXSchedSuccess;
}

static XResult refuse(HwQueueHandle hwq, void *data)
{
    (void)hwq;
    (void)data;
    return kXSchedErrorBadResponse;
}

static HwCommandHandle submit(LaunchCallback launch, intptr_t data)
{
    HwCommandHandle command;
    OK(HwCommandCreateCallback(&command, launch, (void *)data));
    OK(XQueueSubmit(pair.xq, command));
    return command;
}

static void start(void)
{
    need_opencl();
    list = list_make(COMMANDS);
    pair = make_pair();
}

static void end(void)
{
    destroy_pair(&pair);
    list_free(list);
}

static void check_values(int count)
{
    int values[COMMANDS];
    CHECK(list_read(list, pair.queue, values) == (size_t)count);
    for (int i = 0; i < count; i++) {
        CHECK(values[i] == i);
    }
}

static void commands_are_launched_in_order(void)
{
    int64_t commands;
    XQueueState state;
    start();
    OK(XQueueSetLaunchConfig(pair.xq, 8, 4));
    for (int i = 0; i < COMMANDS; i++) {
        submit(append_value, i);
    }
    OK(XQueueWaitAll(pair.xq));
    OK(XQueueQuery(pair.xq, &state));
    OK(XQueueProfileHwCommandCount(pair.xq, &commands));
    CHECK(state == kQueueStateIdle && commands == COMMANDS);
    check_values(COMMANDS);
    end();
}

static void calls_of_the_program_come_in_between(void)
{
    start();
    for (int i = 0; i < 100; i += 2) {
        HwCommandHandle command = submit(append_value, i);
        OK(XQueueWait(pair.xq, command));
        CHECK(list_append(list, pair.queue, i + 1));
    }
    check_values(100);
    end();
}

static void waiting_is_for_one_command(void)
{
    XQueueState state;
    int values[COMMANDS];
    start();
    HwCommandHandle first = submit(append_value, 0);
    for (int i = 0; i < 5; i++) {
        submit(spin, 100);
    }
    OK(XQueueWait(pair.xq, first));
    OK(XQueueWait(pair.xq, first)); /* as often as one likes */
    OK(XQueueQuery(pair.xq, &state));
    CHECK(state == kQueueStateReady);
    queue_t reader = opencl_queue();
    CHECK(list_read(list, reader, values) == 1);
    opencl_release(reader);
    end();
}

static void the_result_of_a_launch_is_that_of_the_wait(void)
{
    HwCommandHandle never;
    start();
    HwCommandHandle command = submit(refuse, 0);
    CHECK(XQueueWait(pair.xq, command) == kXSchedErrorBadResponse);
    OK(XQueueWaitAll(pair.xq));
    OK(HwCommandCreateCallback(&never, append_value, NULL));
    CHECK(XQueueWait(pair.xq, never) == kXSchedErrorNotAllowed);
    OK(HwCommandDestroy(never));
    CHECK(XQueueWait(pair.xq, never) == kXSchedErrorNotFound);
    end();
}

static void a_command_is_submitted_once(void)
{
    HwCommandHandle direct;
    start();
    OK(XQueueSuspend(pair.xq, 0));
    HwCommandHandle command = submit(append_value, 0);
    CHECK(XQueueSubmit(pair.xq, command) == kXSchedErrorNotAllowed);
    CHECK(HwQueueLaunch(pair.hwq, command) == kXSchedErrorNotAllowed);
    OK(HwCommandDestroy(command)); /* it runs all the same */
    CHECK(XQueueWait(pair.xq, command) == kXSchedErrorNotFound);
    OK(XQueueResume(pair.xq, 0));
    OK(XQueueWaitAll(pair.xq));
    OK(HwCommandCreateCallback(&direct, append_value, (void *)1));
    OK(HwQueueLaunch(pair.hwq, direct));
    OK(HwQueueSynchronize(pair.hwq));
    OK(HwCommandDestroy(direct));
    check_values(2);
    end();
}

static void a_suspended_queue_keeps_its_commands(void)
{
    XQueueState state;
    start();
    OK(XQueueSuspend(pair.xq, 0));
    for (int i = 0; i < 20; i++) {
        submit(append_value, i);
    }
    sleep_millis(30);
    CHECK(atomic_load(&called) == 0);
    OK(XQueueQuery(pair.xq, &state));
    CHECK(state == kQueueStateReady);
    OK(XQueueResume(pair.xq, 0));
    OK(XQueueWaitAll(pair.xq));
    check_values(20);
    end();
}

static void dropped_commands_are_never_launched(void)
{
    start();
    OK(XQueueSuspend(pair.xq, 0));
    HwCommandHandle first = submit(append_value, 7);
    HwCommandHandle second = submit(append_value, 8);
    OK(XQueueResume(pair.xq, kQueueResumeFlagDropCommands));
    CHECK(XQueueWait(pair.xq, first) == kXSchedErrorNotFound);
    CHECK(XQueueWait(pair.xq, second) == kXSchedErrorNotFound);
    OK(XQueueWaitAll(pair.xq));
    submit(append_value, 0);
    OK(XQueueWaitAll(pair.xq));
    CHECK(atomic_load(&called) == 1);
    check_values(1);
    end();
}

static void *wait_for_all(void *unused)
{
    (void)unused;
    OK(XQueueWaitAll(pair.xq));
    return NULL;
}

static void a_thread_that_waits_can_be_cancelled(void)
{
    pthread_t thread;
    void *result;
    start();
    alarm(10); /* not for ever, if its lock is lost */
    OK(XQueueSuspend(pair.xq, 0));
    submit(append_value, 0);
    CHECK(pthread_create(&thread, NULL, wait_for_all, NULL) == 0);
    sleep_millis(50);
    CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
    CHECK(result == PTHREAD_CANCELED);
    OK(XQueueResume(pair.xq, 0));
    OK(XQueueWaitAll(pair.xq));
    check_values(1);
    end();
}

static void *submit_ten(void *unused)
{
    (void)unused;
    for (int i = 0; i < 10; i++) {
        submit(append_value, i);
    }
    return NULL;
}

static void a_blocking_submit_waits_for_room(void)
{
    pthread_t thread;
    int64_t commands;
    need_opencl();
    list = list_make(COMMANDS);
    pair = make_pair_with(kPreemptLevelBlock, kQueueCreateFlagBlockingSubmit);
    OK(XQueueSetLaunchConfig(pair.xq, 4, 2));
    OK(XQueueSuspend(pair.xq, 0));
    CHECK(pthread_create(&thread, NULL, submit_ten, NULL) == 0);
    EVENTUALLY(XQueueProfileHwCommandCount(pair.xq, &commands) == kXSchedSuccess && commands == 4);
    sleep_millis(50);
    OK(XQueueProfileHwCommandCount(pair.xq, &commands));
    CHECK(commands == 4);
    OK(XQueueResume(pair.xq, 0));
    pthread_join(thread, NULL);
    OK(XQueueWaitAll(pair.xq));
    check_values(10);
    end();
}

/* Before it is known whether there is room for it. */
static void *wait_for_it(void *command)
{
    CHECK(XQueueWait(pair.xq, *(HwCommandHandle *)command) == kXSchedErrorNotFound);
    return NULL;
}

static void *submit_too_late(void *command)
{
    CHECK(XQueueSubmit(pair.xq, *(HwCommandHandle *)command) == kXSchedErrorNotFound);
    return NULL;
}

static void who_waits_for_a_blocking_submit_learns_that_it_failed(void)
{
    pthread_t submitter, waiter;
    HwCommandHandle command;
    need_opencl();
    alarm(10); /* not for ever */
    list = list_make(COMMANDS);
    pair = make_pair_with(kPreemptLevelBlock, kQueueCreateFlagBlockingSubmit);
    OK(XQueueSetLaunchConfig(pair.xq, 1, 1));
    OK(XQueueSuspend(pair.xq, 0));
    submit(append_value, 0);
    OK(HwCommandCreateCallback(&command, append_value, (void *)1));
    CHECK(pthread_create(&submitter, NULL, submit_too_late, &command) == 0);
    sleep_millis(50);
    CHECK(pthread_create(&waiter, NULL, wait_for_it, &command) == 0);
    sleep_millis(50);
    OK(XQueueDestroy(pair.xq));
    pthread_join(submitter, NULL);
    pthread_join(waiter, NULL);
    check_values(1);
    OK(HwQueueDestroy(pair.hwq));
    opencl_release(pair.queue);
    list_free(list);
}

static XResult try_everything(HwQueueHandle hwq, void *data)
{
    HwCommandHandle own = *(HwCommandHandle *)data;
    CHECK(hwq == pair.hwq);
    CHECK(XQueueDestroy(pair.xq) == kXSchedErrorNotAllowed);
    CHECK(XQueueWait(pair.xq, own) == kXSchedErrorNotAllowed);
    CHECK(XQueueWaitAll(pair.xq) == kXSchedErrorNotAllowed);
    CHECK(XQueueSuspend(pair.xq, kQueueSuspendFlagSyncHwQueue) == kXSchedErrorNotAllowed);
    OK(XQueueSuspend(pair.xq, 0)); /* from the next command on */
    submit(append_value, 0);
    OK(XQueueResume(pair.xq, 0));
    return kXSchedSuccess;
}

static void a_callback_cannot_wait_for_its_own_queue(void)
{
    HwCommandHandle command;
    start();
    OK(HwCommandCreateCallback(&command, try_everything, &command));
    OK(XQueueSubmit(pair.xq, command));
    OK(XQueueWait(pair.xq, command));
    OK(XQueueWaitAll(pair.xq));
    check_values(1);
    end();
}

static void handles_of_commands_that_are_pending_stay(void)
{
    atomic_int calls = 0;
    start();
    OK(XQueueSuspend(pair.xq, 0));
    HwCommandHandle first = submit(count_up, (intptr_t)&calls);
    for (int i = 0; i < 65536; i++) {
        submit(count_up, (intptr_t)&calls);
    }
    CHECK(XQueueSubmit(pair.xq, first) == kXSchedErrorNotAllowed); /* so it is known */
    OK(XQueueResume(pair.xq, kQueueResumeFlagDropCommands));
    CHECK(XQueueWait(pair.xq, first) == kXSchedErrorNotFound);
    end();
}

static void old_handles_go_by_themselves(void)
{
    atomic_int calls = 0;
    start();
    HwCommandHandle first = submit(count_up, (intptr_t)&calls);
    HwCommandHandle last = first;
    for (int i = 0; i < 65536; i++) {
        last = submit(count_up, (intptr_t)&calls);
    }
    OK(XQueueWaitAll(pair.xq));
    CHECK(atomic_load(&calls) == 65537);
    CHECK(XQueueWait(pair.xq, first) == kXSchedErrorNotFound);
    OK(XQueueWait(pair.xq, last));
    end();
}

static XResult append_three(HwQueueHandle hwq, void *data)
{
    append_value(hwq, data);
    append_value(hwq, (char *)data + 1);
    return append_value(hwq, (char *)data + 2);
}

static void the_daemon_counts_commands_and_not_calls(void)
{
    start_scheduled();
    list = list_make(COMMANDS);
    pair = make_pair();
    struct xsched_slot *slot = slot_named("xqueue 1");
    standin_set_gate(slot, 1);
    submit(append_three, 0);
    submit(append_three, 3);
    CHECK(slot->ready_since != 0 && slot->submitted == 2); /* from the submission on */
    sleep_millis(30);
    CHECK(atomic_load(&called) == 0 && slot->launched == 0);
    standin_set_gate(slot, 0);
    OK(XQueueWaitAll(pair.xq));
    EVENTUALLY(__atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) == 0);
    CHECK(slot->submitted == 2 && slot->launched == 2 && slot->completed == 2);
    check_values(6);

    OK(XQueueSuspend(pair.xq, kQueueSuspendFlagWaitIdle));
    uint64_t submitted = slot->submitted;
    submit(append_value, 6);
    CHECK(slot->ready_since == 0 && slot->submitted == submitted); /* suspended is not ready */
    OK(XQueueResume(pair.xq, 0));
    OK(XQueueWaitAll(pair.xq));
    submit(spin, 30);
    submit(append_value, 7);
    OK(XQueueSuspend(pair.xq, kQueueSuspendFlagSyncHwQueue));
    EVENTUALLY(__atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) == 0);
    OK(XQueueResume(pair.xq, 0));
    OK(XQueueWaitAll(pair.xq));
    check_values(8);
    end();
}

static void *submit_many(void *counter)
{
    for (int i = 0; i < 500; i++) {
        submit(count_up, (intptr_t)counter);
    }
    return NULL;
}

static void threads_share_a_queue(void)
{
    pthread_t threads[4];
    atomic_int calls = 0;
    start_scheduled();
    pair = make_pair();
    list = list_make(COMMANDS);
    const struct xsched_slot *slot = slot_named("xqueue 1");
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_create(&threads[i], NULL, submit_many, &calls) == 0);
    }
    for (int i = 0; i < 30; i++) {
        OK(XQueueSuspend(pair.xq, i % 2 == 0 ? kQueueSuspendFlagSyncHwQueue : 0));
        sleep_millis(1);
        OK(XQueueResume(pair.xq, 0));
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    OK(XQueueWaitAll(pair.xq));
    CHECK(atomic_load(&calls) == 2000);
    EVENTUALLY(__atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) == 0);
    CHECK(slot->submitted == slot->launched && slot->launched == slot->completed);
    end();
}

static void *wait_until_it_ends(void *command)
{
    for (bool finds_it = true; finds_it;) {
        XResult all = XQueueWaitAll(pair.xq);
        XResult one = XQueueWait(pair.xq, *(HwCommandHandle *)command);
        CHECK(all == kXSchedSuccess || all == kXSchedErrorNotFound);
        CHECK(one == kXSchedSuccess || one == kXSchedErrorNotFound);
        finds_it = all == kXSchedSuccess && one == kXSchedSuccess;
    }
    return NULL;
}

static void a_wait_ends_well_if_the_queue_is_destroyed_meanwhile(void)
{
    start();
    for (int i = 0; i < 200; i++) {
        pthread_t thread[2];
        HwCommandHandle command = submit(spin, 1);
        for (int j = 0; j < 2; j++) {
            CHECK(pthread_create(&thread[j], NULL, wait_until_it_ends, &command) == 0);
        }
        OK(XQueueDestroy(pair.xq));
        for (int j = 0; j < 2; j++) {
            pthread_join(thread[j], NULL);
        }
        OK(XQueueCreate(&pair.xq, pair.hwq, kPreemptLevelBlock, kQueueCreateFlagNone));
    }
    end();
}

static void *submit_until_it_ends(void *counter)
{
    HwCommandHandle command;
    XResult result;
    do {
        OK(HwCommandCreateCallback(&command, count_up, counter));
        result = XQueueSubmit(pair.xq, command);
        atomic_fetch_add((atomic_int *)counter, -(result == kXSchedSuccess));
        OK(HwCommandDestroy(command));
    } while (result == kXSchedSuccess);
    CHECK(result == kXSchedErrorNotFound);
    return NULL;
}

static void a_queue_can_be_destroyed_in_the_midst_of_it(void)
{
    pthread_t threads[2];
    atomic_int difference = 0;
    start();
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 2; j++) {
            CHECK(pthread_create(&threads[j], NULL, submit_until_it_ends, &difference) == 0);
        }
        sleep_millis(2);
        OK(XQueueDestroy(pair.xq));
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        CHECK(atomic_load(&difference) == 0); /* all that was taken was launched */
        OK(XQueueCreate(&pair.xq, pair.hwq, kPreemptLevelBlock, 0));
    }
    end();
}

static XResult sleep_a_little(HwQueueHandle hwq, void *data)
{
    (void)hwq;
    (void)data;
    sleep_millis(5);
    return kXSchedSuccess;
}

static void destroy_at_exit(void)
{
    end();
}

static void a_program_may_destroy_its_queue_when_it_ends(void)
{
    start();
    atexit(destroy_at_exit); /* before the queue has a thread, so after our own handler */
    for (int i = 0; i < 10000; i++) {
        submit(sleep_a_little, 0);
    }
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"commands are launched in order", commands_are_launched_in_order},
        {"calls of the program come in between", calls_of_the_program_come_in_between},
        {"waiting is for one command", waiting_is_for_one_command},
        {"the result of a launch is that of the wait", the_result_of_a_launch_is_that_of_the_wait},
        {"a command is submitted once", a_command_is_submitted_once},
        {"a suspended queue keeps its commands", a_suspended_queue_keeps_its_commands},
        {"dropped commands are never launched", dropped_commands_are_never_launched},
        {"a thread that waits can be cancelled", a_thread_that_waits_can_be_cancelled},
        {"a blocking submit waits for room", a_blocking_submit_waits_for_room},
        {"who waits for a blocking submit learns that it failed",
         who_waits_for_a_blocking_submit_learns_that_it_failed},
        {"a callback cannot wait for its own queue", a_callback_cannot_wait_for_its_own_queue},
        {"handles of commands that are pending stay", handles_of_commands_that_are_pending_stay},
        {"old handles go by themselves", old_handles_go_by_themselves},
        {"the daemon counts commands and not calls", the_daemon_counts_commands_and_not_calls},
        {"threads share an XQueue", threads_share_a_queue},
        {"a program may destroy its queue when it ends",
         a_program_may_destroy_its_queue_when_it_ends},
        {"a wait ends well if the queue is destroyed meanwhile",
         a_wait_ends_well_if_the_queue_is_destroyed_meanwhile},
        {"a queue can be destroyed in the midst of it",
         a_queue_can_be_destroyed_in_the_midst_of_it},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
