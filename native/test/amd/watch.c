/* What is learned of a program that uses AMD's driver, and when nothing is offered. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../shim/amd_kfd.h"
#include "../orders.h"
#include "kfd.h"
#include "runtime.h"

static struct runtime runtime;
static struct kfd_state *kfd;

static bool is_offered(void)
{
    return __atomic_load_n(&gpu()->offers, __ATOMIC_SEQ_CST) != 0;
}

static uint32_t queue_count(void)
{
    return __atomic_load_n(&gpu()->channel_count, __ATOMIC_SEQ_CST);
}

static void start(void)
{
    kfd = kfd_start();
    runtime_start(&runtime);
    start_scheduled(XSCHED_OTHERS_BELOW);
}

static bool has_queue(uint32_t id)
{
    for (uint32_t i = 0; i < queue_count(); i++) {
        if (gpu()->channels[i].handle == id && gpu()->channels[i].client == 0) {
            return true;
        }
    }
    return false;
}

static void check_learned(void)
{
    CHECK(gpu()->state == XSCHED_SLOT_USED && gpu()->changes % 2 == 0);
    CHECK(gpu()->offers == (XSCHED_OFFERS_INTERRUPT | XSCHED_OFFERS_PRIORITY));
    CHECK(gpu()->reason[0] == 0 && strcmp(gpu()->device, slot->device) == 0);
    CHECK(gpu()->client == 0 && gpu()->subdevice == 0 && gpu()->group_count == 0);
    CHECK(gpu()->instance == KFD_GPU_ID && queue_count() == COMPUTE_QUEUES);
    for (int i = 0; i < COMPUTE_QUEUES; i++) {
        CHECK(has_queue(runtime.compute[i]));
    }
    for (int i = 0; i < COPY_QUEUES; i++) {
        CHECK(!has_queue(runtime.copies[i]));
    }
    CHECK(slot->levels == (1 | 4));
    CHECK(kfd->updates == 0 && kfd_is_clean());
}

static void a_plain_program(void)
{
    start();
    check_learned();
}

static void by_the_longer_call(void)
{
    runtime.longer = true;
    start();
    check_learned();
}

/* Launches, so that our thread looks. */
#define LAUNCHING_UNTIL(condition)                                                                 \
    for (int tries = 0; tries < 10000 && !(condition); tries++) {                                  \
        launch(NULL);                                                                              \
        sleep_millis(1);                                                                           \
    }                                                                                              \
    CHECK(condition)

static void destroyed_queues(void)
{
    start();
    runtime_destroy(&runtime, runtime.compute[1]);
    LAUNCHING_UNTIL(queue_count() == COMPUTE_QUEUES - 1);
    CHECK(!has_queue(runtime.compute[1]) && has_queue(runtime.compute[2]));
    for (int i = 0; i < COMPUTE_QUEUES; i++) {
        if (i != 1) {
            runtime_destroy(&runtime, runtime.compute[i]);
        }
    }
    LAUNCHING_UNTIL(!is_offered());
    CHECK(strcmp(gpu()->reason, "the driver's calls were not seen") == 0 && slot->levels == 1);
    for (int i = 0; i < COMPUTE_QUEUES; i++) {
        runtime.compute[i] = runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE);
    }
    LAUNCHING_UNTIL(is_offered() && queue_count() == COMPUTE_QUEUES);
    check_learned();
    finish();
}

static void a_queue_that_cannot_be_destroyed(void)
{
    struct kfd_ioctl_destroy_queue_args call;
    start();
    kfd->refuse_destroy = EBUSY;
    call = (struct kfd_ioctl_destroy_queue_args){.queue_id = runtime.compute[1]};
    CHECK(ioctl(runtime.fd, AMDKFD_IOC_DESTROY_QUEUE, &call) == -1 && errno == EBUSY);
    LAUNCHING_UNTIL(launched() > 20);
    check_learned();
    finish();
}

static void calls_of_others(void)
{
    int pipes[2], waiting = 0;
    char call[128] = {0};
    kfd = kfd_start();
    CHECK(pipe(pipes) == 0 && write(pipes[1], "xsched", 6) == 6);
    errno = 77;
    CHECK(ioctl(pipes[0], FIONREAD, &waiting) == 0 && waiting == 6 && errno == 77);
    /* With numbers as ours, but of something else. */
    CHECK(ioctl(pipes[0], AMDKFD_IOC_CREATE_QUEUE, call) == -1 && errno == ENOTTY);
    CHECK(ioctl(pipes[0], AMDKFD_IOC_DESTROY_QUEUE, call) == -1 && errno == ENOTTY);
    CHECK(ioctl(pipes[0], AMDKFD_IOC_UPDATE_QUEUE, NULL) == -1 && errno == ENOTTY);
    CHECK(ioctl(-1, AMDKFD_IOC_UPDATE_QUEUE, call) == -1 && errno == EBADF);
    runtime_open(&runtime);
    errno = 77;
    CHECK(ioctl(runtime.fd, _IOWR('K', 0x05, char[40]), call) == 0 && errno == 77);
    runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
    CHECK(errno == 77);
    /* And one that fails. */
    struct kfd_ioctl_update_queue_args update = {.queue_id = 99};
    CHECK(ioctl(runtime.fd, AMDKFD_IOC_UPDATE_QUEUE, &update) == -1 && errno == EINVAL);
    CHECK(kfd->violations == 1);
}

