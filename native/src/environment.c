/* What the user asks for by variables, as the original XSched names them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

#define PREFIX "XSCHED_AUTO_XQUEUE_"

struct variable {
    const char *name;
    enum xsched_hint_index hint;
    int64_t min;
    int64_t max; /* INT64_MAX: no upper bound */
};

/* The ranges are those of dev.xsched.policy.Hint. */
static const struct variable variables[] = {
    {PREFIX "PRIORITY", XSCHED_HINT_PRIORITY, -256, 255},
    {PREFIX "UTILIZATION", XSCHED_HINT_UTILIZATION, 0, 100},
    {PREFIX "DEADLINE", XSCHED_HINT_DEADLINE, 1, INT64_MAX},
    {PREFIX "LAXITY", XSCHED_HINT_LAXITY, 0, INT64_MAX},
    {PREFIX "TIMESLICE", XSCHED_HINT_TIMESLICE, 100, 10000000},
    {PREFIX "KDEADLINE", XSCHED_HINT_K, 1, INT32_MAX},
};

static void complain(const struct variable *variable, const char *text)
{
    if (variable->max == INT64_MAX) {
        xsched_say(0, "%s is '%.64s' and is ignored; give a whole number, %lld or more",
                   variable->name, text, (long long)variable->min);
    } else {
        xsched_say(0, "%s is '%.64s' and is ignored; give a whole number from %lld to %lld",
                   variable->name, text, (long long)variable->min, (long long)variable->max);
    }
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

static int read_level(void)
{
    const char *text = getenv(PREFIX "LEVEL");
    if (text == NULL || *text == 0 || strcmp(text, "auto") == 0) {
        return 0;
    }
    if (strlen(text) == 1 && *text >= '1' && *text <= '3') {
        return *text - '0';
    }
    xsched_say(0, "%s is '%.64s' and is ignored; give auto, 1, 2 or 3", PREFIX "LEVEL", text);
    return 0;
}

uint32_t xsched_count_in_environment(const char *name)
{
    struct variable variable = {.name = name, .min = 1, .max = 1000000};
    const char *text = getenv(name);
    int64_t value = 0;
    if (text != NULL && *text != 0 && !parse(&variable, text, &value)) {
        complain(&variable, text);
    }
    return (uint32_t)value;
}

void xsched_read_environment(struct xsched_asks *asks, int *level)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const struct variable *variable = &variables[i];
        const char *text = getenv(variable->name);
        if (text == NULL || *text == 0) {
            continue;
        }
        int64_t value;
        if (parse(variable, text, &value)) {
            asks->values[variable->hint] = value;
            asks->mask |= 1u << variable->hint;
        } else {
            complain(variable, text);
        }
    }
    asks->seq = asks->mask != 0;
    *level = read_level();
}
