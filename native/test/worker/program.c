/*
 * The worker as a program that is talked to in lines, on whichever OpenCL is installed, and on what
 * stands in for HIP.
 */
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness.h"

#define MILLI 1000000ll
#define WARMUP (50 * MILLI)
#define MEASURED (300 * MILLI)

static FILE *hears, *says;
static pid_t worker;
static char *answer;
static size_t room;

/* Started as by hand, or as `xsched run` does it. */
static void start_on(const char *backend, bool preloaded)
{
    char folder[3000], path[4000], library[4000], hip[4000];
    int in[2], out[2];
    snprintf(folder, sizeof folder, "%s", xpuload_path());
    dirname(folder);
    snprintf(path, sizeof path, "%s/bench/worker", folder);
    snprintf(library, sizeof library, "%s/libxsched.so", folder);
    snprintf(hip, sizeof hip, "%s/test/hip/libamdhip64.so.6", folder);
    test_folder();
    CHECK(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
    worker = fork();
    CHECK(worker >= 0);
    if (worker == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        setenv("XSCHED_SCHEDULER", "APP", 1); /* there is no daemon here */
        setenv("XSCHED_HIP_LIB", hip, 1);
        if (preloaded) {
            setenv("LD_PRELOAD", library, 1);
        }
        execl(path, path, backend, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    hears = fdopen(in[1], "w");
    says = fdopen(out[0], "r");
}

static void start(bool preloaded)
{
    start_on("opencl", preloaded);
}

static const char *ask(const char *line)
{
    fprintf(hears, "%s\n", line);
    fflush(hears);
    CHECK(getline(&answer, &room, says) > 0);
    if (strstr(answer, "no OpenCL device") != NULL || strstr(answer, "no libOpenCL") != NULL) {
        printf("skipped, as there is no OpenCL: ");
        exit(0);
    }
    return answer;
}

static void end(void)
{
    int status;
    fclose(hears);
    CHECK(getc(says) == EOF);
    CHECK(waitpid(worker, &status, 0) == worker && status == 0);
    fclose(says);
}

static void load(const char *queue, const char *workload)
{
    char line[256];
    snprintf(line, sizeof line, "load queue=%s workload=%s", queue, workload);
    if (strncmp(ask(line), "{\"describe\":\"", 13) != 0) {
        fprintf(stderr, "%s: %s", workload, answer);
        exit(1);
    }
}

/* What one queue's part of the last answer says. */
struct outcome {
    long long offered;
    long long arrived[10000], done[10000], wants[10000];
    size_t count, done_count, want_count;
};

static size_t read_list(const char *from, const char *name, long long *values)
{
    size_t count = 0;
    char *at = strstr(from, name);
    CHECK(at != NULL);
    at += strlen(name);
    CHECK(*at++ == '[');
    while (*at != ']') {
        CHECK(count < 10000);
        values[count++] = strtoll(at, &at, 10);
        at += *at == ',';
    }
    return count;
}

/* What holds for whatever is played. */
static void check_sane(const struct outcome *outcome)
{
    CHECK(outcome->count == outcome->done_count);
    for (size_t i = 0; i < outcome->count; i++) {
        CHECK(outcome->done[i] >= 0 && outcome->done[i] < MEASURED);
        CHECK(outcome->arrived[i] <= outcome->done[i]);
        CHECK(i == 0 || outcome->done[i] >= outcome->done[i - 1]);
        CHECK(i == 0 || outcome->arrived[i] > outcome->arrived[i - 1]);
    }
    CHECK(outcome->want_count % 2 == 0);
    for (size_t i = 0; i < outcome->want_count; i++) {
        CHECK(outcome->wants[i] >= 0 && outcome->wants[i] <= MEASURED);
        CHECK(i == 0 || outcome->wants[i] > outcome->wants[i - 1]);
    }
}

static const struct outcome *outcome_of(const char *queue)
{
    static struct outcome outcome;
    char name[64];
    snprintf(name, sizeof name, "\"%s\":{\"offered\":", queue);
    const char *from = strstr(answer, name);
    if (from == NULL) {
        fprintf(stderr, "no %s in %.500s", queue, answer);
        exit(1);
    }
    outcome.offered = strtoll(from + strlen(name), NULL, 10);
    outcome.count = read_list(from, "\"arrived\":", outcome.arrived);
    outcome.done_count = read_list(from, "\"done\":", outcome.done);
    outcome.want_count = read_list(from, "\"wants\":", outcome.wants);
    check_sane(&outcome);
    return &outcome;
}

/* On a machine that is busy the start may be over before it is read; then there is another. */
static const char *play(int seed, const char *queues)
{
    char line[1024];
    long long ahead = 50 * MILLI;
    do {
        snprintf(line, sizeof line,
                 "play start_ns=%lld warmup_ns=%lld measured_ns=%lld seed=%d queues=%s",
                 (long long)now_nanos() + ahead, WARMUP, MEASURED, seed, queues);
        ahead *= 2;
    } while (strstr(ask(line), "start_ns is over") != NULL);
    return answer;
}

static void wrong_lines_are_answered_with_what_to_do(void)
{
    static const char *const lines[][2] = {
        {"", "empty line"},
        {"dance", "is no verb"},
        {"load", "queue is missing"},
        {"load queue=a", "workload is missing"},
        {"load queue", "is no key=value"},
        {"load queue=", "is no key=value"},
        {"load queue=a queue=b workload=cfd", "given twice"},
        {"load queue=a workload=nonsense", "no workload 'nonsense'"},
        {"load queue=a\"b workload=cfd", "is no name"},
        {"load queue=a workload=cfd color=red", "color has no meaning"},
        {"load queue=a workload=commands count=3", "each_ns is missing"},
        {"load queue=a workload=commands each_ns=5us count=3", "each_ns is '5us'"},
        {"load queue=a workload=commands each_ns=1000 count=0", "count is '0'"},
        {"load queue=a workload=commands each_ns=2000000000 count=1", "each_ns is '2000000000'"},
        {"load queue=a workload=tiny", "count is missing"},
        {"load queue=a workload=tiny count=1 rounds=5", "rounds has no meaning"},
        {"load queue=a workload=cfd xqueue=1 priority=300", "priority is '300'"},
        {"load queue=a workload=cfd priority=3", "priority has no meaning"},
        {"output queue=a", "no queue 'a'"},
        {"play start_ns=1", "queues is missing"},
        {"play queues=a start_ns=1 warmup_ns=0 measured_ns=1 seed=1", "no queue 'a'"},
        {"suspend level=4", "level is '4'"},
        {"suspend level=1 command_ns=1000 threshold=2 batch=4", "batch is '4'"},
    };
    static const char *const plays[][2] = {
        {"b", "b.pattern is missing"},
        {"b,b b.pattern=continuous", "named twice"},
        {"b, b.pattern=continuous", "no queue ''"},
        {"b b.pattern=wild", "give continuous or paced"},
        {"b b.pattern=continuous c.pattern=paced", "c.pattern has no meaning"},
        {"b b.pattern=paced", "b.when_busy is missing"},
        {"b b.pattern=paced b.when_busy=wait", "give queue or drop"},
        {"b b.pattern=paced b.when_busy=drop b.spacing=odd", "give even, around or lognormal"},
        {"b b.pattern=paced b.when_busy=drop b.spacing=around b.period_ns=1000000 b.spread=2",
         "b.spread is '2'"},
        {"b b.pattern=continuous b.throttle=/nowhere/to/be/found", "make it before the play"},
    };
    start(false);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ask(lines[i][0]);
        CHECK(strncmp(answer, "{\"error\":\"", 10) == 0 && strstr(answer, lines[i][1]) != NULL);
    }
    load("b", "served_small");
    for (size_t i = 0; i < sizeof plays / sizeof *plays; i++) {
        play(1, plays[i][0]);
        CHECK(strncmp(answer, "{\"error\":\"", 10) == 0 && strstr(answer, plays[i][1]) != NULL);
    }
    ask("play queues=b b.pattern=continuous start_ns=1 warmup_ns=0 measured_ns=1 seed=1");
    CHECK(strstr(answer, "start_ns is over") != NULL);
    play(1, "b b.pattern=continuous");
    CHECK(outcome_of("b")->want_count == 2); /* it was not harmed */
    end();
}

static void a_continuous_queue_always_wants_more(void)
{
    start(false);
    load("a", "served_small");
    play(1, "a a.pattern=continuous");
    const struct outcome *outcome = outcome_of("a");
    CHECK(outcome->count > 0);
    for (size_t i = 1; i < outcome->count; i++) {
        CHECK(outcome->arrived[i] == outcome->done[i - 1]);
    }
    CHECK(outcome->want_count == 2 && outcome->wants[0] == 0 && outcome->wants[1] == MEASURED);
    /* The first may have come before, the last may end later. */
    CHECK(outcome->offered >= (long long)outcome->count - 1 &&
          outcome->offered <= (long long)outcome->count + 1);
    CHECK(strstr(answer, "\"cpu_ns\":") != NULL);
    end();
}

static void queues_play_side_by_side(void)
{
    start(false);
    load("one", "served_small");
    load("two", "commands each_ns=200000 count=5");
    load("one", "cfd"); /* takes the first one's place */
    play(1, "two,one one.pattern=paced one.period_ns=20000000 one.spacing=even one.when_busy=queue "
            "two.pattern=continuous");
    CHECK(outcome_of("one")->offered == 15);
    CHECK(outcome_of("two")->count > 0);
    end();
}

/* So that what one worker has found out, another can do. */
static void the_work_of_a_command_is_told_and_can_be_given(void)
{
    start(false);
    load("a", "commands each_ns=200000 count=1");
    CHECK(strstr(answer, "\"rounds\":") != NULL);
    load("a", "commands each_ns=200000 count=1 rounds=1234");
    CHECK(strstr(answer, "\"rounds\":1234}") != NULL);
    ask("suspend level=1 command_ns=200000 threshold=8 batch=4 times=1 seed=1 rounds=0");
    CHECK(strstr(answer, "rounds is '0'") != NULL);
    end();
}

static void who_waits_for_each_kernel_tells_when_the_first_had_ended(void)
{
    long long first[10000];
    start(false);
    load("a", "tiny count=5");
    play(1, "a a.pattern=paced a.period_ns=20000000 a.spacing=even a.when_busy=drop");
    const struct outcome *outcome = outcome_of("a");
    CHECK(outcome->count > 0 && read_list(answer, "\"first\":", first) == outcome->count);
    for (size_t i = 0; i < outcome->count; i++) {
        CHECK(first[i] > outcome->arrived[i] && first[i] < outcome->done[i]);
    }
    load("a", "tiny count=1"); /* the first is all of it */
    play(1, "a a.pattern=paced a.period_ns=20000000 a.spacing=even a.when_busy=drop");
    outcome = outcome_of("a");
    CHECK(outcome->count > 0 && read_list(answer, "\"first\":", first) == outcome->count);
    for (size_t i = 0; i < outcome->count; i++) {
        CHECK(first[i] == outcome->done[i]);
    }
    load("a", "served_small"); /* whose kernels nobody waits for one by one */
    play(1, "a a.pattern=continuous");
    CHECK(strstr(answer, "\"first\":") == NULL);
    end();
}

/* Arrivals do not depend on how fast the machine is, nor on what becomes of them. */
static void paced_requests_come_by_the_clock(void)
{
    start(false);
    load("a", "served_small");
    play(1, "a a.pattern=paced a.period_ns=20000000 a.spacing=even a.when_busy=queue");
    CHECK(outcome_of("a")->offered == 15);
    static const char *const spacings[] = {"around a.spread=0.5", "lognormal a.spread=2"};
    for (int i = 0; i < 2; i++) {
        char queues[256];
        long long offered[3];
        snprintf(queues, sizeof queues,
                 "a a.pattern=paced a.period_ns=3000000 a.when_busy=drop a.spacing=%s",
                 spacings[i]);
        for (int seed = 0; seed < 3; seed++) {
            play(1 + seed / 2, queues);
            offered[seed] = outcome_of("a")->offered;
        }
        CHECK(offered[0] > 0 && offered[0] == offered[1] && offered[0] != offered[2]);
    }
    end();
}

static void what_comes_too_soon_waits_or_is_dropped(void)
{
    start(false);
    load("a", "commands each_ns=2000000 count=10"); /* 20 ms, and one comes every 2 */
    play(1, "a a.pattern=paced a.period_ns=2000000 a.spacing=even a.when_busy=drop");
    const struct outcome *outcome = outcome_of("a");
    CHECK(outcome->offered == 150);
    for (size_t i = 1; i < outcome->count; i++) {
        CHECK(outcome->arrived[i] > outcome->done[i - 1]);
    }
    play(1, "a a.pattern=paced a.period_ns=2000000 a.spacing=even a.when_busy=queue");
    outcome = outcome_of("a");
    CHECK(outcome->offered == 150);
    for (size_t i = 1; i < outcome->count; i++) {
        CHECK(outcome->arrived[i] == outcome->arrived[i - 1] + 2 * MILLI);
    }
    /* Those that still wait want the device, too. */
    CHECK(outcome->want_count == 2 && outcome->wants[1] == MEASURED);
    end();
}

static void a_throttled_queue_begins_nothing_without_a_share(void)
{
    char path[128], queues[256];
    snprintf(path, sizeof path, "%s/throttle", test_folder());
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    CHECK(fd >= 0 && ftruncate(fd, 16) == 0);
    uint64_t *page = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(page != MAP_FAILED);
    start(false);
    load("a", "served_small");
    snprintf(queues, sizeof queues, "a a.pattern=continuous a.throttle=%s", path);
    play(1, queues);
    const struct outcome *outcome = outcome_of("a");
    CHECK(outcome->count == 0 && page[0] == 0);
    CHECK(outcome->want_count == 2 && outcome->wants[1] == MEASURED);
    page[1] = 1000000;
    play(1, queues);
    outcome = outcome_of("a");
    CHECK(outcome->count > 0 && page[0] >= outcome->count);
    CHECK(ftruncate(fd, 15) == 0);
    play(1, queues);
    CHECK(strstr(answer, "shorter than 16 bytes") != NULL);
    end();
}

static void outputs_are_the_same_in_every_run_and_under_the_library(void)
{
    static const char *const workloads[] = {"black_scholes", "cfd",       "memory_hungry",
                                            "resnet18",      "resnet152", "resnet50_training",
                                            "bert_base"};
    enum { COUNT = sizeof workloads / sizeof *workloads };
    char hashes[COUNT][32];
    for (int run = 0; run < 2; run++) {
        start(run == 1);
        for (int i = 0; i < COUNT; i++) {
            load("a", workloads[i]);
            CHECK(strncmp(ask("output queue=a"), "{\"hash\":\"", 9) == 0);
            if (run == 0) {
                snprintf(hashes[i], sizeof hashes[i], "%.31s", answer);
                for (int other = 0; other < i; other++) {
                    CHECK(strcmp(hashes[other], hashes[i]) != 0);
                }
            }
            CHECK(strcmp(hashes[i], answer) == 0);
            CHECK(strcmp(hashes[i], ask("output queue=a")) == 0);
        }
        end();
    }
}

static void a_queue_is_an_xqueue_where_the_library_is(void)
{
    start(false);
    ask("load queue=a workload=served_small xqueue=1 priority=3");
    CHECK(strstr(answer, "xsched run") != NULL);
    end();
    start(true);
    load("a", "served_small xqueue=1 priority=3");
    load("b", "served_small xqueue=1 priority=1");
    play(1, "a,b a.pattern=continuous b.pattern=continuous");
    CHECK(outcome_of("a")->want_count == 2 && outcome_of("b")->want_count == 2);
    load("a", "served_small"); /* the XQueue goes with the queue that it belongs to */
    end();
}

static void suspending_is_measured(void)
{
    long long nanos[10000];
    for (int run = 0; run < 2; run++) {
        start(run == 1);
        load("a", "served_small");
        ask("suspend level=1 command_ns=200000 threshold=8 batch=4 times=10 seed=1");
        CHECK(read_list(answer, "\"nanos\":", nanos) == 10);
        for (int i = 0; i < 10; i++) {
            CHECK(nanos[i] > 0);
        }
        ask("suspend level=3 command_ns=200000 threshold=8 batch=4 times=10 seed=1");
        CHECK(strstr(answer, "level 3 is not available") != NULL);
        play(1, "a a.pattern=continuous"); /* would not be scheduled */
        CHECK(strstr(answer, "start another one") != NULL);
        end();
    }
}

static void the_same_is_played_on_hip(void)
{
    long long nanos[10000];
    for (int run = 0; run < 2; run++) {
        start_on("hip", run == 1);
        ask("facts");
        CHECK(strstr(answer, "{\"device\":\"Stand-in for an AMD GPU\",\"version\":\"") == answer);
        load("a", "commands each_ns=500000 count=5");
        load("b", "resnet18");
        play(1, "a,b a.pattern=continuous b.pattern=continuous");
        CHECK(outcome_of("a")->count > 0 && outcome_of("b")->count > 0);
        CHECK(strncmp(ask("output queue=b"), "{\"hash\":\"", 9) == 0);
        ask("suspend level=1 command_ns=500000 threshold=8 batch=4 times=3 seed=1");
        CHECK(read_list(answer, "\"nanos\":", nanos) == 3);
        end();
    }
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"wrong lines are answered with what to do", wrong_lines_are_answered_with_what_to_do},
        {"a continuous queue always wants more", a_continuous_queue_always_wants_more},
        {"queues play side by side", queues_play_side_by_side},
        {"the work of a command is told and can be given",
         the_work_of_a_command_is_told_and_can_be_given},
        {"who waits for each kernel tells when the first had ended",
         who_waits_for_each_kernel_tells_when_the_first_had_ended},
        {"paced requests come by the clock", paced_requests_come_by_the_clock},
        {"what comes too soon waits or is dropped", what_comes_too_soon_waits_or_is_dropped},
        {"a throttled queue begins nothing without a share",
         a_throttled_queue_begins_nothing_without_a_share},
        {"outputs are the same in every run and under the library",
         outputs_are_the_same_in_every_run_and_under_the_library},
        {"a queue is an XQueue where the library is", a_queue_is_an_xqueue_where_the_library_is},
        {"suspending is measured", suspending_is_measured},
        {"the same is played on HIP", the_same_is_played_on_hip},
    };
    return run_tests(count, arguments, tests, sizeof tests / sizeof *tests);
}
