#include "orders.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Nothing here allocates; but at the end of a child, leaks are found where there are none. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

struct xsched_gpu *gpu(void)
{
    return &guest.block->gpu[0];
}

/* The program looks for orders when it works. */
void raise_orders(void)
{
    __atomic_fetch_add(&guest.block->gpu_orders, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&guest.block->gpu_watchers, __ATOMIC_SEQ_CST) != 0) {
        syscall(SYS_futex, &guest.block->gpu_orders, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
    launch(NULL);
}

void order_interrupt(uint32_t how)
{
    __atomic_store_n(&gpu()->interrupt_order, how, __ATOMIC_SEQ_CST);
    confirm_interrupt();
}

void confirm_interrupt(void)
{
    __atomic_fetch_add(&gpu()->interrupt_order_seq, 1, __ATOMIC_SEQ_CST);
    raise_orders();
}

uint32_t answered(void)
{
    return __atomic_load_n(&gpu()->interrupt_seq, __ATOMIC_SEQ_CST);
}
