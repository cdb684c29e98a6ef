#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>

void numbers_add(struct numbers *numbers, int64_t value)
{
    if (numbers->count == numbers->room) {
        size_t room = numbers->room == 0 ? 1024 : numbers->room * 2;
        int64_t *values = realloc(numbers->values, room * sizeof *values);
        if (values == NULL) {
            fprintf(stderr, "worker: no memory for results; end other programs\n");
            exit(1);
        }
        numbers->values = values;
        numbers->room = room;
    }
    numbers->values[numbers->count++] = value;
}

void numbers_print(const char *name, const struct numbers *numbers)
{
    printf("\"%s\":[", name);
    for (size_t i = 0; i < numbers->count; i++) {
        printf("%s%lld", i == 0 ? "" : ",", (long long)numbers->values[i]);
    }
    printf("]");
}

void ledger_offered(struct ledger *ledger, int64_t arrival)
{
    ledger->offered += arrival >= ledger->from && arrival < ledger->to;
}

void ledger_wanted(struct ledger *ledger, int64_t arrival, int64_t end)
{
    struct numbers *wants = &ledger->wants;
    int64_t from = (arrival < ledger->from ? ledger->from : arrival) - ledger->from;
    int64_t to = (end > ledger->to ? ledger->to : end) - ledger->from;
    if (from >= to) {
        return;
    }
    if (wants->count > 0 && from <= wants->values[wants->count - 1]) {
        if (to > wants->values[wants->count - 1]) {
            wants->values[wants->count - 1] = to;
        }
    } else {
        numbers_add(wants, from);
        numbers_add(wants, to);
    }
}

void ledger_done(struct ledger *ledger, int64_t arrival, int64_t first, int64_t longest, int64_t end)
{
    ledger_wanted(ledger, arrival, end);
    if (end >= ledger->from && end < ledger->to) {
        numbers_add(&ledger->arrived, arrival - ledger->from);
        numbers_add(&ledger->done, end - ledger->from);
        if (first != 0) {
            numbers_add(&ledger->first, first - ledger->from);
            numbers_add(&ledger->longest, longest);
        }
    }
}

void ledger_print(const struct ledger *ledger)
{
    printf("{\"offered\":%lld,", (long long)ledger->offered);
    numbers_print("arrived", &ledger->arrived);
    printf(",");
    numbers_print("done", &ledger->done);
    printf(",");
    if (ledger->first.count > 0) {
        numbers_print("first", &ledger->first);
        printf(",");
        numbers_print("longest", &ledger->longest);
        printf(",");
    }
    numbers_print("wants", &ledger->wants);
    printf("}");
}

void ledger_free(struct ledger *ledger)
{
    free(ledger->arrived.values);
    free(ledger->done.values);
    free(ledger->first.values);
    free(ledger->longest.values);
    free(ledger->wants.values);
}
