"""How well a certainty ranks errors, from the table of rank correlations."""

import numpy as np
from scipy.stats import t as student

__all__ = ["mean_and_half_width"]


def mean_and_half_width(frame, metric):
    """Mean, and half of its 95 % interval, of a correlation by task and alpha."""
    cells = frame[frame["metric"] == metric].groupby("setting", sort=False)["value"]
    half = student.ppf(0.975, cells.count() - 1) * cells.std() / np.sqrt(cells.count())
    return cells.mean(), half
