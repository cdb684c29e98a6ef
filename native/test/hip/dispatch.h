/* The table through which the stand-in calls itself, as ROCm's does since version 6. */
#ifndef XSCHED_TEST_HIP_DISPATCH_H
#define XSCHED_TEST_HIP_DISPATCH_H

void *in_table(int slot);
void fill_table(void **table); /* driver.gen.c */

#endif
