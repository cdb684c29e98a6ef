/*
 * A program that was started to be scheduled and never was says so when it ends. `xsched run` makes
 * an empty file and names it, with the process id of the program, in XSCHED_RUN=PID:FILE; who
 * reaches the scheduler, in whichever process of the tree, makes it longer.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim.h"

static char file[512];
static long main_process;

static void at_exit(void)
{
    if (getpid() != main_process) {
        return;
    }
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    if (lseek(fd, 0, SEEK_END) == 0) {
        xsched_say(0, "this program used no device that XSched knows, so nothing was scheduled; "
                      "'xsched doctor' shows what can be");
    }
    close(fd);
    unlink(file);
}

void xshim_reached(void)
{
    int error = errno;
    int fd = file[0] == 0 ? -1 : open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd >= 0) {
        /* If this fails, a line too many is said at the end. */
        ssize_t written = write(fd, "x", 1);
        (void)written;
        close(fd);
    }
    errno = error;
}

__attribute__((constructor)) static void read_environment(void)
{
    const char *value = getenv("XSCHED_RUN");
    const char *colon = value == NULL ? NULL : strchr(value, ':');
    if (colon != NULL && strlen(colon + 1) < sizeof file) {
        main_process = atol(value);
        snprintf(file, sizeof file, "%s", colon + 1);
        if (main_process == getpid()) {
            atexit(at_exit);
        }
    }
}
