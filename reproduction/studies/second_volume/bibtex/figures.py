"""Scores of systems beside the printed ones."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import name_rows
from reproduction.figures.style import COLORS, in_style
from reproduction.statistics import steady

__all__ = ["plot_scores"]


@in_style
def plot_scores(scores, errors, printed):
    """Scores with standard errors, and printed ones, one row per system, the best at the top."""
    names = list(dict.fromkeys([*scores.index, *printed.index]))
    values = steady([scores.get(name, printed.get(name)) for name in names])
    names = [names[place] for place in np.argsort(-values, kind="stable")]
    figure, axis = plt.subplots(figsize=(5.4, 1.2 + 0.27 * len(names)))
    places = np.arange(len(names))
    points = scores.reindex(names), errors.reindex(names)
    axis.errorbar(points[0], places, xerr=points[1], fmt="o", color=COLORS[0], ms=5, label="here")
    axis.plot(
        printed.reindex(names),
        places,
        "o",
        mfc="none",
        mec=COLORS[1],
        ms=9,
        mew=1.5,
        label="printed",
    )
    axis.set(xlabel="F1 by example, %", ylabel="method")
    axis.legend(loc="lower right")
    name_rows(axis, names)
    return figure
