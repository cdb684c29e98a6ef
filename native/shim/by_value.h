/* The structs that HIP's functions take by value, as <hip/hip_runtime_api.h> has them. */
#ifndef XSCHED_SHIM_BY_VALUE_H
#define XSCHED_SHIM_BY_VALUE_H

#include <stddef.h>
#include <stdint.h>

struct xshim_dim3 { /* dim3 */
    uint32_t x, y, z;
};

struct xshim_pitched { /* hipPitchedPtr */
    void *address;
    size_t pitch, width, height;
};

struct xshim_extent { /* hipExtent */
    size_t width, height, depth;
};

#endif
