#include "plan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "hash.h"

#define FILLING 64 /* work items in a group */

uint64_t plan_buffer(struct plan *plan, size_t count)
{
    uint64_t buffer = 0;
    uint64_t *more = realloc(plan->buffers, (plan->buffer_count + 1) * sizeof *more);
    if (more == NULL) {
        plan->failed = !problem("no memory; end other programs");
        return 0;
    }
    plan->buffers = more;
    if (plan->failed || !backend->make_buffer(&buffer, count * sizeof(float))) {
        plan->failed = true;
        return 0;
    }
    plan->buffers[plan->buffer_count++] = buffer;
    return buffer;
}

uint64_t plan_random(struct plan *plan, size_t count, float low, float high)
{
    uint64_t buffer = plan_buffer(plan, count);
    plan_step(plan, &plan->setup, "fill", count, 1, FILLING, "biirr", buffer, (int)count,
              (int)plan->buffer_count, low, high);
    return buffer;
}

void plan_result(struct plan *plan, uint64_t buffer, size_t count)
{
    plan->output = buffer;
    plan->output_bytes = count * sizeof(float);
}

static int read_values(struct value *values, const char *letters, va_list arguments)
{
    int count = 0;
    for (; letters[count] != 0 && count < MOST_VALUES; count++) {
        struct value *value = &values[count];
        if (letters[count] == 'b') {
            value->size = sizeof value->of.buffer;
            value->of.buffer = va_arg(arguments, uint64_t);
        } else if (letters[count] == 'i') {
            value->size = sizeof value->of.integer;
            value->of.integer = va_arg(arguments, int);
        } else {
            value->size = sizeof value->of.real;
            value->of.real = (float)va_arg(arguments, double);
        }
    }
    return count;
}

void plan_step(struct plan *plan, struct steps *steps, const char *kernel, size_t width,
               size_t height, size_t group, const char *letters, ...)
{
    struct value values[MOST_VALUES];
    va_list arguments;
    va_start(arguments, letters);
    int count = read_values(values, letters, arguments);
    va_end(arguments);
    if (plan->failed) {
        return;
    }
    struct step *more = realloc(steps->list, (steps->count + 1) * sizeof *more);
    if (more == NULL) {
        plan->failed = !problem("no memory; end other programs");
        return;
    }
    steps->list = more;
    struct step *step = &steps->list[steps->count];
    step->grid = (struct grid){
        .width = (width + group - 1) / group * group, .height = height, .group = group};
    if (!backend->make_kernel(&step->kernel, kernel, values, count)) {
        plan->failed = true;
        return;
    }
    steps->count++;
}

bool plan_run(const struct steps *steps, void *queue)
{
    void *mark = NULL;
    size_t count = steps_in_all(steps);
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &steps->list[i % steps->count];
        if (!backend->launch(queue, step->kernel, &step->grid, i + 1 == count ? &mark : NULL)) {
            return false;
        }
    }
    return mark == NULL || backend->wait(mark);
}

bool plan_output(const struct plan *plan, void *queue, uint64_t *hash)
{
    bool done = false;
    void *result = malloc(plan->output_bytes);
    if (result == NULL) {
        return problem("no memory; end other programs");
    }
    if (plan_run(&plan->setup, queue) && plan_run(&plan->request, queue) &&
        backend->read(queue, plan->output, plan->output_bytes, result)) {
        *hash = hash_bytes(HASH_START, result, plan->output_bytes);
        done = true;
    }
    free(result);
    return done;
}

static void free_steps(struct steps *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        backend->free_kernel(steps->list[i].kernel);
    }
    free(steps->list);
}

void plan_free(struct plan *plan)
{
    free_steps(&plan->setup);
    free_steps(&plan->request);
    for (size_t i = 0; i < plan->buffer_count; i++) {
        backend->free_buffer(plan->buffers[i]);
    }
    free(plan->buffers);
    memset(plan, 0, sizeof *plan);
}
