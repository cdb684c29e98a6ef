"""XQueues as objects."""

import atexit
import os
import threading
import weakref
from types import TracebackType
from typing import Any, Callable, Dict, Optional, Set, Tuple, Type

from . import _calls
from ._errors import XSchedError
from ._library import pointer
from ._numbers import Level, Result, State

_CREATE: Dict[str, Callable[[Optional[int]], int]] = {
    "cuda": _calls.cuda_queue_create,
    "hip": _calls.hip_queue_create,
    "opencl": _calls.opencl_queue_create,
}

_SYNC, _WAIT_ALL, _WAIT_IDLE = 1, 2, 4
_DROP = 1
_BLOCKING_SUBMIT = 1
_LOOK_SECONDS = 0.1


#: Queues whose threads call Python. They stay until they are closed, also if the program lets go of
#: them with commands pending, and are stopped before the interpreter is.
_with_threads: "Set[Queue]" = set()


#: Who closes an XQueue: the first of several objects that were made of its stream.
_owners: "weakref.WeakValueDictionary[int, Queue]" = weakref.WeakValueDictionary()


@atexit.register
def _stop_threads() -> None:
    for made in list(_with_threads):
        made._stop()


class Command:
    """A function that was submitted to a queue."""

    def __init__(self, queue: "Queue", function: Callable[[], Any]) -> None:
        self._queue = queue
        self._function: Optional[Callable[[], Any]] = function
        self._error: Optional[BaseException] = None
        self._dropped = False  # or it may be: then only C knows
        self._call: Optional[threading.Lock] = None  # free once the function was called
        self.handle = 0
        # The queue keeps the command until it was launched; nobody else is to.
        me = weakref.ref(self)

        def launch(hwq: int) -> int:
            command = me()
            return Result.SUCCESS if command is None else command._launch()

        self.handle = _calls.hw_command_create_callback(launch)

    def _launch(self) -> int:
        try:
            if self._function is not None:
                self._function()
            return Result.SUCCESS
        except BaseException as error:  # raised again by wait
            self._error = error
            return Result.UNKNOWN
        finally:
            self._function = None
            if self._call is not None:
                self._call.release()
            self._queue._commands.pop(self.handle, None)

    def _wait_for_call(self) -> None:
        """Waits here for what may take for ever: C's wait does not end at Ctrl-C, which is why only
        the main thread needs this."""
        if threading.current_thread() is not threading.main_thread():
            return
        if self._call is None:
            call = threading.Lock()
            call.acquire()
            self._call = call
        while self._function is not None and not self._dropped:
            if self._call.acquire(timeout=_LOOK_SECONDS) or self._queue.idle:
                return

    def wait(self) -> None:
        """Waits until the work has completed; raises what the function raised."""
        try:
            self._wait_for_call()
            _calls.xqueue_wait(self._queue.handle, self.handle)
        except XSchedError as error:
            if self._error is not None:
                raise self._error from None
            if error.code != Result.NOT_FOUND or self._function is not None:
                raise
            self._queue.wait()  # called longer ago than the library remembers: all there is, then

    def __del__(self) -> None:
        if self.handle != 0:
            try:
                _calls.forget_command(self.handle)
            except XSchedError:  # older than the library remembers
                pass


