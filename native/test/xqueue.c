/* XQueues over streams: handles, gates of their own, suspending; launches by the driver's calls. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "xqueues.h"

static XResult nothing(HwQueueHandle hwq, void *data)
{
    (void)hwq;
    (void)data;
    return kXSchedSuccess;
}

/* Every function of the interface, with a handle that is none. */
static void check_not_found(uint64_t handle)
{
    uint64_t other;
    XQueueState state;
    int64_t count;
    CHECK(XQueueCreate(&other, handle, 1, 0) == kXSchedErrorNotFound);
    CHECK(XQueueDestroy(handle) == kXSchedErrorNotFound);
    CHECK(XQueueGet(&other, handle) == kXSchedErrorNotFound);
    CHECK(XQueueSetPreemptLevel(handle, 1) == kXSchedErrorNotFound);
    CHECK(XQueueSetLaunchConfig(handle, 8, 4) == kXSchedErrorNotFound);
    CHECK(XQueueSubmit(handle, handle) == kXSchedErrorNotFound);
    CHECK(XQueueWait(handle, handle) == kXSchedErrorNotFound);
    CHECK(XQueueWaitAll(handle) == kXSchedErrorNotFound);
    CHECK(XQueueQuery(handle, &state) == kXSchedErrorNotFound);
    CHECK(XQueueSuspend(handle, 0) == kXSchedErrorNotFound);
    CHECK(XQueueResume(handle, 0) == kXSchedErrorNotFound);
    CHECK(XQueueProfileHwCommandCount(handle, &count) == kXSchedErrorNotFound);
    CHECK(HwQueueDestroy(handle) == kXSchedErrorNotFound);
    CHECK(HwQueueLaunch(handle, handle) == kXSchedErrorNotFound);
    CHECK(HwQueueSynchronize(handle) == kXSchedErrorNotFound);
    CHECK(HwCommandDestroy(handle) == kXSchedErrorNotFound);
    CHECK(XHintPriority(handle, 1) == kXSchedErrorNotFound);
    CHECK(XHintUtilization(handle, 1) == kXSchedErrorNotFound);
    CHECK(XHintDeadline(handle, 1) == kXSchedErrorNotFound);
    CHECK(XHintLaxity(handle, 1, 0, 1) == kXSchedErrorNotFound);
    CHECK(XHintLatencyGoal(handle, 1) == kXSchedErrorNotFound);
    CHECK(XHintLatencyRatio(handle, 1050) == kXSchedErrorNotFound);
}

static void made_up_handles_are_not_found(void)
{
    static const uint64_t invented[] = {0, 1, 42, 0x100000000000001, 0x200000000000000,
                                        0x300ffffffffffff, 0xdeadbeefdeadbeef, UINT64_MAX};
    HwCommandHandle command;
    for (size_t i = 0; i < sizeof invented / sizeof *invented; i++) {
        check_not_found(invented[i]);
    }
    OK(HwCommandCreateCallback(&command, nothing, NULL));
    CHECK(HwQueueDestroy(command) == kXSchedErrorNotFound); /* a handle of another kind */
    CHECK(XQueueDestroy(command) == kXSchedErrorNotFound);
    OK(HwCommandDestroy(command));
    check_not_found(command);
}

