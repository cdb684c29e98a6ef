/* What the user asks for by variables, as the original XSched names them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "client.h"

#define PREFIX "XSCHED_AUTO_XQUEUE_"

struct variable {
    const char *name; /* after the prefix */
    enum xsched_hint_index hint;
    int64_t min;
    int64_t max; /* INT64_MAX: no upper bound */
};

/* The ranges are those of dev.xsched.policy.Hint. */
static const struct variable variables[] = {
    {"PRIORITY", XSCHED_HINT_PRIORITY, -256, 255},
    {"UTILIZATION", XSCHED_HINT_UTILIZATION, 0, 100},
    {"DEADLINE", XSCHED_HINT_DEADLINE, 1, INT64_MAX},
    {"LAXITY", XSCHED_HINT_LAXITY, 0, INT64_MAX},
    {"TIMESLICE", XSCHED_HINT_TIMESLICE, 100, 10000000},
    {"KDEADLINE", XSCHED_HINT_K, 1, INT32_MAX},
    {"SLO_P99", XSCHED_HINT_SLO_P99, 1, INT64_MAX},
    {"SLO_RATIO", XSCHED_HINT_SLO_RATIO, 1000, INT64_MAX},
};

/* What is wrong with all of them, for one line: there may be thousands of processes to say it. */
struct complaints {
    char text[420];
};

static void complain(struct complaints *all, const char *name, const char *text, const char *give)
{
    size_t length = strlen(all->text);
    snprintf(all->text + length, sizeof all->text - length,
             "%s" PREFIX "%.32s is '%.32s' and is ignored, give %s", length == 0 ? "" : "; ", name,
             text, give);
}

static void complain_about_number(struct complaints *all, const struct variable *variable,
                                  const char *text)
{
    char give[80];
    if (variable->max == INT64_MAX) {
        snprintf(give, sizeof give, "a whole number, %lld or more", (long long)variable->min);
    } else {
        snprintf(give, sizeof give, "a whole number from %lld to %lld", (long long)variable->min,
                 (long long)variable->max);
    }
    complain(all, variable->name, text, give);
}

static bool parse(const struct variable *variable, const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end != 0 || errno != 0 || number < variable->min ||
        number > variable->max) {
        return false;
    }
    *value = number;
    return true;
}

static void read_numbers(struct xsched_asks *asks, struct complaints *complaints)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const struct variable *variable = &variables[i];
        char name[64];
        snprintf(name, sizeof name, PREFIX "%s", variable->name);
        const char *text = getenv(name);
        int64_t value;
        if (text == NULL || *text == 0) {
            continue;
        }
        if (parse(variable, text, &value)) {
            asks->values[variable->hint] = value;
            asks->mask |= 1u << variable->hint;
        } else {
            complain_about_number(complaints, variable, text);
        }
    }
    asks->seq = asks->mask != 0;
}

static int read_level(struct complaints *complaints)
{
    const char *text = getenv(PREFIX "LEVEL");
    if (text == NULL || *text == 0 || strcmp(text, "auto") == 0) {
        return 0;
    }
    if (strlen(text) == 1 && *text >= '1' && *text <= '3') {
        return *text - '0';
    }
    complain(complaints, "LEVEL", text, "auto, 1, 2 or 3");
    return 0;
}

static bool is_known(const char *name, size_t length)
{
    /* Those that others read, beside what is in the table. */
    static const char *const more[] = {"LEVEL", "THRESHOLD", "BATCH_SIZE"};
    bool known = false;
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        known |= strlen(more[i]) == length && strncmp(more[i], name, length) == 0;
    }
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        known |= strlen(variables[i].name) == length &&
                 strncmp(variables[i].name, name, length) == 0;
    }
    return known;
}

/* A slip of the pen must not look as if it did something. */
static void find_unknown(struct complaints *complaints)
{
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        const char *equals = strchr(*entry, '=');
        if (equals == NULL || strncmp(*entry, PREFIX, strlen(PREFIX)) != 0) {
            continue;
        }
        char name[64];
        const char *start = *entry + strlen(PREFIX);
        snprintf(name, sizeof name, "%.*s", (int)(equals - start), start);
        if (!is_known(start, (size_t)(equals - start))) {
            complain(complaints, name, equals + 1,
                     PREFIX "PRIORITY, _UTILIZATION, _DEADLINE, _LAXITY, _TIMESLICE, _KDEADLINE, "
                            "_SLO_P99, _SLO_RATIO, _LEVEL, _THRESHOLD or _BATCH_SIZE");
        }
    }
}

uint32_t xsched_count_in_environment(const char *name)
{
    struct variable variable = {.name = name + strlen(PREFIX), .min = 1, .max = 1000000};
    struct complaints complaints = {{0}};
    const char *text = getenv(name);
    int64_t value = 0;
    if (text != NULL && *text != 0 && !parse(&variable, text, &value)) {
        complain_about_number(&complaints, &variable, text);
        xsched_say(0, "%s", complaints.text);
    }
    return (uint32_t)value;
}

static bool is_on(const struct xsched_switch *which)
{
    const char *text = getenv(which->name);
    if (text == NULL || *text == 0) {
        return which->usual;
    }
    bool on = strcasecmp(text, "ON") == 0 || strcmp(text, "1") == 0;
    if (on || strcasecmp(text, "OFF") == 0 || strcmp(text, "0") == 0) {
        return on;
    }
    xsched_say(0, "%s is '%.32s'; say ON or OFF. It is taken as %s", which->name, text,
               which->usual ? "ON" : "OFF");
    return which->usual;
}

int xsched_read_switch(struct xsched_switch *which)
{
    int state = is_on(which) ? XSCHED_SWITCHED_ON : XSCHED_SWITCHED_OFF;
    atomic_store(&which->state, state);
    return state;
}

/* NULL also for an empty one. A copy, for threads of ours: the program may change its environment. */
static const char *copy_of(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || *value == 0 ? NULL : strdup(value);
}

void xsched_read_environment(struct xsched_client *client)
{
    struct complaints complaints = {{0}};
    read_numbers(&client->block->asks, &complaints);
    client->asked_level = read_level(&complaints);
    client->chosen_folder = copy_of("XSCHED_DIR");
    client->runtime_folder = copy_of("XDG_RUNTIME_DIR");
    client->name = copy_of("XSCHED_NAME");
    find_unknown(&complaints);
    if (complaints.text[0] != 0) {
        xsched_say(0, "%s", complaints.text);
    }
}
