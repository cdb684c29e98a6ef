/* Stands in for librocprofiler-register.so.0, where nobody wants to profile. */
#include <stdint.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static uint64_t calls;

EXPORTED int rocprofiler_register_library_api_table(const char *name, void *import, uint32_t version,
                                                    void **tables, uint64_t count, uint64_t *id);
EXPORTED int rocprofiler_register_library_api_table(const char *name, void *import, uint32_t version,
                                                    void **tables, uint64_t count, uint64_t *id)
{
    (void)import;
    calls += strcmp(name, "hip") == 0 && version > 0 && tables != NULL && count == 1;
    *id = calls;
    return 1;
}

EXPORTED uint64_t standin_registered(void);
EXPORTED uint64_t standin_registered(void)
{
    return calls;
}
