/* What goes out: one line of JSON per line that came in. */
#ifndef XSCHED_WORKER_ANSWER_H
#define XSCHED_WORKER_ANSWER_H

#include <stdbool.h>

/*
 * Keeps what went wrong, and what to do about it, until it is answered; the first one wins, as
 * others follow from it. From any thread. Returns false, so that it can be returned.
 */
bool problem(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Answers {"error":...} with what was kept. */
void answer_problem(void);

/* A text in quotes, as part of an answer. */
void put_text(const char *text);

/* The end of an answer. */
void end_answer(void);

#endif
