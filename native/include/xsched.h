/*
 * XSched for programs that make XQueues themselves, in C and C++. Names, numbers and signatures are
 * those of the original XSched, so that what was written for it links unchanged.
 *
 *     HwQueueHandle hwq;
 *     XQueueHandle xq;
 *     CudaQueueCreate(&hwq, stream);
 *     XQueueCreate(&xq, hwq, kPreemptLevelBlock, kQueueCreateFlagNone);
 *     XQueueSetLaunchConfig(xq, 8, 4);
 *     XHintPriority(xq, 3);
 *     ...                         // launch on the stream as ever, or XQueueSubmit
 *     XQueueDestroy(xq);
 *     HwQueueDestroy(hwq);
 *
 *     cc program.c -lxsched ...   then   xsched run -- ./a.out
 *
 * From XQueueCreate on, whatever this program launches on the stream, directly or through libraries
 * such as PyTorch or cuBLAS, goes through this XQueue's own gate; all other streams of the program
 * stay together behind one gate, as without this interface. That needs the library to be loaded
 * before the driver, which `xsched run` sees to; XQueueSubmit works in any case.
 *
 * Every function may be called from any thread at any time. None crashes for a handle that is not
 * (any more) one: that is kXSchedErrorNotFound. NULL where a result is to be put, and numbers out
 * of their range, are kXSchedErrorInvalidValue; nothing has changed then. After a fork the child
 * has no handles; what it launches is scheduled as that of any program.
 */
#ifndef XSCHED_H
#define XSCHED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t XQueueHandle;
typedef uint64_t HwQueueHandle;
typedef uint64_t HwCommandHandle;

typedef enum {
    kXSchedSuccess = 0,
    kXSchedErrorHardware = 1,     /* the driver refused */
    kXSchedErrorInvalidValue = 2, /* a number out of range, or NULL */
    kXSchedErrorNotFound = 3,     /* no such handle */
    kXSchedErrorNotAllowed = 4,   /* not in this state, or not from this thread */
    kXSchedErrorNotSupported = 5, /* not on this machine, or not by this release */
    kXSchedErrorBadResponse = 6,
    kXSchedErrorUnknown = 999     /* no memory */
} XResult;

typedef enum {
    kPreemptLevelUnknown = 0,
    kPreemptLevelBlock = 1,      /* stops commands that were not launched yet */
    kPreemptLevelDeactivate = 2, /* and those in flight */
    kPreemptLevelInterrupt = 3,  /* and the one that runs */
    kPreemptLevelMax
} XPreemptLevel;

typedef enum {
    kQueueStateUnknown = 0,
    kQueueStateIdle = 1, /* every command has completed */
    kQueueStateReady = 2
} XQueueState;

typedef enum {
    kQueueCreateFlagNone = 0x0000,
    kQueueCreateFlagBlockingSubmit = 0x0001, /* XQueueSubmit waits while too many are pending */
    kQueueCreateFlagMaskAll = -1
} XQueueCreateFlag;

typedef enum {
    kQueueSuspendFlagNone = 0x0000,
    kQueueSuspendFlagSyncHwQueue = 0x0001, /* return when all that was launched has completed */
    kQueueSuspendFlagWaitAll = 0x0002,     /* first have all completed that is there now */
    kQueueSuspendFlagWaitIdle = 0x0004,    /* suspend at the next moment in which it is idle */
    kQueueSuspendFlagMaskAll = -1
} XQueueSuspendFlag;

typedef enum {
    kQueueResumeFlagNone = 0x0000,
    kQueueResumeFlagDropCommands = 0x0001, /* forget what was submitted and not launched */
    kQueueResumeFlagMaskAll = -1
} XQueueResumeFlag;

typedef enum {
    kSchedulerUnknown = 0,
    kSchedulerAppManaged = 1, /* nobody but XQueueSuspend and XQueueResume */
    kSchedulerLocal = 2,      /* one for this program alone */
    kSchedulerGlobal = 3,     /* the machine's daemon; what holds if nothing is said */
    kSchedulerMax
} XSchedulerType;

typedef enum {
    kPolicyUnknown = 0,
    kPolicyHighestPriorityFirst = 1,
    kPolicyHeterogeneousHighestPriorityFirst = 2,
    kPolicyCPUHighestPriorityFirst = 3,
    kPolicyUtilizationPartition = 4,
    kPolicyProcessUtilizationPartition = 5,
    kPolicyStrictProcessUtilizationPartition = 6,
    kPolicyKEarliestDeadlineFirst = 7,
    kPolicyLaxity = 8,
    kPolicyActiveWindowFirst = 9,
    kPolicyCompletelyFairScheduler = 10,
    kPolicyMultiLevelFeedbackQueue = 11,
    kPolicyServiceLevelObjective = 12, /* beyond the original */
    kPolicyMax
} XPolicyType;

