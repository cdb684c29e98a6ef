"""Preemptive scheduling of GPU work, from within a Python program.

Everything that this process launches, while a block runs, at a priority of its own::

    import xsched

    with xsched.priority(10):
        model(batch)

A stream that is scheduled by itself, apart from the others of this program::

    stream = torch.cuda.Stream()
    with xsched.queue(stream, priority=3, threshold=8, batch=4) as queue:
        with torch.cuda.stream(stream):
            model(batch)
        queue.suspend()
        queue.resume()

Start the program with ``xsched run -- python3 program.py``: without that, launches are not seen.

The functions of the C interface are here, too. ``xsched.XQueueCreate`` and its like are those of
the library as ctypes has them, and return a result; ``xsched.xqueue_create`` and its like raise
:class:`XSchedError` instead.
"""

from typing import Any, List

from . import _library
from ._calls import (
    cuda_queue_create,
    cuda_queue_get,
    hip_queue_create,
    hw_command_create_callback,
    hw_command_destroy,
    hw_queue_destroy,
    hw_queue_launch,
    hw_queue_synchronize,
    opencl_queue_create,
    xhint_deadline,
    xhint_k_deadline,
    xhint_latency_goal,
    xhint_latency_ratio,
    xhint_laxity,
    xhint_priority,
    xhint_process_latency_goal,
    xhint_process_latency_ratio,
    xhint_process_priority,
    xhint_set_scheduler,
    xhint_timeslice,
    xhint_utilization,
    xqueue_create,
    xqueue_destroy,
    xqueue_get,
    xqueue_profile_hw_command_count,
    xqueue_query,
    xqueue_resume,
    xqueue_set_launch_config,
    xqueue_set_preempt_level,
    xqueue_submit,
    xqueue_suspend,
    xqueue_wait,
    xqueue_wait_all,
)
from ._errors import XSchedError
from ._numbers import Level, Policy, Result, Scheduler, State
from ._priority import priority
from ._queue import Command, Queue, queue
from ._slo import slo

__version__ = "0.1.0"

__all__ = [
    "Command",
    "Level",
    "Policy",
    "Queue",
    "Result",
    "Scheduler",
    "State",
    "XSchedError",
    "cuda_queue_create",
    "cuda_queue_get",
    "hip_queue_create",
    "hw_command_create_callback",
    "hw_command_destroy",
    "hw_queue_destroy",
    "hw_queue_launch",
    "hw_queue_synchronize",
    "opencl_queue_create",
    "priority",
    "queue",
    "slo",
    "xhint_deadline",
    "xhint_k_deadline",
    "xhint_latency_goal",
    "xhint_latency_ratio",
    "xhint_laxity",
    "xhint_priority",
    "xhint_process_latency_goal",
    "xhint_process_latency_ratio",
    "xhint_process_priority",
    "xhint_set_scheduler",
    "xhint_timeslice",
    "xhint_utilization",
    "xqueue_create",
    "xqueue_destroy",
    "xqueue_get",
    "xqueue_profile_hw_command_count",
    "xqueue_query",
    "xqueue_resume",
    "xqueue_set_launch_config",
    "xqueue_set_preempt_level",
    "xqueue_submit",
    "xqueue_suspend",
    "xqueue_wait",
    "xqueue_wait_all",
]


def __getattr__(name: str) -> Any:
    """The functions of the C interface by their own names, as ctypes has them."""
    if name in _library.SIGNATURES:
        return _library.function(name)
    if name == "LaunchCallback":
        return _library.LaunchCallback
    raise AttributeError(f"module 'xsched' has no attribute '{name}'")


def __dir__() -> List[str]:
    return sorted([*__all__, *_library.SIGNATURES, "LaunchCallback"])
