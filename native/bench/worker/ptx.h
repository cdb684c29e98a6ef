/* The kernels as CUDA's driver takes them. */
#ifndef XSCHED_WORKER_PTX_H
#define XSCHED_WORKER_PTX_H

/*
 * Compiled for that compute capability by nvcc, once, into a file beside the worker. The caller
 * frees it. NULL, and a problem, if that cannot be done.
 */
char *read_ptx(int major, int minor);

#endif
