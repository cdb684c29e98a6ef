/*
 * What a mark behind a kernel costs, by the ways in which a CUDA device can tell that it got there:
 *
 *     marks [PERCENT]
 *
 * prints one JSON object per line; PERCENT scales the number of launches (100: about 12 s).
 *
 *     throughput  nanoseconds per kernel, launched back to back, with a mark behind each N-th
 *     launch      nanoseconds of the launching thread per kernel and its share of the marks, in
 *                 bursts that are too short to fill the driver's queue
 *     query       nanoseconds per call that asks whether the work is done
 *     latency     nanoseconds from the moment in which the kernel's last store is seen to the one in
 *                 which the mark is; both are looked at by the same thread, which does nothing else
 *
 * Each value is the median of the rounds, which follow too; in a round all kinds of marks take their
 * turn, so that a device that gets slower does so for all.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define ROUNDS 3
#define BURST 256
#define BURSTS 40
#define QUERIES 4096
#define SAMPLES 300
#define EVENTS 16
#define PATIENCE_NANOS 5000000000ll
#define PAGE 4096

#define CU_EVENT_DISABLE_TIMING 2u
#define CU_STREAM_NON_BLOCKING 1u
#define CU_MEMHOSTREGISTER_PORTABLE 1u
#define CU_MEMHOSTREGISTER_DEVICEMAP 2u

/* Our own prototypes: no CUDA headers are needed to build this. */
typedef void (*host_function)(void *);
static int (*cuInit)(unsigned);
static int (*cuDriverGetVersion)(int *);
static int (*cuDeviceGet)(int *, int);
static int (*cuDeviceGetName)(char *, int, int);
static int (*cuDevicePrimaryCtxRetain)(void **, int);
static int (*cuCtxSetCurrent)(void *);
static int (*cuModuleLoadData)(void **, const void *);
static int (*cuModuleGetFunction)(void **, void *, const char *);
static int (*cuStreamCreate)(void **, unsigned);
static int (*cuStreamSynchronize)(void *);
static int (*cuStreamQuery)(void *);
static int (*cuStreamWriteValue64_v2)(void *, uint64_t, uint64_t, unsigned);
static int (*cuEventCreate)(void **, unsigned);
static int (*cuEventRecord)(void *, void *);
static int (*cuEventQuery)(void *);
static int (*cuMemHostRegister_v2)(void *, size_t, unsigned);
static int (*cuMemHostGetDevicePointer_v2)(uint64_t *, void *, unsigned);
static int (*cuLaunchHostFunc)(void *, host_function, void *);
static int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void *, void **, void **);

/* Spins for some time and stores a value, if it is told where to, as its last act. */
static const char ptx[] = ".version 7.0\n"
                          ".target sm_75\n"
                          ".address_size 64\n"
                          ".visible .entry spin(.param .u64 nanos, .param .u64 where,\n"
                          "                     .param .u64 value)\n"
                          "{\n"
                          "    .reg .u64 %rd<8>;\n"
                          "    .reg .pred %p<3>;\n"
                          "    ld.param.u64 %rd1, [nanos];\n"
                          "    ld.param.u64 %rd2, [where];\n"
                          "    ld.param.u64 %rd3, [value];\n"
                          "    mov.u64 %rd4, %globaltimer;\n"
                          "LOOP:\n"
                          "    mov.u64 %rd5, %globaltimer;\n"
                          "    sub.u64 %rd6, %rd5, %rd4;\n"
                          "    setp.lt.u64 %p1, %rd6, %rd1;\n"
                          "    @%p1 bra LOOP;\n"
                          "    setp.eq.u64 %p2, %rd2, 0;\n"
                          "    @%p2 bra DONE;\n"
                          "    cvta.to.global.u64 %rd7, %rd2;\n"
                          "    st.volatile.global.u64 [%rd7], %rd3;\n"
                          "DONE:\n"
                          "    ret;\n"
                          "}\n";

