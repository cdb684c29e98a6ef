/* Every function of the table, and how to call it. */
#ifndef XSCHED_TEST_CUDA_ENTRIES_H
#define XSCHED_TEST_CUDA_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

struct entry {
    const char *name;    /* NULL: the last one */
    const char *kind;    /* as in the table */
    const char *letters; /* of the arguments, as there, one each */
    int (*call)(void *function, const uint64_t *arguments);
    int (*link)(const uint64_t *arguments); /* as one that is linked with the driver */
};

extern const struct entry entries[];

/* What the library libuser.so does on its own account; libopener.so too, but for the first. */
const struct entry *user_entries(void);
void *user_open(const char *name);                            /* dlopen, dlsym */
void *user_ask(const char *name, int version, uint64_t flags); /* dlopen, cuGetProcAddress_v2 */
void *user_next(const char *name);                            /* RTLD_NEXT */
void *user_open_library(const char *file, int flags);
int user_own(void); /* libown.so: calls the cuLaunchKernel that is in it, which returns 4242 */

#endif