static void expect_refusal(const char *reason)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(gpu()->state == XSCHED_SLOT_USED && !is_offered());
    if (strcmp(gpu()->reason, reason) != 0) {
        fprintf(stderr, "not '%s' but '%s'\n", reason, gpu()->reason);
        exit(1);
    }
    CHECK(slot->levels == 1);
    /* An order that comes nevertheless is not obeyed. */
    order_interrupt(XSCHED_INTERRUPT_HERE);
    __atomic_store_n(&gpu()->priority_order, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 50; i++) {
        raise_orders();
        sleep_millis(1);
    }
    CHECK(kfd->updates == 0 && kfd_is_clean());
    finish();
}

static void another_call(void)
{
    kfd = kfd_start();
    kfd->create_size = 104;
    runtime = (struct runtime){.longer = true, .extra = 8};
    runtime_start(&runtime);
    expect_refusal("the driver's AMDKFD_IOC_CREATE_QUEUE has another size");
}

static void an_old_version(void)
{
    kfd = kfd_start();
    kfd->minor_version = 0;
    runtime_start(&runtime);
    expect_refusal("the kernel driver has another interface (KFD 1.0)");
}

static void a_version_to_come(void)
{
    kfd = kfd_start();
    kfd->major_version = 2;
    runtime_start(&runtime);
    expect_refusal("the kernel driver has another interface (KFD 2.17)");
}

static void no_cwsr(void)
{
    kfd = kfd_start();
    kfd_set_parameter("cwsr_enable", "0\n");
    runtime_start(&runtime);
    expect_refusal("CWSR is off; load amdgpu with cwsr_enable=1");
}

static void no_scheduler(void)
{
    kfd = kfd_start();
    kfd_set_parameter("sched_policy", "2\n");
    runtime_start(&runtime);
    expect_refusal("the kernel driver schedules by itself; load amdgpu with sched_policy=0");
}

static void no_room_to_save_waves(void)
{
    kfd = kfd_start();
    runtime.saves_nothing = true;
    runtime_start(&runtime);
    expect_refusal("the program's queues have no room to save waves in (CWSR)");
}

static void several_gpus(void)
{
    struct runtime other = {.gpu_id = KFD_GPU_ID + 1};
    kfd = kfd_start();
    kfd_add_gpu(0x0d00, KFD_UNIQUE_ID + 1);
    runtime_start(&other);
    runtime_start(&runtime);
    start_scheduled(XSCHED_OTHERS_BELOW);
    check_learned();
    CHECK(!has_queue(other.compute[0]));
}

/* As parts of a divided GPU had it for a while. */
static void gpus_that_cannot_be_told_apart(void)
{
    kfd = kfd_start();
    kfd_add_gpu(0x0c01, KFD_UNIQUE_ID);
    runtime_start(&runtime);
    expect_refusal("which of the driver's GPUs this is cannot be told");
}

/* As a process has it that opens the driver anew for a context of its own. */
static void a_number_twice(void)
{
    kfd = kfd_start();
    runtime_start(&runtime);
    kfd_find(getpid(), runtime.compute[0])->pid = 0; /* the next gets its number */
    CHECK(runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE) == runtime.compute[0]);
    expect_refusal("the program has two queues of the same number");
}

static void a_lower_level(void)
{
    setenv("XSCHED_AUTO_XQUEUE_LEVEL", "1", 1);
    kfd = kfd_start();
    runtime_start(&runtime);
    expect_refusal("another level was asked for");
}

static void nothing_seen(void)
{
    kfd = kfd_start();
    expect_refusal("the driver's calls were not seen");
}

#define THREADS 4
#define ROUNDS 200

static void *make_queues(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t one = runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_COMPUTE_AQL);
        uint32_t other = runtime_create(&runtime, KFD_IOC_QUEUE_TYPE_SDMA);
        runtime_destroy(&runtime, one);
        runtime_destroy(&runtime, other);
    }
    return NULL;
}

static void many_threads(void)
{
    pthread_t threads[THREADS];
    start();
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, make_queues, NULL) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    LAUNCHING_UNTIL(queue_count() == COMPUTE_QUEUES);
    check_learned();
    finish();
}

static void a_child(void)
{
    int status;
    start();
    pid_t child = fork();
    if (child == 0) {
        struct kfd_ioctl_destroy_queue_args call = {.queue_id = runtime.compute[0]};
        _exit(ioctl(runtime.fd, AMDKFD_IOC_DESTROY_QUEUE, &call) == -1 && errno == EBADF ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_learned();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"a plain program is learned", a_plain_program},
        {"by the longer call, too", by_the_longer_call},
        {"what is destroyed is forgotten", destroyed_queues},
        {"a queue that cannot be destroyed is not forgotten", a_queue_that_cannot_be_destroyed},
        {"calls of others are left as they are", calls_of_others},
        {"a driver with another call", another_call},
        {"a driver of an old version", an_old_version},
        {"a driver of a version to come", a_version_to_come},
        {"a driver that does not save waves", no_cwsr},
        {"a driver without the hardware's scheduler", no_scheduler},
        {"queues that have no room for waves", no_room_to_save_waves},
        {"several GPUs are told apart", several_gpus},
        {"several GPUs that cannot be told apart", gpus_that_cannot_be_told_apart},
        {"two queues of the same number", a_number_twice},
        {"a program that asks for a lower level", a_lower_level},
        {"a program whose driver was not seen", nothing_seen},
        {"threads make and destroy queues at once", many_threads},
        {"a child knows nothing", a_child},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
