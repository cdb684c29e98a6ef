/* The platforms, one line each. */
#ifndef XSCHED_SHIM_PLATFORMS_H
#define XSCHED_SHIM_PLATFORMS_H

struct xshim_platform;
struct xshim_stream;

/* Each finds the stream of a handle of its driver, and enters it at first sight; NULL: not known. */
extern const struct xshim_platform opencl_platform;
struct xshim_stream *opencl_stream(void *queue);

#define XSHIM_PLATFORMS &opencl_platform

#endif