static void bad_values_change_nothing(void)
{
    HwQueueHandle hwq;
    CHECK(XQueueCreate(NULL, 0, 1, 0) == kXSchedErrorInvalidValue);
    CHECK(XQueueGet(NULL, 0) == kXSchedErrorInvalidValue);
    CHECK(XQueueQuery(0, NULL) == kXSchedErrorInvalidValue);
    CHECK(XQueueProfileHwCommandCount(0, NULL) == kXSchedErrorInvalidValue);
    CHECK(HwCommandCreateCallback(NULL, nothing, NULL) == kXSchedErrorInvalidValue);
    CHECK(HwCommandCreateCallback(&hwq, NULL, NULL) == kXSchedErrorInvalidValue);
    CHECK(CudaQueueCreate(NULL, NULL) == kXSchedErrorInvalidValue);
    CHECK(CudaQueueGet(NULL, NULL) == kXSchedErrorInvalidValue);
    CHECK(CudaQueueCreate(&hwq, NULL) != kXSchedSuccess); /* no driver, or no context */
    CHECK(CudaQueueGet(&hwq, NULL) == kXSchedErrorNotFound);
    CHECK(OpenclQueueCreate(NULL, NULL) == kXSchedErrorInvalidValue);
    CHECK(OpenclQueueCreate(&hwq, NULL) == kXSchedErrorInvalidValue);
    setenv("XSCHED_HIP_LIB", "/nowhere", 1);
    CHECK(HipQueueCreate(NULL, NULL) == kXSchedErrorInvalidValue);
    CHECK(HipQueueCreate(&hwq, NULL) == kXSchedErrorNotSupported);
    CHECK(XHintTimeslice(99) == kXSchedErrorInvalidValue);
    CHECK(XHintTimeslice(10000001) == kXSchedErrorInvalidValue);
    CHECK(XHintTimeslice(-1) == kXSchedErrorInvalidValue);
    CHECK(XHintKDeadline(0) == kXSchedErrorInvalidValue);
    CHECK(XHintKDeadline((size_t)INT32_MAX + 1) == kXSchedErrorInvalidValue);
    CHECK(XHintProcessPriority(256, NULL) == kXSchedErrorInvalidValue);
    CHECK(XHintProcessPriority(-257, NULL) == kXSchedErrorInvalidValue);
    CHECK(XHintProcessLatencyGoal(0) == kXSchedErrorInvalidValue);
    CHECK(XHintProcessLatencyRatio(999) == kXSchedErrorInvalidValue);
    CHECK(XHintSetScheduler(kSchedulerUnknown, kPolicyUnknown) == kXSchedErrorInvalidValue);
    CHECK(XHintSetScheduler(kSchedulerMax, kPolicyUnknown) == kXSchedErrorInvalidValue);
    CHECK(XHintSetScheduler(kSchedulerLocal, kPolicyMax) == kXSchedErrorInvalidValue);
    CHECK(XHintSetScheduler((XSchedulerType)-1, (XPolicyType)-1) == kXSchedErrorInvalidValue);
}

static void a_stream_has_one_queue_of_each_kind(void)
{
    uint64_t again;
    need_opencl();
    struct pair pair = make_pair();
    OK(OpenclQueueCreate(&again, pair.queue));
    CHECK(again == pair.hwq);
    OK(XQueueCreate(&again, pair.hwq, kPreemptLevelBlock, 0));
    CHECK(again == pair.xq);
    OK(XQueueGet(&again, pair.hwq));
    CHECK(again == pair.xq);
    CHECK(HwQueueDestroy(pair.hwq) == kXSchedErrorNotAllowed);
    CHECK(XQueueDestroy(pair.hwq) == kXSchedErrorNotFound);
    OK(XQueueDestroy(pair.xq));
    CHECK(XQueueGet(&again, pair.hwq) == kXSchedErrorNotFound);
    check_not_found(pair.xq);
    OK(HwQueueSynchronize(pair.hwq));
    OK(XQueueCreate(&again, pair.hwq, kPreemptLevelBlock, 0));
    CHECK(again != pair.xq);
    check_not_found(pair.xq); /* though there is an XQueue again */
    OK(XQueueDestroy(again));
    OK(HwQueueDestroy(pair.hwq));
    check_not_found(pair.hwq);
    opencl_release(pair.queue);
}

