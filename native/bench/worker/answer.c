#include "answer.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
static char kept[512];

bool problem(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&keeping);
    if (kept[0] == 0) {
        vsnprintf(kept, sizeof kept, format, arguments);
    }
    pthread_mutex_unlock(&keeping);
    va_end(arguments);
    return false;
}

void put_text(const char *text)
{
    putchar('"');
    for (; *text != 0; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '"' || letter == '\\') {
            printf("\\%c", letter);
        } else if (letter < ' ') {
            putchar(' ');
        } else {
            putchar(letter);
        }
    }
    putchar('"');
}

void end_answer(void)
{
    putchar('\n');
    fflush(stdout);
}

void answer_problem(void)
{
    pthread_mutex_lock(&keeping);
    printf("{\"error\":");
    put_text(kept[0] == 0 ? "something failed and did not say what; start another worker" : kept);
    putchar('}');
    kept[0] = 0;
    pthread_mutex_unlock(&keeping);
    end_answer();
}
