/* What the files of the HIP platform share. */
#ifndef XSCHED_SHIM_HIP_H
#define XSCHED_SHIM_HIP_H

#include "events.h"
#include "hip.gen.h"

extern struct xshim_function hip_functions[HIP_FUNCTIONS];

/* From now on all calls come from the runtime, which so tells nothing of who made them. */
void hip_is_entered_by_table(void);

#endif
