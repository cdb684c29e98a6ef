/* Hints. The ranges are those of dev.xsched.policy.Hint; INT64_MAX stands there for none. */
#include "api.h"

static bool is_between(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

/* A queue beyond the last slot of the block is not scheduled, so it has no hints; that was said. */
static XResult hint(XQueueHandle xq, enum xsched_hint_index index, int64_t value, bool valid)
{
    struct api_xqueue *xqueue = api_use(xq, API_XQUEUE);
    if (xqueue == NULL) {
        return kXSchedErrorNotFound;
    }
    if (valid) {
        xsched_hint(xqueue->stream->unit->queue, index, value);
    }
    api_release(xqueue);
    return valid ? kXSchedSuccess : kXSchedErrorInvalidValue;
}

static XResult hint_all(enum xsched_hint_index index, int64_t value, bool valid)
{
    if (!valid) {
        return kXSchedErrorInvalidValue;
    }
    return xsched_hint_all(index, value) ? kXSchedSuccess : kXSchedErrorUnknown;
}

/* Units that come later find it among what the whole program asks for. */
static XResult hint_process(enum xsched_hint_index index, int64_t value, bool valid)
{
    XResult result = hint_all(index, value, valid);
    for (struct xshim_unit *unit = atomic_load(&xshim_units); valid && unit != NULL;
         unit = unit->next) {
        if (!unit->is_xqueue) {
            xsched_hint(unit->queue, index, value);
        }
    }
    return result;
}

XSCHED_PUBLIC XResult XHintPriority(XQueueHandle xq, Priority prio)
{
    return hint(xq, XSCHED_HINT_PRIORITY, prio,
                is_between(prio, PRIORITY_NO_EXECUTE, PRIORITY_MAX));
}

XSCHED_PUBLIC XResult XHintUtilization(XQueueHandle xq, Utilization util)
{
    return hint(xq, XSCHED_HINT_UTILIZATION, util,
                is_between(util, UTILIZATION_MIN, UTILIZATION_MAX));
}

XSCHED_PUBLIC XResult XHintTimeslice(Timeslice ts_us)
{
    return hint_all(XSCHED_HINT_TIMESLICE, ts_us,
                    is_between(ts_us, TIMESLICE_MIN, TIMESLICE_MAX));
}

XSCHED_PUBLIC XResult XHintDeadline(XQueueHandle xq, Deadline ddl_us)
{
    bool none = ddl_us == NO_DEADLINE;
    return hint(xq, XSCHED_HINT_DEADLINE, none ? INT64_MAX : ddl_us, none || ddl_us >= 1);
}

XSCHED_PUBLIC XResult XHintKDeadline(size_t k)
{
    return hint_all(XSCHED_HINT_K, (int64_t)k, k >= 1 && k <= INT32_MAX);
}

XSCHED_PUBLIC XResult XHintLaxity(XQueueHandle xq, Laxity lax_us, Priority lax_prio,
                                  Priority crit_prio)
{
    bool none = lax_us == NO_LAXITY;
    bool valid = (none || lax_us >= 0) && is_between(lax_prio, PRIORITY_MIN, PRIORITY_MAX) &&
                 is_between(crit_prio, PRIORITY_MIN, PRIORITY_MAX);
    XResult result = hint(xq, XSCHED_HINT_LAX_PRIORITY, lax_prio, valid);
    if (result == kXSchedSuccess) {
        result = hint(xq, XSCHED_HINT_CRITICAL_PRIORITY, crit_prio, valid);
    }
    if (result == kXSchedSuccess) {
        result = hint(xq, XSCHED_HINT_LAXITY, none ? INT64_MAX : lax_us, valid);
    }
    return result;
}

XSCHED_PUBLIC XResult XHintProcessPriority(Priority prio, Priority *before)
{
    if (!is_between(prio, PRIORITY_NO_EXECUTE, PRIORITY_MAX)) {
        return kXSchedErrorInvalidValue;
    }
    if (before != NULL) {
        *before = (Priority)xsched_hinted_all(XSCHED_HINT_PRIORITY, PRIORITY_DEFAULT);
    }
    return hint_process(XSCHED_HINT_PRIORITY, prio, true);
}

XSCHED_PUBLIC XResult XHintLatencyGoal(XQueueHandle xq, int64_t p99_us)
{
    bool none = p99_us == NO_GOAL;
    return hint(xq, XSCHED_HINT_SLO_P99, none ? INT64_MAX : p99_us, none || p99_us >= 1);
}

XSCHED_PUBLIC XResult XHintLatencyRatio(XQueueHandle xq, int64_t thousandths)
{
    bool none = thousandths == NO_GOAL;
    return hint(xq, XSCHED_HINT_SLO_RATIO, none ? INT64_MAX : thousandths,
                none || thousandths >= 1000);
}

XSCHED_PUBLIC XResult XHintProcessLatencyGoal(int64_t p99_us)
{
    bool none = p99_us == NO_GOAL;
    return hint_process(XSCHED_HINT_SLO_P99, none ? INT64_MAX : p99_us, none || p99_us >= 1);
}

XSCHED_PUBLIC XResult XHintProcessLatencyRatio(int64_t thousandths)
{
    bool none = thousandths == NO_GOAL;
    return hint_process(XSCHED_HINT_SLO_RATIO, none ? INT64_MAX : thousandths,
                        none || thousandths >= 1000);
}
