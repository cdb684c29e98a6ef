/* A line that came in: a verb, then key=value, separated by blanks. */
#ifndef XSCHED_WORKER_WORDS_H
#define XSCHED_WORKER_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct word {
    const char *key;
    const char *value;
    bool asked_for;
};

struct words {
    const char *verb;
    struct word *list;
    size_t count;
};

/* Takes the line apart in place, so it must outlive the words. False and a problem if it cannot. */
bool words_split(struct words *words, char *line);
void words_free(struct words *words);

/* NULL if it is not there, which is a problem only for those that say so. */
const char *word_if_any(struct words *words, const char *key);
const char *word_text(struct words *words, const char *key);
bool word_number(struct words *words, const char *key, int64_t least, int64_t most,
                 int64_t *number);
bool word_real(struct words *words, const char *key, double least, double most, double *number);

/* False, and a problem, if nobody asked for a word: a typing error would have no effect. */
bool words_all_asked_for(const struct words *words);

#endif
