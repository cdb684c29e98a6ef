/* Says at the end of a program that was started to be scheduled that it never was (src/reached.c). */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "shim.h"

static void at_exit(void)
{
    if (getpid() != xsched_run_process) {
        return;
    }
    int fd = open(xsched_run_file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    if (lseek(fd, 0, SEEK_END) == 0) {
        xsched_say(0, "%s, so nothing was scheduled; 'xsched doctor' shows what can be",
                   xshim_is_on() ? "this program used no device that XSched knows"
                                 : "XSCHED_AUTO_XQUEUE is OFF and this program made no XQueue");
    }
    close(fd);
    unlink(xsched_run_file);
}

/* After the one in src/reached.c, which has a priority. */
__attribute__((constructor)) static void watch_the_end(void)
{
    if (xsched_run_process == getpid()) {
        atexit(at_exit);
    }
}
