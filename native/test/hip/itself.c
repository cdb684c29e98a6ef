/* What the runtime calls of itself is neither gated nor counted, and never comes back to it. */
#include <pthread.h>
#include <string.h>

#include "../cuda/program.h"
#include "hip.h"

#define SIZE 64

static void *here, *there;

static void start(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(hipMalloc(&here, SIZE) == 0 && hipMalloc(&there, SIZE) == 0);
}

/* One command, however many calls the runtime makes of it. */
static void check_one(int result, uint64_t before, const char *inner, uint64_t inner_before)
{
    CHECK(result == 0 && launched() == before + 1 && slot->submitted == before + 1);
    CHECK(standin_calls(inner) == inner_before + 1);
    CHECK(hipDeviceSynchronize() == 0);
    finish();
}

static void calls_by_name_count_once(void)
{
    start();
    uint64_t before = launched(), inner = standin_calls("hipMemcpy");
    check_one(hipMemcpyPeer(here, 0, there, 0, SIZE), before, "hipMemcpy", inner);
    before = launched(), inner = standin_calls("hipMemcpyAsync");
    check_one(hipMemcpyPeerAsync(here, 0, there, 0, SIZE, NULL), before, "hipMemcpyAsync", inner);
    before = launched(), inner = standin_calls("hipMemcpyAsync");
    check_one(hipMemcpyWithStream(here, there, SIZE, 3, NULL), before, "hipMemcpyAsync", inner);
}

static void calls_by_a_search_count_once(void)
{
    start();
    uint64_t before = launched(), inner = standin_calls("hipLaunchKernel");
    struct xshim_dim3 one = {1, 1, 1};
    check_one(hipExtLaunchKernel(NULL, one, one, NULL, 0, NULL, NULL, NULL, 0), before,
              "hipLaunchKernel", inner);
}

static void *copy_in_a_batch(void *unused)
{
    void *to[2] = {here, here}, *from[2] = {there, there};
    size_t sizes[2] = {SIZE, SIZE}, failed = 9;
    (void)unused;
    int result = hipMemcpyBatchAsync(to, from, sizes, 2, NULL, NULL, 0, &failed, NULL);
    CHECK(result == 0 && failed == 1);
    return NULL;
}

/* With a lock of the runtime held, nobody may be made to wait; so also where we wrap no caller. */
static void calls_pass_a_closed_gate(void)
{
    pthread_t thread;
    start();
    uint64_t before = launched(), calls = standin_calls("hipMemcpyAsync");
    standin_set_gate(slot, 1);
    CHECK(pthread_create(&thread, NULL, copy_in_a_batch, NULL) == 0);
    EVENTUALLY(standin_calls("hipMemcpyAsync") == calls + 2);
    pthread_join(thread, NULL);
    CHECK(launched() == before && slot->gate_waits == 0);
    standin_set_gate(slot, 0);
    CHECK(hipDeviceSynchronize() == 0);
    finish();
}

static void copies_copy(void)
{
    start();
    memset(there, 42, SIZE);
    CHECK(hipMemcpyPeer(here, 0, there, 0, SIZE) == 0);
    CHECK(memcmp(here, there, SIZE) == 0 && *(char *)here == 42);
}

static int launch_on(void *stream)
{
    return hipModuleLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
}

/* Marks are planted and asked for all the while, and are not ready. */
static void last_results_are_of_the_program(void)
{
    void *busy, *idle;
    start();
    __atomic_store_n(&slot->window_batch, 1, __ATOMIC_SEQ_CST);
    CHECK(hipStreamCreateWithFlags(&busy, 1) == 0 && hipStreamCreateWithFlags(&idle, 1) == 0);
    uint64_t marks = standin_calls("hipEventRecord");
    standin_hold();
    for (int i = 0; i < 100; i++) {
        CHECK(launch_on(busy) == 0 && hipGetLastError() == 0);
        CHECK(hipStreamSynchronize(idle) == 0 && hipGetLastError() == 0);
        standin_refuse("hipModuleLaunchKernel", 719);
        CHECK(launch_on(busy) == 719 && hipGetLastError() == 719);
        standin_refuse("hipStreamSynchronize", 719);
        CHECK(hipStreamSynchronize(idle) == 719 && hipGetLastError() == 719);
    }
    CHECK(standin_calls("hipEventRecord") >= marks + 50);
    standin_release();
    CHECK(hipDeviceSynchronize() == 0 && hipGetLastError() == 0);
    finish();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"a function that calls another by its name counts once", calls_by_name_count_once},
        {"one that it has searched for counts once", calls_by_a_search_count_once},
        {"what the runtime calls passes a closed gate", calls_pass_a_closed_gate},
        {"what the runtime calls does its work", copies_copy},
        {"the last result of a thread is that of its own call", last_results_are_of_the_program},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
