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

#ifdef OWN
/* One that has such a function itself, and uses that. */
EXPORTED int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            unsigned, void *, void **, void **);
EXPORTED int cuLaunchKernel(void *a1, unsigned a2, unsigned a3, unsigned a4, unsigned a5,
                            unsigned a6, unsigned a7, unsigned a8, void *a9, void **a10, void **a11)
{
    return a1 == NULL && a2 + a3 + a4 + a5 + a6 + a7 + a8 == 6 && a9 == a10 && a10 == a11 ? 4242 : 1;
}

EXPORTED int user_own(void)
{
    return cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
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

EXPORTED void *user_open_library(const char *file, int flags)
{
    void *volatile library = dlopen(file, flags); /* no tail call: it matters who calls */
    return library;
}

EXPORTED void *user_next(const char *name)
{
    void *volatile found = dlsym(RTLD_NEXT, name); /* no tail call: it matters who calls */
    return found;
}
