/*
 * The second way in front of HIP, if XSCHED_HIP_TABLE is ON. Since ROCm 6 what a program calls goes
 * through a table in the runtime, which the runtime shows to whoever wants to profile it, by this
 * function of librocprofiler-register.so. We come before that library, as before all, let it do its
 * work, and put our wrappers into the table. So also those calls are seen whose callers were bound to
 * the runtime in a way that passes us by. What the runtime calls of itself cannot be told apart then.
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "hip.h"
#include "hip_slots.h"

#define NO_TOOLS 1 /* ROCP_REG_NO_TOOLS: nobody wants to profile */

static struct xsched_switch wanted = {.name = "XSCHED_HIP_TABLE"};

typedef int (*register_f)(const char *, void *, uint32_t, void **, uint64_t, void *);

EXPORTED int rocprofiler_register_library_api_table(const char *name, void *import,
                                                    uint32_t version, void **tables, uint64_t count,
                                                    void *id);

static const struct {
    size_t function, slot;
} slots[] = {
#define SLOT(function, slot) {at_##function, slot},
    HIP_SLOTS(SLOT)
#undef SLOT
};

static int is_register(struct dl_phdr_info *object, size_t size, void *found)
{
    (void)size;
    if (strstr(object->dlpi_name, "/librocprofiler-register.so") == NULL) {
        return 0;
    }
    snprintf(found, PATH_MAX, "%s", object->dlpi_name);
    return 1;
}

/* By handle: a search for the next could find nothing, where the runtime was opened for one alone. */
static register_f real_register(void)
{
    char found[PATH_MAX] = "";
    dl_iterate_phdr(is_register, found);
    void *library = found[0] == 0 ? NULL : dlopen(found, RTLD_LAZY | RTLD_NOLOAD);
    return library == NULL
               ? NULL
               : (register_f)dlsym(library, "rocprofiler_register_library_api_table");
}

/* The first word is how many bytes it has; older ones end earlier. */
static void put_ourselves_into(void **table)
{
    size_t count = *(size_t *)table / sizeof *table;
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        struct xshim_function *function = &hip_functions[slots[i].function];
        void **place = &table[1 + slots[i].slot];
        if (1 + slots[i].slot < count && *place != NULL) {
            atomic_store(&function->real, *place);
            __atomic_store_n(place, function->wrapper, __ATOMIC_RELEASE);
        }
    }
}

int rocprofiler_register_library_api_table(const char *name, void *import, uint32_t version,
                                           void **tables, uint64_t count, void *id)
{
    register_f real = real_register();
    int result = real == NULL ? NO_TOOLS : real(name, import, version, tables, count, id);
    if (name != NULL && strcmp(name, "hip") == 0 && count > 0 &&
        xsched_switched_on(&wanted)) {
        hip_is_entered_by_table();
        put_ourselves_into(tables[0]);
    }
    return result;
}
