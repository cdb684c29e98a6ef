/*
 * A CUDA program that knows of each result what it must be, and shows that it gets on:
 *
 *     checked PULSE rounds MILLIS          prints how many rounds a kernel takes that long for
 *     checked PULSE long ROUNDS            kernels of so many rounds that fill the device, for ever
 *     checked PULSE tiny BURST_MS REST_MS  tiny ones, each waited for, in bursts, for ever
 *     checked PULSE steady ROUNDS REST_MS  small ones of so many rounds, each after a rest, for ever
 *
 * It ends by itself when it is told to (SIGTERM) or when whoever started it is gone. Exit code: 0, 2 if
 * the device failed, 3 if a result was wrong, 4 if it was left alone.
 */
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "pulse.h"
#include "sums.h"

#define TINY_THREADS 128u
#define FIRST_ROUNDS 1000u
#define LONG_ENOUGH_NANOS 5000000ll
#define MILLIS 1000000ll
#define LONGEST_MILLIS 60000
#define PAUSED_NANOS 5000000ll

static volatile sig_atomic_t ended;
static pid_t parent;
static uint64_t expected;

static void end(int signal)
{
    (void)signal;
    ended = 1;
}

static bool goes_on(void)
{
    if (getppid() != parent) {
        exit(4);
    }
    return !ended;
}

static void add(uint32_t threads, uint32_t rounds, uint64_t each)
{
    expected += each;
    pulse_check(gpu_add(threads, rounds), expected);
}

/* So that whoever schedules it knows of it, also if it begins with a pause. */
static void introduce(void)
{
    pulse_begin();
    add(TINY_THREADS, 1, sum_of(TINY_THREADS, 1));
}

static void run_long(uint32_t rounds)
{
    uint32_t threads = gpu_threads();
    uint64_t each = sum_of(threads, rounds);
    introduce();
    while (goes_on()) {
        if (pulse_is_paused()) {
            pulse_rest(PAUSED_NANOS);
            pulse_begin();
        } else {
            add(threads, rounds, each);
        }
    }
}

static void run_small(uint32_t rounds, int64_t burst_nanos, int64_t rest_nanos)
{
    uint64_t each = sum_of(TINY_THREADS, rounds);
    introduce();
    while (goes_on()) {
        if (pulse_is_paused()) {
            pulse_rest(PAUSED_NANOS);
            continue;
        }
        pulse_begin();
        int64_t end = pulse_now() + burst_nanos;
        do {
            add(TINY_THREADS, rounds, each);
        } while (pulse_now() < end && !ended);
        pulse_rest(rest_nanos);
    }
}

static uint32_t measure_rounds(int64_t nanos)
{
    uint32_t threads = gpu_threads(), rounds = FIRST_ROUNDS;
    gpu_add(threads, rounds); /* the first one takes longer */
    while (true) {
        int64_t start = pulse_now();
        gpu_add(threads, rounds);
        int64_t took = pulse_now() - start;
        if (took >= LONG_ENOUGH_NANOS || rounds > UINT32_MAX / 2) {
            return (uint32_t)((double)rounds * (double)nanos / (double)took);
        }
        rounds *= 2;
    }
}

/* 0: it is none. */
static uint32_t number(const char *text, long most)
{
    char *rest;
    long value = strtol(text, &rest, 10);
    return *rest == 0 && value > 0 && value <= most ? (uint32_t)value : 0;
}

static int explain(void)
{
    fprintf(stderr, "use: checked PULSE rounds MILLIS | long ROUNDS | tiny BURST_MS REST_MS | "
                    "steady ROUNDS REST_MS\n");
    return 1;
}

int main(int count, char **arguments)
{
    const char *what = count > 3 ? arguments[2] : "";
    bool measures = count == 4 && strcmp(what, "rounds") == 0;
    bool is_long = count == 4 && strcmp(what, "long") == 0;
    bool is_tiny = count == 5 && strcmp(what, "tiny") == 0;
    bool is_steady = count == 5 && strcmp(what, "steady") == 0;
    long most = is_long || is_steady ? INT_MAX : LONGEST_MILLIS;
    uint32_t first = count > 3 ? number(arguments[3], most) : 0;
    uint32_t second = count == 5 ? number(arguments[4], LONGEST_MILLIS) : 1;
    if ((!measures && !is_long && !is_tiny && !is_steady) || first == 0 || second == 0) {
        return explain();
    }
    if (!pulse_open(arguments[1])) {
        return 1;
    }
    parent = getppid();
    signal(SIGTERM, end);
    gpu_open();
    if (measures) {
        printf("%u\n", measure_rounds(first * MILLIS));
    } else if (is_long) {
        run_long(first);
    } else if (is_tiny) {
        run_small(1, first * MILLIS, second * MILLIS);
    } else {
        run_small(first, 0, second * MILLIS);
    }
    return pulse_is_clean() ? 0 : 3;
}
