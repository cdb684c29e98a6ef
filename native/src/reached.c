/*
 * A program that was started to be scheduled and never was says so when it ends (shim/unreached.c).
 * `xsched run` makes an empty file and names it, with the process id of the program, in
 * XSCHED_RUN=PID:FILE; who reaches the scheduler, in whichever process of the tree, makes it longer.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"

char xsched_run_file[512];
long xsched_run_process;

void xsched_reached(void)
{
    bool may = xsched_run_file[0] != 0 && xsched_file_may_have(1);
    int fd = may ? open(xsched_run_file, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (fd >= 0) {
        /* If this fails, a line too many is said at the end. */
        ssize_t written = write(fd, "x", 1);
        (void)written;
        close(fd);
    }
}

/* At the beginning, because programs may change their environment. */
__attribute__((constructor(101))) static void read_environment(void)
{
    const char *value = getenv("XSCHED_RUN");
    const char *colon = value == NULL ? NULL : strchr(value, ':');
    if (colon != NULL && strlen(colon + 1) < sizeof xsched_run_file) {
        xsched_run_process = atol(value);
        snprintf(xsched_run_file, sizeof xsched_run_file, "%s", colon + 1);
    }
}
