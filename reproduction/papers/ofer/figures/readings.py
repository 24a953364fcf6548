"""Effects of a method in each reading of Table 9, beside the choices of the reading."""

from itertools import product

import numpy as np
import pandas as pd

from reproduction.papers.ofer.drug_readings import INTERCEPTS, KERNELS, label
from reproduction.statistics.effects import mean_effect

__all__ = ["effects_by_reading"]


def effects_by_reading(frame, setting, methods, rival, *, level):
    """Difference of the errors of methods and a rival in the same reading.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table of readings.
    setting : str
        Number of training molecules.
    methods : sequence of str
        Methods without a reading, such as "OFER-GMM as printed".
    rival : str
        Likewise; it has the kernel and the intercept of the method that it is compared with.
    level : float
        One minus the confidence of the intervals, by Student's t-test over the splits.

    Returns
    -------
    effects : DataFrame
        ``value``, ``low`` and ``high``, in percent of the rival's mean error, and ``p``.
    choices : DataFrame of str
        The same rows: ``method``, ``kernel`` and ``intercept``.
    """
    rows = frame[(frame["metric"] == "rrmse") & (frame["setting"] == setting)]
    errors = rows.pivot(index="split", columns="method", values="value")
    effects, choices = [], []
    for method, kernel, intercept in product(methods, KERNELS, INTERCEPTS):
        theirs = errors[label(rival, kernel, intercept)].to_numpy()
        own = errors[label(method, kernel, intercept)].to_numpy()
        effect = mean_effect(own - theirs, unit=theirs.mean() / 100, level=level)
        effects.append((effect.value, effect.low, effect.high, effect.p))
        choices.append((method, kernel, intercept))
    return (
        pd.DataFrame(np.array(effects), columns=["value", "low", "high", "p"]),
        pd.DataFrame(choices, columns=["method", "kernel", "intercept"]),
    )
