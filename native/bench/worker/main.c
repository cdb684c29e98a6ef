/*
 * A program that holds queues of a device, each with a workload, and plays them when it is told to.
 *
 *     worker opencl|cuda|hip
 *
 * It reads lines and answers each with one line of JSON, until its standard input ends:
 *
 *     load queue=NAME workload=LABEL [times=N] [xqueue=1 priority=N] [fresh=1]
 *          (commands: each_ns=N count=N [rounds=N]; tiny: count=N)
 *     play start_ns=T warmup_ns=W measured_ns=M seed=S queues=A,B A.pattern=continuous
 *          B.pattern=paced B.period_ns=P B.spacing=even|around|lognormal B.spread=R
 *          B.when_busy=queue|drop [A.throttle=FILE]
 *     suspend level=L command_ns=N threshold=N batch=N times=K seed=S [rounds=N]
 *     output queue=NAME
 *     facts
 *
 * What they mean in full is said where the other side is, in dev.xsched.bench. It is a plain
 * program that knows nothing of XSched, except for `suspend` and `xqueue=1`.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "answer.h"
#include "play.h"
#include "queue.h"

const struct backend *backend;

bool beside(char *path, size_t size, const char *name)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        return problem("/proc is not there; mount it");
    }
    self[length] = 0;
    int written = snprintf(path, size, "%.*s/%s", (int)(strrchr(self, '/') - self), self, name);
    return (written > 0 && (size_t)written < size) ||
           problem("the worker's path is too long; move it");
}

static bool load(struct words *words)
{
    struct queue *queue = queue_load(words);
    if (queue != NULL) {
        printf("{\"describe\":");
        put_text(queue->plan.describe);
        if (queue->plan.rounds != 0) {
            printf(",\"rounds\":%lld", (long long)queue->plan.rounds);
        }
        printf("}");
        end_answer();
    }
    return queue != NULL;
}

static bool output(struct words *words)
{
    uint64_t hash;
    const char *name = word_text(words, "queue");
    struct queue *queue = name == NULL ? NULL : queue_named(name, strlen(name));
    if (queue == NULL || !words_all_asked_for(words) ||
        !plan_output(&queue->plan, queue->stream, &hash)) {
        return false;
    }
    printf("{\"hash\":\"%016llx\"}", (unsigned long long)hash);
    end_answer();
    return true;
}

static bool facts(struct words *words)
{
    struct facts told = {0};
    if (!words_all_asked_for(words) ||
        (backend->facts == NULL && !problem("ask '%s' for them", backend->shown_by)) ||
        !backend->facts(&told)) {
        return false;
    }
    printf("{\"device\":");
    put_text(told.device);
    printf(",\"version\":");
    put_text(told.version);
    printf("}");
    end_answer();
    return true;
}

/* A device that is not there is the answer to whatever is asked. */
static bool open_once(void)
{
    static bool opened;
    opened = opened || (backend->open() && backend->enter());
    return opened;
}

static bool obey(struct words *words)
{
    static const struct {
        const char *name;
        bool (*run)(struct words *words);
    } verbs[] = {{"load", load}, {"play", play}, {"suspend", suspend}, {"output", output},
                 {"facts", facts}};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(words->verb, verbs[i].name) == 0) {
            return open_once() && verbs[i].run(words);
        }
    }
    return problem("'%s' is no verb; say load, play, suspend, output or facts", words->verb);
}

int main(int count, char **arguments)
{
    static const struct backend *const backends[] = {&opencl_backend, &cuda_backend, &hip_backend};
    char *line = NULL;
    size_t room = 0;
    for (size_t i = 0; count == 2 && i < sizeof backends / sizeof *backends; i++) {
        backend = strcmp(arguments[1], backends[i]->name) == 0 ? backends[i] : backend;
    }
    if (backend == NULL) {
        fprintf(stderr, "usage: worker opencl|cuda|hip\n");
        return 2;
    }
    prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul); /* threads inherit it, and wake up in time */
    while (getline(&line, &room, stdin) >= 0) {
        struct words words;
        if (!words_split(&words, line) || !obey(&words)) {
            answer_problem();
        }
        words_free(&words);
    }
    free(line);
    queues_free();
    return 0;
}
