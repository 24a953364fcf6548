"""Times of functions that take turns, so that a drift of the machine's speed cancels."""

import statistics
import time

import numpy as np


def median_times(repetitions, *functions):
    """Median time of each function in seconds; the functions take turns after a warm-up."""
    times = [[] for _ in functions]
    for round_ in range(repetitions + 1):
        for function, record in zip(functions, times, strict=True):
            start = time.perf_counter()
            function()
            if round_:
                record.append(time.perf_counter() - start)
    return [statistics.median(record) for record in times]


def growth_exponent(sizes, times):
    """Slope of log time on log size."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
