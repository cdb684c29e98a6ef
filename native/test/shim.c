/* The library in front of a program that uses OpenCL, on a driver that does what the test says. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "standin.h"

#define MOST_ACTS 16

static struct standin standin;
static struct guest guest;
static struct guest *current = &guest;

static struct {
    pid_t pid;
    FILE *says;
    FILE *hears;
} program;

static const char *program_name = "program";
static char program_file[4096];
static char library_file[4096];

/* What was built together with this test. */
static void find_files(void)
{
    char xpuload[3000];
    snprintf(xpuload, sizeof xpuload, "%s", xpuload_path());
    const char *folder = dirname(xpuload);
    snprintf(program_file, sizeof program_file, "%s/test/opencl/%s", folder, program_name);
    snprintf(library_file, sizeof library_file, "%s/libxsched.so", folder);
}

static void become(char **arguments, int in, int out)
{
    char errors[128];
    snprintf(errors, sizeof errors, "%s/errors", test_folder());
    int fd = open(errors, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    close(in);
    close(out);
    close(fd);
#ifndef SHIM_LINKED_IN
    setenv("LD_PRELOAD", library_file, 1);
#endif
    execv(arguments[0], arguments);
    _exit(127);
}

static void start(const char *first, ...)
{
    find_files();
    char *arguments[MOST_ACTS + 2] = {program_file, (char *)first};
    int in[2], out[2], count = 2;
    va_list acts;
    va_start(acts, first);
    while ((arguments[count] = va_arg(acts, char *)) != NULL) {
        CHECK(count++ <= MOST_ACTS);
    }
    va_end(acts);
    CHECK(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
    program.pid = fork();
    CHECK(program.pid >= 0);
    if (program.pid == 0) {
        become(arguments, in[0], out[1]);
    }
    close(in[0]);
    close(out[1]);
    program.hears = fdopen(in[1], "w");
    program.says = fdopen(out[0], "r");
}

#define START(...) start(__VA_ARGS__, (char *)NULL)

/* Shows what the program had to say, if the test fails. */
static void show_errors(void)
{
    char path[128], text[4096];
    snprintf(path, sizeof path, "%s/errors", test_folder());
    int fd = open(path, O_RDONLY);
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (length > 0) {
        text[length] = 0;
        fputs(text, stderr);
    }
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            show_errors();                                                                         \
            CHECK(condition);                                                                      \
        }                                                                                          \
    } while (0)

static void done(const char *act)
{
    char line[64] = "";
    EXPECT(fgets(line, sizeof line, program.says) != NULL);
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, act) != 0) {
        fprintf(stderr, "the program said '%s' instead of '%s'\n", line, act);
        exit(1);
    }
}

static int number(void)
{
    char line[64] = "";
    EXPECT(fgets(line, sizeof line, program.says) != NULL);
    return atoi(line);
}

static void go_on(void)
{
    fputc('\n', program.hears);
    fflush(program.hears);
}

static void next(const char *act)
{
    go_on();
    done(act);
}

static void ends_well(void)
{
    int status = -1;
    go_on();
    CHECK(waitpid(program.pid, &status, 0) == program.pid);
    EXPECT(status == 0);
}

static void says_nothing(void)
{
    struct stat status;
    char path[128];
    snprintf(path, sizeof path, "%s/errors", test_folder());
    EXPECT(stat(path, &status) == 0 && status.st_size == 0);
}

/* Starts the daemon and the program, whose first act registers it. */
#define START_SCHEDULED(first, ...)                                                                \
    do {                                                                                           \
        standin_start(&standin);                                                                   \
        standin_host(&standin, &guest);                                                            \
        START(first, __VA_ARGS__);                                                                 \
        done(first);                                                                               \
        standin_hosted(&standin);                                                                  \
    } while (0)

static uint64_t load(const uint64_t *fact)
{
    return __atomic_load_n(fact, __ATOMIC_SEQ_CST);
}

static bool is_idle(const struct xsched_slot *slot)
{
    return __atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) == 0;
}

static struct xsched_slot *slot(void)
{
    return &current->block->slot[0];
}

/* All these commands have been counted as completed, and the unit is idle. */
static void settles_at(uint64_t commands)
{
    EVENTUALLY(load(&slot()->completed) == commands && is_idle(slot()));
    CHECK(load(&slot()->submitted) == commands && load(&slot()->launched) == commands);
}

static void order(uint32_t others, uint32_t window_commands)
{
    __atomic_store_n(&slot()->window_commands, window_commands, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot()->others, others, __ATOMIC_SEQ_CST);
}