enum mark { NOTHING, EVENT, WRITE, HOST_FUNCTION, STREAM_QUERY };

static const char *const mark_names[] = {"nothing", "event", "write",
                                         "host function", "stream query"};

static const struct variant {
    enum mark mark;
    unsigned every;
} variants[] = {{NOTHING, 1}, {EVENT, 1},  {EVENT, 4},  {EVENT, 16},
                {WRITE, 1},   {WRITE, 4},  {WRITE, 16},
                {HOST_FUNCTION, 16}};
#define VARIANTS (sizeof variants / sizeof *variants)

static void *kernel;
static void *events[EVENTS];
static unsigned next_event;
static char *host; /* a page that the device can write to: the kernel's word, and the mark's */
static uint64_t device;
static uint64_t value; /* of the last mark */

#define KERNEL_WORD 0u
#define MARK_WORD 256u /* far enough away not to come with the other */

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "marks: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        int result = (call);                                                                       \
        if (result != 0) {                                                                         \
            fail("line %d: %s: error %d", __LINE__, #call, result);                                \
        }                                                                                          \
    } while (0)

static int64_t nanos_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000ll + time.tv_nsec;
}

static uint64_t word_at(unsigned offset)
{
    return __atomic_load_n((uint64_t *)(void *)(host + offset), __ATOMIC_ACQUIRE);
}

static void on_host(void *number)
{
    __atomic_store_n((uint64_t *)(void *)(host + MARK_WORD), (uintptr_t)number, __ATOMIC_RELEASE);
}

static void launch(void *stream, uint64_t nanos, uint64_t where, uint64_t number)
{
    void *parameters[] = {&nanos, &where, &number};
    TRY(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

static void plant(void *stream, enum mark mark)
{
    value++;
    switch (mark) {
    case EVENT:
        next_event = (next_event + 1) % EVENTS;
        TRY(cuEventRecord(events[next_event], stream));
        break;
    case WRITE:
        TRY(cuStreamWriteValue64_v2(stream, device + MARK_WORD, value, 0));
        break;
    case HOST_FUNCTION:
        TRY(cuLaunchHostFunc(stream, on_host, (void *)(uintptr_t)value));
        break;
    default:
        break;
    }
}

static bool is_there(void *stream, enum mark mark)
{
    switch (mark) {
    case EVENT:
        return cuEventQuery(events[next_event]) == 0;
    case STREAM_QUERY:
        return cuStreamQuery(stream) == 0;
    case NOTHING:
        return true;
    default:
        return word_at(MARK_WORD) == value;
    }
}

static void launch_many(void *stream, uint64_t nanos, const struct variant *variant, unsigned count)
{
    for (unsigned i = 1; i <= count; i++) {
        launch(stream, nanos, 0, 0);
        if (variant->mark != NOTHING && i % variant->every == 0) {
            plant(stream, variant->mark);
        }
    }
}

static double throughput(void *stream, uint64_t nanos, const struct variant *variant,
                         unsigned launches)
{
    int64_t start = nanos_of(CLOCK_MONOTONIC);
    launch_many(stream, nanos, variant, launches);
    TRY(cuStreamSynchronize(stream));
    return (double)(nanos_of(CLOCK_MONOTONIC) - start) / launches;
}

static double launch_cost(void *stream, const struct variant *variant, unsigned bursts)
{
    int64_t spent = 0;
    for (unsigned i = 0; i < bursts; i++) {
        int64_t start = nanos_of(CLOCK_THREAD_CPUTIME_ID);
        launch_many(stream, 0, variant, BURST);
        spent += nanos_of(CLOCK_THREAD_CPUTIME_ID) - start;
        TRY(cuStreamSynchronize(stream));
    }
    return (double)spent / (bursts * BURST);
}

/* With a kernel running all the while, or with none. */
static double query_cost(void *stream, enum mark mark, bool busy, unsigned queries)
{
    if (busy) {
        launch(stream, 20000000, 0, 0);
    }
    plant(stream, mark);
    if (!busy) {
        TRY(cuStreamSynchronize(stream));
    }
    int64_t start = nanos_of(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < queries; i++) {
        is_there(stream, mark);
    }
    double each = (double)(nanos_of(CLOCK_MONOTONIC) - start) / queries;
    TRY(cuStreamSynchronize(stream));
    return each;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double quantile(const double *values, size_t count, double part)
{
    double sorted[SAMPLES];
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, compare);
    return sorted[(size_t)((double)(count - 1) * part)];
}

static void print_rounds(const double *rounds)
{
    printf("\"ns\":%.1f,\"rounds\":[%.1f,%.1f,%.1f]}\n", quantile(rounds, ROUNDS, 0.5), rounds[0],
           rounds[1], rounds[2]);
    fflush(stdout);
}

static void measure_throughput(void *stream, const char *name, uint64_t nanos, unsigned launches)
{
    double ns[VARIANTS][ROUNDS];
    launch_many(stream, nanos, &variants[0], BURST);
    TRY(cuStreamSynchronize(stream));
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < VARIANTS; i++) {
            ns[i][round] = throughput(stream, nanos, &variants[i], launches);
        }
    }
    for (size_t i = 0; i < VARIANTS; i++) {
        printf("{\"kind\":\"throughput\",\"stream\":\"%s\",\"kernel_ns\":%llu,\"launches\":%u,"
               "\"mark\":\"%s\",\"every\":%u,",
               name, (unsigned long long)nanos, launches, mark_names[variants[i].mark],
               variants[i].every);
        print_rounds(ns[i]);
    }
}

