#include "queue.h"

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "times.h"
#include "workloads.h"

#define WARM_UP 3
#define WARM_UP_NANOS (100 * MILLI) /* more is only for those that take long */

static struct queue *all;

static void free_queue(struct queue *queue)
{
    xqueue_free(&queue->xqueue);
    plan_free(&queue->plan);
    if (queue->stream != NULL) {
        backend->free_queue(queue->stream);
    }
    free(queue);
}

static struct queue **place_of(const char *name, size_t length)
{
    struct queue **place = &all;
    while (*place != NULL &&
           (strncmp((*place)->name, name, length) != 0 || (*place)->name[length] != 0)) {
        place = &(*place)->next;
    }
    return place;
}

struct queue *queue_named(const char *name, size_t length)
{
    struct queue *queue = length < sizeof queue->name ? *place_of(name, length) : NULL;
    if (queue == NULL) {
        problem("no queue '%.*s'; load it first", (int)length, name);
    }
    return queue;
}

/* Names are part of keys and of answers. */
static bool is_name(const char *text)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    struct queue *queue;
    return (strspn(text, letters) == strlen(text) && strlen(text) < sizeof queue->name) ||
           problem("'%s' is no name; take up to %zu letters, digits and _-.", text,
                   sizeof queue->name - 1);
}

/* The workload is measured and warmed up as any, and only then scheduled by itself. */
static bool fill(struct queue *queue, const char *workload, struct words *words, bool scheduled,
                 int64_t priority)
{
    if (!backend->make_queue(&queue->stream) ||
        !plan_workload(&queue->plan, workload, words, queue->stream) ||
        !plan_run(&queue->plan.setup, queue->stream)) {
        return false;
    }
    int64_t enough = now_nanos() + WARM_UP_NANOS;
    for (int i = 0; i < WARM_UP && now_nanos() < enough; i++) {
        if (!plan_run(&queue->plan.request, queue->stream)) {
            return false;
        }
    }
    return !scheduled || xqueue_of_stream(&queue->xqueue, queue->stream, priority);
}

struct queue *queue_load(struct words *words)
{
    int64_t scheduled = 0, priority = 0, fresh = 0;
    const char *name = word_text(words, "queue");
    const char *workload = word_text(words, "workload");
    if (name == NULL || workload == NULL || !is_name(name) ||
        (word_if_any(words, "fresh") != NULL && !word_number(words, "fresh", 0, 1, &fresh)) ||
        (word_if_any(words, "xqueue") != NULL && !word_number(words, "xqueue", 0, 1, &scheduled)) ||
        (scheduled != 0 && word_if_any(words, "priority") != NULL &&
         !word_number(words, "priority", -256, 255, &priority))) {
        return NULL;
    }
    if (fresh != 0) {
        queues_free();
    }
    struct queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL) {
        problem("no memory; end other programs");
        return NULL;
    }
    strcpy(queue->name, name);
    if (!fill(queue, workload, words, scheduled != 0, priority)) {
        free_queue(queue);
        return NULL;
    }
    struct queue **place = place_of(name, strlen(name));
    struct queue *old = *place;
    queue->next = old == NULL ? NULL : old->next;
    *place = queue;
    if (old != NULL) {
        free_queue(old);
    }
    return queue;
}

void queues_free(void)
{
    while (all != NULL) {
        struct queue *queue = all;
        all = queue->next;
        free_queue(queue);
    }
}
