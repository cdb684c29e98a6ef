#include "flight.h"

#include "times.h"

static bool look_after(struct flight *flight)
{
    bool ended;
    if (flight == NULL || flight->ended != 0) {
        return true;
    }
    if (!backend->has_ended(flight->mark, &ended)) {
        return false;
    }
    if (ended) {
        flight->ended = now_nanos();
    }
    return true;
}

/* Asks again and again, as drivers wait by themselves: sleeping would take longer than a kernel. */
static bool spin_until_ended(struct flight *flight)
{
    flight->ended = 0;
    while (flight->ended == 0) {
        if (!look_after(flight)) {
            return false;
        }
    }
    return true;
}

static bool wait_for_each(struct flight *flight, const struct queue *queue)
{
    const struct steps *request = &queue->plan.request;
    size_t count = steps_in_all(request);
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &request->list[i % request->count];
        int64_t before = flight->ended;
        if (!backend->launch_watched(queue->stream, step->kernel, &step->grid, &flight->mark) ||
            !spin_until_ended(flight) ||
            (i + 1 < count && !backend->wait(flight->mark))) { /* the last mark goes at the end */
            return false;
        }
        if (i == 0) {
            flight->first = flight->ended;
        } else if (flight->ended - before > flight->longest) {
            flight->longest = flight->ended - before;
        }
    }
    return true;
}

bool flight_begin(struct flight *flight, const struct queue *queue, struct flight *earlier)
{
    const struct steps *request = &queue->plan.request;
    *flight = (struct flight){.begun = now_nanos()};
    if (queue->plan.waits) {
        return wait_for_each(flight, queue);
    }
    size_t count = steps_in_all(request);
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &request->list[i % request->count];
        bool last = i + 1 == count;
        if (!backend->launch(queue->stream, step->kernel, &step->grid,
                             last ? &flight->mark : NULL) ||
            !look_after(earlier)) {
            return false;
        }
    }
    return true;
}

bool flight_end(struct flight *flight)
{
    bool fine = backend->wait(flight->mark);
    if (flight->ended == 0) {
        flight->ended = now_nanos();
    }
    return fine;
}
