/* What the files of the CUDA platform share. */
#ifndef XSCHED_SHIM_CUDA_H
#define XSCHED_SHIM_CUDA_H

#include "cuda.gen.h"
#include "shim.h"

extern struct xshim_function cuda_functions[CUDA_FUNCTIONS];

/* cuda_capture.c: false while anything is being captured; else the driver may be asked until done */
bool cuda_may_ask(void);
void cuda_done_asking(void);
bool cuda_captures_anything(void);

/* Around what must not be disturbed: nobody is asking when forbid returns. */
void cuda_forbid_asking(void);
void cuda_allow_asking(void);

/* A capture that began on that stream keeps it forbidden until it ends. */
void cuda_began_capture(const struct xshim_key *key, void *context);
void cuda_end_captures(const struct xshim_key *key, void *context); /* NULL: all of the context */
void cuda_captures_in_child(void);

/* cuda_times.c: around a launch, with the stream's context current; NULL: not this one */
void *cuda_start_timing(struct xshim_stream *stream, uint64_t what);
void cuda_stop_timing(void *timing, struct xshim_stream *stream);
void cuda_read_timings(void *context);
void cuda_forget_timings(void *context);
void cuda_times_in_child(void);

/* cuda_gate.c */
bool cuda_plant_gate(struct xshim_stream *stream);
void cuda_turn_gates(struct xshim_unit *unit, bool closed);
void cuda_forget_gate(void *context);
void cuda_gates_in_child(void);

#endif
