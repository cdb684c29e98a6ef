/* That HIP's own compiler takes the worker's kernels, where it is installed; no device is needed. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "hiprtc.h"
#include "text.h"

int main(int count, char **arguments)
{
    char *source = count == 2 ? read_text(arguments[1]) : NULL;
    void *library = dlopen("libamdhip64.so", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        printf("skipped: no libamdhip64.so here; apt-get install libamdhip64-dev\n");
        return 0;
    }
    void *code = source == NULL ? NULL : make_hip_code(library, source, "gfx90a");
    if (code == NULL) {
        answer_problem();
    }
    free(source);
    /* A code object, or a bundle of such. */
    bool fine = code != NULL && (memcmp(code, "\177ELF", 4) == 0 ||
                                 memcmp(code, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0);
    free(code);
    return fine ? 0 : 1;
}
