/* When the requests of a client come. */
#ifndef XSCHED_WORKER_ARRIVALS_H
#define XSCHED_WORKER_ARRIVALS_H

#include "random.h"

enum spacing {
    SPACING_EVEN,      /* all clients with one start are in step */
    SPACING_AROUND,    /* evenly drawn from period * (1 - spread) to period * (1 + spread) */
    SPACING_LOGNORMAL, /* period is the mean, spread is sigma */
};

struct arrivals {
    enum spacing spacing;
    int64_t period;
    double spread;
    int64_t start;
    struct random random;
    int64_t count; /* that came so far */
    int64_t last;  /* the last one's moment */
};

struct arrivals arrivals_from(int64_t start, enum spacing spacing, int64_t period, double spread,
                              struct random random);

/* The moment of the next one. */
int64_t arrivals_next(struct arrivals *arrivals);

#endif
