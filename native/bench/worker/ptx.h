/* The kernels as CUDA's driver takes them. */
#ifndef XSCHED_WORKER_PTX_H
#define XSCHED_WORKER_PTX_H

/*
 * Compiled for that compute capability by nvcc, in a folder of its own in TMPDIR (else in /tmp) that
 * is removed again: the installation may be read-only. The caller frees it. NULL, and a problem, if
 * that cannot be done.
 */
char *make_ptx(const char *source, int major, int minor);

#endif
