/*
 * How programs find a driver's functions, and how they find ours instead.
 *
 * Programs that link the driver bind to the names we export, because we are loaded first. Those that
 * open it themselves ask dlsym, which we put ourselves in front of. It has to be in assembler: what
 * dlsym(RTLD_NEXT) finds depends on who called it, so where the name is none of ours we jump, and
 * the caller stays the caller.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms.h"
#include "shim.h"

typedef void *(*dlsym_f)(void *, const char *);

#define NOTHING ((void *)-1)

/* Only the assembler code below needs to know these. */
dlsym_f xshim_real_dlsym;
void *xshim_dlsym(void *handle, const char *name);

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        "    endbr64\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    sub $8, %rsp\n"
        "    call xshim_dlsym\n"
        "    add $8, %rsp\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    test %rax, %rax\n"
        "    jz 1f\n"
        "    cmp $-1, %rax\n"
        "    jne 2f\n"
        "    xor %eax, %eax\n"
        "2:  ret\n"
        "1:  jmp *xshim_real_dlsym(%rip)\n"
        ".size dlsym, .-dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n"
        "    stp x29, x30, [sp, #-32]!\n"
        "    stp x0, x1, [sp, #16]\n"
        "    bl xshim_dlsym\n"
        "    mov x9, x0\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    cbz x9, 1f\n"
        "    cmn x9, #1\n"
        "    csel x0, xzr, x9, eq\n"
        "    ret\n"
        "1:  adrp x9, xshim_real_dlsym\n"
        "    ldr x9, [x9, :lo12:xshim_real_dlsym]\n"
        "    br x9\n"
        ".size dlsym, .-dlsym\n");
#else
#error "dlsym has to be written for this processor"
#endif

static const struct xshim_platform *const platforms[] = {XSHIM_PLATFORMS};
#define PLATFORMS (sizeof platforms / sizeof *platforms)

__attribute__((constructor)) static void find_dlsym(void)
{
    if (xshim_real_dlsym == NULL) {
        xshim_real_dlsym = (dlsym_f)dlvsym(RTLD_NEXT, "dlsym", XSHIM_FIRST_GLIBC);
    }
}

