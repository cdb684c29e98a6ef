/* A test program: see options.c for what it can do, load.c for how it works. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

struct load {
    struct options options;
    struct xsched_sharedxpu *device;
    xsched_queue *queues[LOAD_QUEUES];
    struct lane lanes[LOAD_QUEUES];
    atomic_bool stop;     /* the lanes */
    atomic_bool harmless; /* the villain */
    bool left_registered; /* whether it was, when it had to leave early */
    int64_t start;
};

static atomic_bool terminated; /* without a lock, so a handler may set it */

static void on_sigterm(int signal)
{
    (void)signal;
    atomic_store(&terminated, true);
}

static int64_t now_nanos(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void open_all(struct load *load)
{
    char name[64];
    char error[600];
    load->device = xsched_sharedxpu_open(load->options.device, name, error, sizeof error);
    if (load->device == NULL) {
        fprintf(stderr, "xpuload: %s\n", error);
        exit(2);
    }
    for (long long i = 0; i < load->options.queues; i++) {
        char queue_name[64];
        snprintf(queue_name, sizeof queue_name, "%.36s %lld", load->options.name, i);
        load->queues[i] = xsched_queue_open(name, queue_name);
        if (load->options.has_priority) {
            xsched_hint(load->queues[i], XSCHED_HINT_PRIORITY, load->options.priority);
        }
    }
}

static void start_all(struct load *load)
{
    const struct options *options = &load->options;
    load->start = now_nanos();
    for (long long i = 0; i < options->queues; i++) {
        struct lane *lane = &load->lanes[i];
        *lane = (struct lane){.options = options,
                              .device = load->device,
                              .queue = load->queues[i],
                              .tag = (uint32_t)i,
                              .stop = &load->stop,
                              .until = options->seconds > 0
                                           ? load->start + (int64_t)(options->seconds * 1e9)
                                           : 0};
        if (!lane_start(lane)) {
            fprintf(stderr, "xpuload: no memory or no thread for queue %lld\n", i);
            exit(1);
        }
    }
}

/* Passes a signal on to the lanes. A gate must not keep a program that is asked to end. */
static void *watch_for_end(void *argument)
{
    struct load *load = argument;
    const struct timespec pause = {.tv_nsec = 2000000};
    while (!atomic_load(&load->harmless)) {
        if (atomic_load(&terminated) && !atomic_exchange(&load->stop, true)) {
            load->left_registered = xsched_registered();
            xsched_leave();
        }
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All bursts of all lanes, sorted. NULL if there are none. */
static double *sorted_bursts(const struct load *load, size_t *count)
{
    *count = 0;
    for (long long i = 0; i < load->options.queues; i++) {
        *count += load->lanes[i].burst_count;
    }
    double *all = *count == 0 ? NULL : malloc(*count * sizeof *all);
    size_t used = 0;
    for (long long i = 0; all != NULL && i < load->options.queues; i++) {
        const struct lane *lane = &load->lanes[i];
        if (lane->burst_count > 0) {
            memcpy(all + used, lane->bursts, lane->burst_count * sizeof *all);
            used += lane->burst_count;
        }
    }
    if (all != NULL) {
        qsort(all, *count, sizeof *all, compare);
    }
    return all;
}

/* The smallest value that so many of all are not above. */
static double percentile(const double *sorted, size_t count, double share)
{
    size_t rank = (size_t)ceil(share * (double)count);
    return sorted[rank == 0 ? 0 : rank - 1];
}

static void print_queues(FILE *out, const struct load *load)
{
    fputs("\"queues\":[", out);
    for (long long i = 0; i < load->options.queues; i++) {
        const struct lane *lane = &load->lanes[i];
        unsigned long long completed = atomic_load(&lane->completed);
        /* A command is launched as soon as it is submitted: the gate is in between. */
        fprintf(out,
                "%s{\"submitted\":%llu,\"launched\":%llu,\"completed\":%llu,\"exactly_once\":%s}",
                i == 0 ? "" : ",", (unsigned long long)lane->submitted,
                (unsigned long long)lane->submitted, completed,
                lane->exactly_once && completed == lane->submitted ? "true" : "false");
    }
    fputs("],", out);
}

static void print_bursts(FILE *out, const struct load *load)
{
    size_t count;
    uint64_t missed = 0;
    double *sorted = sorted_bursts(load, &count);
    for (long long i = 0; i < load->options.queues; i++) {
        missed += load->lanes[i].missed;
    }
    if (sorted != NULL) {
        fprintf(out,
                "\"bursts\":{\"count\":%zu,\"missed\":%llu,\"p50_ms\":%.3f,\"p99_ms\":%.3f,"
                "\"max_ms\":%.3f},",
                count, (unsigned long long)missed, percentile(sorted, count, 0.5),
                percentile(sorted, count, 0.99), sorted[count - 1]);
    }
    free(sorted);
}

static void print_json(FILE *out, const struct load *load, double seconds, bool registered)
{
    int64_t longest = 0;
    uint64_t commands = 0;
    bool exactly_once = true;
    for (long long i = 0; i < load->options.queues; i++) {
        const struct lane *lane = &load->lanes[i];
        longest = lane->longest_gate_wait > longest ? lane->longest_gate_wait : longest;
        commands += atomic_load(&lane->completed);
        exactly_once &= lane->exactly_once && atomic_load(&lane->completed) == lane->submitted;
    }
    fprintf(out, "{\"pid\":%ld,\"registered\":%s,\"registrations\":%llu,\"seconds\":%.3f,",
            (long)getpid(), registered ? "true" : "false",
            (unsigned long long)xsched_registrations(), seconds);
    fprintf(out, "\"completed\":%llu,\"exactly_once\":%s,", (unsigned long long)commands,
            exactly_once ? "true" : "false");
    print_queues(out, load);
    print_bursts(out, load);
    fprintf(out, "\"max_gate_wait_ms\":%.3f}\n", (double)longest / 1e6);
}

/* In one write, so that parent and child do not mix their lines. */
static void print_result(const struct load *load, bool registered)
{
    double seconds = (double)(now_nanos() - load->start) / 1e9;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        exit(1);
    }
    if (load->options.json) {
        print_json(out, load, seconds, registered);
    } else {
        uint64_t commands = 0;
        for (long long i = 0; i < load->options.queues; i++) {
            commands += atomic_load(&load->lanes[i].completed);
        }
        fprintf(out, "%llu commands in %.3f s, %s\n", (unsigned long long)commands, seconds,
                registered ? "scheduled" : "unscheduled");
    }
    fclose(out);
    ssize_t written = write(STDOUT_FILENO, text, length);
    (void)written;
    free(text);
}

/* Does the whole work on queues that are open, and prints. Forks on the way if it is to. */
static int run(struct load *load)
{
    pthread_t watcher;
    pthread_t villain;
    pid_t child = -1;
    bool misbehaves = load->options.misbehave != BEHAVE;
    start_all(load);
    if (pthread_create(&watcher, NULL, watch_for_end, load) != 0) {
        return 1;
    }
    if (misbehaves) {
        misbehave_start(&load->options, &load->harmless, &villain);
    }
    if (load->options.fork) {
        child = fork();
        if (child == 0) {
            /* Its threads did not come along: the child works with new ones on the same queues. */
            load->options.fork = false;
            _exit(run(load));
        }
    }
    for (long long i = 0; i < load->options.queues; i++) {
        lane_join(&load->lanes[i]);
    }
    atomic_store(&load->harmless, true);
    pthread_join(watcher, NULL);
    if (misbehaves) {
        pthread_join(villain, NULL);
    }
    print_result(load, load->left_registered || xsched_registered());
    int status = 0;
    if (child > 0) {
        do {
            if (atomic_load(&terminated)) {
                kill(child, SIGTERM);
            }
        } while (waitpid(child, &status, 0) < 0 && errno == EINTR);
    }
    for (long long i = 0; i < load->options.queues; i++) {
        lane_free(&load->lanes[i]);
    }
    return status == 0 ? 0 : 1;
}

/* Starts this program again in its own place, without the option that says so. */
static void exec_self(char **arguments)
{
    int kept = 0;
    for (int i = 0; arguments[i] != NULL; i++) {
        if (strcmp(arguments[i], "--exec-self") != 0) {
            arguments[kept++] = arguments[i];
        }
    }
    arguments[kept] = NULL;
    execvp(arguments[0], arguments);
    perror("xpuload: exec");
    exit(1);
}

int main(int count, char **arguments)
{
    static struct load load;
    options_parse(count, arguments, &load.options);
    struct sigaction action = {.sa_handler = on_sigterm};
    sigaction(SIGTERM, &action, NULL);
    prctl(PR_SET_TIMERSLACK, 1ul); /* sleeps of a few microseconds, not fifty more */
    open_all(&load);
    if (load.options.exec_self) {
        exec_self(arguments);
    }
    int status = run(&load);
    for (long long i = 0; i < load.options.queues; i++) {
        xsched_queue_close(load.queues[i]);
    }
    xsched_sharedxpu_close(load.device);
    return status;
}
