/* A library that uses the driver: linked with it, or as those do that have no need to be. */
#include <dlfcn.h>

#include "entries.h"

#define EXPORTED __attribute__((visibility("default")))

#ifdef LINKED
EXPORTED const struct entry *user_entries(void)
{
    return entries;
}
#endif

static void *driver(void)
{
    return dlopen("libcuda.so.1", RTLD_LAZY);
}

EXPORTED void *user_open(const char *name)
{
    return dlsym(driver(), name);
}

/* As the static CUDA runtime does it. */
EXPORTED void *user_ask(const char *name, int version, uint64_t flags)
{
    int (*ask)(const char *, void **, int, uint64_t, int *) =
        (int (*)(const char *, void **, int, uint64_t, int *))dlsym(driver(), "cuGetProcAddress_v2");
    void *found = NULL;
    int status;
    return ask(name, &found, version, flags, &status) == 0 && status == 0 ? found : NULL;
}

EXPORTED void *user_next(const char *name)
{
    void *volatile found = dlsym(RTLD_NEXT, name); /* no tail call: it matters who calls */
    return found;
}
