/* What is learned of a program that uses NVIDIA's driver, and when nothing is offered. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "../../shim/nvidia_rm.h"
#include "../cuda/program.h"
#include "library.h"
#include "rm.h"

#define CARD_INFO 0xca0046c8ul
#define OPEN_MODULE "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  "

static struct library library;
static struct rm_state *rm;

static struct xsched_gpu *gpu(void)
{
    return &guest.block->gpu[0];
}

static bool is_offered(void)
{
    return __atomic_load_n(&gpu()->offers, __ATOMIC_SEQ_CST) != 0;
}

static uint32_t channel_count(void)
{
    return __atomic_load_n(&gpu()->channel_count, __ATOMIC_SEQ_CST);
}

static void start(void)
{
    rm = rm_start();
    library_start(&library);
    start_scheduled(XSCHED_OTHERS_BELOW);
}

static bool has_channel(uint32_t channel)
{
    for (uint32_t i = 0; i < channel_count(); i++) {
        if (gpu()->channels[i].handle == channel && gpu()->channels[i].client == library.client) {
            return true;
        }
    }
    return false;
}

static void check_learned(void)
{
    CHECK(gpu()->state == XSCHED_SLOT_USED && gpu()->changes % 2 == 0);
    CHECK(is_offered() && gpu()->reason[0] == 0);
    CHECK(strcmp(gpu()->device, slot->device) == 0);
    CHECK(gpu()->client == library.client && gpu()->subdevice == library.subdevice);
    CHECK(gpu()->group_count == 1 && gpu()->groups[0].handle == library.groups[0]);
    CHECK(gpu()->groups[0].client == library.client);
    CHECK(channel_count() == COMPUTE_CHANNELS);
    for (uint32_t i = 0; i < CHANNELS; i++) {
        CHECK(has_channel(library.channels[i]) == (i < COMPUTE_CHANNELS));
    }
    CHECK(slot->levels == (1 | 4));
    CHECK(rm->controls == 0 && rm_is_clean());
}

static void short_calls(void)
{
    start();
    check_learned();
}

static void long_calls(void)
{
    library.longer = true;
    start();
    check_learned();
}

static void calls_without_a_size(void)
{
    library.longer = true;
    library.no_size = true;
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

static void freed_objects(void)
{
    start();
    library_free(&library, library.channels[3]);
    LAUNCHING_UNTIL(channel_count() == COMPUTE_CHANNELS - 1);
    CHECK(!has_channel(library.channels[3]) && has_channel(library.channels[4]));
    library_free(&library, library.groups[0]);
    LAUNCHING_UNTIL(channel_count() == 0 && gpu()->group_count == 0);
    library_free(&library, library.device);
    LAUNCHING_UNTIL(!is_offered());
    CHECK(strcmp(gpu()->reason, "the driver's calls were not seen") == 0);
    library_open(&library, 0);
    library_make_context(&library);
    LAUNCHING_UNTIL(is_offered() && channel_count() == COMPUTE_CHANNELS);
    check_learned();
    library_free(&library, library.client);
    LAUNCHING_UNTIL(!is_offered());
    CHECK(slot->levels == 1);
    finish();
}

static void calls_of_others(void)
{
    int pipes[2], waiting = 0;
    struct termios terminal;
    uint32_t cards[128] = {0};
    rm = rm_start();
    CHECK(pipe(pipes) == 0 && write(pipes[1], "xsched", 6) == 6);
    errno = 77;
    CHECK(ioctl(pipes[0], FIONREAD, &waiting) == 0 && waiting == 6 && errno == 77);
    CHECK(ioctl(pipes[0], TCGETS, &terminal) == -1 && errno == ENOTTY);
    CHECK(ioctl(-1, FIONREAD, &waiting) == -1 && errno == EBADF);
    /* With numbers as ours, but of something else. */
    NVOS21_PARAMETERS call = {.hClass = KEPLER_CHANNEL_GROUP_A};
    unsigned long alloc = _IOWR(NV_IOCTL_MAGIC, NV_ESC_RM_ALLOC, NVOS21_PARAMETERS);
    CHECK(ioctl(pipes[0], alloc, &call) == -1 && errno == ENOTTY);
    CHECK(ioctl(pipes[0], NV_IOCTL_FREE, NULL) == -1 && errno == ENOTTY);
    library_open(&library, 0);
    errno = 77;
    CHECK(ioctl(library.fd, CARD_INFO, cards) == 0 && errno == 77);
    library_make_context(&library);
    CHECK(errno == 77);
    CHECK(rm->controls == 0 && rm_is_clean());
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
    uint32_t controls = rm->controls;
    __atomic_store_n(&gpu()->slice_order, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&guest.block->gpu_orders, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 50; i++) {
        launch(NULL);
        sleep_millis(1);
    }
    CHECK(rm->controls == controls && rm_is_clean());
    finish();
}