static void what_a_queue_cannot_do_is_said(void)
{
    XQueueHandle xq;
    catch_errors();
    need_opencl();
    struct pair pair = {.queue = opencl_queue()};
    OK(OpenclQueueCreate(&pair.hwq, pair.queue));
    CHECK(XQueueCreate(&xq, pair.hwq, 0, 0) == kXSchedErrorInvalidValue);
    CHECK(XQueueCreate(&xq, pair.hwq, 4, 0) == kXSchedErrorInvalidValue);
    CHECK(XQueueCreate(&xq, pair.hwq, 1, 2) == kXSchedErrorInvalidValue);
    OK(XQueueCreate(&pair.xq, pair.hwq, kPreemptLevelInterrupt, 0));
    CHECK(count_lines(caught_errors(), "preemption level 3 is not available") == 1);
    CHECK(XQueueSetPreemptLevel(pair.xq, kPreemptLevelDeactivate) == kXSchedErrorNotSupported);
    CHECK(XQueueSetPreemptLevel(pair.xq, 0) == kXSchedErrorInvalidValue);
    CHECK(XQueueSetPreemptLevel(pair.xq, 4) == kXSchedErrorInvalidValue);
    OK(XQueueSetPreemptLevel(pair.xq, kPreemptLevelBlock));
    OK(XQueueSetLaunchConfig(pair.xq, 8, 4));
    OK(XQueueSetLaunchConfig(pair.xq, -1, 8));
    OK(XQueueSetLaunchConfig(pair.xq, 0, 0));
    CHECK(XQueueSetLaunchConfig(pair.xq, 0, 9) == kXSchedErrorInvalidValue);
    CHECK(XQueueSetLaunchConfig(pair.xq, 2, 0) == kXSchedErrorInvalidValue);
    CHECK(XQueueSetLaunchConfig(pair.xq, INT64_MAX, 1) == kXSchedErrorInvalidValue);
    CHECK(XHintPriority(pair.xq, 256) == kXSchedErrorInvalidValue);
    CHECK(XHintPriority(pair.xq, -257) == kXSchedErrorInvalidValue);
    CHECK(XHintUtilization(pair.xq, 101) == kXSchedErrorInvalidValue);
    CHECK(XHintUtilization(pair.xq, -1) == kXSchedErrorInvalidValue);
    CHECK(XHintDeadline(pair.xq, 0) == kXSchedErrorInvalidValue);
    CHECK(XHintDeadline(pair.xq, -2) == kXSchedErrorInvalidValue);
    CHECK(XHintLaxity(pair.xq, -2, 0, 0) == kXSchedErrorInvalidValue);
    CHECK(XHintLaxity(pair.xq, 1, -256, 0) == kXSchedErrorInvalidValue);
    CHECK(XHintLaxity(pair.xq, 1, 0, 256) == kXSchedErrorInvalidValue);
    CHECK(XHintLatencyGoal(pair.xq, 0) == kXSchedErrorInvalidValue);
    CHECK(XHintLatencyRatio(pair.xq, 999) == kXSchedErrorInvalidValue);
    CHECK(XQueueSuspend(pair.xq, 8) == kXSchedErrorInvalidValue);
    CHECK(XQueueResume(pair.xq, 2) == kXSchedErrorInvalidValue);
    destroy_pair(&pair);
    CHECK(count_lines(caught_errors(), "are not seen") == 0); /* we are linked before the driver */
}

static void the_daemon_sees_an_xqueue_and_its_hints(void)
{
    start_scheduled();
    struct pair pair = make_pair();
    struct xsched_slot *slot = slot_named("xqueue 1");
    CHECK(slot != NULL && slot->buffered == 1 && slot->levels == 1);
    CHECK(slot_named("all streams") != NULL && slot_named("all streams")->buffered == 0);
    OK(XHintPriority(pair.xq, 3));
    OK(XHintPriority(pair.xq, PRIORITY_NO_EXECUTE));
    OK(XHintUtilization(pair.xq, 40));
    OK(XHintDeadline(pair.xq, 2000));
    OK(XHintLaxity(pair.xq, 700, -3, 9));
    CHECK(slot->asks.mask == 0x3f && slot->asks.values[0] == -256);
    CHECK(slot->asks.values[1] == 40 && slot->asks.values[2] == 2000);
    CHECK(slot->asks.values[3] == 700 && slot->asks.values[4] == -3 && slot->asks.values[5] == 9);
    OK(XHintDeadline(pair.xq, NO_DEADLINE));
    OK(XHintLaxity(pair.xq, NO_LAXITY, 0, 0));
    CHECK(slot->asks.values[2] == INT64_MAX && slot->asks.values[3] == INT64_MAX);
    OK(XHintLatencyGoal(pair.xq, 20000));
    OK(XHintLatencyRatio(pair.xq, 1050));
    CHECK(slot->asks.values[9] == 20000 && slot->asks.values[10] == 1050);
    OK(XHintLatencyRatio(pair.xq, NO_GOAL));
    CHECK(slot->asks.values[10] == INT64_MAX);
    OK(XHintTimeslice(300));
    OK(XHintKDeadline(4));
    CHECK(guest.block->asks.mask == 0xc0 && guest.block->asks.values[6] == 300 &&
          guest.block->asks.values[7] == 4);
    destroy_pair(&pair);
    CHECK(slot_named("xqueue 1") == NULL);
}

