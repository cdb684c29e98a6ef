/* Found at run time, with prototypes of our own: no headers of a vendor are needed. */
#include "streams.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

/* These are the same numbers on both platforms. */
#define NOT_READY 600
#define STREAM_NON_BLOCKING 1u
#define EVENT_BLOCKING_SYNC 1u
#define EVENT_DISABLE_TIMING 2u
#define THREADS_OF_A_BLOCK 1024u
#define BLOCKS_OF_A_MULTIPROCESSOR 2u

struct kernel {
    void *function;
    struct value values[MOST_VALUES];
    void *parameters[MOST_VALUES]; /* point to the values */
};

struct stream_driver driver;
void *stream_library, *stream_module;

static const struct stream_names *names;

bool stream_succeeded(int result, const char *call)
{
    return result == 0 ||
           problem("%s gave %d; see with '%s' whether the device is still there", call, result,
                   backend->shown_by);
}
#define TRY(what, ...) stream_succeeded(driver.what(__VA_ARGS__), names->what)

void *stream_function(const char *name)
{
    void *function = dlsym(stream_library, name);
    if (function == NULL) {
        problem("the driver's library has no %s; install a newer driver", name);
    }
    return function;
}

bool streams_open(const struct stream_names *of_platform, const char *const *libraries,
                  const char *remedy)
{
    const char *const *library = libraries;
    names = of_platform;
    while (*library != NULL && stream_library == NULL) {
        stream_library = dlopen(*library++, RTLD_NOW | RTLD_LOCAL);
    }
    if (stream_library == NULL) {
        return problem("no %s; %s", libraries[0], remedy);
    }
#define LOOK_UP(what, parameters, cuda, hip)                                                       \
    if ((driver.what = (int(*) parameters)stream_function(names->what)) == NULL) {               \
        return false;                                                                              \
    }
    STREAM_FUNCTIONS(LOOK_UP)
    return TRY(init, 0);
}

struct grid streams_full(int device, int multiprocessor_count)
{
    int units = 1;
    driver.attribute(&units, multiprocessor_count, device);
    return (struct grid){
        .width = (size_t)units * BLOCKS_OF_A_MULTIPROCESSOR * THREADS_OF_A_BLOCK,
        .height = 1,
        .group = THREADS_OF_A_BLOCK};
}

bool streams_make_queue(void **queue)
{
    return TRY(create_stream, queue, STREAM_NON_BLOCKING);
}

void streams_free_queue(void *queue)
{
    driver.destroy_stream(queue);
}

bool streams_make_buffer(uint64_t *buffer, size_t bytes)
{
    return TRY(allocate, buffer, bytes);
}

void streams_free_buffer(uint64_t buffer)
{
    driver.release(buffer);
}

bool streams_make_kernel(void **made, const char *name, const struct value *values, int count)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL) {
        return problem("no memory; end other programs");
    }
    if (!stream_succeeded(driver.function(&kernel->function, stream_module, name), name)) {
        free(kernel);
        return false;
    }
    memcpy(kernel->values, values, (size_t)count * sizeof *values);
    for (int i = 0; i < count; i++) {
        kernel->parameters[i] = &kernel->values[i].of;
    }
    *made = kernel;
    return true;
}

void streams_free_kernel(void *kernel)
{
    free(kernel);
}

static bool plant(void *queue, unsigned flags, void **mark)
{
    if (!TRY(create_event, mark, flags | EVENT_DISABLE_TIMING)) {
        return false;
    }
    if (!TRY(record_event, *mark, queue)) {
        driver.destroy_event(*mark);
        return false;
    }
    return true;
}

static bool launch(void *queue, struct kernel *kernel, const struct grid *grid)
{
    return TRY(launch, kernel->function, (unsigned)(grid->width / grid->group),
               (unsigned)grid->height, 1, (unsigned)grid->group, 1, 1, 0, queue,
               kernel->parameters, NULL);
}

bool streams_launch(void *queue, void *made, const struct grid *grid, void **mark)
{
    return launch(queue, made, grid) &&
           (mark == NULL || plant(queue, EVENT_BLOCKING_SYNC, mark));
}

/*
 * An event that can be slept for has the GPU interrupt one of the processors. Whoever spins on that very
 * one takes 43 to 56 us for a tiny kernel instead of 12 (results/nvidia-interrupted-processor-h200.json).
 */
bool streams_launch_watched(void *queue, void *made, const struct grid *grid, void **mark)
{
    return launch(queue, made, grid) && plant(queue, 0, mark);
}

bool streams_has_ended(void *mark, bool *ended)
{
    int result = driver.query_event(mark);
    *ended = result == 0;
    return result == NOT_READY || stream_succeeded(result, names->query_event);
}

bool streams_wait(void *mark)
{
    bool fine = TRY(sync_event, mark);
    driver.destroy_event(mark);
    return fine;
}

bool streams_read(void *queue, uint64_t buffer, size_t bytes, void *to)
{
    return TRY(copy_to_host, to, buffer, bytes, queue) && TRY(sync_stream, queue);
}