static void every_kind_of_call_is_counted(void)
{
    START_SCHEDULED("one", "hundred", "finish", "read-blocking", "out-of-order", "refused");
    CHECK(guest.pid == program.pid);
    CHECK(strcmp(slot()->device, "opencl:stand-in") == 0);
    settles_at(1); /* nobody waits for it */
    next("hundred");
    next("finish");
    settles_at(101);
    next("read-blocking");
    settles_at(102);
    next("out-of-order");
    settles_at(253);
    next("refused");
    settles_at(254);
    ends_well();
    says_nothing();
}

static void a_program_with_others_tells_at_once_that_it_is_idle(void)
{
    START_SCHEDULED("one", "finish", "hundred", "finish", "one-with-event", "refused",
                    "out-of-order");
    order(XSCHED_OTHERS_BELOW, 0);
    next("finish");
    settles_at(1);
    next("hundred");
    next("finish");
    settles_at(101);
    uint64_t changes = load(&slot()->changes);
    next("one-with-event");
    settles_at(102);
    CHECK(load(&slot()->changes) == changes + 2);
    next("refused");
    settles_at(103);
    next("out-of-order");
    settles_at(254);
    CHECK(load(&slot()->busy_nanos) > 0 && load(&slot()->command_nanos) > 0);
    ends_well();
    says_nothing();
}

/* Counted some milliseconds later, and at once when the program waits for its work. */
static void a_program_that_is_alone_is_counted_when_it_waits(void)
{
    START_SCHEDULED("one", "hundred", "finish", "hundred", "finish", "hundred", "finish", "hundred",
                    "finish", "hundred", "finish", "hundred");
    int late = 0;
    for (uint64_t commands = 101; commands <= 501; commands += 100) {
        sleep_millis(3);
        next("hundred");
        next("finish");
        /* Unless the watcher was at it in this very moment. */
        late += load(&slot()->launched) != commands || load(&slot()->submitted) != commands;
    }
    CHECK(late <= 1);
    settles_at(501);
    next("hundred"); /* for which nobody waits */
    settles_at(601);
    ends_well();
    says_nothing();
}

static void a_program_that_was_alone_leaves_its_counts_when_it_ends(void)
{
    START_SCHEDULED("one", "stop", "hundred");
    next("stop");
    sleep_millis(3);
    next("hundred");
    ends_well();
    CHECK(load(&slot()->launched) == 101 && load(&slot()->submitted) == 101);
    CHECK(load(&slot()->completed) <= 1);
    says_nothing();
}

static void a_queue_may_go_with_work_pending(void)
{
    START_SCHEDULED("one", "finish", "share", "stop", "hundred", "let-go", "go");
    order(XSCHED_OTHERS_BELOW, 0);
    next("finish");
    next("share");
    next("stop");
    next("hundred");
    next("let-go");
    sleep_millis(50);
    CHECK(load(&slot()->completed) == 1 && !is_idle(slot())); /* the device still works for it */
    next("go");
    settles_at(101);
    ends_well();
    says_nothing();
}

static void another_queue_may_have_the_same_handle(void)
{
    START_SCHEDULED("one", "finish", "reuse", "finish", "reuse", "finish");
    next("finish");
    next("reuse");
    next("finish");
    settles_at(2);
    next("reuse");
    next("finish");
    settles_at(3);
    CHECK(guest.block->slot[1].state == XSCHED_SLOT_FREE); /* all are one unit */
    ends_well();
    says_nothing();
}

static void a_thread_may_end_with_work_pending(void)
{
    START_SCHEDULED("one", "stop", "thread-ends", "go");
    next("stop");
    next("thread-ends");
    EVENTUALLY(load(&slot()->launched) == 4);
    next("go");
    settles_at(4);
    ends_well();
    says_nothing();
}

static void a_program_may_end_with_work_pending(void)
{
    START_SCHEDULED("one", "stop", "hundred");
    next("stop");
    next("hundred");
    ends_well();
    says_nothing();
}

/* Its search for leaks takes what the child has left to its parent for one, and warns of threads. */
static void expect_leaks_in_children(void)
{
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
}

static void a_forked_child_is_not_counted(void)
{
    expect_leaks_in_children();
    START_SCHEDULED("hundred", "fork-idle", "finish");
    next("fork-idle");
    next("finish");
    settles_at(100);
    struct pollfd waiting = {.fd = standin.listener, .events = POLLIN};
    CHECK(poll(&waiting, 1, 100) == 0);
    ends_well();
    says_nothing();
}

