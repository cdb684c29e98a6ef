/* The shared virtual XPU, and the program that loads it. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "xsched_sharedxpu.h"

static const char *device_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/xpu", test_folder());
    return path;
}

static struct xsched_sharedxpu *open_device(void)
{
    char name[64];
    char error[600] = "";
    struct xsched_sharedxpu *device =
        xsched_sharedxpu_open(device_path(), name, error, sizeof error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error);
    }
    CHECK(device != NULL);
    CHECK(strncmp(name, "shared:/tmp/xsched-test-", 24) == 0);
    return device;
}

static void processes_take_turns(void)
{
    pid_t children[4];
    for (int i = 0; i < 4; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            struct xsched_sharedxpu *own = open_device(); /* all at once: one of them makes it */
            int64_t end = 0;
            for (uint64_t n = 1; n <= 500; n++) {
                end = xsched_sharedxpu_launch(own, 0, n, 10000);
            }
            xsched_sharedxpu_sync(end);
            CHECK(now_nanos() >= end);
            _exit(0);
        }
    }
    for (int i = 0; i < 4; i++) {
        int status;
        CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
    }
    struct xsched_sharedxpu *device = open_device();
    CHECK(device->launches == 2000 && device->busy_nanos == 2000 * 10000);
    static int64_t starts[2000];
    for (uint64_t i = 0; i < 2000; i++) {
        const struct xsched_sharedxpu_run *run = &device->run[i];
        CHECK(run->number == i + 1 && run->end == run->start + 10000);
        starts[i] = run->start;
    }
    for (int i = 0; i < 2000; i++) {
        for (int j = 0; j < i; j++) {
            CHECK(llabs(starts[i] - starts[j]) >= 10000); /* one at a time */
        }
    }
    xsched_sharedxpu_close(device);
}

static void the_time_before_a_restart_is_forgotten(void)
{
    struct xsched_sharedxpu *device = open_device();
    device->free_at = now_nanos() + 2 * XSCHED_SHAREDXPU_AHEAD_NANOS;
    int64_t end = xsched_sharedxpu_launch(device, 0, 1, 1000);
    CHECK(end < now_nanos() + 1000000000ll);
    xsched_sharedxpu_close(device);
}

static void other_files_are_refused(void)
{
    char name[64];
    char error[600] = "";
    CHECK(xsched_sharedxpu_open("/etc/passwd", name, error, sizeof error) == NULL);
    CHECK(error[0] != 0);
    char path[200];
    snprintf(path, sizeof path, "%s/%080d", test_folder(), 0);
    CHECK(xsched_sharedxpu_open(path, name, error, sizeof error) == NULL);
    CHECK(strstr(error, "too long") != NULL);
}

/* Runs xpuload and returns what it printed. */
static const char *xpuload(const char *options)
{
    static char output[4096];
    char command[512];
    snprintf(command, sizeof command, "%s --device %s --json %s 2>/dev/null", xpuload_path(),
             device_path(), options);
    FILE *pipe = popen(command, "r");
    CHECK(pipe != NULL);
    size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = 0;
    CHECK(pclose(pipe) == 0);
    return output;
}

static void the_load_says_what_it_did(void)
{
    const char *said = xpuload("--commands 300 --command-us 20 --queues 2 --window 4");
    CHECK(count_lines(said, "{\"submitted\":300,\"launched\":300,\"completed\":300,"
                            "\"exactly_once\":true}") == 2);
    CHECK(count_lines(said, "\"registered\":false") == 1);
    said = xpuload("--commands 30 --command-us 20 --period-us 2000 --burst 3");
    CHECK(count_lines(said, "\"bursts\":{\"count\":10,") == 1);
}

__attribute__((unused)) static void the_load_forks_and_starts_itself_again(void)
{
    const char *said = xpuload("--commands 200 --command-us 20 --fork");
    CHECK(count_lines(said, "\"completed\":200,\"exactly_once\":true,\"queues\"") == 2);
    said = xpuload("--commands 200 --command-us 20 --exec-self");
    CHECK(count_lines(said, "\"completed\":200,\"exactly_once\":true,\"queues\"") == 1);
}

static void the_load_ends_when_asked(void)
{
    const char *said = xpuload("--seconds 100 & sleep 0.5; kill -TERM $!; wait $!");
    CHECK(count_lines(said, "\"exactly_once\":true,\"queues\"") == 1);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"processes take turns on the device", processes_take_turns},
        {"the time before a restart is forgotten", the_time_before_a_restart_is_forgotten},
        {"other files are refused", other_files_are_refused},
        {"the load says what it did", the_load_says_what_it_did},
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) /* which dislike forks */
        {"the load forks and starts itself again", the_load_forks_and_starts_itself_again},
#endif
        {"the load ends when asked", the_load_ends_when_asked},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