static void another_call(void)
{
    rm = rm_start();
    rm->alloc_size = 56;
    library = (struct library){.longer = true, .extra = 8};
    library_start(&library);
    expect_refusal("the driver's NV_ESC_RM_ALLOC has another size");
}

static void other_parameters(void)
{
    rm = rm_start();
    rm->group_size = 24;
    library = (struct library){.longer = true, .group_extra = 4};
    library_start(&library);
    expect_refusal("the driver's NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS has another size");
}

static void another_kernel_driver(void)
{
    rm = rm_start();
    rm_set_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.82.07  Release\n");
    library_start(&library);
    expect_refusal("the kernel driver is not NVIDIA's open one");
}

static void an_unknown_version(void)
{
    rm = rm_start();
    rm_set_version(OPEN_MODULE "somewhat  Release Build\n");
    library_start(&library);
    expect_refusal("the version of the kernel driver is not known");
}

static void no_version(void)
{
    rm = rm_start();
    rm_set_version(NULL);
    library_start(&library);
    expect_refusal("there is no /proc/driver/nvidia/version");
}

static void a_divided_gpu(void)
{
    char parameters[64] = {0};
    rm = rm_start();
    library_open(&library, 0);
    library_alloc(&library, library.subdevice, 0, AMPERE_SMC_PARTITION_REF, parameters, 8);
    library_make_context(&library);
    expect_refusal("the GPU is divided (MIG)");
}

static void under_mps(void)
{
    char path[256], text[32];
    rm = rm_start();
    setenv("CUDA_MPS_PIPE_DIRECTORY", test_folder(), 1);
    snprintf(path, sizeof path, "%s/nvidia-cuda-mps-control.pid", test_folder());
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    int length = snprintf(text, sizeof text, "%d\n", (int)getpid());
    CHECK(write(fd, text, (size_t)length) == length);
    close(fd);
    library_start(&library);
    expect_refusal("MPS is running, which merges programs before the driver sees them");
}

static void a_lower_level(void)
{
    setenv("XSCHED_AUTO_XQUEUE_LEVEL", "1", 1);
    rm = rm_start();
    library_start(&library);
    expect_refusal("another level was asked for");
}

static void the_highest_level(void)
{
    setenv("XSCHED_AUTO_XQUEUE_LEVEL", "3", 1);
    start();
    CHECK(is_offered() && slot->levels == 4); /* and no other */
}

static void nothing_seen(void)
{
    rm = rm_start();
    expect_refusal("the driver's calls were not seen");
}

/* The driver counts them in another order than CUDA. */
static void several_gpus(void)
{
    struct library second = {0};
    rm = rm_start();
    rm_add_gpu();
    library_open(&library, 1);
    library_make_context(&library);
    second.fd = library.fd;
    second.client = library.client;
    library_open(&second, 0);
    library_make_context(&second);
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(is_offered() && gpu()->instance == 1 && gpu()->subdevice == library.subdevice);
    CHECK(gpu()->groups[0].handle == library.groups[0] && has_channel(library.channels[0]));
    void *other;
    CHECK(cuDevicePrimaryCtxRetain(&other, 1) == 0 && cuCtxSetCurrent(other) == 0);
    launch(NULL);
    struct xsched_gpu *next = &guest.block->gpu[1];
    CHECK(next->offers != 0 && next->instance == 0 && next->subdevice == second.subdevice);
    CHECK(next->groups[0].handle == second.groups[0]);
    CHECK(strcmp(next->device, guest.block->slot[1].device) == 0);
    CHECK(rm_is_clean());
}

/* With a UUID as well, through another driver: the second device of this one, which /proc does not list. */
static void a_gpu_of_another_maker(void)
{
    void *other;
    start();
    CHECK(cuDevicePrimaryCtxRetain(&other, 1) == 0 && cuCtxSetCurrent(other) == 0);
    launch(NULL);
    const struct xsched_gpu *next = &guest.block->gpu[1];
    CHECK(next->state == XSCHED_SLOT_USED && next->offers == 0);
    CHECK(strcmp(next->reason, "which of the driver's GPUs this is cannot be told") == 0);
    CHECK(is_offered() && gpu()->instance == 0);
}

/* As some virtual machines have it. */
static void a_gpu_without_a_list(void)
{
    rm = rm_start();
    rm_list_no_uuids();
    library_start(&library);
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(is_offered());
}

