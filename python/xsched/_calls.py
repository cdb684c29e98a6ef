"""The functions of the C interface with Python's names and errors. xsched.h says what each does."""

import ctypes
import itertools
import sys
from typing import Callable, Dict, Optional

from ._library import LaunchCallback, call, call_for_handle
from ._numbers import Level, Policy, Result, Scheduler, State

#: What is called with the handle of the hardware queue; None or 0 is success.
Launch = Callable[[int], Optional[int]]


class _Entry:
    """What a command calls. Kept while C may call it: destroying a submitted command is allowed."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.pending = False
        self.destroyed = False


_entries: Dict[int, _Entry] = {}
_keys_by_command: Dict[int, int] = {}
_next_key = itertools.count(1)


def _launch(hwq: int, key: Optional[int]) -> int:
    entry = _entries[key or 0]
    try:
        result = entry.launch(hwq)
        return int(result) if result is not None else Result.SUCCESS
    except BaseException:  # it must not get into C
        sys.excepthook(*sys.exc_info())
        return Result.UNKNOWN
    finally:
        entry.pending = False
        if entry.destroyed:
            _entries.pop(key or 0, None)


#: One for all, so that none is freed while it runs.
_trampoline = LaunchCallback(_launch)


def cuda_queue_create(stream: Optional[int]) -> int:
    """Returns the hardware queue of a CUDA stream, given by its address."""
    return call_for_handle("CudaQueueCreate", stream)


def cuda_queue_get(stream: Optional[int]) -> int:
    """Returns the hardware queue that was made of a CUDA stream before."""
    return call_for_handle("CudaQueueGet", stream)


def hip_queue_create(stream: Optional[int]) -> int:
    """Returns the hardware queue of a HIP stream."""
    return call_for_handle("HipQueueCreate", stream)


def opencl_queue_create(queue: Optional[int]) -> int:
    """Returns the hardware queue of an OpenCL command queue."""
    return call_for_handle("OpenclQueueCreate", queue)


def hw_queue_destroy(hwq: int) -> None:
    """Forgets a hardware queue; the stream itself stays."""
    call("HwQueueDestroy", hwq)


def hw_queue_launch(hwq: int, command: int) -> None:
    """Calls a command's function at once, on this thread."""
    call("HwQueueLaunch", hwq, command)


def hw_queue_synchronize(hwq: int) -> None:
    """Waits until the stream is empty."""
    call("HwQueueSynchronize", hwq)


def hw_command_create_callback(launch: Launch) -> int:
    """Makes a command of a function; destroy it, else the function is kept for ever."""
    key = next(_next_key)
    _entries[key] = _Entry(launch)
    try:
        command = call_for_handle("HwCommandCreateCallback", _trampoline, key)
    except BaseException:
        del _entries[key]
        raise
    _keys_by_command[command] = key
    return command


def hw_command_destroy(command: int) -> None:
    """Forgets a command; if it was submitted, it is launched all the same."""
    key = _keys_by_command.pop(command, 0)
    entry = _entries.get(key)
    if entry is not None:
        entry.destroyed = True
        if not entry.pending:
            del _entries[key]
    call("HwCommandDestroy", command)


def forget_command(command: int) -> None:
    """The same for a command that is known not to be launched any more."""
    entry = _entries.get(_keys_by_command.get(command, 0))
    if entry is not None:
        entry.pending = False
    hw_command_destroy(command)


def xqueue_create(hwq: int, level: int = Level.BLOCK, flags: int = 0) -> int:
    """Gives a hardware queue an XQueue."""
    return call_for_handle("XQueueCreate", hwq, level, flags)


def xqueue_destroy(xq: int) -> None:
    """Waits for the queue's commands and puts its stream back to the others."""
    call("XQueueDestroy", xq)


def xqueue_get(hwq: int) -> int:
    """Returns the XQueue of a hardware queue."""
    return call_for_handle("XQueueGet", hwq)


def xqueue_set_preempt_level(xq: int, level: int) -> None:
    """Sets the preemption level."""
    call("XQueueSetPreemptLevel", xq, level)


