#include "kernels.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP_NANOS 200000
#define WORTH_A_SLEEP_NANOS 10000
#define MOST_BEHIND_NANOS 300000
#define USUAL_NANOS 20000
#define BUFFER_POINTER ((void *)1) /* HIP_LAUNCH_PARAM_BUFFER_POINTER */
#define BUFFER_END ((void *)3)

struct memory {
    char *address;
    size_t size;
    struct memory *next;
};

struct kernel {
    char name[64];
    struct kernel *next;
};

struct work {
    int64_t since; /* it was put on the stream */
    uint64_t nanos;
    enum { NOTHING, COPY, FILL } kind;
    void *to;
    const void *from;
    size_t size;
    int value;
};

struct known_graph {
    struct graph graph;
    struct known_graph *next;
};

static struct memory *memories;
static struct kernel *kernels;
static struct known_graph *graphs;

/* Until when this thread's stream has worked: sleeps end late, and the next work makes up for it. */
static _Thread_local int64_t worked_until;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

int64_t standin_time(int64_t since)
{
    worked_until = worked_until < since ? since : worked_until;
    return worked_until;
}

static void sleep_until(int64_t end)
{
    struct timespec time = {end / 1000000000, end % 1000000000};
    if (end - now() > WORTH_A_SLEEP_NANOS) {
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
    }
}

/* A device that does not work for us now goes on later where it was. */
static void pass(int64_t since, uint64_t nanos)
{
    int64_t earliest = now() - MOST_BEHIND_NANOS;
    standin_time(since > earliest ? since : earliest);
    while (nanos > 0) {
        uint64_t step = nanos < STEP_NANOS ? nanos : STEP_NANOS;
        if (standin_runs == NULL || standin_runs()) {
            nanos -= step;
            worked_until += (int64_t)step;
            sleep_until(worked_until);
        } else {
            sleep_until(now() + STEP_NANOS);
            worked_until = now();
        }
    }
}

static void do_work(void *data)
{
    struct work *work = data;
    pass(work->since, work->nanos);
    if (work->kind == COPY) {
        memmove(work->to, work->from, work->size);
    } else if (work->kind == FILL) {
        memset(work->to, work->value, work->size);
    }
    free(work);
}

void *new_memory(size_t size)
{
    struct memory *memory = calloc(1, sizeof *memory);
    *memory = (struct memory){.address = calloc(1, size), .size = size, .next = memories};
    memories = memory;
    return memory->address;
}

bool forget_memory(void *address)
{
    for (struct memory **link = &memories; *link != NULL; link = &(*link)->next) {
        struct memory *memory = *link;
        if (memory->address == address) {
            *link = memory->next;
            free(memory->address);
            free(memory);
            return true;
        }
    }
    return false;
}

/* Whether it was given to somebody: tests call with addresses that are none. */
static bool is_memory(uint64_t address, size_t size)
{
    for (struct memory *memory = memories; memory != NULL; memory = memory->next) {
        uint64_t start = (uint64_t)memory->address;
        if (address >= start && size <= memory->size && address <= start + memory->size - size) {
            return true;
        }
    }
    return false;
}

void *kernel_named(const char *name)
{
    struct kernel *kernel = kernels;
    while (kernel != NULL && strcmp(kernel->name, name) != 0) {
        kernel = kernel->next;
    }
    if (kernel == NULL && strlen(name) < sizeof kernel->name) {
        kernel = calloc(1, sizeof *kernel);
        strcpy(kernel->name, name);
        kernel->next = kernels;
        kernels = kernel;
    }
    return kernel;
}

static bool is_kernel(uint64_t function, const char *name)
{
    for (struct kernel *kernel = kernels; kernel != NULL; kernel = kernel->next) {
        if ((uint64_t)kernel == function) {
            return strcmp(kernel->name, name) == 0;
        }
    }
    return false;
}

/* By pointers to each argument, or by a buffer that has them all. */
static int rounds_of(void **parameters, void **extra)
{
    if (parameters != NULL) {
        return *(int *)parameters[1];
    }
    for (; extra != NULL && *extra != BUFFER_END; extra += 2) {
        if (*extra == BUFFER_POINTER) {
            return ((int *)extra[1])[2];
        }
    }
    return 1;
}

struct graph *new_graph(void)
{
    struct known_graph *known = calloc(1, sizeof *known);
    known->next = graphs;
    graphs = known;
    return &known->graph;
}

static uint64_t nanos_of_graph(uint64_t graph)
{
    for (struct known_graph *known = graphs; known != NULL; known = known->next) {
        if ((uint64_t)&known->graph == graph) {
            return known->graph.nanos;
        }
    }
    return 0;
}

static uint64_t usual_nanos(void)
{
    const char *wanted = getenv("XSCHED_TEST_HIP_NANOS");
    return wanted == NULL ? USUAL_NANOS : strtoull(wanted, NULL, 10);
}

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

uint64_t nanos_of(const char *name, const uint64_t *a)
{
    if (begins_with(name, "hipGraphLaunch")) {
        return nanos_of_graph(a[0]);
    }
    if (strstr(name, "Kernel") == NULL) {
        return 0;
    }
    bool has_module = strstr(name, "hipModuleLaunch") != NULL || strstr(name, "hipExtModule") != NULL;
    return has_module && is_kernel(a[0], "delay")
               ? (uint64_t)rounds_of((void **)a[9], strstr(name, "Cooperative") == NULL
                                                        ? (void **)a[10]
                                                        : NULL) *
                     NANOS_OF_A_ROUND
               : usual_nanos();
}

static bool is_copy(const char *name)
{
    return (begins_with(name, "hipMemcpyAsync") || begins_with(name, "hipMemcpyHtoD") ||
            begins_with(name, "hipMemcpyDto") || strcmp(name, "hipMemcpy") == 0 ||
            strcmp(name, "hipMemcpy_spt") == 0) &&
           strstr(name, "DtoA") == NULL;
}

static bool is_fill(const char *name)
{
    return begins_with(name, "hipMemsetAsync") || begins_with(name, "hipMemsetD8") ||
           strcmp(name, "hipMemset") == 0 || strcmp(name, "hipMemset_spt") == 0;
}

void fill_in(const char *name, const uint64_t *a, struct command *command)
{
    struct work *work = calloc(1, sizeof *work);
    *work = (struct work){.since = now(), .nanos = nanos_of(name, a)};
    if (is_copy(name) && (is_memory(a[0], a[2]) || is_memory(a[1], a[2]))) {
        work->kind = COPY;
        work->to = (void *)a[0];
        work->from = (const void *)a[1];
        work->size = a[2];
    } else if (is_fill(name) && is_memory(a[0], a[2])) {
        work->kind = FILL;
        work->to = (void *)a[0];
        work->value = (int)a[1];
        work->size = a[2];
    }
    command->function = do_work;
    command->data = command->owned = work;
}
