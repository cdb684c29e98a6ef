/* However a program finds a function of the driver, it is gated once and counted once. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "entries.h"
#include "program.h"

#ifdef SHIM_LINKED_IN
#define OURS "cuda/lookup"
#else
#define OURS "libxsched"
#endif

static void *driver;
static _Alignas(16) char scratch[256];
static void *created, *other, *event, *graph, *second;

static void *open_built(const char *file, int flags)
{
    void *library = dlopen(built(file), flags);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
    }
    CHECK(library != NULL);
    return library;
}

static void start(void)
{
    start_scheduled(XSCHED_OTHERS_BELOW);
    created = new_stream();
    CHECK(cuEventCreate(&event, 0) == 0);
    CHECK(cuGraphCreate(&graph, 0) == 0);
    driver = open_built("libcuda.so.1", RTLD_NOW);
}

static void on_host(void *data)
{
    (void)data;
}

static bool is(const struct entry *entry, const char *kind)
{
    return strcmp(entry->kind, kind) == 0;
}

static bool starts(const struct entry *entry, const char *name)
{
    return strncmp(entry->name, name, strlen(name)) == 0;
}

static void fill_in(const struct entry *entry, void *stream, uint64_t *a)
{
    static int status;
    bool is_capture = is(entry, "capture");
    for (size_t i = 0; entry->letters[i] != 0; i++) {
        switch (entry->letters[i]) {
        case 'i':
            a[i] = is_capture ? MODE_THREAD_LOCAL : 7 + i;
            break;
        case 'u':
            a[i] = 0xfffffff0u + i;
            break;
        case 's':
            a[i] = (uint64_t)stream;
            break;
        case 'c':
            memcpy(scratch + 32, &stream, sizeof stream);
            memcpy(scratch + 40, &stream, sizeof stream);
            a[i] = (uint64_t)scratch;
            break;
        case 'p':
            a[i] = (uint64_t)&scratch[128 + 8 * i];
            break;
        default:
            a[i] = 0x1122334455667700ull + i;
            break;
        }
    }
    if (starts(entry, "cuLaunchHostFunc")) {
        a[1] = (uint64_t)on_host;
    } else if (starts(entry, "cuEvent")) {
        a[0] = (uint64_t)event;
    } else if (starts(entry, "cuStreamIsCapturing")) {
        a[0] = (uint64_t)stream;
    } else if (starts(entry, "cuCtxSetCurrent") || starts(entry, "cuCtxPushCurrent")) {
        a[0] = (uint64_t)context;
    } else if (starts(entry, "cuCtxGetDevice_v2")) {
        a[1] = (uint64_t)context;
    } else if (starts(entry, "cuStreamBeginCaptureToGraph")) {
        a[1] = (uint64_t)graph;
    } else if (starts(entry, "cuDevicePrimaryCtx")) {
        a[0] = 1;
    } else if (starts(entry, "cuGetProcAddress")) {
        a[0] = (uint64_t)"cuInit";
        a[4] = (uint64_t)&status;
    }
}

/* What has to be there before the call, and has to go after it. */
static void prepare(const struct entry *entry, uint64_t *a)
{
    if (is(entry, "end_capture")) {
        CHECK(cuStreamBeginCapture_v2(created, MODE_RELAXED) == 0);
        a[0] = (uint64_t)created;
        a[1] = (uint64_t)&second;
    } else if (is(entry, "capture")) {
        a[0] = (uint64_t)created;
    } else if (is(entry, "destroy")) {
        CHECK(cuStreamCreate(&other, 0) == 0);
        a[0] = (uint64_t)other;
    } else if (is(entry, "destroy_context")) {
        CHECK(cuCtxCreate_v2(&other, 0, 0) == 0);
        a[0] = (uint64_t)other;
    } else if (starts(entry, "cuDevicePrimaryCtx")) {
        CHECK(cuDevicePrimaryCtxRetain(&other, 1) == 0);
    }
}

static void clear_away(const struct entry *entry)
{
    void *current;
    if (is(entry, "capture")) {
        CHECK(cuStreamEndCapture(created, &second) == 0);
    }
    if (starts(entry, "cuCtxPushCurrent")) {
        CHECK(cuCtxPopCurrent_v2(&current) == 0 && current == context);
    }
    CHECK(cuCtxGetCurrent(&current) == 0 && current == context);
    CHECK(cuCtxSynchronize() == 0);
    finish();
}

static int call(const struct entry *entry, void *function, const uint64_t *a)
{
    return function == NULL ? entry->link(a) : entry->call(function, a);
}

