/* What becomes of a running kernel, on a device that works for a program as the kernel driver says. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../shim/amd_kfd.h"
#include "../orders.h"
#include "kfd.h"
#include "runtime.h"

#define LONG_NANOS "2000000000"

int hipStreamQuery(void *stream);

/* Its queues are made when the program first uses the device. */
static void start(const char *nanos)
{
    setenv("XSCHED_TEST_HIP_NANOS", nanos, 1);
    kfd_start();
    start_scheduled(XSCHED_OTHERS_BELOW);
    for (int tries = 0; tries < 10000 && __atomic_load_n(&gpu()->offers, __ATOMIC_SEQ_CST) == 0;
         tries++) {
        launch(NULL);
        sleep_millis(1);
    }
    CHECK(gpu()->offers == (XSCHED_OFFERS_INTERRUPT | XSCHED_OFFERS_PRIORITY));
    finish();
}

static void a_running_kernel(void)
{
    start("20000");
    setenv("XSCHED_TEST_HIP_NANOS", LONG_NANOS, 1);
    launch(NULL);
    CHECK(hipStreamQuery(NULL) == NOT_READY);
    order_interrupt(XSCHED_INTERRUPT_HERE);
    EVENTUALLY(kfd_off(getpid()) == COMPUTE_QUEUES);
    sleep_millis(2500); /* longer than the whole of it takes */
    CHECK(hipStreamQuery(NULL) == NOT_READY);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(hipStreamQuery(NULL) == 0);
    CHECK(kfd_off(getpid()) == 0 && kfd_is_clean());
    finish();
}

/* The time for which all queues are off the device, as of the last update. */
static int64_t update_one(bool has_mes)
{
    struct runtime runtime = {0};
    struct kfd_state *kfd = kfd_start();
    kfd->has_mes = has_mes;
    runtime_start(&runtime);
    runtime_update(&runtime, runtime.compute[0], 100, NORMAL_PRIORITY);
    CHECK(kfd_find(getpid(), runtime.compute[0])->away_until != 0);
    CHECK(kfd_find(getpid(), runtime.compute[1])->away_until == 0 && kfd_is_clean());
    return kfd->away_until;
}

static void without_mes(void)
{
    CHECK(update_one(false) != 0);
}

static void with_mes(void)
{
    CHECK(update_one(true) == 0);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"a running kernel is interrupted, and goes on where it was", a_running_kernel},
        {"without MES, an update is about all queues of the device", without_mes},
        {"with MES, it is about that queue alone", with_mes},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
