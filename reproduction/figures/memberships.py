"""Memberships of outputs, true and predicted."""

import numpy as np

from reproduction.figures.layout import label_outer, panel_grid, shared_legend
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_memberships(true, predicted):
    """Memberships (n, C) of a few outputs, true and predicted, as bars."""
    n, C = true.shape
    figure, axes = panel_grid(n, 1.6, 1.7, below=0.4, sharey=True)
    place = np.arange(C)
    for axis, t, p in zip(axes, true, predicted, strict=True):
        axis.bar(place - 0.2, t, 0.4, label="true", color=COLORS[0])
        look = {"color": "white", "edgecolor": COLORS[1], "hatch": "////"}
        axis.bar(place + 0.2, p, 0.4, label="predicted", **look)
        axis.set(xticks=place)
        axis.tick_params(axis="x", labelsize=9)
    label_outer(axes, "component", "membership")
    shared_legend(figure, "upper center")
    return figure
