#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];
static pid_t folder_owner;
static char errors[65536];
static const char *xpuload;

void sleep_millis(int millis)
{
    struct timespec time = {.tv_sec = millis / 1000, .tv_nsec = millis % 1000 * 1000000l};
    nanosleep(&time, NULL);
}

int64_t now_nanos(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void remove_folder(void)
{
    char command[128];
    if (getpid() == folder_owner) {
        snprintf(command, sizeof command, "rm -rf '%s'", folder);
        int status = system(command);
        (void)status;
    }
}

const char *test_folder(void)
{
    if (folder[0] == 0) {
        strcpy(folder, "/tmp/xsched-test-XXXXXX");
        CHECK(mkdtemp(folder) != NULL);
        folder_owner = getpid();
        atexit(remove_folder);
        setenv("XSCHED_DIR", folder, 1);
    }
    return folder;
}

void catch_errors(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/errors", test_folder());
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
    CHECK(fd >= 0);
    CHECK(dup2(fd, STDERR_FILENO) >= 0);
    close(fd);
}

const char *caught_errors(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/errors", test_folder());
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    ssize_t length = read(fd, errors, sizeof errors - 1);
    CHECK(length >= 0);
    errors[length] = 0;
    close(fd);
    return errors;
}

int count_lines(const char *text, const char *containing)
{
    int count = 0;
    for (const char *found = text; (found = strstr(found, containing)) != NULL; found++) {
        count++;
    }
    return count;
}

const char *xpuload_path(void)
{
    return xpuload;
}

#ifdef __SANITIZE_ADDRESS__
/* A driver that compiles kernels leaves its compiler's memory behind; one that finds them in its
 * cache does not. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libpocl\nleak:libLLVM\n";
}
#endif

static int run_apart(const char *self, const char *name)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(120); /* a hang is a failure, too */
        execl(self, self, xpuload, name, (char *)NULL);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

int run_tests(int count, char **arguments, const struct test *tests, size_t test_count)
{
    int failed = 0;
    CHECK(count >= 2);
    xpuload = arguments[1];
    for (size_t i = 0; i < test_count; i++) {
        if (count > 2) {
            if (strcmp(arguments[2], tests[i].name) == 0) {
                tests[i].run();
                return 0;
            }
            continue;
        }
        int status = run_apart(arguments[0], tests[i].name);
        printf("%s: %s\n", status == 0 ? "ok" : "FAILED", tests[i].name);
        fflush(stdout);
        failed += status != 0;
    }
    return failed == 0 && count == 2 ? 0 : 1;
}
