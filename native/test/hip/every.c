/*
 * Calls every function of the table in the real HIP runtime with nothing, where it has no device, and
 * says what it answers or which signal ends it: to be the same with us in front of it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cuda/entries.h"

#define MOST_ARGUMENTS 14
#define PER_THREAD 2

static void call_in_a_child(const struct entry *entry, uint64_t stream)
{
    uint64_t a[MOST_ARGUMENTS] = {0};
    int status;
    const char *place = strchr(entry->letters, 's');
    if (place != NULL) {
        a[place - entry->letters] = stream;
    }
    fflush(stdout);
    if (fork() == 0) {
        void *function = dlsym(RTLD_DEFAULT, entry->name);
        printf("%s %d: ", entry->name, (int)stream);
        printf("%d\n", function == NULL ? -1 : entry->call(function, a));
        fflush(stdout);
        _exit(0);
    }
    wait(&status);
    if (status != 0) {
        printf("%s %d: ended by %d\n", entry->name, (int)stream, status);
    }
}

int main(void)
{
    for (const struct entry *entry = entries; entry->name != NULL; entry++) {
        if (strcmp(entry->kind, "use") != 0) {
            call_in_a_child(entry, 0);
            call_in_a_child(entry, PER_THREAD);
        }
    }
    return 0;
}
