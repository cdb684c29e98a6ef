#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

static const char blanks[] = " \t\r\n";

static struct word *find(struct words *words, const char *key)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->list[i].key, key) == 0) {
            return &words->list[i];
        }
    }
    return NULL;
}

static bool add(struct words *words, char *text)
{
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == 0) {
        return problem("'%s' is no key=value; write it without blanks around '='", text);
    }
    *equals = 0;
    if (find(words, text) != NULL) {
        return problem("%s is given twice; give it once", text);
    }
    struct word *longer = realloc(words->list, (words->count + 1) * sizeof *longer);
    if (longer == NULL) {
        return problem("no memory; end other programs");
    }
    words->list = longer;
    words->list[words->count++] = (struct word){.key = text, .value = equals + 1};
    return true;
}

bool words_split(struct words *words, char *line)
{
    char *rest = NULL;
    *words = (struct words){.verb = strtok_r(line, blanks, &rest)};
    if (words->verb == NULL) {
        return problem("an empty line; say load, play, suspend or output");
    }
    for (char *text; (text = strtok_r(NULL, blanks, &rest)) != NULL;) {
        if (!add(words, text)) {
            return false;
        }
    }
    return true;
}

void words_free(struct words *words)
{
    free(words->list);
    *words = (struct words){0};
}

const char *word_if_any(struct words *words, const char *key)
{
    struct word *word = find(words, key);
    if (word == NULL) {
        return NULL;
    }
    word->asked_for = true;
    return word->value;
}

const char *word_text(struct words *words, const char *key)
{
    const char *value = word_if_any(words, key);
    if (value == NULL) {
        problem("%s is missing; give %s=...", key, key);
    }
    return value;
}

bool word_number(struct words *words, const char *key, int64_t least, int64_t most,
                 int64_t *number)
{
    const char *text = word_text(words, key);
    char *end;
    if (text == NULL) {
        return false;
    }
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (errno != 0 || *end != 0 || *number < least || *number > most) {
        return problem("%s is '%s'; give a number from %lld to %lld", key, text, (long long)least,
                       (long long)most);
    }
    return true;
}

bool word_real(struct words *words, const char *key, double least, double most, double *number)
{
    const char *text = word_text(words, key);
    char *end;
    if (text == NULL) {
        return false;
    }
    *number = strtod(text, &end);
    if (*end != 0 || !(*number >= least && *number <= most)) {
        return problem("%s is '%s'; give a number from %g to %g", key, text, least, most);
    }
    return true;
}

bool words_all_asked_for(const struct words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        if (!words->list[i].asked_for) {
            return problem("%s has no meaning for '%s' here; leave it out", words->list[i].key,
                           words->verb);
        }
    }
    return true;
}