static void measure_launches(void *stream, const char *name, unsigned bursts)
{
    double ns[VARIANTS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < VARIANTS; i++) {
            ns[i][round] = launch_cost(stream, &variants[i], bursts);
        }
    }
    for (size_t i = 0; i < VARIANTS; i++) {
        printf("{\"kind\":\"launch\",\"stream\":\"%s\",\"launches\":%u,\"mark\":\"%s\","
               "\"every\":%u,",
               name, bursts * BURST, mark_names[variants[i].mark], variants[i].every);
        print_rounds(ns[i]);
    }
}

static void measure_queries(void *stream, unsigned queries)
{
    static const enum mark asked[] = {WRITE, EVENT, STREAM_QUERY};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        for (int busy = 0; busy < 2; busy++) {
            double ns[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                ns[round] = query_cost(stream, asked[i], busy != 0, queries);
            }
            printf("{\"kind\":\"query\",\"of\":\"%s\",\"stream\":\"%s\",",
                   asked[i] == WRITE ? "word" : mark_names[asked[i]], busy ? "busy" : "idle");
            print_rounds(ns);
        }
    }
}

static double latency(void *stream, enum mark mark)
{
    static uint64_t number;
    int64_t end = nanos_of(CLOCK_MONOTONIC) + PATIENCE_NANOS;
    number++;
    launch(stream, 50000, device + KERNEL_WORD, number);
    plant(stream, mark);
    while (word_at(KERNEL_WORD) != number) {
        if (nanos_of(CLOCK_MONOTONIC) > end) {
            fail("the kernel's store is not seen");
        }
    }
    int64_t start = nanos_of(CLOCK_MONOTONIC);
    int64_t now = start;
    while (!is_there(stream, mark)) {
        now = nanos_of(CLOCK_MONOTONIC);
        if (now > end) {
            fail("the mark is not seen: %s", mark_names[mark]);
        }
    }
    now = nanos_of(CLOCK_MONOTONIC);
    TRY(cuStreamSynchronize(stream));
    return (double)(now - start);
}

