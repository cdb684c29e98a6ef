/*
 * What CUDA's driver and HIP have in common: the same functions, by other names. A platform names
 * them and opens its device; queues, buffers, kernels and marks are made here.
 */
#ifndef XSCHED_WORKER_STREAMS_H
#define XSCHED_WORKER_STREAMS_H

#include "backend.h"

#define LAUNCH                                                                                     \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,         \
     void **, void **)

/* X(what it does, its parameters, CUDA's name, HIP's name) */
#define STREAM_FUNCTIONS(X)                                                                        \
    X(init, (unsigned), "cuInit", "hipInit")                                                       \
    X(attribute, (int *, int, int), "cuDeviceGetAttribute", "hipDeviceGetAttribute")               \
    X(load_module, (void **, const void *), "cuModuleLoadData", "hipModuleLoadData")               \
    X(function, (void **, void *, const char *), "cuModuleGetFunction", "hipModuleGetFunction")    \
    X(create_stream, (void **, unsigned), "cuStreamCreate", "hipStreamCreateWithFlags")            \
    X(destroy_stream, (void *), "cuStreamDestroy_v2", "hipStreamDestroy")                          \
    X(sync_stream, (void *), "cuStreamSynchronize", "hipStreamSynchronize")                        \
    X(allocate, (uint64_t *, size_t), "cuMemAlloc_v2", "hipMalloc")                                \
    X(release, (uint64_t), "cuMemFree_v2", "hipFree")                                              \
    X(copy_to_host, (void *, uint64_t, size_t, void *), "cuMemcpyDtoHAsync_v2",                    \
      "hipMemcpyDtoHAsync")                                                                        \
    X(launch, LAUNCH, "cuLaunchKernel", "hipModuleLaunchKernel")                                   \
    X(create_event, (void **, unsigned), "cuEventCreate", "hipEventCreateWithFlags")               \
    X(destroy_event, (void *), "cuEventDestroy_v2", "hipEventDestroy")                             \
    X(record_event, (void *, void *), "cuEventRecord", "hipEventRecord")                           \
    X(query_event, (void *), "cuEventQuery", "hipEventQuery")                                      \
    X(sync_event, (void *), "cuEventSynchronize", "hipEventSynchronize")

struct stream_driver {
#define STREAM_MEMBER(what, parameters, cuda, hip) int(*what) parameters;
    STREAM_FUNCTIONS(STREAM_MEMBER)
};

struct stream_names {
#define STREAM_NAME(what, parameters, cuda, hip) const char *what;
    STREAM_FUNCTIONS(STREAM_NAME)
};

/* Of the one platform that this worker was started with. */
extern struct stream_driver driver;
extern void *stream_library; /* the driver's */
extern void *stream_module;  /* with the kernels; the platform loads it */

/* False, and a problem that names the call and what to look at, unless it gave 0. */
bool stream_succeeded(int result, const char *call);

/* Starts the first of these libraries, up to a NULL, that is there. */
bool streams_open(const struct stream_names *names, const char *const *libraries,
                  const char *remedy);

/* A function of the library. NULL, and a problem, if it has none of that name. */
void *stream_function(const char *name);

/* As many threads as the device can have at once. */
struct grid streams_full(int device, int multiprocessor_count);

/* The members of a backend that are the same on both platforms. */
bool streams_make_queue(void **queue);
void streams_free_queue(void *queue);
bool streams_make_buffer(uint64_t *buffer, size_t bytes);
void streams_free_buffer(uint64_t buffer);
bool streams_make_kernel(void **made, const char *name, const struct value *values, int count);
void streams_free_kernel(void *kernel);
bool streams_launch(void *queue, void *made, const struct grid *grid, void **mark);
bool streams_launch_watched(void *queue, void *made, const struct grid *grid, void **mark);
bool streams_has_ended(void *mark, bool *ended);
bool streams_wait(void *mark);
bool streams_read(void *queue, uint64_t buffer, size_t bytes, void *to);

#define STREAM_BACKEND                                                                             \
    .large = true, .make_queue = streams_make_queue, .free_queue = streams_free_queue,             \
    .make_buffer = streams_make_buffer, .free_buffer = streams_free_buffer,                        \
    .make_kernel = streams_make_kernel, .free_kernel = streams_free_kernel,                        \
    .launch = streams_launch, .launch_watched = streams_launch_watched,                            \
    .has_ended = streams_has_ended, .wait = streams_wait, .read = streams_read

#endif
