#include "workloads.h"

#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "networks.h"
#include "times.h"

#define GROUP 64
#define MOST_TIMES 100000
#define MOST_COMMANDS 100000

static void black_scholes(struct plan *plan)
{
    int options = backend->large ? 16 << 20 : 16 << 10;
    int launches = backend->large ? 32 : 8;
    size_t count = (size_t)options;
    uint64_t spot = plan_random(plan, count, 5, 30);
    uint64_t strike = plan_random(plan, count, 1, 100);
    uint64_t years = plan_random(plan, count, 0.25, 10);
    uint64_t call = plan_buffer(plan, count);
    uint64_t put = plan_buffer(plan, count);
    for (int i = 0; i < launches; i++) {
        plan_step(plan, &plan->request, "black_scholes", count, 1, GROUP, "bbbbbirr", spot, strike,
                  years, call, put, options, 0.02, 0.1 + 0.02 * i);
    }
    plan_result(plan, call, count);
    snprintf(plan->describe, sizeof plan->describe,
             "Black-Scholes prices of %d options at %d volatilities, one kernel each", options,
             launches);
}

static void cfd(struct plan *plan)
{
    int side = backend->large ? 2048 : 128;
    int steps = backend->large ? 40 : 10; /* even: it ends in the buffer in which it began */
    size_t cells = (size_t)(side * side);
    uint64_t states[] = {plan_buffer(plan, 4 * cells), plan_buffer(plan, 4 * cells)};
    plan_step(plan, &plan->setup, "euler_begin", (size_t)side, (size_t)side, GROUP, "bi", states[0],
              side);
    for (int i = 0; i < steps; i++) {
        plan_step(plan, &plan->request, "euler_step", (size_t)side, (size_t)side, GROUP, "bbir",
                  states[i % 2], states[1 - i % 2], side, 0.15);
    }
    plan_result(plan, states[0], 4 * cells);
    snprintf(plan->describe, sizeof plan->describe,
             "Euler solver: %d steps of a gas in a box of %dx%d cells, finite volumes, one kernel "
             "each",
             steps, side, side);
}

static void memory_hungry(struct plan *plan)
{
    int count = backend->large ? 64 << 20 : 8 << 20;
    int rounds = backend->large ? 8 : 1;
    size_t numbers = (size_t)count;
    uint64_t a = plan_random(plan, numbers, 0, 1);
    uint64_t b = plan_random(plan, numbers, 0, 1);
    uint64_t c = plan_buffer(plan, numbers);
    for (int i = 0; i < rounds; i++) {
        plan_step(plan, &plan->request, "copy", numbers, 1, GROUP, "bbi", a, c, count);
        plan_step(plan, &plan->request, "triad", numbers, 1, GROUP, "bbbir", b, c, a, count, 0.5);
    }
    plan_result(plan, a, numbers);
    snprintf(plan->describe, sizeof plan->describe,
             "%d copies and %d triads of arrays of %d MiB", rounds, rounds, count >> 18);
}

/*
 * Sized for about so much time on two cores that nothing else uses: resnet18 5 ms, resnet152 20,
 * resnet50_b8 30, resnet50_b1024 200, resnet50_training 30, segmentation 3, bert_base 10,
 * bert_base_b8 20, bert_large 20, served_small 2, served_large 10, speech 2.
 */
static const struct {
    const char *label;
    struct resnet resnet;
} resnets[] = {
    {"resnet18", {"ResNet-18", {2, 2, 2, 2}, false, 1, 16, 16, false}},
    {"resnet152", {"ResNet-152", {3, 8, 36, 3}, true, 1, 16, 12, false}},
    {"resnet50_b8", {"ResNet-50, batch 8", {3, 4, 6, 3}, true, 2, 16, 16, false}},
    {"resnet50_b1024", {"ResNet-50, batch 1024", {3, 4, 6, 3}, true, 16, 16, 16, false}},
    {"resnet50_training", {"ResNet-50 training", {3, 4, 6, 3}, true, 2, 16, 8, true}},
    {"segmentation", {"a network that segments a picture", {1, 1, 2, 1}, true, 1, 16, 16, false}},
};

static const struct {
    const char *label;
    struct transformer transformer;
} transformers[] = {
    {"bert_base", {"Bert-base, 384 tokens", 12, 24, 64, 4}},
    {"bert_base_b8", {"Bert-base, 384 tokens, batch 8", 12, 48, 64, 4}},
    {"bert_large", {"Bert-large", 24, 24, 64, 4}},
    {"served_small", {"a small model of a server", 2, 28, 64, 4}},
    {"served_large", {"a large model of a server", 12, 24, 64, 4}},
    {"speech", {"a network that reads speech", 2, 28, 64, 4}},
};

static const struct {
    const char *label;
    void (*plan)(struct plan *plan);
} programs[] = {
    {"black_scholes", black_scholes},
    {"cfd", cfd},
    {"memory_hungry", memory_hungry},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool commands(struct plan *plan, struct words *words, void *queue)
{
    int64_t each_ns, count, rounds = 0;
    return word_number(words, "each_ns", 1000, SECOND, &each_ns) &&
           word_number(words, "count", 1, MOST_COMMANDS, &count) &&
           (word_if_any(words, "rounds") == NULL ||
            word_number(words, "rounds", 1, MOST_ROUNDS, &rounds)) &&
           words_all_asked_for(words) && plan_commands(plan, each_ns, count, rounds, queue);
}

static bool tiny(struct plan *plan, struct words *words)
{
    int64_t count;
    return word_number(words, "count", 1, MOST_COMMANDS, &count) && words_all_asked_for(words) &&
           plan_tiny(plan, count);
}

/* Whether there is one of that label; then it is planned. */
static bool plan_named(struct plan *plan, const char *label)
{
    for (size_t i = 0; i < COUNT(programs); i++) {
        if (strcmp(programs[i].label, label) == 0) {
            programs[i].plan(plan);
            return true;
        }
    }
    /* What fills two cores says little of a large GPU: not where real networks are at hand. */
    for (size_t i = 0; backend->networks && i < COUNT(resnets); i++) {
        if (strcmp(resnets[i].label, label) == 0) {
            plan_resnet(plan, &resnets[i].resnet);
            return true;
        }
    }
    for (size_t i = 0; backend->networks && i < COUNT(transformers); i++) {
        if (strcmp(transformers[i].label, label) == 0) {
            plan_transformer(plan, &transformers[i].transformer);
            return true;
        }
    }
    return false;
}

static bool named(struct plan *plan, const char *label, struct words *words)
{
    int64_t times = 1;
    if ((word_if_any(words, "times") != NULL &&
         !word_number(words, "times", 1, MOST_TIMES, &times)) ||
        !words_all_asked_for(words)) {
        return false;
    }
    if (!plan_named(plan, label)) {
        return problem("no workload '%s' on %s; give commands, tiny, black_scholes, cfd or "
                       "memory_hungry"
                       "%s",
                       label, backend->name,
                       backend->networks ? ", or a network such as resnet18 or bert_base"
                                         : ", and have real networks played by a worker of theirs");
    }
    plan->request.times = (size_t)times;
    return !plan->failed;
}

bool plan_workload(struct plan *plan, const char *label, struct words *words, void *queue)
{
    *plan = (struct plan){0};
    bool planned = strcmp(label, "commands") == 0 ? commands(plan, words, queue)
                   : strcmp(label, "tiny") == 0   ? tiny(plan, words)
                                                  : named(plan, label, words);
    if (!planned) {
        plan_free(plan);
    }
    return planned;
}