/*
 * With `function`, or with NULL as who is linked. What the driver says is what the program hears,
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
    if (refused != 719 || (result != 0 && !starts(entry, "cuGetProcAddress")) ||
        standin_calls(entry->name) != calls + 2 || launched() != before + 2 * counted ||
        slot->submitted != before + 2 * counted) {
        fprintf(stderr, "%s: results %d and %d, %d calls, %d counted\n", entry->name, refused, result,
                (int)(standin_calls(entry->name) - calls), (int)(launched() - before));
        exit(1);
    }
    struct standin_call last = standin_last(entry->name);
    CHECK(last.thread == (uint64_t)getpid());
    for (size_t i = 0; entry->letters[i] != 0; i++) {
        CHECK(last.arguments[i] == a[i]);
    }
    clear_away(entry);
}

static void check_entry(const struct entry *entry, void *function)
{
    if (is(entry, "use")) {
        return;
    }
    bool has_stream = strpbrk(entry->letters, "sc") != NULL;
    if (is(entry, "launch") && has_stream) {
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
        CHECK(is_in(is(entry, "use") ? "libcuda" : OURS, function));
        check_entry(entry, function);
        count++;
    }
    CHECK(count > 100);
}

static void check_linked(const struct entry *all)
{
    for (const struct entry *entry = all; entry->name != NULL; entry++) {
        check_entry(entry, NULL);
    }
}

static void *find_in_driver(const char *name)
{
    return dlsym(driver, name);
}

static void *find_anywhere(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static void *find_next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static void *find_in_program(const char *name)
{
    return dlsym(dlopen(NULL, RTLD_LAZY), name);
}

static void linked(void)
{
    start();
    check_linked(entries);
    for (const struct entry *entry = entries; entry->name != NULL; entry++) {
        static const uint64_t nothing[STANDIN_ARGUMENTS];
        if (strchr(entry->letters, 'c') != NULL) {
            CHECK(entry->link(nothing) == 1); /* the driver's answer, not our end */
        }
    }
}

static void opened(void)
{
    start();
    driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    check_all(find_in_driver);
}

static void opened_by_path(void)
{
    start();
    check_all(find_in_driver);
}

static void found_anywhere(void)
{
    start();
    for (const struct entry *entry = entries; entry->name != NULL; entry++) {
        CHECK(dlsym(RTLD_DEFAULT, entry->name) == dlsym(driver, entry->name));
    }
    check_all(find_anywhere);
    check_all(find_in_program);
    CHECK(dlsym(RTLD_DEFAULT, "cuNothing") == NULL && strstr(dlerror(), "cuNothing") != NULL);
    CHECK(dlsym(RTLD_DEFAULT, "cuInit") == dlsym(driver, "cuInit") && is_in("libcuda", cuInit));
}

static void found_next(void)
{
    start();
#ifndef SHIM_LINKED_IN
    check_all(find_next);
#else
    CHECK(is_in("libcuda", find_next("cuLaunchKernel"))); /* after ourselves */
#endif
    void *(*next)(const char *) = dlsym(open_built("libuser.so", RTLD_NOW), "user_next");
    for (const struct entry *entry = entries; entry->name != NULL; entry++) {
        CHECK(is_in("libcuda", next(entry->name)));
    }
}

/* What a library finds as the next that is in front of us. */
static void found_by_who_is_first(void)
{
#ifndef SHIM_LINKED_IN
    char preload[8192];
    snprintf(preload, sizeof preload, "%s:%s", built("libinterposer.so"), getenv("LD_PRELOAD"));
    run_again_with("LD_PRELOAD", preload, "libinterposer");
    start();
    uint64_t *passed = dlsym(RTLD_DEFAULT, "interposer_passed");
    CHECK(passed != NULL);
    uint64_t before = launched(), calls = standin_calls("cuLaunchKernel"), was = *passed;
    launch(created);
    CHECK(*passed == was + 1 && launched() == before + 1);
    CHECK(standin_calls("cuLaunchKernel") == calls + 1);
#endif
}

static void *(*ask)(const char *, int, uint64_t);

static bool ends(const char *name, const char *suffix)
{
    return strlen(name) > strlen(suffix) &&
           strcmp(name + strlen(name) - strlen(suffix), suffix) == 0;
}

/* The name without its version and its twin. */
static void base_of(const char *name, char *base)
{
    static const char *const suffixes[] = {"_ptsz", "_ptds", "_v2"};
    strcpy(base, name);
    for (size_t i = 0; i < 3; i++) {
        if (ends(base, suffixes[i])) {
            base[strlen(base) - strlen(suffixes[i])] = 0;
        }
    }
}

static void *asked_for(const char *name)
{
    char base[128];
    base_of(name, base);
    bool own = ends(name, "_ptsz") || ends(name, "_ptds");
    return ask(base, strstr(name, "_v2") != NULL ? 13000 : 11000, own ? 2 : 1);
}

