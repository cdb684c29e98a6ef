/* Who schedules this program: the machine's daemon, one of its own, or nobody. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api.h"

static const char *const policies[kPolicyMax] = {
    [kPolicyHighestPriorityFirst] = "HPF",
    [kPolicyHeterogeneousHighestPriorityFirst] = "HHPF",
    [kPolicyCPUHighestPriorityFirst] = "CHPF",
    [kPolicyUtilizationPartition] = "UP",
    [kPolicyProcessUtilizationPartition] = "PUP",
    [kPolicyStrictProcessUtilizationPartition] = "SPUP",
    [kPolicyKEarliestDeadlineFirst] = "KEDF",
    [kPolicyLaxity] = "LAX",
    [kPolicyActiveWindowFirst] = "AWF",
    [kPolicyCompletelyFairScheduler] = "CFS",
    [kPolicyMultiLevelFeedbackQueue] = "MLFQ",
    [kPolicyServiceLevelObjective] = "SLO",
};

static pthread_mutex_t choosing = PTHREAD_MUTEX_INITIALIZER;
static bool chosen; /* by the program, or by its environment */

/* With `choosing` held. */
static XResult choose(XSchedulerType scheduler, const char *policy)
{
    char folder[108];
    chosen = true;
    switch (scheduler) {
    case kSchedulerLocal:
        if (!api_start_private_daemon(policy, folder, sizeof folder)) {
            xsched_follow(NULL);
            return kXSchedErrorNotSupported;
        }
        xsched_follow(folder);
        return kXSchedSuccess;
    case kSchedulerGlobal:
        xsched_follow("");
        break;
    default:
        xsched_follow(NULL);
        break;
    }
    api_end_private_daemon();
    return kXSchedSuccess;
}

XSCHED_PUBLIC XResult XHintSetScheduler(XSchedulerType scheduler, XPolicyType policy)
{
    if ((int)scheduler <= kSchedulerUnknown || scheduler >= kSchedulerMax || (int)policy < 0 ||
        policy >= kPolicyMax) {
        return kXSchedErrorInvalidValue;
    }
    if (policy == kPolicyUnknown) {
        policy = kPolicyHighestPriorityFirst;
    }
    int cancel = xsched_forbid_cancel();
    pthread_mutex_lock(&choosing);
    XResult result = choose(scheduler, policies[policy]);
    pthread_mutex_unlock(&choosing);
    xsched_allow_cancel(cancel);
    return result;
}

static const char *policy_in_environment(void)
{
    const char *text = getenv("XSCHED_POLICY");
    if (text == NULL || *text == 0) {
        return policies[kPolicyHighestPriorityFirst];
    }
    for (int i = kPolicyUnknown + 1; i < kPolicyMax; i++) {
        if (strcasecmp(text, policies[i]) == 0) {
            return policies[i];
        }
    }
    xsched_say(0, "XSCHED_POLICY is '%.64s' and is taken as HPF; give one such as CFS", text);
    return policies[kPolicyHighestPriorityFirst];
}

void xshim_choose_scheduler(void)
{
    pthread_mutex_lock(&choosing);
    const char *text = chosen ? NULL : getenv("XSCHED_SCHEDULER");
    chosen = true;
    if (text != NULL && strcasecmp(text, "LCL") == 0) {
        choose(kSchedulerLocal, policy_in_environment());
    } else if (text != NULL && strcasecmp(text, "APP") == 0) {
        choose(kSchedulerAppManaged, NULL);
    } else if (text != NULL && *text != 0 && strcasecmp(text, "GLB") != 0) {
        xsched_say(0, "XSCHED_SCHEDULER is '%.64s' and is taken as GLB; give GLB, LCL or APP",
                   text);
    }
    pthread_mutex_unlock(&choosing);
}

static void in_child(void)
{
    pthread_mutex_init(&choosing, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