static void a_forked_child_that_launches_is_a_program_of_its_own(void)
{
    static struct guest child;
    expect_leaks_in_children();
    START_SCHEDULED("hundred", "finish", "fork-launching");
    next("finish");
    settles_at(100);
    standin_host(&standin, &child);
    next("fork-launching");
    standin_hosted(&standin);
    CHECK(child.pid != program.pid && child.block_inode != guest.block_inode);
    CHECK(load(&child.block->slot[0].launched) == 1);
    settles_at(100);
    ends_well();
    says_nothing();
}

static void exec_is_a_new_program(void)
{
    static struct guest again;
    START_SCHEDULED("hundred", "exec");
    standin_host(&standin, &again);
    next("hundred");
    standin_hosted(&standin);
    CHECK(again.pid == program.pid && again.block_inode != guest.block_inode);
    current = &again;
    next("finish");
    settles_at(100);
    ends_well();
    says_nothing();
}

static void a_program_may_close_all_descriptors(void)
{
    START_SCHEDULED("one", "close-all", "hundred", "finish");
    next("close-all");
    next("hundred");
    next("finish");
    settles_at(101);
    ends_well();
}

static void the_window_is_kept_while_work_may_come_that_goes_first(void)
{
    START_SCHEDULED("one", "four-threads", "most");
    order(XSCHED_OTHERS_ABOVE, 4);
    next("four-threads");
    settles_at(1001);
    go_on();
    int most = number();
    if (most > 4) {
        fprintf(stderr, "%d were in flight\n", most);
    }
    CHECK(most >= 1 && most <= 4);
    done("most");
    ends_well();
    says_nothing();
}

static void without_others_there_is_no_window(void)
{
    START_SCHEDULED("one", "stop", "hundred", "in-flight", "go");
    order(0, 4);
    next("stop");
    next("hundred"); /* returns, though none of them completes */
    go_on();
    CHECK(number() >= 100);
    done("in-flight");
    next("go");
    settles_at(101);
    ends_well();
    says_nothing();
}

/* Whoever waits for room gives up only after several commands' time. */
static void have_patience(void)
{
    __atomic_store_n(&slot()->window_nanos, 1000000000000ull, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot()->command_nanos, 10000000000ull, __ATOMIC_SEQ_CST);
}

static void a_gate_that_closes_while_a_launch_waits_for_room_holds_it(void)
{
    START_SCHEDULED("one", "finish", "stop", "one", "one", "one", "one", "one-more", "go");
    order(XSCHED_OTHERS_ABOVE, 4);
    next("finish");
    settles_at(1);
    next("stop");
    for (int i = 0; i < 4; i++) {
        next("one");
    }
    have_patience();
    next("one-more");
    EVENTUALLY(load(&slot()->submitted) == 6);
    standin_set_gate(slot(), 1);
    next("go");
    EVENTUALLY(load(&slot()->completed) == 5);
    EVENTUALLY(__atomic_load_n(&slot()->waiters, __ATOMIC_SEQ_CST) == 1);
    CHECK(load(&slot()->launched) == 5 && !is_idle(slot()));
    standin_set_gate(slot(), 0);
    settles_at(6);
    ends_well();
    says_nothing();
}

static void what_was_launched_alone_is_in_the_window_of_who_is_not(void)
{
    START_SCHEDULED("one", "stop", "hundred", "one-more", "go");
    next("stop");
    sleep_millis(3);
    next("hundred");
    have_patience();
    order(XSCHED_OTHERS_ABOVE, 50);
    next("one-more");
    EVENTUALLY(load(&slot()->submitted) == 102);
    CHECK(load(&slot()->launched) == 101);
    sleep_millis(30);
    CHECK(load(&slot()->launched) == 101 && !is_idle(slot()));
    next("go");
    settles_at(102);
    ends_well();
    says_nothing();
}

static void commands_that_wait_for_their_own_thread_do_not_hang(void)
{
    START_SCHEDULED("one", "user-event");
    order(XSCHED_OTHERS_ABOVE, 4);
    int64_t start = now_nanos();
    next("user-event");
    CHECK(now_nanos() - start < 10000000000ll); /* not 200 times a stall */
    settles_at(201);
    ends_well();
    says_nothing();
}

static void callbacks_may_launch(void)
{
    START_SCHEDULED("one", "callbacks");
    order(XSCHED_OTHERS_ABOVE, 2);
    next("callbacks");
    settles_at(401);
    ends_well();
    says_nothing();
}

static void the_driver_may_have_another_name(void)
{
    program_name = "bundled/program";
    START_SCHEDULED("hundred", "finish", "callbacks");
    next("finish");
    next("callbacks");
    settles_at(500);
    ends_well();
    says_nothing();
}