static void the_process_has_a_priority_of_its_own(void)
{
    Priority before = 77;
    setenv("XSCHED_AUTO_XQUEUE_PRIORITY", "5", 1);
    start_scheduled();
    struct pair pair = make_pair();
    struct xsched_slot *slot = slot_named("all streams");
    OK(XHintProcessPriority(10, &before));
    CHECK(before == 5 && slot->asks.values[0] == 10 && guest.block->asks.values[0] == 10);
    CHECK(slot_named("xqueue 1")->asks.mask == 0); /* it has its own */
    OK(XHintProcessPriority(5, &before));
    CHECK(before == 10 && slot->asks.values[0] == 5);
    OK(XHintProcessLatencyRatio(1050));
    CHECK(slot->asks.values[10] == 1050 && guest.block->asks.values[10] == 1050);
    OK(XHintProcessLatencyGoal(NO_GOAL));
    CHECK(slot->asks.values[9] == INT64_MAX && slot_named("xqueue 1")->asks.mask == 0);
    destroy_pair(&pair);
}

static void queues_can_come_and_go_for_ever(void)
{
    catch_errors();
    start_scheduled();
    for (int i = 0; i < 300; i++) {
        struct pair pair = make_pair();
        OK(XHintPriority(pair.xq, 1));
        CHECK(opencl_spin(pair.queue, 0));
        OK(XQueueWaitAll(pair.xq));
        destroy_pair(&pair);
    }
    CHECK(count_lines(caught_errors(), "more than") == 0);
    CHECK(slot_named("xqueue 300") == NULL);
    struct pair pair = make_pair();
    CHECK(slot_named("xqueue 301") != NULL && slot_named("xqueue 301")->asks.mask == 0);
    destroy_pair(&pair);
}

/* A thread that appends values 0, 1, 2, ... to a list by calls of the driver. */
struct appender {
    queue_t queue;
    struct list *list;
    int count;
    atomic_int launched;
    pthread_t thread;
};

static void *append(void *argument)
{
    struct appender *appender = argument;
    for (int i = 0; i < appender->count; i++) {
        CHECK(list_append(appender->list, appender->queue, i));
        atomic_fetch_add(&appender->launched, 1);
    }
    return NULL;
}

static void start_appender(struct appender *appender, queue_t queue, int count)
{
    *appender = (struct appender){.queue = queue, .list = list_make((size_t)count), .count = count};
    CHECK(pthread_create(&appender->thread, NULL, append, appender) == 0);
}

static void end_appender(struct appender *appender)
{
    int values[1000];
    pthread_join(appender->thread, NULL);
    CHECK(list_read(appender->list, appender->queue, values) == (size_t)appender->count);
    for (int i = 0; i < appender->count; i++) {
        CHECK(values[i] == i);
    }
    list_free(appender->list);
}

static void a_suspended_queue_holds_launches_by_the_driver(void)
{
    struct appender appender, other;
    need_opencl();
    struct pair pair = make_pair();
    queue_t free_queue = opencl_queue();
    OK(XQueueSuspend(pair.xq, 0));
    OK(XQueueSuspend(pair.xq, 0)); /* as once */
    start_appender(&appender, pair.queue, 100);
    start_appender(&other, free_queue, 100);
    EVENTUALLY(atomic_load(&other.launched) == 100); /* a stream without an XQueue goes on */
    sleep_millis(50);
    CHECK(atomic_load(&appender.launched) == 0);
    OK(XQueueResume(pair.xq, 0));
    end_appender(&appender);
    end_appender(&other);
    CHECK(atomic_load(&appender.launched) == 100);
    destroy_pair(&pair);
    opencl_release(free_queue);
}

