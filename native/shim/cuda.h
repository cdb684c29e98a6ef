/* What the files of the CUDA platform share. */
#ifndef XSCHED_SHIM_CUDA_H
#define XSCHED_SHIM_CUDA_H

#include "cuda.gen.h"
#include "events.h"

extern struct xshim_function cuda_functions[CUDA_FUNCTIONS];

/* cuda_page.c: memory that the device of this thread's context reads, too; NULL: there is none */
uint32_t *cuda_page(uint64_t *on_device);

/* cuda_gate.c */
bool cuda_plant_gate(struct xshim_stream *stream);
void cuda_turn_gates(struct xshim_unit *unit, bool closed);
void cuda_forget_gate(void *context);

/* cuda_stay.c */
void cuda_prepare_stay(void *context);
uint32_t *cuda_stay_word(void *context);
bool cuda_stay(void *context, uint64_t nanos);
void cuda_forget_stay(void *context);

#endif
