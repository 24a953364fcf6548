"""Whether other programs worked while something was timed: what a stored time says of itself."""

import time
from importlib.util import find_spec

__all__ = ["BUSY", "watch"]

BUSY = 0.1
"""Processors in the hands of others, on average, beyond which a time is marked."""

_AT_WORK = ("user", "nice", "system", "irq", "softirq", "steal")  # steal: of another machine


def watch(process=None):
    """Look from now on at what other programs compute.

    The work of a process, of this one by default, and of all that it has started is ours. The
    function that is returned gives the mean number of processors that others have used since, or
    None where psutil is not installed. The load average would not do: it remembers the minute
    before, counts our own processes, and a single thread is slowed down before all processors are
    taken.
    """
    if find_spec("psutil") is None:  # the oldest and newest versions are tested without
        return lambda: None
    import psutil

    process = process or psutil.Process()
    start, before = time.monotonic(), _seconds_of_others(process)

    def others():
        passed = max(time.monotonic() - start, 1e-3)
        return round(max(0.0, _seconds_of_others(process) - before) / passed, 2)

    return others


def _seconds_of_others(process):
    """Seconds of processors spent outside of a process and its descendants, from some moment on."""
    import psutil

    everything, ours = psutil.cpu_times(), 0.0
    for member in (process, *process.children(recursive=True)):
        try:
            times = member.cpu_times()
        except psutil.NoSuchProcess:  # it has just ended: its parent has its times
            continue
        # Of children, those that have ended.
        ours += times.user + times.system + times.children_user + times.children_system
    return sum(getattr(everything, name, 0.0) for name in _AT_WORK) - ours
