#include "compute.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../bench/checked/sums.h"

#define STEP_NANOS 500000l
#define NANOS_OF_A_ROUND 1000l

struct memory {
    void *address;
    size_t size;
    struct memory *next;
};

struct addition {
    uint64_t *where;
    uint32_t threads, rounds;
};

struct copy {
    void *to;
    const void *from;
    size_t size;
};

static char add_up; /* stands for the kernel */
static struct memory *memories;

uint64_t compute_memory(size_t size)
{
    struct memory *memory = calloc(1, sizeof *memory);
    *memory = (struct memory){.address = calloc(1, size), .size = size, .next = memories};
    memories = memory;
    return (uint64_t)memory->address | DEVICE_BIT;
}

void *compute_kernel(const char *name)
{
    return strcmp(name, "add_up") == 0 ? &add_up : NULL;
}

/* NULL: nobody was given that. */
static void *memory_at(uint64_t address, size_t size)
{
    char *wanted = (char *)(address & ~DEVICE_BIT);
    for (struct memory *memory = memories; memory != NULL; memory = memory->next) {
        char *start = memory->address;
        if (wanted >= start && size <= memory->size &&
            wanted <= start + memory->size - size) {
            return wanted;
        }
    }
    return NULL;
}

/* A device that may not work now goes on later where it was. */
static void add(void *data)
{
    struct addition *addition = data;
    for (long left = (long)addition->rounds * NANOS_OF_A_ROUND; left > 0;) {
        long nanos = left < STEP_NANOS ? left : STEP_NANOS;
        left -= standin_runs == NULL || standin_runs() ? nanos : 0;
        nanosleep(&(struct timespec){.tv_nsec = nanos}, NULL);
    }
    *addition->where += sum_of(addition->threads, addition->rounds);
    free(addition);
}

static void copy(void *data)
{
    struct copy *copy = data;
    memcpy(copy->to, copy->from, copy->size);
    free(copy);
}

void compute(const char *name, const uint64_t *a, struct command *command)
{
    if (strncmp(name, "cuLaunchKernel", 14) == 0 && a[0] == (uint64_t)&add_up) {
        void **parameters = (void **)a[9];
        struct addition *addition = malloc(sizeof *addition);
        *addition = (struct addition){.where = memory_at(*(uint64_t *)parameters[0], 8),
                                      .threads = (uint32_t)(a[1] * a[4]),
                                      .rounds = *(uint32_t *)parameters[1]};
        command->function = add;
        command->data = addition;
    } else if (strncmp(name, "cuMemcpyDtoHAsync", 17) == 0 && memory_at(a[1], a[2]) != NULL) {
        struct copy *made = malloc(sizeof *made);
        *made = (struct copy){.to = (void *)a[0], .from = memory_at(a[1], a[2]), .size = a[2]};
        command->function = copy;
        command->data = made;
    }
}
