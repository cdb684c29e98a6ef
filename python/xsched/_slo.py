"""The latency goal of the process."""

from typing import Optional

from ._calls import xhint_process_latency_goal, xhint_process_latency_ratio


def slo(milliseconds: Optional[float] = None, *, ratio: Optional[float] = None) -> None:
    """Asks that 99 of 100 requests of this process keep a latency, under the policy SLO.

    It holds for all that any thread launches from now on, but for streams that have an XQueue of
    their own. What is not given is taken back.

    :param milliseconds: the latency
    :param ratio: the same against what requests take alone, such as 1.05
    """
    if milliseconds is not None and not milliseconds >= 0.001:
        raise ValueError(f"{milliseconds} ms is no latency; give 0.001 or more")
    if ratio is not None and not ratio >= 1:
        raise ValueError(f"{ratio} is no ratio to standalone; give 1 or more, such as 1.05")
    xhint_process_latency_goal(-1 if milliseconds is None else round(milliseconds * 1000))
    xhint_process_latency_ratio(-1 if ratio is None else round(ratio * 1000))
