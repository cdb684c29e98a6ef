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

struct library library = {.longer = true};
struct rm_state *rm;

void start(void)
{
    rm = rm_start();
    library_start(&library);
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(gpu()->offers != 0);
}

struct xsched_gpu *gpu(void)
{
    return &guest.block->gpu[0];
}

/* The program looks for orders when it works. */
static void raise_orders(void)
{
    __atomic_fetch_add(&guest.block->gpu_orders, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&guest.block->gpu_watchers, __ATOMIC_SEQ_CST) != 0) {
        syscall(SYS_futex, &guest.block->gpu_orders, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
    launch(NULL);
}

void order_slice(uint64_t micros)
{
    __atomic_store_n(&gpu()->slice_order, micros, __ATOMIC_SEQ_CST);
    raise_orders();
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

uint64_t slice(void)
{
    return rm_slice(library.client, library.groups[0]);
}

uint64_t shown_slice(void)
{
    return __atomic_load_n(&gpu()->slice_micros, __ATOMIC_SEQ_CST);
}

uint32_t disabled(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < COMPUTE_CHANNELS; i++) {
        count += rm_disabled(library.client, library.channels[i]) != 0;
    }
    return count;
}

bool copies_are_untouched(void)
{
    bool untouched = true;
    for (uint32_t i = 1; i < GROUPS; i++) {
        untouched &= rm_slice(library.client, library.groups[i]) == DEFAULT_SLICE;
    }
    for (uint32_t i = COMPUTE_CHANNELS; i < CHANNELS; i++) {
        untouched &= rm_disabled(library.client, library.channels[i]) == 0;
    }
    return untouched;
}

uint32_t answered(void)
{
    return __atomic_load_n(&gpu()->interrupt_seq, __ATOMIC_SEQ_CST);
}
