#include "hiprtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "answer.h"

#define FUNCTIONS(X)                                                                               \
    X(hiprtcCreateProgram, (void **, const char *, const char *, int, const char *const *,         \
                            const char *const *))                                                  \
    X(hiprtcCompileProgram, (void *, int, const char *const *))                                    \
    X(hiprtcGetProgramLogSize, (void *, size_t *))                                                 \
    X(hiprtcGetProgramLog, (void *, char *))                                                       \
    X(hiprtcGetCodeSize, (void *, size_t *))                                                       \
    X(hiprtcGetCode, (void *, char *))                                                             \
    X(hiprtcDestroyProgram, (void **))

#define POINTER(function, parameters) static int(*function) parameters;
FUNCTIONS(POINTER)

static bool look_up(void *library)
{
#define LOOK_UP(function, parameters)                                                              \
    if ((function = (int(*) parameters)dlsym(library, #function)) == NULL) {                       \
        return false;                                                                              \
    }
    FUNCTIONS(LOOK_UP)
    return true;
}

static bool find_functions(void *hip_library)
{
    static const char *const names[] = {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5",
                                        "libhiprtc.so"};
    bool found = look_up(hip_library);
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        found = library != NULL && look_up(library);
    }
    return found || problem("no libhiprtc.so; install the hip-runtime-amd of ROCm, or put its lib "
                            "folder into LD_LIBRARY_PATH");
}

static void tell_log(void *program)
{
    size_t size = 0;
    char *log = NULL;
    if (hiprtcGetProgramLogSize(program, &size) == 0 && size > 0 &&
        (log = calloc(1, size + 1)) != NULL && hiprtcGetProgramLog(program, log) == 0) {
        problem("hiprtc does not compile kernels.cl; mend it there: %.200s", log);
    } else {
        problem("hiprtc does not compile kernels.cl, nor say why; see that comgr of the same ROCm "
                "is installed");
    }
    free(log);
}

static void *code_of(void *program, const char *architecture)
{
    size_t size = 0;
    void *code = NULL;
    char option[64];
    const char *options[] = {option};
    snprintf(option, sizeof option, "--offload-arch=%s", architecture == NULL ? "" : architecture);
    if (hiprtcCompileProgram(program, architecture == NULL ? 0 : 1, options) != 0) {
        tell_log(program);
    } else if (hiprtcGetCodeSize(program, &size) != 0 || (code = malloc(size + 1)) == NULL ||
               hiprtcGetCode(program, code) != 0) {
        problem("hiprtc compiles kernels.cl and does not hand it out; end programs that use much "
                "memory");
        free(code);
        code = NULL;
    }
    return code;
}

void *make_hip_code(void *hip_library, const char *source, const char *architecture)
{
    void *program;
    if (!find_functions(hip_library)) {
        return NULL;
    }
    if (hiprtcCreateProgram(&program, source, "kernels.cl", 0, NULL, NULL) != 0) {
        problem("hiprtc takes no programs; see that hiprtc and HIP are of the same ROCm");
        return NULL;
    }
    void *code = code_of(program, architecture);
    hiprtcDestroyProgram(&program);
    return code;
}
