/*
 * A scheduler for one program alone. Most of it is tested with a script in the place of `xsched`,
 * whose socket is that of the stand-in; XSCHED_COMMAND names a real one for the rest.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "xqueues.h"

static const char *path_of(const char *name)
{
    static char path[4][160];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", test_folder(), name);
    return path[next];
}

static const char *content_of(const char *name)
{
    static char text[4096];
    FILE *file = fopen(path_of(name), "r");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

/* Has that be the command; folders of private daemons are made in the test's own. */
static void use_script(const char *lines)
{
    FILE *file = fopen(path_of("command"), "w");
    CHECK(file != NULL);
    fprintf(file, "#!/bin/sh\ncd %s || exit 1\n%s", test_folder(), lines);
    fclose(file);
    CHECK(chmod(path_of("command"), 0700) == 0);
    setenv("XSCHED_COMMAND", path_of("command"), 1);
    setenv("TMPDIR", test_folder(), 1);
}

#define WORKS                                                                              \
    "echo \"$*\" > arguments\n"                                                            \
    "env > environment\n"                                                                  \
    "echo $XSCHED_DIR > folder\n"                                                          \
    "ln -s $PWD/socket $XSCHED_DIR/socket\n"                                               \
    "echo ready\n"                                                                         \
    "cat > /dev/null\n"                                                                    \
    "echo ended > end\n"

static int private_folders(void)
{
    int count = 0;
    DIR *entries = opendir(test_folder());
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        count += strncmp(entry->d_name, "xsched-private-", 15) == 0;
    }
    closedir(entries);
    return count;
}

static void a_program_can_have_a_scheduler_of_its_own(void)
{
    char byte;
    use_script(WORKS);
    setenv("LD_PRELOAD", "", 1);
    setenv("XSCHED_RUN", "1:/none", 1);
    standin_start(&standin);
    standin_host(&standin, &guest);
    OK(XHintSetScheduler(kSchedulerLocal, kPolicyCompletelyFairScheduler));
    need_opencl();
    struct pair pair = make_pair();
    standin_hosted(&standin);
    CHECK(strcmp(content_of("arguments"), "serve --private --policy CFS\n") == 0);
    CHECK(strstr(content_of("environment"), "LD_PRELOAD=") == NULL);
    CHECK(strstr(content_of("environment"), "XSCHED_RUN=") == NULL);
    CHECK(strstr(content_of("folder"), "/xsched-private-") != NULL);
    CHECK(slot_named("xqueue 1") != NULL && private_folders() == 1);
    CHECK(wait(NULL) < 0); /* it is no child of the program */

    OK(XHintSetScheduler(kSchedulerAppManaged, kPolicyUnknown));
    EVENTUALLY(strcmp(content_of("end"), "ended\n") == 0);
    CHECK(read(guest.connection, &byte, 1) == 0 && private_folders() == 0);
    destroy_pair(&pair);
}

/* In another process, which ends as the test says. */
static pid_t start_program(bool by_environment)
{
    pid_t child = fork();
    if (child == 0) {
        if (by_environment) {
            setenv("XSCHED_SCHEDULER", "LCL", 1);
            setenv("XSCHED_POLICY", "KEDF", 1);
            need_opencl();
            struct pair pair = make_pair();
            CHECK(pair.xq != 0);
        } else {
            OK(XHintSetScheduler(kSchedulerLocal, kPolicyUnknown));
        }
        CHECK(creat(path_of("started"), 0600) >= 0);
        while (access(path_of("go"), F_OK) != 0) {
            sleep_millis(1);
        }
        exit(0);
    }
    EVENTUALLY(access(path_of("started"), F_OK) == 0 || waitpid(child, NULL, WNOHANG) != 0);
    if (access(path_of("started"), F_OK) != 0) {
        exit(0); /* skipped there */
    }
    return child;
}

static void it_ends_with_the_program(void)
{
    int status;
    use_script(WORKS);
    pid_t child = start_program(false);
    CHECK(strcmp(content_of("arguments"), "serve --private --policy HPF\n") == 0);
    CHECK(private_folders() == 1);
    CHECK(creat(path_of("go"), 0600) >= 0);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    EVENTUALLY(strcmp(content_of("end"), "ended\n") == 0);
    CHECK(private_folders() == 0);
}

