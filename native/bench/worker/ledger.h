/* What became of the requests of one queue, in the interval that is measured. */
#ifndef XSCHED_WORKER_LEDGER_H
#define XSCHED_WORKER_LEDGER_H

#include <stddef.h>
#include <stdint.h>

struct numbers {
    int64_t *values;
    size_t count, room;
};

void numbers_add(struct numbers *numbers, int64_t value);
void numbers_print(const char *name, const struct numbers *numbers); /* "name":[1,2,3] */

struct ledger {
    int64_t from, to; /* measured is [from, to) */
    int64_t offered;
    struct numbers arrived, done; /* of requests that ended, relative to from */
    struct numbers first;         /* of those that wait for each kernel: when the first ended */
    struct numbers longest;       /* and what the slowest of the others took */
    struct numbers wants;         /* from, to, from, to, ...: when a request was there, merged */
};

/* A request came, whatever becomes of it. */
void ledger_offered(struct ledger *ledger, int64_t arrival);

/* It was there all this time. In the order of arrivals. */
void ledger_wanted(struct ledger *ledger, int64_t arrival, int64_t end);

/* It ended. In the order of arrivals, which is the order of ends. First is 0 where nobody looked. */
void ledger_done(struct ledger *ledger, int64_t arrival, int64_t first, int64_t longest, int64_t end);

void ledger_print(const struct ledger *ledger);
void ledger_free(struct ledger *ledger);

#endif