static void check_asked(void)
{
    for (const struct entry *entry = entries; entry->name != NULL; entry++) {
        void *expected = dlsym(driver, entry->name);
        char plain[128];
        base_of(entry->name, plain);
        if (strcmp(plain, entry->name) == 0) {
            CHECK(asked_for(entry->name) == expected); /* the first version for old programs */
            CHECK(ask(plain, 11000, 0) == expected);   /* no flag: legacy */
        }
        void *found = asked_for(entry->name);
        CHECK(found == expected || strcmp(plain, entry->name) != 0);
        if (found == expected) {
            check_entry(entry, found);
        }
    }
    CHECK(asked_for("cuMemcpyHtoD_v2_ptds") == dlsym(driver, "cuMemcpyHtoD_v2_ptds"));
    CHECK(asked_for("cuGetProcAddress_v2") == dlsym(driver, "cuGetProcAddress_v2"));
    CHECK(asked_for("cuGetProcAddress") == dlsym(driver, "cuGetProcAddress"));
    CHECK(ask("cuNothing", 13000, 0) == NULL && ask("cuLaunchKernel_ptsz", 13000, 0) == NULL);
}

static void *ask_first(const char *name, int version, uint64_t flags)
{
    int (*function)(const char *, void **, int, uint64_t);
    void *found = NULL, *address = dlsym(driver, "cuGetProcAddress");
    memcpy(&function, &address, sizeof address);
    return function(name, &found, version, flags) == 0 ? found : NULL;
}

static void *ask_second(const char *name, int version, uint64_t flags)
{
    void *found = NULL;
    int status;
    return cuGetProcAddress_v2(name, &found, version, flags, &status) == 0 ? found : NULL;
}

static void asked_of_the_driver(void)
{
    start();
    ask = ask_first;
    check_asked();
    ask = ask_second;
    check_asked();
}

static void check_library(int flags)
{
    start();
    void *library = open_built("libopener.so", RTLD_NOW | RTLD_LOCAL | flags);
    check_all((void *(*)(const char *))dlsym(library, "user_open"));
    ask = (void *(*)(const char *, int, uint64_t))dlsym(library, "user_ask");
    check_asked();
}

static void found_by_a_library(void)
{
    check_library(0);
}

static void check_linked_library(const char *file, int flags)
{
    start();
    void *library = open_built(file, RTLD_NOW | RTLD_LOCAL | flags);
    check_linked(((const struct entry *(*)(void))dlsym(library, "user_entries"))());
}

static void linked_with_a_library(void)
{
    check_linked_library("libuser.so", 0);
}

static void found_by_a_deep_library(void)
{
    check_library(RTLD_DEEPBIND);
}

static void linked_with_a_deep_library(void)
{
    check_linked_library("libuser.so", RTLD_DEEPBIND);
}

static void linked_early_with_a_deep_library(void)
{
    check_linked_library("libuser_now.so", RTLD_DEEPBIND);
}

/* It looks for libraries as it would without us, and what it opens so is seen, too. */
static void a_deep_library_opens_another(void)
{
    typedef void *(*open_f)(const char *, int);
    start();
    void *library = open_built("libopener.so", RTLD_NOW | RTLD_DEEPBIND);
    open_f open_library = (open_f)dlsym(library, "user_open_library");
    library = open_library("libuser_now.so", RTLD_LAZY | RTLD_DEEPBIND);
    CHECK(library != NULL);
    check_linked(((const struct entry *(*)(void))dlsym(library, "user_entries"))());
    CHECK(open_library("libnothing.so", RTLD_NOW | RTLD_DEEPBIND) == NULL);
    CHECK(strstr(dlerror(), "libnothing.so") != NULL);
    unsetenv("LD_LIBRARY_PATH"); /* which the dynamic linker has read long ago */
    CHECK(dlopen("libuser.so", RTLD_NOW | RTLD_DEEPBIND) != NULL);
}

static void a_deep_library_keeps_its_own(void)
{
    start();
    uint64_t before = launched();
    void *library = open_built("libown.so", RTLD_NOW | RTLD_DEEPBIND);
    CHECK(((int (*)(void))dlsym(library, "user_own"))() == 4242);
    CHECK(!is_in(OURS, dlsym(library, "cuLaunchKernel")) && launched() == before);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"every function: linked", linked},
        {"every function: opened", opened},
        {"every function: opened by path", opened_by_path},
        {"every function: found in the program", found_anywhere},
        {"every function: found as the next", found_next},
        {"every function: asked of the driver", asked_of_the_driver},
        {"every function: found by a library", found_by_a_library},
        {"every function: linked with a library", linked_with_a_library},
        {"every function: found by a deeply bound library", found_by_a_deep_library},
        {"every function: linked with a deeply bound library", linked_with_a_deep_library},
        {"every function: in a deeply bound library that was bound at once",
         linked_early_with_a_deep_library},
        {"every function: in a library that a deeply bound one opens",
         a_deep_library_opens_another},
        {"a deeply bound library keeps what it has itself", a_deep_library_keeps_its_own},
        {"a library in front of us is passed once", found_by_who_is_first},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