static void nothing_is_in_flight_after_a_synchronous_suspend(void)
{
    int values[1000];
    struct appender appender;
    need_opencl();
    struct pair pair = make_pair();
    start_appender(&appender, pair.queue, 1000);
    for (int i = 0; i < 20; i++) {
        OK(XQueueSuspend(pair.xq, kQueueSuspendFlagSyncHwQueue));
        int launched = atomic_load(&appender.launched);
        queue_t reader = opencl_queue();
        size_t done = list_read(appender.list, reader, values);
        sleep_millis(2);
        CHECK(list_read(appender.list, reader, values) == done);
        /* The thread may not have counted yet what its last call has launched. */
        CHECK(done >= (size_t)launched && done <= (size_t)launched + 1);
        opencl_release(reader);
        OK(XQueueResume(pair.xq, 0));
    }
    end_appender(&appender);
    destroy_pair(&pair);
}

static void also_of_a_queue_that_was_suspended_before(void)
{
    XQueueState state;
    need_opencl();
    struct pair pair = make_pair();
    CHECK(opencl_spin(pair.queue, 100));
    OK(XQueueSuspend(pair.xq, kQueueSuspendFlagNone));
    OK(XQueueSuspend(pair.xq, kQueueSuspendFlagSyncHwQueue));
    OK(XQueueQuery(pair.xq, &state));
    CHECK(state == kQueueStateIdle);
    destroy_pair(&pair);
}

static void a_queue_can_be_suspended_once_it_is_idle(void)
{
    XQueueState state;
    int64_t count;
    need_opencl();
    struct pair pair = make_pair();
    OK(XQueueQuery(pair.xq, &state));
    CHECK(state == kQueueStateIdle);
    CHECK(opencl_spin(pair.queue, 50) && opencl_spin(pair.queue, 50));
    OK(XQueueQuery(pair.xq, &state));
    CHECK(state == kQueueStateReady);
    OK(XQueueSuspend(pair.xq, kQueueSuspendFlagWaitIdle));
    OK(XQueueQuery(pair.xq, &state));
    CHECK(state == kQueueStateIdle);
    OK(XQueueResume(pair.xq, 0));
    CHECK(opencl_spin(pair.queue, 20));
    OK(XQueueSuspend(pair.xq, kQueueSuspendFlagWaitAll));
    OK(XQueueQuery(pair.xq, &state));
    CHECK(state == kQueueStateIdle);
    OK(XQueueResume(pair.xq, 0));
    OK(XQueueProfileHwCommandCount(pair.xq, &count));
    CHECK(count == 3);
    destroy_pair(&pair);
}

static void a_suspended_queue_is_destroyed_all_the_same(void)
{
    struct appender appender;
    need_opencl();
    struct pair pair = make_pair();
    OK(XQueueSuspend(pair.xq, 0));
    start_appender(&appender, pair.queue, 10);
    sleep_millis(20);
    OK(XQueueDestroy(pair.xq));
    end_appender(&appender);
    OK(HwQueueDestroy(pair.hwq));
    opencl_release(pair.queue);
}

static XResult nap(HwQueueHandle hwq, void *data)
{
    (void)hwq;
    (void)data;
    sleep_millis(100);
    return kXSchedSuccess;
}

static void submit_naps(XQueueHandle xq, int count)
{
    for (int i = 0; i < count; i++) {
        HwCommandHandle command;
        OK(HwCommandCreateCallback(&command, nap, NULL));
        OK(XQueueSubmit(xq, command));
    }
}

struct waiting_suspend {
    XQueueHandle xq;
    int64_t flags;
    XResult result;
};

