/*
 * Interrupts and priorities: queues are off the GPU, or have another priority, as long as somebody
 * wants that who is alive, and not longer.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../shim/amd_kfd.h"
#include "../orders.h"
#include "kfd.h"
#include "runtime.h"

/* What a plain queue gets when programs are set apart from each other. */
enum { LOW = 2, MIDDLE = 8, HIGH = 12 };

static struct runtime runtime;
static struct kfd_state *kfd;

static void start(void)
{
    kfd = kfd_start();
    runtime_start(&runtime);
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(gpu()->offers != 0);
}

static uint32_t off(void)
{
    return kfd_off(getpid());
}

static const struct kfd_queue *queue(int index)
{
    return kfd_find(getpid(), runtime.compute[index]);
}

static void interrupt(void)
{
    order_interrupt(XSCHED_INTERRUPT_HERE);
    EVENTUALLY(off() == COMPUTE_QUEUES);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq && gpu()->interrupted == 1);
}

static void restore(void)
{
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(off() == 0);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq && gpu()->interrupted == 0);
}

static void order_priority(uint32_t order)
{
    __atomic_store_n(&gpu()->priority_order, order, __ATOMIC_SEQ_CST);
    raise_orders();
}

static uint32_t shown_priority(void)
{
    return __atomic_load_n(&gpu()->priority, __ATOMIC_SEQ_CST);
}

static bool all_have(uint32_t priority)
{
    for (int i = 0; i < COMPUTE_QUEUES; i++) {
        if (queue(i)->priority != priority) {
            return false;
        }
    }
    return true;
}

static void back_and_forth(void)
{
    start();
    for (int i = 0; i < 5; i++) {
        interrupt();
        restore();
    }
    CHECK(all_have(NORMAL_PRIORITY) && queue(0)->percentage == 100);
    CHECK(kfd->updates == 10 * COMPUTE_QUEUES && kfd_is_clean());
    finish();
}

/* Each call costs the whole device something. */
static void the_same_order_twice(void)
{
    start();
    interrupt();
    for (int i = 0; i < 3; i++) {
        order_interrupt(XSCHED_INTERRUPT_HERE);
        EVENTUALLY(answered() == gpu()->interrupt_order_seq);
    }
    CHECK(kfd->updates == COMPUTE_QUEUES);
    restore();
    CHECK(kfd_is_clean());
    finish();
}

static void the_daemon_dies(void)
{
    start();
    order_priority(1);
    interrupt();
    catch_errors();
    standin_die(&standin, &guest);
    EVENTUALLY(off() == 0);
    EVENTUALLY(all_have(NORMAL_PRIORITY));
    CHECK(kfd_is_clean());
}

static void the_daemon_is_silent(void)
{
    start();
    interrupt();
    catch_errors();
    atomic_store(&standin.beating, NULL);
    EVENTUALLY(off() == 0);
    CHECK(kfd_is_clean());
    finish();
}

static void nobody_confirms_it(void)
{
    setenv("XSCHED_INTERRUPT_LIMIT", "0.2", 1);
    start();
    catch_errors();
    interrupt();
    EVENTUALLY(off() == 0);
    EVENTUALLY(count_lines(caught_errors(), "without a decision that wants it so; going on") == 1);
    confirm_interrupt();
    EVENTUALLY(off() == COMPUTE_QUEUES);
    restore();
    CHECK(kfd_is_clean());
    finish();
}

static void the_driver_refuses(void)
{
    start();
    catch_errors();
    kfd->refuse = EPERM;
    order_interrupt(XSCHED_INTERRUPT_HERE);
    EVENTUALLY(__atomic_load_n(&gpu()->offers, __ATOMIC_SEQ_CST) == 0);
    CHECK(strcmp(gpu()->reason, "the driver refuses AMDKFD_IOC_UPDATE_QUEUE with error 1") == 0);
    CHECK(off() == 0);
    EVENTUALLY(count_lines(caught_errors(), "held back at its launches alone") == 1);
    CHECK(kfd_is_clean());
    finish();
}

/* Runs after the library's own handler, because it was registered before. */
static void expect_running(void)
{
    if (off() != 0 || !all_have(NORMAL_PRIORITY) || !kfd_is_clean()) {
        fprintf(stderr, "queues are not as they were\n");
        _exit(1);
    }
}

static void the_program_ends(void)
{
    atexit(expect_running);
    start();
    order_priority(1);
    interrupt();
}

static void a_queue_comes_and_one_goes(void)
{
    start();
    interrupt();
    uint32_t more = runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
    EVENTUALLY(kfd_find(getpid(), more)->percentage == 0);
    runtime_destroy(&runtime, runtime.compute[0]);
    uint32_t again = runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
    CHECK(again == runtime.compute[0]); /* the same id, another ring */
    EVENTUALLY(off() == COMPUTE_QUEUES + 1);
    restore();
    CHECK(gpu()->offers != 0 && kfd_is_clean());
    finish();
}

/* As the runtime does for its own reasons. */
static void the_program_updates_one_itself(void)
{
    start();
    interrupt();
    runtime_update(&runtime, runtime.compute[1], 100, 11);
    EVENTUALLY(off() == COMPUTE_QUEUES); /* it was put back, and is taken off again */
    CHECK(queue(1)->priority == 11);
    runtime_update(&runtime, runtime.compute[2], 0, NORMAL_PRIORITY);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(off() == 1);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq && gpu()->interrupted == 0);
    CHECK(queue(1)->priority == 11 && queue(2)->percentage == 0); /* which was not our doing */
    runtime_update(&runtime, runtime.compute[2], 100, NORMAL_PRIORITY);
    CHECK(off() == 0 && kfd_is_clean());
    finish();
}

