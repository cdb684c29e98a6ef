/* Numbers that are the same in every run with the same seed. */
#ifndef XSCHED_WORKER_RANDOM_H
#define XSCHED_WORKER_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

struct random random_of(uint64_t seed, const char *name);
double random_part(struct random *random); /* from 0 to 1, neither included */

#endif