static void *suspend_later(void *argument)
{
    struct waiting_suspend *suspend = argument;
    suspend->result = XQueueSuspend(suspend->xq, suspend->flags);
    return NULL;
}

static atomic_bool destroyed;

static void *destroy(void *argument)
{
    OK(XQueueDestroy(*(XQueueHandle *)argument));
    atomic_store(&destroyed, true);
    return NULL;
}

/* The suspend is done with waiting while the queue still has something to launch. */
static void a_suspend_that_waits_does_not_keep_a_queue_from_being_destroyed(void)
{
    static const int64_t flags[] = {kQueueSuspendFlagWaitAll, kQueueSuspendFlagWaitIdle,
                                    kQueueSuspendFlagWaitAll | kQueueSuspendFlagSyncHwQueue};
    pthread_t suspender, destroyer;
    need_opencl();
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        struct pair pair = make_pair();
        struct waiting_suspend suspend = {.xq = pair.xq, .flags = flags[i]};
        atomic_store(&destroyed, false);
        submit_naps(pair.xq, 1);
        CHECK(pthread_create(&suspender, NULL, suspend_later, &suspend) == 0);
        sleep_millis(30);
        submit_naps(pair.xq, 3);
        CHECK(pthread_create(&destroyer, NULL, destroy, &pair.xq) == 0);
        EVENTUALLY(atomic_load(&destroyed));
        pthread_join(destroyer, NULL);
        pthread_join(suspender, NULL);
        CHECK(suspend.result == kXSchedErrorNotFound);
        OK(HwQueueDestroy(pair.hwq));
        opencl_release(pair.queue);
    }
}

static void each_xqueue_has_a_gate_of_its_own(void)
{
    struct appender held, open;
    start_scheduled();
    struct pair one = make_pair();
    struct pair two = make_pair();
    struct xsched_slot *slot = slot_named("xqueue 1");
    standin_set_gate(slot, 1);
    start_appender(&held, one.queue, 50);
    start_appender(&open, two.queue, 50);
    end_appender(&open);
    EVENTUALLY(__atomic_load_n(&slot->waiters, __ATOMIC_SEQ_CST) == 1);
    CHECK(atomic_load(&held.launched) == 0 && slot->ready_since != 0);
    OK(XQueueSuspend(two.xq, 0)); /* and what the program holds is not what the daemon holds */
    standin_set_gate(slot, 0);
    end_appender(&held);
    EVENTUALLY(__atomic_load_n(&slot->completed, __ATOMIC_SEQ_CST) == slot->submitted);
    destroy_pair(&one);
    destroy_pair(&two);
}

/* So that a queue that somebody suspended does not hold back others by its rank. */
static void the_count_is_of_all_that_was_submitted(void)
{
    int64_t count;
    start_scheduled();
    struct pair pair = make_pair();
    struct xsched_slot *slot = slot_named("xqueue 1");
    standin_set_gate(slot, 1);
    submit_naps(pair.xq, 3);
    EVENTUALLY(__atomic_load_n(&slot->waiters, __ATOMIC_SEQ_CST) == 1);
    OK(XQueueProfileHwCommandCount(pair.xq, &count));
    CHECK(count == 3); /* with the one at the gate */
    OK(XQueueSuspend(pair.xq, 0));
    OK(XQueueResume(pair.xq, kQueueResumeFlagDropCommands));
    OK(XQueueProfileHwCommandCount(pair.xq, &count));
    CHECK(count == 3);
    standin_set_gate(slot, 0);
    CHECK(opencl_spin(pair.queue, 1));
    OK(XQueueWaitAll(pair.xq));
    OK(XQueueProfileHwCommandCount(pair.xq, &count));
    CHECK(count == 4);
    destroy_pair(&pair);
}

static void a_suspended_queue_is_not_ready(void)
{
    struct appender appender;
    start_scheduled();
    struct pair pair = make_pair();
    const struct xsched_slot *slot = slot_named("xqueue 1");
    OK(XQueueSuspend(pair.xq, 0));
    start_appender(&appender, pair.queue, 5);
    sleep_millis(50);
    CHECK(__atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) == 0);
    OK(XQueueResume(pair.xq, 0));
    end_appender(&appender);
    destroy_pair(&pair);
}

