/* The second way in: callers that pass us by are found in the runtime's own table. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "../cuda/program.h"
#include "hip.h"

typedef __typeof__(&hipModuleLaunchKernel) launch_f;
typedef int (*launch_own_f)(const void *, struct xshim_dim3, struct xshim_dim3, void **, size_t,
                            void *);

static launch_f passes_us_by;
static void *(*next)(const char *);

uint64_t standin_registered(void);

/* What is next after the library that asks is the runtime's own. */
static void start(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    void *library = dlopen(built("tabled/libnext.so"), RTLD_NOW);
    CHECK(library != NULL);
    next = (void *(*)(const char *))dlsym(library, "user_next");
    passes_us_by = (launch_f)next("hipModuleLaunchKernel");
    Dl_info info;
    CHECK(dladdr((void *)passes_us_by, &info) != 0 && strstr(info.dli_fname, "libamdhip64") != NULL);
    CHECK(standin_registered() == 1); /* who wants to profile still can */
}

static void launch_past_us(void *stream)
{
    CHECK(passes_us_by(NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL) == 0);
}

static void *launch_one(void *stream)
{
    launch_past_us(stream);
    return NULL;
}

static void without_it_they_pass(void)
{
    start();
    uint64_t before = launched(), executed = standin_executed();
    launch_past_us(NULL);
    CHECK(hipDeviceSynchronize() == 0);
    CHECK(launched() == before && standin_executed() == executed + 1);
}

static void with_it_all_are_counted_once(void)
{
    run_again_with("XSCHED_HIP_TABLE", "ON", "ON");
    start();
    void *const streams[] = {NULL, PER_THREAD, new_stream()};
    for (int i = 0; i < 3; i++) {
        uint64_t before = launched(), calls = standin_calls("hipModuleLaunchKernel");
        launch_past_us(streams[i]);
        CHECK(launched() == before + 1);
        launch(streams[i]);
        CHECK(launched() == before + 2 && standin_calls("hipModuleLaunchKernel") == calls + 2);
        finish();
    }
    struct xshim_dim3 size = {2, 3, 4};
    uint64_t before = launched();
    launch_own_f own = (launch_own_f)next("hipLaunchKernel_spt");
    CHECK(own(NULL, size, size, NULL, 7, NULL) == 0 && launched() == before + 1);
    struct standin_call last = standin_last("hipLaunchKernel_spt");
    CHECK(last.arguments[4] == 7 && last.thread == (uint64_t)getpid());
    finish();
}

static void with_it_they_wait_at_a_closed_gate(void)
{
    run_again_with("XSCHED_HIP_TABLE", "ON", "ON");
    start();
    standin_set_gate(slot, 1);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, launch_one, NULL) == 0);
    EVENTUALLY(__atomic_load_n(&slot->gate_waits, __ATOMIC_SEQ_CST) == 1);
    standin_set_gate(slot, 0);
    pthread_join(thread, NULL);
    finish();
}

static void with_it_functions_are_found_by_name(void)
{
    void *found = NULL;
    run_again_with("XSCHED_HIP_TABLE", "ON", "ON");
    start();
    uint64_t before = launched();
    CHECK(hipGetProcAddress("hipModuleLaunchKernel", &found, 60000, 0, NULL) == 0);
    CHECK(((launch_f)found)(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 0);
    CHECK(launched() == before + 1);
    finish();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"without it, callers that are bound to the runtime pass", without_it_they_pass},
        {"with it, every launch counts once", with_it_all_are_counted_once},
        {"with it, every launch waits at a closed gate", with_it_they_wait_at_a_closed_gate},
        {"with it, functions that are asked for count once", with_it_functions_are_found_by_name},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
