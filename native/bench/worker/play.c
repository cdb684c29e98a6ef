/* All named queues at once, for as long as asked for. */
#include "play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "player.h"
#include "times.h"

#define LONGEST (24 * 3600 * SECOND)

/* The key of one queue's setting. */
static const char *key_of(const struct queue *queue, const char *setting)
{
    static char key[128];
    snprintf(key, sizeof key, "%s.%s", queue->name, setting);
    return key;
}

static bool read_spacing(struct player *player, struct words *words, uint64_t seed)
{
    static const struct {
        const char *name;
        double most; /* spread */
    } spacings[] = {[SPACING_EVEN] = {"even", 0},
                    [SPACING_AROUND] = {"around", 1},
                    [SPACING_LOGNORMAL] = {"lognormal", 5}};
    const struct queue *queue = player->queue;
    int64_t period;
    double spread = 0;
    const char *name = word_text(words, key_of(queue, "spacing"));
    unsigned spacing = 0;
    if (name == NULL) {
        return false;
    }
    while (spacing <= SPACING_LOGNORMAL && strcmp(name, spacings[spacing].name) != 0) {
        spacing++;
    }
    if (spacing > SPACING_LOGNORMAL) {
        return problem("%s.spacing is '%s'; give even, around or lognormal", queue->name, name);
    }
    if (!word_number(words, key_of(queue, "period_ns"), 1000, LONGEST, &period)) {
        return false;
    }
    if (spacing == SPACING_EVEN) {
        word_if_any(words, key_of(queue, "spread")); /* has no effect, and is no mistake */
    } else if (!word_real(words, key_of(queue, "spread"), 0, spacings[spacing].most, &spread)) {
        return false;
    }
    player->arrivals = arrivals_from(player->start, (enum spacing)spacing, period, spread,
                                     random_of(seed, queue->name));
    return true;
}

static bool read_pattern(struct player *player, struct words *words, uint64_t seed)
{
    const char *pattern = word_text(words, key_of(player->queue, "pattern"));
    if (pattern == NULL) {
        return false;
    }
    if (strcmp(pattern, "continuous") == 0) {
        player->continuous = true;
        return true;
    }
    if (strcmp(pattern, "paced") != 0) {
        return problem("%s.pattern is '%s'; give continuous or paced", player->queue->name,
                       pattern);
    }
    const char *when_busy = word_text(words, key_of(player->queue, "when_busy"));
    if (when_busy == NULL) {
        return false;
    }
    player->drops = strcmp(when_busy, "drop") == 0;
    if (!player->drops && strcmp(when_busy, "queue") != 0) {
        return problem("%s.when_busy is '%s'; give queue or drop", player->queue->name, when_busy);
    }
    return read_spacing(player, words, seed);
}

struct times {
    int64_t start, warmup, measured, seed;
};

static bool read_player(struct player *player, const struct queue *queue, struct words *words,
                        const struct times *times)
{
    int64_t from = times->start + times->warmup;
    *player = (struct player){.queue = queue,
                              .start = times->start,
                              .ledger = {.from = from, .to = from + times->measured}};
    const char *throttle = word_if_any(words, key_of(queue, "throttle"));
    return read_pattern(player, words, (uint64_t)times->seed) &&
           (throttle == NULL || throttle_open(&player->throttle, throttle));
}

static bool is_among(const struct queue *queue, const struct player *players, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (players[i].queue == queue) {
            return true;
        }
    }
    return false;
}

static bool read_players(struct player *players, size_t *count, const char *names,
                         struct words *words, const struct times *times)
{
    for (*count = 0;; names++) {
        size_t length = strcspn(names, ",");
        const struct queue *queue = queue_named(names, length);
        if (queue == NULL) {
            return false;
        }
        if (is_among(queue, players, *count)) {
            return problem("queue '%s' is named twice; name it once", queue->name);
        }
        if (!read_player(&players[(*count)++], queue, words, times)) {
            return false;
        }
        names += length;
        if (*names == 0) {
            return true;
        }
    }
}

/* The main thread only looks at the clock. */
static int64_t processor_time(int64_t from, int64_t to)
{
    sleep_until(from);
    int64_t before = process_nanos();
    sleep_until(to);
    return process_nanos() - before;
}

static bool run(struct player *players, size_t count, int64_t *cpu)
{
    size_t started = 0;
    bool fine = true;
    while (started < count && pthread_create(&players[started].thread, NULL, player_run,
                                             &players[started]) == 0) {
        started++;
    }
    if (started < count) {
        fine = problem("no more threads; end other programs");
    }
    *cpu = processor_time(players->ledger.from, players->ledger.to);
    for (size_t i = 0; i < started; i++) {
        pthread_join(players[i].thread, NULL);
        fine = fine && !players[i].failed;
    }
    return fine;
}

static void print(const struct player *players, size_t count, int64_t cpu)
{
    printf("{\"queues\":{");
    for (size_t i = 0; i < count; i++) {
        printf(i == 0 ? "" : ",");
        put_text(players[i].queue->name);
        printf(":");
        ledger_print(&players[i].ledger);
    }
    printf("},\"cpu_ns\":%lld}", (long long)cpu);
    end_answer();
}

bool play(struct words *words)
{
    struct times times;
    int64_t cpu;
    size_t count = 0, most = 1;
    if (has_suspended()) {
        return problem("this worker has measured suspending, so nobody schedules it any more; "
                       "start another one");
    }
    const char *names = word_text(words, "queues");
    if (names == NULL || !word_number(words, "start_ns", 0, INT64_MAX / 2, &times.start) ||
        !word_number(words, "warmup_ns", 0, LONGEST, &times.warmup) ||
        !word_number(words, "measured_ns", 1, LONGEST, &times.measured) ||
        !word_number(words, "seed", INT64_MIN, INT64_MAX, &times.seed)) {
        return false;
    }
    for (const char *letter = names; *letter != 0; letter++) {
        most += *letter == ',';
    }
    struct player *players = calloc(most, sizeof *players);
    if (players == NULL) {
        return problem("no memory; end other programs");
    }
    bool fine = read_players(players, &count, names, words, &times) && words_all_asked_for(words) &&
                (now_nanos() < times.start ||
                 problem("start_ns is over; give a time that is still to come")) &&
                run(players, count, &cpu);
    if (fine) {
        print(players, count, cpu);
    }
    for (size_t i = 0; i < count; i++) {
        throttle_close(&players[i].throttle);
        ledger_free(&players[i].ledger);
    }
    free(players);
    return fine;
}