/* The most that was seen in flight while a thread launches. */
static uint64_t most_in_flight(struct appender *appender, const struct xsched_slot *slot)
{
    uint64_t most = 0;
    while (atomic_load(&appender->launched) < appender->count) {
        uint64_t completed = __atomic_load_n(&slot->completed, __ATOMIC_SEQ_CST);
        uint64_t launched = __atomic_load_n(&slot->launched, __ATOMIC_SEQ_CST);
        /* Only what nothing completed meanwhile is exact. */
        if (completed == __atomic_load_n(&slot->completed, __ATOMIC_SEQ_CST) &&
            launched - completed > most) {
            most = launched - completed;
        }
    }
    return most;
}

static void a_threshold_bounds_what_is_in_flight(void)
{
    struct appender appender;
    start_scheduled();
    struct pair pair = make_pair();
    OK(XQueueSetLaunchConfig(pair.xq, 4, 2));
    start_appender(&appender, pair.queue, 500);
    uint64_t most = most_in_flight(&appender, slot_named("xqueue 1"));
    CHECK(most > 0 && most <= 4);
    end_appender(&appender);
    destroy_pair(&pair);
}

static void the_environment_sets_it_for_all_other_streams(void)
{
    struct appender appender;
    catch_errors();
    setenv("XSCHED_AUTO_XQUEUE_THRESHOLD", "4", 1);
    setenv("XSCHED_AUTO_XQUEUE_BATCH_SIZE", "few", 1);
    start_scheduled();
    CHECK(count_lines(caught_errors(), "XSCHED_AUTO_XQUEUE_BATCH_SIZE is 'few'") == 1);
    queue_t queue = opencl_queue();
    start_appender(&appender, queue, 500);
    uint64_t most = most_in_flight(&appender, slot_named("all streams"));
    CHECK(most > 0 && most <= 4);
    end_appender(&appender);
    opencl_release(queue);
}

static void without_automatic_queues_only_xqueues_are_gated(void)
{
    setenv("XSCHED_AUTO_XQUEUE", "OFF", 1);
    standin_start(&standin);
    standin_host(&standin, &guest);
    need_opencl();
    queue_t other = opencl_queue();
    CHECK(opencl_spin(other, 1) && opencl_finish(other));
    struct pair pair = make_pair(); /* the first that a daemon need know of */
    standin_hosted(&standin);
    struct xsched_slot *slot = slot_named("xqueue 1");
    CHECK(slot != NULL && slot_named("all streams") == NULL);
    CHECK(opencl_spin(other, 1) && opencl_finish(other));
    CHECK(opencl_spin(pair.queue, 1) && opencl_finish(pair.queue));
    CHECK(slot_named("all streams") == NULL && slot->submitted == 1);
    destroy_pair(&pair);
    opencl_release(other);
}

static void who_manages_itself_has_no_daemon(void)
{
    char byte;
    start_scheduled();
    struct pair pair = make_pair();
    standin_set_gate(slot_named("xqueue 1"), 1);
    OK(XHintSetScheduler(kSchedulerAppManaged, kPolicyUnknown));
    CHECK(read(guest.connection, &byte, 1) == 0);
    CHECK(opencl_spin(pair.queue, 1) && opencl_finish(pair.queue)); /* the gate is open */
    struct appender appender;
    OK(XQueueSuspend(pair.xq, 0));
    start_appender(&appender, pair.queue, 5);
    sleep_millis(20);
    CHECK(atomic_load(&appender.launched) == 0);
    OK(XQueueResume(pair.xq, 0));
    end_appender(&appender);
    static struct guest again;
    standin_host(&standin, &again);
    OK(XHintSetScheduler(kSchedulerGlobal, kPolicyUnknown));
    standin_hosted(&standin);
    CHECK(again.pid == getpid());
    destroy_pair(&pair);
}