static void it_ends_with_a_program_that_is_killed(void)
{
    char old[160];
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    use_script(WORKS);
    pid_t child = start_program(false);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    EVENTUALLY(strcmp(content_of("end"), "ended\n") == 0);
    snprintf(old, sizeof old, "%.*s", (int)strcspn(content_of("folder"), "\n"),
             content_of("folder"));
    CHECK(private_folders() == 1); /* nobody was left to remove it */
    CHECK(utimensat(AT_FDCWD, old, times, 0) == 0);
    OK(XHintSetScheduler(kSchedulerLocal, kPolicyUnknown));
    CHECK(access(old, F_OK) != 0); /* but the next one does */
    CHECK(private_folders() == 1);
    CHECK(unlink(path_of("end")) == 0);
    OK(XHintSetScheduler(kSchedulerAppManaged, kPolicyUnknown));
    EVENTUALLY(strcmp(content_of("end"), "ended\n") == 0);
}

static void the_environment_asks_for_one(void)
{
    catch_errors();
    use_script(WORKS);
    pid_t child = start_program(true);
    CHECK(strcmp(content_of("arguments"), "serve --private --policy KEDF\n") == 0);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    EVENTUALLY(strcmp(content_of("end"), "ended\n") == 0);
}

static void a_scheduler_that_does_not_start_is_one_line(void)
{
    catch_errors();
    use_script("echo 'no Java here' >&2\nexit 2\n");
    CHECK(XHintSetScheduler(kSchedulerLocal, kPolicyHighestPriorityFirst) ==
          kXSchedErrorNotSupported);
    CHECK(count_lines(caught_errors(), "\n") == 1);
    CHECK(count_lines(caught_errors(), "no Java here") == 1);
    CHECK(private_folders() == 0);
    need_opencl();
    struct pair pair = make_pair(); /* it runs all the same, and looks for no other daemon */
    CHECK(opencl_spin(pair.queue, 1) && opencl_finish(pair.queue));
    destroy_pair(&pair);
    CHECK(count_lines(caught_errors(), "\n") == 1);
}

/* Commands of one XQueue, and how many of them were launched. */
struct work {
    struct pair pair;
    atomic_int launched;
};

static XResult spin(HwQueueHandle hwq, void *data)
{
    struct work *work = data;
    (void)hwq;
    atomic_fetch_add(&work->launched, 1);
    return opencl_spin(work->pair.queue, 10) ? kXSchedSuccess : kXSchedErrorHardware;
}

static void start_work(struct work *work, int priority)
{
    work->pair = make_pair();
    OK(XQueueSetLaunchConfig(work->pair.xq, 2, 1));
    OK(XHintPriority(work->pair.xq, priority));
}

static void submit_work(struct work *work, int count)
{
    for (int i = 0; i < count; i++) {
        HwCommandHandle command;
        OK(HwCommandCreateCallback(&command, spin, work));
        OK(XQueueSubmit(work->pair.xq, command));
    }
}

static void the_higher_of_two_xqueues_goes_first(void)
{
    static struct work low, high;
    const char *command = getenv("XSCHED_COMMAND");
    if (command == NULL || *command == 0) {
        printf("skipped: XSCHED_COMMAND names no xsched\n");
        exit(0);
    }
    OK(XHintSetScheduler(kSchedulerLocal, kPolicyHighestPriorityFirst));
    need_opencl();
    start_work(&low, 1);
    start_work(&high, 10);
    sleep_millis(500); /* until the scheduler has heard of it all */
    submit_work(&low, 200);
    EVENTUALLY(atomic_load(&low.launched) >= 5);
    submit_work(&high, 30);
    int before = atomic_load(&low.launched);
    OK(XQueueWaitAll(high.pair.xq));
    int after = atomic_load(&low.launched);
    CHECK(atomic_load(&high.launched) == 30);
    printf("low launched %d while high launched 30\n", after - before);
    CHECK(after - before <= 15); /* until a daemon that is cold has decided; else about 30, too */
    OK(XQueueSuspend(low.pair.xq, 0));
    OK(XQueueResume(low.pair.xq, kQueueResumeFlagDropCommands));
    destroy_pair(&low.pair);
    destroy_pair(&high.pair);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"a program can have a scheduler of its own", a_program_can_have_a_scheduler_of_its_own},
        {"it ends with the program", it_ends_with_the_program},
        {"it ends with a program that is killed", it_ends_with_a_program_that_is_killed},
        {"the environment asks for one", the_environment_asks_for_one},
        {"a scheduler that does not start is one line",
         a_scheduler_that_does_not_start_is_one_line},
        {"the higher of two XQueues goes first", the_higher_of_two_xqueues_goes_first},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
