/*
 * The stand-in for the kernel's side of the driver, for programs of other processes:
 *
 *     machine start       makes one, in the folder that XSCHED_TEST_RM names
 *     machine stop PID    disables that program's channels more often than anybody will enable them
 *     machine judge       fails if somebody did what the driver does not allow
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rm.h"

/* So that nobody has enabled them often enough for long. */
#define OFTEN 1000000

static int stop(int pid)
{
    int stopped = 0;
    for (int i = 0; i < RM_OBJECTS; i++) {
        struct rm_object *object = &rm_state()->objects[i];
        if (object->pid == pid && object->class != UINT32_MAX && (object->class & 0xff) == 0x6f) {
            object->disabled = OFTEN;
            stopped++;
        }
    }
    return stopped > 0 ? 0 : 1;
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    if (getenv("XSCHED_TEST_RM") == NULL) {
        fprintf(stderr, "machine: set XSCHED_TEST_RM to its folder\n");
        return 2;
    }
    if (strcmp(what, "start") == 0) {
        rm_start();
        return 0;
    }
    if (rm_state() == NULL) {
        fprintf(stderr, "machine: there is none in %s; run 'machine start'\n",
                getenv("XSCHED_TEST_RM"));
        return 2;
    }
    return strcmp(what, "stop") == 0 && count == 3 ? stop(atoi(arguments[2]))
           : rm_is_clean()                          ? 0
                                                    : 1;
}
