#include "sums.h"

uint64_t sum_of(uint32_t threads, uint32_t rounds)
{
    /* All steps together are one of the same form. */
    uint32_t factor = 1, addend = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        factor *= SUM_FACTOR;
        addend = addend * SUM_FACTOR + SUM_ADDEND;
    }
    uint64_t sum = 0;
    for (uint32_t thread = 0; thread < threads; thread++) {
        sum += (uint32_t)(thread * factor + addend);
    }
    return sum;
}
