/* The platforms, one line each. */
#ifndef XSCHED_SHIM_PLATFORMS_H
#define XSCHED_SHIM_PLATFORMS_H

#include <stddef.h>

struct xshim_platform;
struct xshim_stream;

/* Each finds the stream of a handle of its driver, and enters it at first sight; NULL: not known. */
extern const struct xshim_platform cuda_platform, hip_platform, opencl_platform;
struct xshim_stream *cuda_stream(void *stream);
struct xshim_stream *hip_stream(void *stream);
struct xshim_stream *opencl_stream(void *queue);

/* "gpu:" and 16 bytes, as every driver of the device tells them. */
void xshim_name_after_uuid(char *name, size_t size, const unsigned char *uuid);

#define XSHIM_PLATFORMS &cuda_platform, &hip_platform, &opencl_platform

#endif
