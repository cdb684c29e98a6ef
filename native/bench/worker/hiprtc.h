/* The kernels as HIP takes them. */
#ifndef XSCHED_WORKER_HIPRTC_H
#define XSCHED_WORKER_HIPRTC_H

/*
 * Compiled by HIP's own compiler, which is in HIP's library or, from ROCm 7 on, beside it, for an
 * architecture such as "gfx942", or for the current device if that is NULL. The caller frees it.
 * NULL, and a problem, if that cannot be done.
 */
void *make_hip_code(void *hip_library, const char *source, const char *architecture);

#endif
