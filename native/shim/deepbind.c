/*
 * Libraries that are opened with RTLD_DEEPBIND look for names among what they need themselves before
 * they look at us: they find the driver's functions, and libc's dlsym. So once such a library is
 * loaded, we put into it, and into what came with it, the addresses that it would have found without
 * that flag. What it does while it is being loaded is not seen.
 *
 * Only where it makes no difference to the program that we open the library in its place: where a
 * library is searched can depend on who opens it. In assembler for the same reason: all other calls
 * of dlopen we jump through.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim.h"

typedef void *(*dlopen_f)(const char *, int);

/* Only the assembler code below needs to know these. */
dlopen_f xshim_real_dlopen;
void *xshim_dlopen(const char *file, int flags, void *caller);

#if defined(__x86_64__)
#define IS_ADDRESS(type)                                                                           \
    ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
__asm__(".text\n"
        ".globl dlopen\n"
        ".type dlopen, @function\n"
        "dlopen:\n"
        "    endbr64\n"
        "    mov (%rsp), %rdx\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    sub $8, %rsp\n"
        "    call xshim_dlopen\n"
        "    add $8, %rsp\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    test %rax, %rax\n"
        "    jz 1f\n"
        "    ret\n"
        "1:  jmp *xshim_real_dlopen(%rip)\n"
        ".size dlopen, .-dlopen\n");
#elif defined(__aarch64__)
#define IS_ADDRESS(type)                                                                           \
    ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
__asm__(".text\n"
        ".globl dlopen\n"
        ".type dlopen, %function\n"
        "dlopen:\n"
        "    stp x29, x30, [sp, #-32]!\n"
        "    stp x0, x1, [sp, #16]\n"
        "    mov x2, x30\n"
        "    bl xshim_dlopen\n"
        "    mov x9, x0\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    cbz x9, 1f\n"
        "    mov x0, x9\n"
        "    ret\n"
        "1:  adrp x9, xshim_real_dlopen\n"
        "    ldr x9, [x9, :lo12:xshim_real_dlopen]\n"
        "    br x9\n"
        ".size dlopen, .-dlopen\n");
#else
#error "dlopen has to be written for this processor"
#endif

/* What is loaded: an object is known by where its dynamic section lies. */
struct object {
    char *name;
    uintptr_t base;
    const ElfW(Dyn) *dynamic;
    uintptr_t relro, relro_end; /* read-only once it was relocated */
};

struct objects {
    struct object *all;
    size_t count;
    uintptr_t caller;
    bool search_differs; /* a search for the caller is not one for us */
};

static void find_dlopen(void)
{
    if (xshim_real_dlopen == NULL) {
        xshim_real_dlopen = (dlopen_f)dlvsym(RTLD_NEXT, "dlopen", XSHIM_FIRST_GLIBC);
    }
}

static const ElfW(Dyn) *entry_of(const ElfW(Dyn) *dynamic, ElfW(Sxword) tag)
{
    while (dynamic != NULL && dynamic->d_tag != DT_NULL && dynamic->d_tag != tag) {
        dynamic++;
    }
    return dynamic != NULL && dynamic->d_tag == tag ? dynamic : NULL;
}

/* The paths that are in a library are for its own searches, and older ones for what it loads, too. */
static bool changes_search(const ElfW(Dyn) *dynamic, bool is_caller, bool is_program)
{
    return (is_caller && entry_of(dynamic, DT_RUNPATH) != NULL) ||
           (!is_program && entry_of(dynamic, DT_RPATH) != NULL);
}

static int add(struct dl_phdr_info *info, size_t size, void *data)
{
    struct objects *objects = data;
    struct object object = {.base = info->dlpi_addr};
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    bool is_caller = false;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = object.base + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type == PT_DYNAMIC) {
            object.dynamic = (const ElfW(Dyn) *)start;
        } else if (part->p_type == PT_GNU_RELRO) {
            object.relro = start & -page;
            object.relro_end = end & -page;
        } else if (part->p_type == PT_LOAD) {
            is_caller |= objects->caller >= start && objects->caller < end;
        }
    }
    struct object *more = realloc(objects->all, (objects->count + 1) * sizeof *more);
    if (more == NULL) {
        return 1;
    }
    objects->search_differs |= changes_search(object.dynamic, is_caller, objects->count == 0);
    object.name = strdup(info->dlpi_name);
    objects->all = more;
    objects->all[objects->count++] = object;
    return 0;
}

