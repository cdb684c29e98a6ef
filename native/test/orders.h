/* What a daemon orders for the program's first GPU, and what the program answers. */
#ifndef XSCHED_TEST_ORDERS_H
#define XSCHED_TEST_ORDERS_H

#include "cuda/program.h"

struct xsched_gpu *gpu(void);
void raise_orders(void); /* after an order was written, so that the program looks at it */
void order_interrupt(uint32_t how);
void confirm_interrupt(void);
uint32_t answered(void); /* the number of the last interrupt */

#endif
