/* FNV-1a. */
#ifndef XSCHED_WORKER_HASH_H
#define XSCHED_WORKER_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 14695981039346656037ull

static inline uint64_t hash_bytes(uint64_t hash, const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211ull;
    }
    return hash;
}

#endif
