/* How long it takes to stop a queue that is fed without end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "answer.h"
#include "ledger.h"
#include "play.h"
#include "random.h"
#include "times.h"
#include "workloads.h"
#include "xsched_interface.h"

/* A device that was idle runs slowly at first. */
#define WARM_UP_NANOS (300 * MILLI)

struct settings {
    int64_t level, command_ns, threshold, batch, times, seed, rounds;
};

struct victim {
    const struct interface *interface;
    void *stream;
    struct plan plan; /* one command */
    struct xqueue xqueue;
    _Atomic bool stop;
    _Atomic bool failed;
};

static bool suspended_once;

bool has_suspended(void)
{
    return suspended_once;
}

static bool read_settings(struct settings *settings, struct words *words)
{
    if (!word_number(words, "level", 1, 3, &settings->level) ||
        !word_number(words, "command_ns", 1000, 200 * MILLI, &settings->command_ns) ||
        !word_number(words, "threshold", 1, 1024, &settings->threshold) ||
        !word_number(words, "batch", 1, settings->threshold, &settings->batch) ||
        !word_number(words, "times", 1, 1000000, &settings->times) ||
        !word_number(words, "seed", INT64_MIN, INT64_MAX, &settings->seed) ||
        (word_if_any(words, "rounds") != NULL &&
         !word_number(words, "rounds", 1, MOST_ROUNDS, &settings->rounds))) {
        return false;
    }
    return words_all_asked_for(words);
}

/* Called on a thread of the XQueue. */
static XResult launch(HwQueueHandle hwq, void *argument)
{
    struct victim *victim = argument;
    const struct step *step = victim->plan.request.list;
    (void)hwq;
    return backend->enter() && backend->launch(victim->stream, step->kernel, &step->grid, NULL)
               ? kXSchedSuccess
               : kXSchedErrorHardware;
}

static void *feed(void *argument)
{
    struct victim *victim = argument;
    const struct interface *interface = victim->interface;
    while (!atomic_load(&victim->stop)) {
        HwCommandHandle command;
        if (!xsched_succeeded(interface->HwCommandCreateCallback(&command, launch, victim),
                              "HwCommandCreateCallback") ||
            !xsched_succeeded(interface->XQueueSubmit(victim->xqueue.xq, command),
                              "XQueueSubmit")) {
            atomic_store(&victim->failed, true);
            break;
        }
        interface->HwCommandDestroy(command); /* it is carried out all the same */
    }
    return NULL;
}

static bool measure(struct victim *victim, const struct settings *settings, struct numbers *nanos)
{
    struct random random = random_of((uint64_t)settings->seed, "suspend");
    const struct interface *interface = victim->interface;
    sleep_until(now_nanos() + WARM_UP_NANOS);
    for (int64_t i = 0; i < settings->times && !atomic_load(&victim->failed); i++) {
        sleep_until(now_nanos() + 10 * MILLI + (int64_t)(20 * MILLI * random_part(&random)));
        int64_t start = now_nanos();
        XResult result = interface->XQueueSuspend(victim->xqueue.xq, kQueueSuspendFlagSyncHwQueue);
        int64_t end = now_nanos();
        if (!xsched_succeeded(result, "XQueueSuspend") ||
            !xsched_succeeded(interface->XQueueResume(victim->xqueue.xq, kQueueResumeFlagNone),
                              "XQueueResume")) {
            return false;
        }
        numbers_add(nanos, end - start);
    }
    return !atomic_load(&victim->failed);
}

static bool run(struct victim *victim, const struct settings *settings, struct numbers *nanos)
{
    pthread_t feeder;
    const struct interface *interface = victim->interface;
    suspended_once = true;
    /* Nobody but us is to stop it. */
    if (!xsched_succeeded(interface->XHintSetScheduler(kSchedulerAppManaged, kPolicyUnknown),
                          "XHintSetScheduler") ||
        !xqueue_make(&victim->xqueue, interface, victim->stream, settings->level,
                     kQueueCreateFlagBlockingSubmit) ||
        !xsched_succeeded(interface->XQueueSetLaunchConfig(victim->xqueue.xq, settings->threshold,
                                                           settings->batch),
                          "XQueueSetLaunchConfig")) {
        return false;
    }
    if (pthread_create(&feeder, NULL, feed, victim) != 0) {
        return problem("no more threads; end other programs");
    }
    bool fine = measure(victim, settings, nanos);
    atomic_store(&victim->stop, true);
    interface->XQueueResume(victim->xqueue.xq, kQueueResumeFlagNone);
    pthread_join(feeder, NULL);
    return fine;
}

bool suspend(struct words *words)
{
    struct settings settings = {0};
    struct victim victim = {0};
    struct numbers nanos = {0};
    if (!read_settings(&settings, words) || (victim.interface = find_interface(false)) == NULL ||
        !backend->make_queue(&victim.stream)) {
        return false;
    }
    bool fine = plan_commands(&victim.plan, settings.command_ns, 1, settings.rounds,
                              victim.stream) &&
                run(&victim, &settings, &nanos);
    xqueue_free(&victim.xqueue);
    plan_free(&victim.plan);
    backend->free_queue(victim.stream);
    if (fine) {
        printf("{");
        numbers_print("nanos", &nanos);
        printf("}");
        end_answer();
    }
    free(nanos.values);
    return fine;
}
