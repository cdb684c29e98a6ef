"""The numbers of the C interface."""

from enum import IntEnum


class Result(IntEnum):
    """What every function of the C interface returns."""

    SUCCESS = 0
    HARDWARE = 1
    INVALID_VALUE = 2
    NOT_FOUND = 3
    NOT_ALLOWED = 4
    NOT_SUPPORTED = 5
    BAD_RESPONSE = 6
    UNKNOWN = 999


class Level(IntEnum):
    """What preemption can stop: what was not launched, also what is in flight, also what runs."""

    BLOCK = 1
    DEACTIVATE = 2
    INTERRUPT = 3


class State(IntEnum):
    """Whether a queue holds commands that have not completed."""

    IDLE = 1
    READY = 2


class Scheduler(IntEnum):
    """Who schedules this program: itself, a scheduler of its own, or the machine's daemon."""

    APP_MANAGED = 1
    LOCAL = 2
    GLOBAL = 3


class Policy(IntEnum):
    """The rule of a local scheduler."""

    HPF = 1
    HHPF = 2
    CHPF = 3
    UP = 4
    PUP = 5
    SPUP = 6
    KEDF = 7
    LAX = 8
    AWF = 9
    CFS = 10
    MLFQ = 11
    SLO = 12
