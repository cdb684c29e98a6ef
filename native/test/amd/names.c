/* Which GPU of the driver's a device is, by its name. */
#include "amd.h"
#include "kfd.h"

#include "../harness.h"

/* 16 letters of the unique id as bytes, and the same with "GPU-" before them. */
#define FIRST "gpu:35636131-6162-3165-3030-303030303030"
#define SECOND "gpu:35636131-6162-3165-3030-303030303031"
#define FIRST_WITH_PREFIX "gpu:4750552d-3563-6131-6162-316530303030"

static void by_uuid(void)
{
    kfd_start();
    kfd_add_gpu(0x8d00, KFD_UNIQUE_ID + 1);
    CHECK(amd_gpus_of_machine() == 2 && amd_only_gpu() == 0);
    CHECK(amd_gpu_named(FIRST) == KFD_GPU_ID && amd_gpu_named(SECOND) == KFD_GPU_ID + 1);
    CHECK(amd_gpu_named("gpu:00000000-0000-0000-0000-000000000000") == 0);
}

static void by_uuid_with_a_prefix(void)
{
    kfd_start();
    CHECK(amd_gpu_named(FIRST_WITH_PREFIX) == KFD_GPU_ID);
    CHECK(amd_only_gpu() == KFD_GPU_ID && amd_gpus_of_machine() == 1);
}

static void by_its_place_on_the_bus(void)
{
    kfd_start();
    kfd_add_gpu(0x8d0b, 0);
    CHECK(amd_gpu_named("hip:0000:0c:00.0") == KFD_GPU_ID);
    CHECK(amd_gpu_named("hip:0000:8d:01.3") == KFD_GPU_ID + 1);
    CHECK(amd_gpu_named("hip:0001:0c:00.0") == 0 && amd_gpu_named("hip:") == 0);
}

/* As parts of a divided GPU had it for a while. */
static void the_same_uuid_twice(void)
{
    kfd_start();
    kfd_add_gpu(0x0c01, KFD_UNIQUE_ID);
    CHECK(amd_gpu_named(FIRST) == 0 && amd_gpu_named("hip:0000:0c:00.1") == KFD_GPU_ID + 1);
}

static void none(void)
{
    setenv("XSCHED_TEST_KFD", test_folder(), 1);
    CHECK(amd_gpus_of_machine() == 0 && amd_only_gpu() == 0);
    CHECK(amd_gpu_named(FIRST) == 0);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"by its UUID", by_uuid},
        {"by its UUID, from versions that leave the prefix in it", by_uuid_with_a_prefix},
        {"by its place on the PCI bus", by_its_place_on_the_bus},
        {"two GPUs of the same UUID cannot be told apart", the_same_uuid_twice},
        {"a machine without one", none},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
