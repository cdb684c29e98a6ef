/* A program with one GPU, and the daemon that orders what it does there. */
#ifndef XSCHED_TEST_NVIDIA_ORDERS_H
#define XSCHED_TEST_NVIDIA_ORDERS_H

#include "../orders.h"
#include "library.h"
#include "rm.h"

#define DEFAULT_SLICE 2048u

extern struct library library;
extern struct rm_state *rm;
extern bool refuses_mappings; /* of doorbells, from the start */

void start(void);
void order_slice(uint64_t micros);

uint64_t slice(void);          /* of the compute group, as the driver has it */
uint64_t shown_slice(void);    /* as the program says */
uint32_t disabled(void);       /* how many of its channels are */
bool copies_are_untouched(void); /* the other groups and their channels */

#endif
