/*
 * What we say goes where the program's errors go, which it may have closed, or given to somebody who
 * has gone or does not read. That must neither hold the program up nor end it.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

static bool is_read(void)
{
    struct pollfd errors = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&errors, 1, 0) == 1 && errors.revents == POLLOUT;
}

/* One write, so that the lines of several programs do not mix. Nobody hears of a failure. */
static void write_quietly(const char *line, size_t length)
{
    static const int failures[] = {SIGPIPE, SIGXFSZ};
    static const struct timespec at_once = {0};
    sigset_t quiet, before, pending;
    sigemptyset(&quiet);
    sigaddset(&quiet, SIGPIPE);
    sigaddset(&quiet, SIGXFSZ);
    sigaddset(&quiet, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &quiet, &before);
    sigpending(&pending);
    if (is_read() && write(STDERR_FILENO, line, length) < 0) {
        for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
            sigset_t failure;
            sigemptyset(&failure);
            sigaddset(&failure, failures[i]);
            if (!sigismember(&pending, failures[i])) {
                sigtimedwait(&failure, NULL, &at_once);
            }
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void xsched_say(uint32_t once, const char *format, ...)
{
    if (once != 0 && (atomic_fetch_or(&xsched_client.said, once) & once) != 0) {
        return;
    }
    char line[512] = "xsched: ";
    size_t length = 8;
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(line + length, sizeof line - length - 1, format, arguments);
    va_end(arguments);
    if (more < 0) {
        return;
    }
    length += (size_t)more < sizeof line - length - 1 ? (size_t)more : sizeof line - length - 2;
    line[length++] = '\n';
    int error = errno, cancel = xsched_forbid_cancel();
    write_quietly(line, length);
    xsched_allow_cancel(cancel);
    errno = error;
}
