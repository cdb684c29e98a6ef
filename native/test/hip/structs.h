/* HIP passes some structs by value; here each is one word, in records of calls and in tests. */
#ifndef XSCHED_TEST_HIP_STRUCTS_H
#define XSCHED_TEST_HIP_STRUCTS_H

#include "../../shim/by_value.h"

#define PACKED_BITS 21u
#define PACKED_MASK ((1u << PACKED_BITS) - 1)

static inline uint64_t packed_d(struct xshim_dim3 size)
{
    return size.x | (uint64_t)size.y << PACKED_BITS | (uint64_t)size.z << 2 * PACKED_BITS;
}

static inline struct xshim_dim3 unpacked_d(uint64_t packed)
{
    return (struct xshim_dim3){(uint32_t)packed & PACKED_MASK,
                               (uint32_t)(packed >> PACKED_BITS) & PACKED_MASK,
                               (uint32_t)(packed >> 2 * PACKED_BITS) & PACKED_MASK};
}

/* Their members count up, so that one tells of all; 0: it was something else. */
static inline uint64_t packed_t(struct xshim_pitched memory)
{
    uint64_t first = (uint64_t)memory.address;
    return memory.pitch == first + 1 && memory.width == first + 2 && memory.height == first + 3
               ? first
               : 0;
}

static inline struct xshim_pitched unpacked_t(uint64_t first)
{
    return (struct xshim_pitched){(void *)first, first + 1, first + 2, first + 3};
}

static inline uint64_t packed_x(struct xshim_extent extent)
{
    return extent.height == extent.width + 1 && extent.depth == extent.width + 2 ? extent.width : 0;
}

static inline struct xshim_extent unpacked_x(uint64_t first)
{
    return (struct xshim_extent){first, first + 1, first + 2};
}

#endif
