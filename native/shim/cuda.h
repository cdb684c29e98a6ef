/* What the files of the CUDA platform share. */
#ifndef XSCHED_SHIM_CUDA_H
#define XSCHED_SHIM_CUDA_H

#include "cuda.gen.h"
#include "events.h"

extern struct xshim_function cuda_functions[CUDA_FUNCTIONS];

/* cuda_page.c: of this thread, NULL: it has none; and memory that its device reads, NULL: none */
void *cuda_context(void);
uint32_t *cuda_page(uint64_t *on_device);

/* cuda_gate.c */
bool cuda_plant_gate(struct xshim_stream *stream);
void cuda_turn_gates(struct xshim_unit *unit, bool closed);
void cuda_forget_gate(void *context);

/* cuda_turn.c */
void *cuda_turn(struct xshim_stream *stream);
void cuda_turned(void *launches);
void cuda_make_turners(void);
void cuda_forget_turner(void *context);

#endif
