/* Modules, the compiler, which takes everything, and how programs ask for functions. */
#include <dlfcn.h>
#include <stdio.h>

#include "device.h"
#include "kernels.h"

static char module; /* stands for all */

EXPORTED int hipModuleLoadData(void **loaded, const void *image)
{
    ENTER((uint64_t)loaded, (uint64_t)image);
    *loaded = &module;
    return leave(0);
}

EXPORTED int hipModuleLoadDataEx(void **loaded, const void *image, unsigned count, void *options,
                                 void **values)
{
    (void)count;
    (void)options;
    (void)values;
    return hipModuleLoadData(loaded, image);
}

EXPORTED int hipModuleUnload(void *loaded)
{
    (void)loaded;
    return 0;
}

EXPORTED int hipModuleGetFunction(void **function, void *loaded, const char *name)
{
    ENTER((uint64_t)function, (uint64_t)loaded, (uint64_t)name);
    *function = kernel_named(name);
    return leave(*function == NULL ? NOT_FOUND : 0);
}

/* The compiler. */

EXPORTED int hiprtcCreateProgram(void **program, const char *source, const char *name, int headers,
                                 const char **sources, const char **names)
{
    (void)source;
    (void)name;
    (void)headers;
    (void)sources;
    (void)names;
    *program = &module;
    return 0;
}

EXPORTED int hiprtcCompileProgram(void *program, int count, const char **options)
{
    (void)program;
    (void)count;
    (void)options;
    return 0;
}

EXPORTED int hiprtcGetCodeSize(void *program, size_t *size)
{
    (void)program;
    *size = 1;
    return 0;
}

EXPORTED int hiprtcGetCode(void *program, char *code)
{
    (void)program;
    *code = 0;
    return 0;
}

EXPORTED int hiprtcGetProgramLogSize(void *program, size_t *size)
{
    return hiprtcGetCodeSize(program, size);
}

EXPORTED int hiprtcGetProgramLog(void *program, char *log)
{
    return hiprtcGetCode(program, log);
}

EXPORTED int hiprtcDestroyProgram(void **program)
{
    *program = NULL;
    return 0;
}

EXPORTED const char *hiprtcGetErrorString(int error)
{
    return error == 0 ? "HIPRTC_SUCCESS" : "an error";
}

/* How programs ask for functions: the library looks them up in itself. */

#ifndef OLD
#define PER_THREAD_FLAG 2u

static void *own_handle(void)
{
    Dl_info info;
    return dladdr(&module, &info) == 0 ? NULL : dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

static int find(const char *symbol, void **address, uint64_t flags, int *status)
{
    char twin[128];
    void *handle = own_handle();
    snprintf(twin, sizeof twin, "%s_spt", symbol);
    *address = flags == PER_THREAD_FLAG ? dlsym(handle, twin) : NULL;
    *address = *address != NULL ? *address : dlsym(handle, symbol);
    if (status != NULL) {
        *status = *address == NULL;
    }
    return *address == NULL ? INVALID_VALUE : 0;
}

EXPORTED int hipGetProcAddress(void *symbol, void *address, int version, uint64_t flags,
                               void *status)
{
    (void)version;
    return find(symbol, address, flags, status);
}

EXPORTED int hipGetProcAddress_spt(void *symbol, void *address, int version, uint64_t flags,
                                   void *status)
{
    (void)version;
    return find(symbol, address, flags == 0 ? PER_THREAD_FLAG : flags, status);
}

EXPORTED int hipGetDriverEntryPoint(void *symbol, void *address, uint64_t flags, void *status)
{
    return find(symbol, address, flags, status);
}

EXPORTED int hipGetDriverEntryPoint_spt(void *symbol, void *address, uint64_t flags, void *status)
{
    return find(symbol, address, flags == 0 ? PER_THREAD_FLAG : flags, status);
}
#endif