static void measure_latency(void *stream, unsigned samples)
{
    static const enum mark marks[] = {WRITE, EVENT, STREAM_QUERY, HOST_FUNCTION};
#define MARKS (sizeof marks / sizeof *marks)
    static double ns[MARKS][SAMPLES];
    for (unsigned i = 0; i < samples; i++) {
        for (size_t j = 0; j < MARKS; j++) {
            ns[j][i] = latency(stream, marks[j]);
        }
    }
    for (size_t j = 0; j < MARKS; j++) {
        printf("{\"kind\":\"latency\",\"mark\":\"%s\",\"samples\":%u,\"p50_ns\":%.0f,"
               "\"p99_ns\":%.0f}\n",
               mark_names[marks[j]], samples, quantile(ns[j], samples, 0.5),
               quantile(ns[j], samples, 0.99));
    }
}

static void find(void *library, void *function, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fail("this driver has no %s", name);
    }
    memcpy(function, &found, sizeof found);
}

static void open_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == NULL) {
        fail("%s", dlerror());
    }
#define FIND(name) find(library, &name, #name)
    FIND(cuInit);
    FIND(cuDriverGetVersion);
    FIND(cuDeviceGet);
    FIND(cuDeviceGetName);
    FIND(cuDevicePrimaryCtxRetain);
    FIND(cuCtxSetCurrent);
    FIND(cuModuleLoadData);
    FIND(cuModuleGetFunction);
    FIND(cuStreamCreate);
    FIND(cuStreamSynchronize);
    FIND(cuStreamQuery);
    FIND(cuStreamWriteValue64_v2);
    FIND(cuEventCreate);
    FIND(cuEventRecord);
    FIND(cuEventQuery);
    FIND(cuMemHostRegister_v2);
    FIND(cuMemHostGetDevicePointer_v2);
    FIND(cuLaunchHostFunc);
    FIND(cuLaunchKernel);
}

static void *prepare(void)
{
    int ordinal, version;
    char name[128] = "";
    void *context, *module, *stream;
    open_driver();
    TRY(cuInit(0));
    TRY(cuDriverGetVersion(&version));
    TRY(cuDeviceGet(&ordinal, 0));
    TRY(cuDeviceGetName(name, sizeof name - 1, ordinal));
    TRY(cuDevicePrimaryCtxRetain(&context, ordinal));
    TRY(cuCtxSetCurrent(context));
    TRY(cuModuleLoadData(&module, ptx));
    TRY(cuModuleGetFunction(&kernel, module, "spin"));
    TRY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < EVENTS; i++) {
        TRY(cuEventCreate(&events[i], CU_EVENT_DISABLE_TIMING));
    }
    host = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (host == MAP_FAILED) {
        fail("no memory");
    }
    TRY(cuMemHostRegister_v2(host, PAGE,
                             CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP));
    TRY(cuMemHostGetDevicePointer_v2(&device, host, 0));
    printf("{\"kind\":\"device\",\"name\":\"%s\",\"cuda\":%d}\n", name, version);
    return stream;
}

static unsigned scaled(unsigned count, unsigned percent)
{
    unsigned result = (unsigned)((uint64_t)count * percent / 100);
    return result == 0 ? 1 : result;
}

int main(int count, char **arguments)
{
    unsigned percent = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 100;
    if (count > 2 || percent < 1 || percent > 100) {
        fail("usage: marks [PERCENT], from 1 to 100");
    }
    void *created = prepare();
    measure_throughput(created, "created", 5000, scaled(20000, percent));
    measure_throughput(created, "created", 50000, scaled(4000, percent));
    measure_throughput(NULL, "legacy", 5000, scaled(4000, percent));
    measure_throughput(NULL, "legacy", 50000, scaled(800, percent));
    measure_launches(created, "created", scaled(BURSTS, percent));
    measure_launches(NULL, "legacy", scaled(BURSTS, percent));
    measure_queries(created, scaled(QUERIES, percent));
    measure_latency(created, scaled(SAMPLES, percent));
    return 0;
}