def xqueue_set_launch_config(xq: int, threshold: int, batch: int) -> None:
    """Sets the most commands in flight, and how many there are per synchronisation point."""
    call("XQueueSetLaunchConfig", xq, threshold, batch)


def xqueue_submit(xq: int, command: int) -> None:
    """Puts a command behind those that were submitted before."""
    entry = _entries.get(_keys_by_command.get(command, 0))
    if entry is None or entry.pending:
        call("XQueueSubmit", xq, command)
        return
    entry.pending = True
    try:
        call("XQueueSubmit", xq, command)
    except BaseException:
        entry.pending = False
        raise


def xqueue_wait(xq: int, command: int) -> None:
    """Waits until a command has completed."""
    call("XQueueWait", xq, command)


def xqueue_wait_all(xq: int) -> None:
    """Waits until all commands have completed."""
    call("XQueueWaitAll", xq)


def xqueue_query(xq: int) -> State:
    """Returns whether the queue holds commands that have not completed."""
    state = ctypes.c_int()
    call("XQueueQuery", xq, ctypes.byref(state))
    return State(state.value)


def xqueue_suspend(xq: int, flags: int = 0) -> None:
    """Has nothing more launched; flags 1, 2 and 4 wait, see xsched.h."""
    call("XQueueSuspend", xq, flags)


def xqueue_resume(xq: int, flags: int = 0) -> None:
    """Goes on; flag 1 drops what was submitted and not launched."""
    call("XQueueResume", xq, flags)


def xqueue_profile_hw_command_count(xq: int) -> int:
    """Returns how many commands there have been."""
    count = ctypes.c_int64()
    call("XQueueProfileHwCommandCount", xq, ctypes.byref(count))
    return count.value


def xhint_set_scheduler(scheduler: Scheduler, policy: Policy = Policy.HPF) -> None:
    """Says who schedules this program; the policy is that of a local scheduler."""
    call("XHintSetScheduler", scheduler, policy)


def xhint_priority(xq: int, priority: int) -> None:
    """Sets the priority of a queue, -255 to 255; -256 keeps it from executing."""
    call("XHintPriority", xq, priority)


def xhint_utilization(xq: int, percent: int) -> None:
    """Sets the share of a queue, 0 to 100."""
    call("XHintUtilization", xq, percent)


def xhint_timeslice(microseconds: int) -> None:
    """Sets the time slice of the policy, 100 to 10 million."""
    call("XHintTimeslice", microseconds)


def xhint_deadline(xq: int, microseconds: int) -> None:
    """Sets the deadline after the queue turned ready, 1 or more; -1 for none."""
    call("XHintDeadline", xq, microseconds)


def xhint_k_deadline(k: int) -> None:
    """Sets how many queues run at once with earliest deadline first."""
    call("XHintKDeadline", k)


def xhint_laxity(xq: int, microseconds: int, lax_priority: int, critical_priority: int) -> None:
    """Sets how long a queue can wait, and its priority before and after that; -1 for no limit."""
    call("XHintLaxity", xq, microseconds, lax_priority, critical_priority)


def xhint_latency_goal(xq: int, microseconds: int) -> None:
    """Sets the P99 that requests are to keep, 1 or more; -1 for none."""
    call("XHintLatencyGoal", xq, microseconds)


def xhint_latency_ratio(xq: int, thousandths: int) -> None:
    """Sets the same in thousandths of what they take alone, 1000 or more; -1 for none."""
    call("XHintLatencyRatio", xq, thousandths)


def xhint_process_latency_goal(microseconds: int) -> None:
    """Sets the P99 for all that this program launches outside of queues of its own."""
    call("XHintProcessLatencyGoal", microseconds)


def xhint_process_latency_ratio(thousandths: int) -> None:
    """Sets the ratio for all that this program launches outside of queues of its own."""
    call("XHintProcessLatencyRatio", thousandths)


def xhint_process_priority(priority: int) -> int:
    """Sets the priority of all that is launched outside of XQueues; returns the one before."""
    before = ctypes.c_int32()
    call("XHintProcessPriority", priority, ctypes.byref(before))
    return before.value
