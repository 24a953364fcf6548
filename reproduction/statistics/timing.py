"""Times of calls."""

import time

__all__ = ["shortest_time"]


def shortest_time(function, *, n_calls=3):
    """Value of a function, and the shortest time of some calls; a slow one is called once.

    It is the time of the processor, with one thread as all units have: what else the machine does
    meanwhile matters less.

    Parameters
    ----------
    function : callable
        Without arguments.
    n_calls : int, default=3
        How often a function is called that takes less than a tenth of a second.

    Returns
    -------
    value : object
        What the function returned.
    seconds : float
        The shortest time.
    """
    times = []
    for _ in range(n_calls):
        start = time.thread_time()
        value = function()
        times.append(time.thread_time() - start)
        if times[-1] > 0.1:
            break
    return value, min(times)
