"""Curves over a common axis, panel by panel."""

import numpy as np

from reproduction.figures.layout import (
    draw_band,
    label_outer,
    only_ticks,
    panel_grid,
    shared_legend,
)
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style


@in_style
def plot_curves(
    x, panels, *, xlabel, ylabel, chosen=None, mark="chosen", xscale="log", yscale="linear"
):
    """Curves over a common axis, by panel and name; several runs as their mean and a band.

    The band is one standard deviation, and a name has the same look in every panel. A line marks
    the chosen place of a panel, if there is one.
    """
    figure, axes = panel_grid(len(panels), 2.6, 2.6, below=0.4)
    looks = method_looks(name for curves in panels.values() for name in curves)
    for axis, (title, curves) in zip(axes, panels.items(), strict=True):
        for name, values in curves.items():
            runs = np.atleast_2d(values)
            middle, spread = runs.mean(axis=0), runs.std(axis=0, ddof=len(runs) > 1)
            axis.plot(x, middle, ms=4, label=name, **looks[name])
            if len(runs) > 1:
                draw_band(axis, x, middle, spread, looks[name]["color"])
        if chosen:
            axis.axvline(chosen[title], color="black", lw=0.8, ls=":", label=mark)
        axis.set(title=title, xscale=xscale, yscale=yscale)
        if len(x) < 8:
            only_ticks(axis, x)
    label_outer(axes, xlabel, ylabel)
    shared_legend(figure)
    return figure
