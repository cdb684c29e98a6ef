/* However a program finds a function of HIP, it is gated once and counted once. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "../cuda/entries.h"
#include "../cuda/program.h"
#include "hip.h"

#ifdef SHIM_LINKED_IN
#define OURS "hip/lookup"
#else
#define OURS "libxsched"
#endif
#define BLOCKS (3ull | 5ull << 21 | 7ull << 42) /* a dim3, as structs.h packs it */

static void *runtime;
static _Alignas(16) char scratch[256];
static void *created, *event, *graph, *other;

static void start(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    created = new_stream();
    CHECK(hipEventCreateWithFlags(&event, 0) == 0 && hipGraphCreate(&graph, 0) == 0);
    runtime = dlopen(built("libamdhip64.so.6"), RTLD_NOW);
    CHECK(runtime != NULL);
}

static void on_host(void *data)
{
    (void)data;
}

static void called_back(void *stream, int status, void *data)
{
    CHECK(status == 0 && data != NULL);
    (void)stream;
}

static bool is(const struct entry *entry, const char *kind)
{
    return strcmp(entry->kind, kind) == 0;
}

static bool starts(const struct entry *entry, const char *name)
{
    return strncmp(entry->name, name, strlen(name)) == 0;
}

static uint64_t argument_of(const struct entry *entry, size_t i, void *stream)
{
    switch (entry->letters[i]) {
    case 'i':
        return is(entry, "capture") ? MODE_THREAD_LOCAL : 7 + i;
    case 'u':
        return 0xfffffff0u + i;
    case 's':
        return (uint64_t)stream;
    case 'd':
        return BLOCKS + i;
    case 'c':
        for (size_t place = 32; place <= 48; place += 8) {
            memcpy(scratch + place, &stream, sizeof stream);
        }
        return (uint64_t)scratch;
    case 'p':
        return (uint64_t)&scratch[128 + 8 * i];
    default:
        return 0x1122334455667700ull + i;
    }
}

static void fill_in(const struct entry *entry, void *stream, uint64_t *a)
{
    for (size_t i = 0; entry->letters[i] != 0; i++) {
        a[i] = argument_of(entry, i, stream);
    }
    if (starts(entry, "hipLaunchHostFunc")) {
        a[1] = (uint64_t)on_host;
    } else if (starts(entry, "hipStreamAddCallback")) {
        a[1] = (uint64_t)called_back;
    } else if (starts(entry, "hipEvent")) {
        a[0] = (uint64_t)event;
    } else if (starts(entry, "hipStreamBeginCaptureToGraph")) {
        a[1] = (uint64_t)graph;
    }
}

/* What has to be there before the call, and has to go after it. */
static void prepare(const struct entry *entry, uint64_t *a)
{
    if (is(entry, "end_capture")) {
        CHECK(hipStreamBeginCapture(created, MODE_RELAXED) == 0);
        a[0] = (uint64_t)created;
        a[1] = (uint64_t)&other;
    } else if (is(entry, "destroy")) {
        CHECK(hipStreamCreateWithFlags(&other, 0) == 0);
        a[0] = (uint64_t)other;
    }
}

static void clear_away(const struct entry *entry)
{
    if (is(entry, "capture")) {
        CHECK(hipStreamEndCapture(created, &other) == 0);
    }
    CHECK(hipDeviceSynchronize() == 0);
    finish();
}

static int call(const struct entry *entry, void *function, const uint64_t *a)
{
    return function == NULL ? entry->link(a) : entry->call(function, a);
}

/*
 * With `function`, or with NULL as who is linked. What the runtime says is what the program hears,
 * what it refuses is counted all the same: it is over at once.
 */
