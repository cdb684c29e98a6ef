#include "orders.h"

struct library library = {.longer = true};
struct rm_state *rm;
bool refuses_mappings;

void start(void)
{
    rm = rm_start();
    rm->no_mapping = refuses_mappings;
    library_start(&library);
    start_scheduled(XSCHED_OTHERS_BELOW);
    CHECK(gpu()->offers != 0);
}

void order_slice(uint64_t micros)
{
    __atomic_store_n(&gpu()->slice_order, micros, __ATOMIC_SEQ_CST);
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
