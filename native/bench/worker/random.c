#include "random.h"

#include <string.h>

#include "hash.h"

struct random random_of(uint64_t seed, const char *name)
{
    return (struct random){.state = seed ^ hash_bytes(HASH_START, name, strlen(name))};
}

/* SplitMix64, by Steele, Lea and Flood. */
double random_part(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return ((double)(z >> 12) + 0.5) / (double)(1ull << 52);
}
