/* A library that is preloaded before ours and hands on what it gets, as tracing tools do. */
#include <dlfcn.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

typedef int launch_f(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     void *, void **, void **);

EXPORTED uint64_t interposer_passed;
EXPORTED launch_f cuLaunchKernel;

int cuLaunchKernel(void *a1, unsigned a2, unsigned a3, unsigned a4, unsigned a5, unsigned a6,
                   unsigned a7, unsigned a8, void *a9, void **a10, void **a11)
{
    launch_f *next = (launch_f *)dlsym(RTLD_NEXT, "cuLaunchKernel");
    interposer_passed++;
    return next(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
}
