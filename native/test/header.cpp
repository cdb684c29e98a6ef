// The header is one for C++, too, whatever it includes before or after.
#include "xsched.h"

static XResult launch(HwQueueHandle, void *) { return kXSchedSuccess; }

int main()
{
    HwCommandHandle command = 0;
    XQueueHandle xq = 0;
    LaunchCallback callback = launch;
    XResult (*create)(HwQueueHandle *, CUstream_st *) = CudaQueueCreate;
    XQueueCreate(&xq, 0, kPreemptLevelBlock, kQueueCreateFlagNone);
    XHintSetScheduler(kSchedulerLocal, kPolicyHighestPriorityFirst);
    return create != nullptr && HwCommandCreateCallback(&command, callback, nullptr);
}