static bool has(const struct objects *objects, const struct object *object)
{
    for (size_t i = 0; i < objects->count; i++) {
        if (objects->all[i].dynamic == object->dynamic) {
            return true;
        }
    }
    return false;
}

static void let_go(struct objects *objects)
{
    for (size_t i = 0; i < objects->count; i++) {
        free(objects->all[i].name);
    }
    free(objects->all);
}

static const void *table_of(const struct object *object, ElfW(Sxword) tag)
{
    const ElfW(Dyn) *entry = entry_of(object->dynamic, tag);
    return entry == NULL ? NULL : (const void *)entry->d_un.d_ptr; /* relocated already */
}

static void *ours(void *library, const char *name)
{
    if (strcmp(name, "dlsym") == 0) {
        return (void *)dlsym;
    }
    if (strcmp(name, "ioctl") == 0) {
        return (void *)ioctl;
    }
    return strcmp(name, "dlopen") == 0 ? (void *)dlopen : xshim_wrapper_in(library, name);
}

static void store(const struct object *object, uintptr_t slot, void *address)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)(slot & -page);
    bool is_protected = slot >= object->relro && slot < object->relro_end;
    if (*(void **)slot == address ||
        (is_protected && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)) {
        return;
    }
    __atomic_store_n((void **)slot, address, __ATOMIC_RELEASE);
    if (is_protected) {
        mprotect(start, page, PROT_READ);
    }
}

static void redirect(const struct object *object, void *library, ElfW(Sxword) table,
                     ElfW(Sxword) size)
{
    const ElfW(Sym) *symbols = table_of(object, DT_SYMTAB);
    const char *names = table_of(object, DT_STRTAB);
    const ElfW(Rela) *relocation = table_of(object, table);
    const ElfW(Dyn) *bytes = entry_of(object->dynamic, size);
    if (symbols == NULL || names == NULL || relocation == NULL || bytes == NULL) {
        return;
    }
    const ElfW(Rela) *end = relocation + bytes->d_un.d_val / sizeof *relocation;
    for (; relocation < end; relocation++) {
        const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(relocation->r_info)];
        uint32_t type = ELF64_R_TYPE(relocation->r_info);
        /* What it has itself it is to keep. */
        if (!IS_ADDRESS(type) || relocation->r_addend != 0 || symbol->st_shndx != SHN_UNDEF) {
            continue;
        }
        void *address = ours(library, names + symbol->st_name);
        if (address != NULL) {
            store(object, object->base + relocation->r_offset, address);
        }
    }
}

static void redirect_new(const struct objects *before, void *library)
{
    struct objects now = {0};
    dl_iterate_phdr(add, &now);
    for (size_t i = 0; i < now.count; i++) {
        struct object *object = &now.all[i];
        if (has(before, object) || object->name == NULL || object->name[0] == 0) {
            continue;
        }
        /* So that it stays: another thread may have loaded it, and may close it. */
        void *kept = xshim_real_dlopen(object->name, RTLD_LAZY | RTLD_NOLOAD);
        if (kept != NULL) {
            redirect(object, library, DT_JMPREL, DT_PLTRELSZ);
            redirect(object, library, DT_RELA, DT_RELASZ);
            dlclose(kept);
        }
    }
    let_go(&now);
}

/* NULL: not our business, or it failed; ask the real one. */
void *xshim_dlopen(const char *file, int flags, void *caller)
{
    find_dlopen();
    if ((flags & RTLD_DEEPBIND) == 0 || (flags & RTLD_NOLOAD) != 0 || file == NULL ||
        strchr(file, '$') != NULL || xshim_is_own_lookup()) {
        return NULL;
    }
    struct objects before = {.caller = (uintptr_t)caller};
    void *library = NULL;
    dl_iterate_phdr(add, &before);
    if (strchr(file, '/') != NULL || !before.search_differs) {
        library = xshim_real_dlopen(file, flags);
    }
    if (library != NULL) {
        redirect_new(&before, library);
    }
    let_go(&before);
    return library;
}