static void the_environment_chooses_the_scheduler(void)
{
    catch_errors();
    setenv("XSCHED_SCHEDULER", "APP", 1);
    need_opencl();
    struct pair pair = make_pair();
    CHECK(opencl_spin(pair.queue, 1) && opencl_finish(pair.queue));
    destroy_pair(&pair);
    CHECK(strcmp(caught_errors(), "") == 0); /* no daemon was looked for */
}

static void an_unknown_scheduler_is_one_line(void)
{
    catch_errors();
    setenv("XSCHED_SCHEDULER", "nonsense", 1);
    need_opencl();
    struct pair pair = make_pair();
    destroy_pair(&pair);
    CHECK(count_lines(caught_errors(), "XSCHED_SCHEDULER is 'nonsense'") == 1);
    CHECK(count_lines(caught_errors(), "no daemon at") == 1);
}

static void a_forked_child_has_no_handles(void)
{
    int status;
    need_opencl();
    struct pair pair = make_pair();
    pid_t child = fork();
    if (child == 0) {
        check_not_found(pair.xq);
        check_not_found(pair.hwq);
        HwCommandHandle command;
        _exit(HwCommandCreateCallback(&command, nothing, NULL) != kXSchedSuccess);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    OK(XQueueWaitAll(pair.xq));
    destroy_pair(&pair);
}

static void a_stream_may_go_before_its_queue(void)
{
    XQueueHandle xq;
    need_opencl();
    struct pair pair = make_pair();
    OK(XQueueWaitAll(pair.xq));
    opencl_release(pair.queue);
    CHECK(HwQueueSynchronize(pair.hwq) == kXSchedErrorHardware);
    CHECK(XQueueWaitAll(pair.xq) == kXSchedErrorHardware);
    OK(XQueueDestroy(pair.xq));
    CHECK(XQueueCreate(&xq, pair.hwq, 1, 0) == kXSchedErrorHardware);
    OK(HwQueueDestroy(pair.hwq));
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"made-up handles are not found", made_up_handles_are_not_found},
        {"bad values change nothing", bad_values_change_nothing},
        {"a stream has one queue of each kind", a_stream_has_one_queue_of_each_kind},
        {"what a queue cannot do is said", what_a_queue_cannot_do_is_said},
        {"the daemon sees an XQueue and its hints", the_daemon_sees_an_xqueue_and_its_hints},
        {"the process has a priority of its own", the_process_has_a_priority_of_its_own},
        {"queues can come and go for ever", queues_can_come_and_go_for_ever},
        {"a suspended queue holds launches by the driver",
         a_suspended_queue_holds_launches_by_the_driver},
        {"nothing is in flight after a synchronous suspend",
         nothing_is_in_flight_after_a_synchronous_suspend},
        {"also of a queue that was suspended before", also_of_a_queue_that_was_suspended_before},
        {"a queue can be suspended once it is idle", a_queue_can_be_suspended_once_it_is_idle},
        {"a suspended queue is destroyed all the same",
         a_suspended_queue_is_destroyed_all_the_same},
        {"a suspend that waits does not keep a queue from being destroyed",
         a_suspend_that_waits_does_not_keep_a_queue_from_being_destroyed},
        {"each XQueue has a gate of its own", each_xqueue_has_a_gate_of_its_own},
        {"the count is of all that was submitted", the_count_is_of_all_that_was_submitted},
        {"a suspended queue is not ready", a_suspended_queue_is_not_ready},
        {"a threshold bounds what is in flight", a_threshold_bounds_what_is_in_flight},
        {"the environment sets it for all other streams",
         the_environment_sets_it_for_all_other_streams},
        {"without automatic queues only XQueues are gated",
         without_automatic_queues_only_xqueues_are_gated},
        {"who manages itself has no daemon", who_manages_itself_has_no_daemon},
        {"the environment chooses the scheduler", the_environment_chooses_the_scheduler},
        {"an unknown scheduler is one line", an_unknown_scheduler_is_one_line},
        {"a forked child has no handles", a_forked_child_has_no_handles},
        {"a stream may go before its queue", a_stream_may_go_before_its_queue},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