static void gpus_that_cannot_be_told_apart(void)
{
    rm = rm_start();
    rm_add_gpu();
    rm->refused = NV2080_CTRL_CMD_GPU_GET_GID_INFO;
    rm->refused_status = 0x56;
    library_start(&library);
    expect_refusal("which of the driver's GPUs this is cannot be told");
}

#define THREADS 4
#define CONTEXTS 50

static void *make_contexts(void *argument)
{
    struct library *own = argument;
    for (int i = 0; i < CONTEXTS; i++) {
        library_make_context(own);
        library_destroy_context(own);
    }
    library_make_context(own);
    return NULL;
}

static void many_threads(void)
{
    struct library own[THREADS];
    pthread_t threads[THREADS];
    start();
    for (int i = 0; i < THREADS; i++) {
        own[i] = (struct library){.longer = i % 2 == 0};
        library_open(&own[i], 0);
        CHECK(pthread_create(&threads[i], NULL, make_contexts, &own[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    LAUNCHING_UNTIL(channel_count() == (THREADS + 1) * COMPUTE_CHANNELS);
    for (int i = 0; i < THREADS; i++) {
        library_free(&own[i], own[i].client);
    }
    LAUNCHING_UNTIL(channel_count() == COMPUTE_CHANNELS);
    check_learned();
}

static void a_child(void)
{
    int status;
    start();
    pid_t child = fork();
    if (child == 0) {
        /* It can use what it has inherited, and nothing of that is shown by its parent. */
        char memory[64] = {0};
        NVOS21_PARAMETERS call = {.hRoot = library.client,
                                  .hObjectParent = library.groups[0],
                                  .hClass = 0xc86f,
                                  .pAllocParms = (uintptr_t)memory};
        unsigned long alloc = _IOWR(NV_IOCTL_MAGIC, NV_ESC_RM_ALLOC, NVOS21_PARAMETERS);
        _exit(ioctl(library.fd, alloc, &call) == 0 && call.status != NV_OK ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    rm->violations = 0; /* the parent's client is none of the child's */
    check_learned();
}

/* Which finds libc's ioctl before ours. */
static void a_library_with_names_of_its_own(void)
{
    rm = rm_start();
    library_open(&library, 0);
    void *deep = dlopen(built("libdeep.so"), RTLD_NOW | RTLD_DEEPBIND);
    CHECK(deep != NULL);
    int (*call)(int, unsigned long, void *) =
        (int (*)(int, unsigned long, void *))dlsym(deep, "deep_ioctl");
    NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS parameters = {.engineType =
                                                             NV2080_ENGINE_TYPE_GRAPHICS};
    NVOS21_PARAMETERS group = {.hRoot = library.client,
                               .hObjectParent = library.device,
                               .hClass = KEPLER_CHANNEL_GROUP_A,
                               .pAllocParms = (uintptr_t)&parameters,
                               .paramsSize = sizeof parameters};
    CHECK(call(library.fd, _IOWR(NV_IOCTL_MAGIC, NV_ESC_RM_ALLOC, NVOS21_PARAMETERS), &group) == 0);
    CHECK(group.status == NV_OK);
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(gpu()->group_count == 1 && gpu()->groups[0].handle == group.hObjectNew);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"a plain program is learned", short_calls},
        {"by the longer call, too", long_calls},
        {"and where the driver knows the size of parameters", calls_without_a_size},
        {"what is freed is forgotten, with all that hangs on it", freed_objects},
        {"calls of others are left as they are", calls_of_others},
        {"a driver with another call", another_call},
        {"a driver with other parameters", other_parameters},
        {"another kernel driver", another_kernel_driver},
        {"a kernel driver of a version that is none", an_unknown_version},
        {"a kernel driver that does not show itself", no_version},
        {"a GPU that is divided", a_divided_gpu},
        {"a program under MPS", under_mps},
        {"a program that asks for a lower level", a_lower_level},
        {"a program that asks for this one alone", the_highest_level},
        {"a program whose driver was not seen", nothing_seen},
        {"several GPUs are told apart", several_gpus},
        {"several GPUs that cannot be told apart", gpus_that_cannot_be_told_apart},
        {"a GPU of another maker beside the only one", a_gpu_of_another_maker},
        {"the only GPU, where no UUID is listed", a_gpu_without_a_list},
        {"threads make and free contexts at once", many_threads},
        {"a child knows nothing", a_child},
#ifndef SHIM_LINKED_IN
        {"a library with names of its own is seen", a_library_with_names_of_its_own},
#endif
    };
    (void)a_library_with_names_of_its_own;
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
