#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "client.h"

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
    /* One write, so that the lines of several programs do not mix. Nobody hears of a failure. */
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}
