"""Coverage and size of regions by level, and their sides where all hold the same share."""

import numpy as np
import pandas as pd

from reproduction.statistics import mean_table

__all__ = ["LEVELS", "by_level", "sides_at"]

LEVELS = (0.5, 0.8, 0.9, 0.95)


def by_level(frame, method, what="coverage"):
    """Means over the splits, a row for each set and a column for each level."""
    means = {level: mean_table(frame, f"{what} {level}").get(method) for level in LEVELS}
    return pd.DataFrame(means)


def sides_at(frame, share=0.9):
    """Sides where exactly this share is held, interpolated between the levels.

    A row for each set and a column for each method; NaN where no level holds the share.
    """
    shares = {level: mean_table(frame, f"coverage {level}") for level in LEVELS}
    logs = {level: mean_table(frame, f"log size {level}") for level in LEVELS}
    sides = {}
    for method in logs[LEVELS[0]]:
        held = np.column_stack([shares[level][method] for level in LEVELS])
        log_sides = np.column_stack([logs[level][method] for level in LEVELS])
        pairs = zip(shares[LEVELS[0]].index, held, log_sides, strict=True)
        sides[method] = {name: _side(a, b, share) for name, a, b in pairs}
    return pd.DataFrame(sides)


def _side(held, log_sides, share):
    """Side of one set at the share; a level whose size is not known does not count."""
    known = ~np.isnan(log_sides)
    if not known.any() or held[known].max() < share:
        return np.nan
    return np.exp(np.interp(share, np.maximum.accumulate(held[known]), log_sides[known]))