static void off_means_untouched(void)
{
    setenv("XSCHED_AUTO_XQUEUE", "OFF", 1);
    standin_start(&standin);
    START("hundred", "finish", "out-of-order", "callbacks", "reuse");
    done("hundred");
    next("finish");
    next("out-of-order");
    next("callbacks");
    next("reuse");
    struct pollfd waiting = {.fd = standin.listener, .events = POLLIN};
    CHECK(poll(&waiting, 1, 0) == 0);
    ends_well();
    says_nothing();
}

static void other_values_than_on_and_off_are_told_once(void)
{
    setenv("XSCHED_AUTO_XQUEUE", "maybe", 1);
    START_SCHEDULED("hundred", "finish");
    next("finish");
    settles_at(100);
    ends_well();
    const char *said = caught_errors();
    CHECK(count_lines(said, "\n") == 1);
    CHECK(count_lines(said, "XSCHED_AUTO_XQUEUE is 'maybe'; say ON or OFF") == 1);
}

/* As `xsched run` does: the process that it becomes, and an empty file. */
static void name_mark(char *file, size_t size)
{
    char value[256];
    snprintf(file, size, "%s/mark", test_folder());
    snprintf(value, sizeof value, "%d:%s", getpid(), file);
    close(open(file, O_WRONLY | O_CREAT, 0600));
    setenv("XSCHED_RUN", value, 1);
#ifndef SHIM_LINKED_IN
    setenv("LD_PRELOAD", library_file, 1);
#endif
}

static void run_marked(const char *act)
{
    char file[128];
    int status = -1;
    find_files();
    pid_t child = fork();
    if (child == 0) {
        name_mark(file, sizeof file);
        catch_errors();
        close(STDIN_FILENO); /* whose number must not become one of ours */
        close(STDOUT_FILENO);
        execl(program_file, "program", act, (char *)NULL);
        _exit(127);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void a_program_that_never_reached_the_scheduler_says_so(void)
{
    run_marked("stop"); /* makes a queue, and uses nothing */
    const char *said = caught_errors();
    CHECK(count_lines(said, "\n") == 1 && count_lines(said, "nothing was scheduled") == 1);
}

static void a_program_that_was_to_be_left_alone_says_so(void)
{
    setenv("XSCHED_AUTO_XQUEUE", "OFF", 1);
    run_marked("one");
    const char *said = caught_errors();
    CHECK(count_lines(said, "\n") == 1 && count_lines(said, "XSCHED_AUTO_XQUEUE is OFF") == 1);
}

static void a_program_that_reached_it_does_not(void)
{
    standin_start(&standin);
    standin_host(&standin, &guest);
    run_marked("one");
    standin_hosted(&standin);
    CHECK(caught_errors()[0] == 0);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"every kind of call is counted", every_kind_of_call_is_counted},
        {"a program with others tells at once that it is idle",
         a_program_with_others_tells_at_once_that_it_is_idle},
        {"a program that is alone is counted when it waits",
         a_program_that_is_alone_is_counted_when_it_waits},
        {"a program that was alone leaves its counts when it ends",
         a_program_that_was_alone_leaves_its_counts_when_it_ends},
        {"a queue may go with work pending", a_queue_may_go_with_work_pending},
        {"another queue may have the same handle", another_queue_may_have_the_same_handle},
        {"a thread may end with work pending", a_thread_may_end_with_work_pending},
        {"a program may end with work pending", a_program_may_end_with_work_pending},
        {"a forked child is not counted", a_forked_child_is_not_counted},
        {"a forked child that launches is a program of its own",
         a_forked_child_that_launches_is_a_program_of_its_own},
        {"exec is a new program", exec_is_a_new_program},
        {"a program may close all descriptors", a_program_may_close_all_descriptors},
        {"the window is kept while work may come that goes first",
         the_window_is_kept_while_work_may_come_that_goes_first},
        {"without others there is no window", without_others_there_is_no_window},
        {"a gate that closes while a launch waits for room holds it",
         a_gate_that_closes_while_a_launch_waits_for_room_holds_it},
        {"what was launched alone is in the window of who is not",
         what_was_launched_alone_is_in_the_window_of_who_is_not},
        {"commands that wait for their own thread do not hang",
         commands_that_wait_for_their_own_thread_do_not_hang},
        {"callbacks may launch", callbacks_may_launch},
        {"the driver may have another name", the_driver_may_have_another_name},
        {"OFF means untouched", off_means_untouched},
        {"other values than ON and OFF are told once", other_values_than_on_and_off_are_told_once},
        {"a program that was to be left alone says so",
         a_program_that_was_to_be_left_alone_says_so},
        {"a program that never reached the scheduler says so",
         a_program_that_never_reached_the_scheduler_says_so},
        {"a program that reached it does not", a_program_that_reached_it_does_not},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
