/* What the files of the CUDA platform share. */
#ifndef XSCHED_SHIM_CUDA_H
#define XSCHED_SHIM_CUDA_H

#include "cuda.gen.h"
#include "shim.h"

extern struct xshim_function cuda_functions[CUDA_FUNCTIONS];

/* cuda.c: false while anything is being captured; else the driver may be asked until done_asking. */
bool cuda_may_ask(void);
void cuda_done_asking(void);

/* cuda_times.c: around a launch, with the stream's context current; NULL: not this one */
void *cuda_start_timing(struct xshim_stream *stream, uint64_t what);
void cuda_stop_timing(void *timing, struct xshim_stream *stream);
void cuda_read_timings(void *context);
void cuda_forget_timings(void *context);
void cuda_times_in_child(void);

#endif