static void which_part_of_the_device(void)
{
    start();
    runtime_update(&runtime, runtime.compute[0], 0x300 | 100, NORMAL_PRIORITY);
    interrupt();
    CHECK(queue(0)->percentage == 0x300);
    restore();
    CHECK(queue(0)->percentage == (0x300 | 100) && kfd_is_clean());
    finish();
}

static void priorities(void)
{
    start();
    order_priority(1 + 15);
    EVENTUALLY(all_have(HIGH));
    EVENTUALLY(shown_priority() == 16);
    interrupt();
    CHECK(all_have(HIGH));
    order_priority(1);
    EVENTUALLY(all_have(LOW));
    CHECK(off() == COMPUTE_QUEUES);
    restore();
    CHECK(all_have(LOW));
    order_priority(1 + 7);
    EVENTUALLY(all_have(MIDDLE));
    order_priority(99);
    EVENTUALLY(all_have(NORMAL_PRIORITY));
    EVENTUALLY(shown_priority() == 0);
    CHECK(kfd_is_clean());
    finish();
}

/* A program may have streams of several priorities. */
static void among_its_own_queues(void)
{
    start();
    runtime_update(&runtime, runtime.compute[0], 100, 15);
    runtime_update(&runtime, runtime.compute[1], 100, 0);
    order_priority(16);
    EVENTUALLY(queue(0)->priority == 15 && queue(1)->priority == 11 && queue(2)->priority == HIGH);
    order_priority(1);
    EVENTUALLY(queue(0)->priority == 6 && queue(1)->priority == 0 && queue(2)->priority == LOW);
    runtime_update(&runtime, runtime.compute[1], 100, 15);
    EVENTUALLY(queue(1)->priority == 6);
    order_priority(0);
    EVENTUALLY(queue(0)->priority == 15 && queue(1)->priority == 15);
    EVENTUALLY(queue(2)->priority == NORMAL_PRIORITY);
    CHECK(kfd_is_clean());
    finish();
}

static void a_new_queue_gets_the_priority(void)
{
    start();
    order_priority(16);
    EVENTUALLY(all_have(HIGH));
    uint32_t more = runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
    EVENTUALLY(kfd_find(getpid(), more)->priority == HIGH);
    order_priority(0);
    EVENTUALLY(all_have(NORMAL_PRIORITY));
    EVENTUALLY(kfd_find(getpid(), more)->priority == NORMAL_PRIORITY);
    finish();
}

static void a_child(void)
{
    int status;
    start();
    interrupt();
    pid_t child = fork();
    if (child == 0) {
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(off() == COMPUTE_QUEUES);
    restore();
    CHECK(kfd_is_clean());
    finish();
}

/* As the driver does when the GPU hangs. */
static void a_call_that_takes_long(void)
{
    start();
    catch_errors();
    __atomic_store_n(&kfd->update_millis, 3000, __ATOMIC_SEQ_CST);
    order_interrupt(XSCHED_INTERRUPT_HERE);
    sleep_millis(100); /* now it is in that call */
    uint32_t more = runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
    runtime_destroy(&runtime, more);
    __atomic_store_n(&kfd->update_millis, 0, __ATOMIC_SEQ_CST);
    EVENTUALLY(__atomic_load_n(&gpu()->offers, __ATOMIC_SEQ_CST) == 0);
    CHECK(strcmp(gpu()->reason, "a call about another queue takes long") == 0);
    EVENTUALLY(off() == 0);
    CHECK(kfd_is_clean());
    finish();
}

static _Atomic bool stopped;

static void *make_queues(void *unused)
{
    (void)unused;
    while (!atomic_load(&stopped)) {
        uint32_t id = runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
        runtime_update(&runtime, id, 100, 9);
        runtime_destroy(&runtime, id);
    }
    return NULL;
}

/* The stand-in fails the test if one ever meets another queue than it was meant for. */
static void queues_come_and_go(void)
{
    pthread_t threads[2];
    start();
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, make_queues, NULL) == 0);
    }
    for (int i = 0; i < 50; i++) {
        order_interrupt(i % 2 == 0 ? XSCHED_INTERRUPT_HERE : XSCHED_INTERRUPT_NONE);
        EVENTUALLY(answered() == gpu()->interrupt_order_seq);
        CHECK((queue(0)->percentage == 0) == (i % 2 == 0));
    }
    atomic_store(&stopped, true);
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    EVENTUALLY(off() == 0);
    CHECK(gpu()->offers != 0 && kfd_is_clean());
    finish();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"queues go off the GPU, and come back", back_and_forth},
        {"no queue is taken off twice", the_same_order_twice},
        {"the daemon dies meanwhile", the_daemon_dies},
        {"the daemon is silent meanwhile", the_daemon_is_silent},
        {"nobody confirms it", nobody_confirms_it},
        {"the driver refuses", the_driver_refuses},
        {"the program ends meanwhile", the_program_ends},
        {"a queue comes and one goes meanwhile", a_queue_comes_and_one_goes},
        {"the program updates a queue itself", the_program_updates_one_itself},
        {"a queue keeps its part of the device", which_part_of_the_device},
        {"a priority is in force until there is another order", priorities},
        {"a program's own queues keep their order", among_its_own_queues},
        {"a new queue gets the priority, too", a_new_queue_gets_the_priority},
        {"a child leaves its parent's queues alone", a_child},
        {"queues come and go meanwhile", queues_come_and_go},
        {"a call that takes long holds up nobody for long", a_call_that_takes_long},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