class Queue:
    """A stream that is scheduled by itself; see :func:`queue`."""

    def __init__(
        self,
        stream: Any,
        platform: Optional[str] = None,
        level: int = Level.BLOCK,
        blocking: bool = False,
    ) -> None:
        found, address = pointer(stream)
        create = _CREATE.get(platform or found)
        if create is None:
            raise ValueError(f"platform is {platform!r}; give 'cuda', 'hip' or 'opencl'")
        self.stream = stream  # which has to live as long as the queue
        self._lock = threading.Lock()
        self._closed = False
        self._process = os.getpid()  # a forked child has the object, and no such queue
        self._priority = 0
        self._commands: Dict[int, Command] = {}
        self.hardware_handle = create(address)
        try:
            self.handle = _calls.xqueue_create(
                self.hardware_handle, level, _BLOCKING_SUBMIT if blocking else 0
            )
        except BaseException:
            _calls.hw_queue_destroy(self.hardware_handle)
            raise
        self._owns = _owners.setdefault(self.handle, self) is self

    @property
    def priority(self) -> int:
        """The priority that was asked for here last."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        _calls.xhint_priority(self.handle, value)
        self._priority = value

    def set_utilization(self, percent: int) -> None:
        """Asks for a share of the device, 0 to 100."""
        _calls.xhint_utilization(self.handle, percent)

    def set_deadline(self, microseconds: Optional[int]) -> None:
        """Asks for completion within that time after the queue turned ready."""
        _calls.xhint_deadline(self.handle, -1 if microseconds is None else microseconds)

    def set_laxity(
        self, microseconds: Optional[int], lax_priority: int = 0, critical_priority: int = 0
    ) -> None:
        """Says how long the queue can wait, and its priority before and after that."""
        laxity = -1 if microseconds is None else microseconds
        _calls.xhint_laxity(self.handle, laxity, lax_priority, critical_priority)

    def set_launch_config(self, threshold: int = 0, batch: int = 0) -> None:
        """Bounds the commands in flight, and says how often to synchronise; 0: as it is."""
        _calls.xqueue_set_launch_config(self.handle, threshold, batch)

    def suspend(self, sync: bool = False, wait_all: bool = False, wait_idle: bool = False) -> None:
        """Has nothing more launched on the stream until :meth:`resume`.

        Whoever launches on it, waits in that call. If that call does not let other Python threads
        run meanwhile, as some of PyOpenCL do not, resume from a thread that is not Python's.

        :param sync: return when all that was launched has completed
        :param wait_all: first have all completed that is in the queue now
        :param wait_idle: suspend at the next moment in which the queue is idle
        """
        flags = sync * _SYNC | wait_all * _WAIT_ALL | wait_idle * _WAIT_IDLE
        _calls.xqueue_suspend(self.handle, flags)

    def resume(self, drop: bool = False) -> None:
        """Goes on.

        :param drop: forget what was submitted and not launched
        """
        _calls.xqueue_resume(self.handle, _DROP if drop else 0)
        if drop:
            for command in list(self._commands.values()):
                command._dropped = True

    def submit(self, function: Callable[[], Any]) -> Command:
        """Has a thread of the queue call the function when its turn has come.

        What the function launches on the stream is one command. The functions are called in the
        order in which they were submitted.
        """
        if not callable(function):
            raise TypeError(f"{function!r} is no function; give one, such as lambda: model(batch)")
        command = Command(self, function)
        self._commands[command.handle] = command
        _with_threads.add(self)
        try:
            _calls.xqueue_submit(self.handle, command.handle)
        except BaseException:
            self._commands.pop(command.handle, None)
            raise
        return command

    def _stop(self) -> None:
        if not self._closed and self._process == os.getpid():
            try:
                self.suspend(sync=True)
            except XSchedError:  # its owner has closed it
                pass
            # Who comes later, such as a __del__, is told so. It would wait for what never ends.
            self._closed, self.handle = True, 0

    def _wait_for_calls(self) -> None:
        for command in [made for made in list(self._commands.values()) if not made._dropped][-1:]:
            command._wait_for_call()

    def wait(self) -> None:
        """Waits until all that is in the queue has completed."""
        self._wait_for_calls()
        _calls.xqueue_wait_all(self.handle)

    @property
    def idle(self) -> bool:
        """Whether everything has completed."""
        return _calls.xqueue_query(self.handle) == State.IDLE

    @property
    def commands(self) -> int:
        """How many commands there have been."""
        return _calls.xqueue_profile_hw_command_count(self.handle)

    def close(self) -> None:
        """Waits for the queue's commands and puts the stream back to the others of this program.

        Where the stream had a queue before this was made, it keeps that until the first one closes.
        """
        with self._lock:
            closed, self._closed = self._closed, True
        if not closed and self._process == os.getpid():
            try:
                if self._owns:
                    if threading.current_thread() is threading.main_thread():
                        self.resume()  # as destroying does
                        self._wait_for_calls()
                    _calls.xqueue_destroy(self.handle)
                elif self._commands:
                    self.wait()
            except BaseException:  # such as from a function of the queue itself
                self._closed = False
                raise
            if self._owns:
                _calls.hw_queue_destroy(self.hardware_handle)
            self._commands.clear()
            _with_threads.discard(self)

    def __enter__(self) -> "Queue":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"priority {self._priority}"
        return f"<xsched.Queue on {self.stream!r}, {state}>"


def queue(
    stream: Any,
    priority: Optional[int] = None,
    threshold: Optional[int] = None,
    batch: Optional[int] = None,
    *,
    utilization: Optional[int] = None,
    deadline: Optional[int] = None,
    laxity: Optional[Tuple[int, int, int]] = None,
    platform: Optional[str] = None,
    level: int = Level.BLOCK,
    blocking: bool = False,
) -> Queue:
    """Schedules a stream by itself, apart from the others of this program.

    :param stream: a torch.cuda.Stream, a stream of CuPy, a queue of PyOpenCL, or an address
    :param priority: -255 to 255, higher is more important
    :param threshold: the most commands in flight; without it, that adapts itself
    :param batch: commands per synchronisation point
    :param utilization: share of the device in percent
    :param deadline: microseconds after the queue turned ready
    :param laxity: microseconds it can wait, and its priority before and after that
    :param platform: whose address it is: 'cuda' (default), 'hip' or 'opencl'
    :param level: the preemption level
    :param blocking: have :meth:`Queue.submit` wait while too many commands are pending
    """
    made = Queue(stream, platform, level, blocking)
    try:
        if priority is not None:
            made.priority = priority
        if threshold is not None or batch is not None:
            made.set_launch_config(threshold or 0, batch or 0)
        if utilization is not None:
            made.set_utilization(utilization)
        if deadline is not None:
            made.set_deadline(deadline)
        if laxity is not None:
            made.set_laxity(*laxity)
    except BaseException:
        made.close()
        raise
    return made