typedef int32_t Priority; /* higher is more important */
#define PRIORITY_NO_EXECUTE (-256)
#define PRIORITY_MIN (-255)
#define PRIORITY_DEFAULT 0
#define PRIORITY_MAX 255

typedef int32_t Utilization; /* percent */
#define UTILIZATION_MIN 0
#define UTILIZATION_DEFAULT 100
#define UTILIZATION_MAX 100

typedef int64_t Timeslice; /* microseconds */
#define TIMESLICE_MIN 100
#define TIMESLICE_DEFAULT 5000
#define TIMESLICE_MAX 10000000

typedef int64_t Laxity; /* microseconds */
#define NO_LAXITY (-1)

typedef int64_t Deadline; /* microseconds */
#define NO_DEADLINE (-1)

/* Puts work on the hardware queue; anything but kXSchedSuccess means that it did not. */
typedef XResult (*LaunchCallback)(HwQueueHandle hwq, void *data);

/* The driver's own types, under their own names; passing a void * is fine in C. */
struct CUstream_st;
struct ihipStream_t;
struct _cl_command_queue;

/* ---- hardware queues ---------------------------------------------------------------------------
 *
 * A stream or queue of the driver that already exists. It stays the program's: destroy it after the
 * HwQueue. The same stream gives the same handle again, until HwQueueDestroy.
 *
 * kXSchedErrorNotSupported: no such driver on this machine.
 * kXSchedErrorHardware: the driver knows no such stream.
 */

/* NULL is the default stream of the thread's current context, or device. */
XResult CudaQueueCreate(HwQueueHandle *hwq, struct CUstream_st *stream);
XResult HipQueueCreate(HwQueueHandle *hwq, struct ihipStream_t *stream);
XResult OpenclQueueCreate(HwQueueHandle *hwq, struct _cl_command_queue *queue);

/* The HwQueue that was made of a stream. kXSchedErrorNotFound: none was. */
XResult CudaQueueGet(HwQueueHandle *hwq, struct CUstream_st *stream);

/* kXSchedErrorNotAllowed while it has an XQueue. The stream itself is not touched. */
XResult HwQueueDestroy(HwQueueHandle hwq);

/*
 * Calls the command's callback at once, on this thread. What the callback launches is scheduled as
 * any other launch of the program is. Returns what the callback returned.
 */
XResult HwQueueLaunch(HwQueueHandle hwq, HwCommandHandle hw_cmd);

/* Waits until all that was launched on the stream has completed. */
XResult HwQueueSynchronize(HwQueueHandle hwq);

/* ---- commands ----------------------------------------------------------------------------------
 *
 * A command is submitted once. Its handle stays good for XQueueWait until HwCommandDestroy, or
 * until 65536 more were launched or dropped after it: nothing grows in a program that destroys none.
 */

/* launch is called when the command's turn has come, on a thread of the XQueue. */
XResult HwCommandCreateCallback(HwCommandHandle *hw_cmd, LaunchCallback launch, void *data);

/* A command that was submitted is carried out all the same. */
XResult HwCommandDestroy(HwCommandHandle hw_cmd);

/* ---- XQueues --------------------------------------------------------------------------------- */

/*
 * Gives the stream a queue of its own. If it has one, that is returned, as it is. A level that the
 * device does not have gives the highest that it has, and one line on the standard error.
 */
XResult XQueueCreate(XQueueHandle *xq, HwQueueHandle hwq, int64_t level, int64_t flags);

/*
 * Resumes the queue, waits until all in it has completed, and puts the stream back to the others of
 * this program. The HwQueue stays. kXSchedErrorNotAllowed from a launch callback of this queue.
 */
XResult XQueueDestroy(XQueueHandle xq);

/* The XQueue of a hardware queue. kXSchedErrorNotFound if it has none. */
XResult XQueueGet(XQueueHandle *xq, HwQueueHandle hwq);

/* kXSchedErrorNotSupported, and no change, if the device does not have that level. */
XResult XQueueSetPreemptLevel(XQueueHandle xq, int64_t level);

/*
 * At most threshold commands in flight, and a synchronisation point after every batch_size of them:
 * less in flight means faster preemption and more overhead. 0 or less leaves a number as it is.
 * Until this is called the window adapts itself to the time that commands take. What somebody sets
 * for this queue with `xsched config` wins. kXSchedErrorInvalidValue for more commands in a batch
 * than in flight.
 */