static void check_call(const struct entry *entry, void *function, void *stream)
{
    uint64_t a[STANDIN_ARGUMENTS] = {0};
    fill_in(entry, stream, a);
    prepare(entry, a);
    uint64_t calls = standin_calls(entry->name), before = launched();
    uint64_t counted = is(entry, "launch") ? 1 : 0;
    standin_refuse(entry->name, 719);
    int refused = call(entry, function, a);
    int result = call(entry, function, a);
    if (refused != 719 || result != 0 || standin_calls(entry->name) != calls + 2 ||
        launched() != before + 2 * counted || slot->submitted != before + 2 * counted) {
        fprintf(stderr, "%s: results %d and %d, %d calls, %d counted\n", entry->name, refused, result,
                (int)(standin_calls(entry->name) - calls), (int)(launched() - before));
        exit(1);
    }
    struct standin_call last = standin_last(entry->name);
    CHECK(last.thread == (uint64_t)getpid() && last.count >= strlen(entry->letters));
    for (size_t i = 0; entry->letters[i] != 0; i++) {
        CHECK(last.arguments[i] == a[i]);
    }
    clear_away(entry);
}

/* What resets a device is tested elsewhere, and so is what finds functions. */
static void check_entry(const struct entry *entry, void *function)
{
    if (is(entry, "use") || is(entry, "special")) {
        return;
    }
    if (is(entry, "launch") && strpbrk(entry->letters, "sc") != NULL) {
        check_call(entry, function, NULL);
        check_call(entry, function, LEGACY);
        check_call(entry, function, PER_THREAD);
    }
    check_call(entry, function, created);
}

static bool is_in(const char *file, void *address)
{
    Dl_info info;
    CHECK(address != NULL && dladdr(address, &info) != 0);
    return strstr(info.dli_fname, file) != NULL;
}

static void check_all(void *(*find)(const char *))
{
    size_t count = 0;
    for (const struct entry *entry = entries; entry->name != NULL; entry++) {
        void *function = find(entry->name);
        CHECK(is_in(is(entry, "use") ? "libamdhip64" : OURS, function));
        check_entry(entry, function);
        count++;
    }
    CHECK(count > 120);
}

static void linked(void)
{
    static const uint64_t nothing[STANDIN_ARGUMENTS];
    start();
    for (const struct entry *entry = entries; entry->name != NULL; entry++) {
        check_entry(entry, NULL);
        if (strchr(entry->letters, 'c') != NULL) {
            CHECK(entry->link(nothing) == 1); /* the runtime's answer, not our end */
        }
    }
}

static void *find_in_runtime(const char *name)
{
    return dlsym(runtime, name);
}

static void *find_anywhere(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static void opened(void)
{
    start();
    check_all(find_in_runtime);
}

static void found_anywhere(void)
{
    start();
    check_all(find_anywhere);
    CHECK(dlsym(RTLD_DEFAULT, "hipNothing") == NULL && strstr(dlerror(), "hipNothing") != NULL);
    CHECK(dlsym(RTLD_DEFAULT, "hipMalloc") == dlsym(runtime, "hipMalloc"));
    CHECK(is_in("libamdhip64", dlsym(RTLD_DEFAULT, "hipMalloc")));
}

static void *asked_for(const char *name)
{
    void *found = NULL;
    int status = -1;
    CHECK(hipGetProcAddress(name, &found, 60000, 0, &status) == 0 && status == 0);
    return found;
}

static void *entry_point(const char *name)
{
    void *found = NULL;
    int status = -1;
    CHECK(hipGetDriverEntryPoint(name, &found, 1, &status) == 0 && status == 0);
    return found;
}

static void asked_of_the_runtime(void)
{
    void *found = NULL;
    int status;
    start();
    check_all(asked_for);
    check_all(entry_point);
    void *twin = dlsym(runtime, "hipLaunchKernel_spt");
    CHECK(hipGetProcAddress("hipLaunchKernel", &found, 60000, 2, NULL) == 0 && found == twin);
    CHECK(hipGetProcAddress_spt("hipLaunchKernel", &found, 60000, 0, NULL) == 0 && found == twin);
    CHECK(hipGetProcAddress("hipNothing", &found, 60000, 0, &status) != 0 && status != 0);
    CHECK(hipGetProcAddress("hipMalloc", &found, 60000, 0, NULL) == 0);
    CHECK(is_in("libamdhip64", found));
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"every function: linked", linked},
        {"every function: opened", opened},
        {"every function: found in the program", found_anywhere},
        {"every function: asked of the runtime", asked_of_the_runtime},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