static struct xshim_function *function_named(const struct xshim_platform *platform,
                                             const char *name)
{
    for (size_t i = 0; i < platform->count; i++) {
        if (strcmp(platform->functions[i].name, name) == 0) {
            return &platform->functions[i];
        }
    }
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/*
 * libcuda.so.1 and libcuda.so.580.1 are the driver, and so is a copy that came with a program, which
 * may be called libOpenCL-1f3e5d.so.1; libcudart.so is not.
 */
static bool is_driver(const struct xshim_platform *platform, const char *path)
{
    const char *file = base_name(path);
    const char *chosen = getenv(platform->library_variable);
    size_t stem = (size_t)(strstr(platform->library, ".so") - platform->library);
    return (chosen != NULL && strcmp(file, base_name(chosen)) == 0) ||
           (strncmp(file, platform->library, stem) == 0 &&
            (file[stem] == '.' || file[stem] == '-') && strstr(file + stem, ".so") != NULL);
}

static bool is_in_driver(const struct xshim_platform *platform, void *address)
{
    Dl_info info;
    return dladdr(address, &info) != 0 && info.dli_fname != NULL &&
           is_driver(platform, info.dli_fname);
}

struct search {
    const struct xshim_platform *platform;
    char found[4096]; /* empty: nothing */
};

static int is_it(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *search = data;
    (void)size;
    if (!is_driver(search->platform, object->dlpi_name)) {
        return 0;
    }
    snprintf(search->found, sizeof search->found, "%s", object->dlpi_name);
    return 1;
}

static void *open_driver(const struct xshim_platform *platform)
{
    const char *chosen = getenv(platform->library_variable);
    struct search search = {.platform = platform};
    if (chosen != NULL && *chosen != 0) {
        return dlopen(chosen, RTLD_LAZY);
    }
    dl_iterate_phdr(is_it, &search);
    void *driver = dlopen(search.found[0] != 0 ? search.found : platform->library, RTLD_LAZY);
    for (size_t i = 0; i < XSHIM_OLDER_LIBRARIES && driver == NULL && platform->older[i] != NULL;
         i++) {
        driver = dlopen(platform->older[i], RTLD_LAZY);
    }
    return driver;
}

/* Looked for once: in a forked child, a lock that the search needs may be held for ever. */
static void *driver_of(const struct xshim_platform *platform)
{
    static _Atomic(void *) opened[PLATFORMS];
    size_t index = 0;
    while (platforms[index] != platform) {
        index++;
    }
    if (atomic_load(&opened[index]) == NULL) {
        atomic_store(&opened[index], open_driver(platform));
    }
    return atomic_load(&opened[index]);
}

/* A search by handle, never by RTLD_NEXT: that could find ourselves. */
void *xshim_resolve(const struct xshim_platform *platform, struct xshim_function *function)
{
    find_dlsym();
    void *driver = driver_of(platform);
    void *real = driver == NULL ? NULL : xshim_real_dlsym(driver, function->name);
    if (real != NULL && real != function->wrapper) {
        atomic_store(&function->real, real);
        return real;
    }
    return NULL;
}

struct code_search {
    uintptr_t inside; /* of the code that is looked for */
    uintptr_t start, end;
};

static int is_code(struct dl_phdr_info *object, size_t size, void *data)
{
    struct code_search *search = data;
    (void)size;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && search->inside - start < part->p_memsz) {
            search->start = start;
            search->end = start + part->p_memsz;
            return 1;
        }
    }
    return 0;
}

void xshim_find_code(struct xshim_code *code, void *real)
{
    struct code_search search = {.inside = (uintptr_t)real, .start = 1, .end = 1};
    dl_iterate_phdr(is_code, &search);
    atomic_store(&code->start, search.start);
    atomic_store(&code->end, search.end);
}

/* What a program gets that found a driver's function in its own way. */
void *xshim_wrapper_of(const struct xshim_platform *platform, const char *name, void *real)
{
    struct xshim_function *function = function_named(platform, name);
    if (function == NULL || function->wrapper == NULL || real == NULL) {
        return real;
    }
    void *unknown = NULL;
    atomic_compare_exchange_strong(&function->real, &unknown, real);
    return function->wrapper;
}

/*
 * Where a search finds ourselves, and would find no driver without us, the answer is no, as it would
 * be then: programs ask so whether there is a driver, or whether it is new enough.
 */
static void *wrapper_for(const struct xshim_platform *platform, struct xshim_function *function,
                         void *handle)
{
    void *real = xshim_real_dlsym(handle, function->name);
    if (real == function->wrapper) {
        real = xshim_real_dlsym(RTLD_NEXT, function->name);
        if (real == NULL) {
            return NOTHING;
        }
    }
    return real != NULL && is_in_driver(platform, real)
               ? xshim_wrapper_of(platform, function->name, real)
               : NULL;
}

/* NULL: none of ours. */
void *xshim_wrapper_in(void *handle, const char *name)
{
    void *found = xshim_dlsym(handle, name);
    return found == NOTHING ? NULL : found;
}

/* NULL: none of ours, ask the real one. */
void *xshim_dlsym(void *handle, const char *name)
{
    find_dlsym();
    if (name == NULL || strchr("ch_", name[0]) == NULL || handle == RTLD_NEXT ||
        xshim_is_own_lookup()) {
        return NULL;
    }
    for (size_t i = 0; i < PLATFORMS; i++) {
        struct xshim_function *function = function_named(platforms[i], name);
        if (function != NULL && function->wrapper != NULL) {
            return wrapper_for(platforms[i], function, handle);
        }
    }
    return NULL;
}