XResult XQueueSetLaunchConfig(XQueueHandle xq, int64_t threshold, int64_t batch_size);

/*
 * Puts a command behind those that were submitted before. They are launched in that order by a
 * thread of the queue. kXSchedErrorNotAllowed for a command that was submitted before.
 */
XResult XQueueSubmit(XQueueHandle xq, HwCommandHandle hw_cmd);

/*
 * Waits until the command has completed. Returns what its callback returned; kXSchedErrorNotFound
 * for one that was dropped; kXSchedErrorNotAllowed for one that is not in this queue, or from a
 * launch callback of this queue. As long as the queue is suspended, nothing in it completes.
 */
XResult XQueueWait(XQueueHandle xq, HwCommandHandle hw_cmd);

/* Waits until all that was submitted to the queue, or launched on its stream, has completed. */
XResult XQueueWaitAll(XQueueHandle xq);

/* Launches that the program makes itself may count as completed some moments late. */
XResult XQueueQuery(XQueueHandle xq, XQueueState *state);

/*
 * From now on no command of this queue is launched: submitted ones stay where they are, and whoever
 * launches on the stream, waits in that call until somebody resumes the queue. A thread that
 * suspends a queue and then launches on it itself waits for ever. Commands in flight go on;
 * kQueueSuspendFlagSyncHwQueue waits for them. Suspending twice is suspending once. This has
 * nothing to do with what the scheduler decides: a queue runs when both let it.
 */
XResult XQueueSuspend(XQueueHandle xq, int64_t flags);

/*
 * kQueueResumeFlagDropCommands forgets the submitted commands that were not launched; their
 * callbacks are never called. Launches of threads that wait in the driver's call are not dropped.
 */
XResult XQueueResume(XQueueHandle xq, int64_t flags);

/* How many commands have been submitted to the queue, or launched on its stream, so far. */
XResult XQueueProfileHwCommandCount(XQueueHandle xq, int64_t *count);

/* ---- hints -------------------------------------------------------------------------------------
 *
 * What the scheduler should know. It may allow less than is asked for; `xsched list` shows what
 * holds. Without a scheduler they have no effect.
 */

/*
 * Who schedules this program from now on. The policy counts for kSchedulerLocal only, where
 * kPolicyUnknown stands for highest priority first. The environment says the same by
 * XSCHED_SCHEDULER (GLB, LCL or APP) and XSCHED_POLICY (HPF, CFS, ...), which this call overrides.
 *
 * kXSchedErrorNotSupported: a local scheduler could not be started; the program runs unscheduled,
 * and one line on the standard error says why.
 */
XResult XHintSetScheduler(XSchedulerType scheduler, XPolicyType policy);

/* PRIORITY_MIN to PRIORITY_MAX, or PRIORITY_NO_EXECUTE. */
XResult XHintPriority(XQueueHandle xq, Priority prio);

/* UTILIZATION_MIN to UTILIZATION_MAX. */
XResult XHintUtilization(XQueueHandle xq, Utilization util);

/* TIMESLICE_MIN to TIMESLICE_MAX. For the whole system, if this user may say so. */
XResult XHintTimeslice(Timeslice ts_us);

/* 1 or more after the queue turned ready, or NO_DEADLINE. */
XResult XHintDeadline(XQueueHandle xq, Deadline ddl_us);

/* How many queues run at once with earliest deadline first; 1 or more. For the whole system. */
XResult XHintKDeadline(size_t k);

/* How long it can wait, 0 or more, or NO_LAXITY; and its priority before and after that. */
XResult XHintLaxity(XQueueHandle xq, Laxity lax_us, Priority lax_prio, Priority crit_prio);

/* ---- beyond the original --------------------------------------------------------------------- */

/*
 * The priority of all that this program launches outside of XQueues of its own, from now on. If
 * before is not NULL it gets the one that the program asked for until now.
 */
XResult XHintProcessPriority(Priority prio, Priority *before);

/*
 * The latency that 99 of 100 requests are to keep, under the policy kPolicyServiceLevelObjective:
 * as a time, 1 microsecond or more, or in thousandths of what they take alone, 1000 or more (1050
 * is 1.05 times). Where both are given, both are kept. NO_GOAL takes it back.
 */
#define NO_GOAL (-1)
XResult XHintLatencyGoal(XQueueHandle xq, int64_t p99_us);
XResult XHintLatencyRatio(XQueueHandle xq, int64_t thousandths);

/* The same for all that this program launches outside of XQueues of its own, from now on. */
XResult XHintProcessLatencyGoal(int64_t p99_us);
XResult XHintProcessLatencyRatio(int64_t thousandths);

#ifdef __cplusplus
}
#endif

#endif
