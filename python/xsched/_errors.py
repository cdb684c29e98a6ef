"""What went wrong, and what to do about it."""

from typing import Dict

_REMEDIES: Dict[int, str] = {
    1: "the driver refused; check that the stream or queue still exists",
    2: "a value is out of its range; see the documentation of the function",
    3: "there is no such queue or command (any more); make it, or use it before it is closed",
    4: "not in this state, or not from this thread; close an XQueue before its hardware queue, "
    "submit a command once, and do not wait for a queue in a callback of that queue",
    5: "this machine or this release cannot do that; 'xsched doctor' shows what it can",
    6: "the scheduler gave an answer that makes no sense; use the same release for all parts",
    999: "there was no memory, or no thread could be started",
}


class XSchedError(Exception):
    """A function of XSched failed.

    :ivar code: the number, as in :class:`xsched.Result`; 0 if the library could not be loaded
    """

    def __init__(self, code: int, function: str = "", message: str = "") -> None:
        self.code = int(code)
        if not message:
            remedy = _REMEDIES.get(self.code, "an unknown result")
            message = f"{function or 'XSched'} failed with {self.code}: {remedy}"
        super().__init__(message)
