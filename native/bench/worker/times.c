#include "times.h"

#include <errno.h>
#include <time.h>

#include "hash.h"

#define SPINNING 20000

static int64_t read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

int64_t now_nanos(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t process_nanos(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void sleep_until(int64_t moment)
{
    int64_t wake = moment - SPINNING;
    struct timespec time = {.tv_sec = wake / SECOND, .tv_nsec = wake % SECOND};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
    while (now_nanos() < moment) {
    }
}

struct random random_of(uint64_t seed, const char *name)
{
    uint64_t hash = HASH_START;
    for (; *name != 0; name++) {
        hash = hash_bytes(hash, name, 1);
    }
    return (struct random){.state = seed ^ hash};
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
