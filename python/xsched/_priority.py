"""The priority of the process for the time of a block."""

import threading
from contextlib import ContextDecorator
from typing import List, Optional

from ._calls import xhint_process_priority

_lock = threading.Lock()
_active: List["priority"] = []
_before_all = 0


class priority(ContextDecorator):  # noqa: N801, used like a function
    """Runs a block, or a function, at another priority.

    It is the priority of the process: it holds for all that any thread launches meanwhile, but for
    streams that have an XQueue of their own. Blocks can be nested; the innermost counts. Where
    threads have blocks at the same time, the one that was entered last counts.

    :param value: -255 to 255, higher is more important; -256 keeps work from executing
    """

    def __init__(self, value: int) -> None:
        self.value = value
        self._entered: List["priority"] = []

    def __enter__(self) -> "priority":
        global _before_all
        entry = priority(self.value)  # so that one object can be entered twice
        with _lock:
            before = xhint_process_priority(self.value)
            if not _active:
                _before_all = before
            _active.append(entry)
        self._entered.append(entry)
        return self

    def __exit__(self, *unused: Optional[object]) -> None:
        entry = self._entered.pop()
        with _lock:
            was_last = _active[-1] is entry
            _active.remove(entry)
            if was_last:
                xhint_process_priority(_active[-1].value if _active else _before_all)
