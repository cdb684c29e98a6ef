#include "arrivals.h"

#include <math.h>

struct arrivals arrivals_from(int64_t start, enum spacing spacing, int64_t period, double spread,
                              struct random random)
{
    return (struct arrivals){.spacing = spacing,
                             .period = period,
                             .spread = spread,
                             .start = start,
                             .random = random,
                             .last = start};
}

/* Box and Muller's way to a normally distributed number. */
static double normal(struct random *random)
{
    double radius = sqrt(-2 * log(random_part(random)));
    return radius * cos(2 * M_PI * random_part(random));
}

static double interval(struct arrivals *arrivals)
{
    double period = (double)arrivals->period, spread = arrivals->spread;
    if (arrivals->spacing == SPACING_AROUND) {
        return period * (1 + spread * (2 * random_part(&arrivals->random) - 1));
    }
    /* Less by half a variance, because the mean of such numbers lies above their median. */
    return period * exp(spread * normal(&arrivals->random) - spread * spread / 2);
}

int64_t arrivals_next(struct arrivals *arrivals)
{
    if (arrivals->spacing == SPACING_EVEN) {
        arrivals->last = arrivals->start + arrivals->count * arrivals->period;
    } else {
        double nanos = interval(arrivals);
        arrivals->last += nanos < 1 ? 1 : nanos > 1e15 ? (int64_t)1e15 : (int64_t)nanos;
    }
    arrivals->count++;
    return arrivals->last;
}
