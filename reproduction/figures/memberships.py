"""Memberships of outputs, true and predicted."""

import numpy as np

from reproduction.figures.layout import shared_legend, side_by_side
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_memberships(true, predicted):
    """Memberships of a few outputs, true and predicted, as bars.

    Parameters
    ----------
    true, predicted : ndarray of shape (n, C)
        Responsibilities; predicted ones may leave [0, 1].

    Returns
    -------
    Figure
    """
    n, C = true.shape
    figure, axes = side_by_side(n, 1.6, 2.3, sharey=True)
    place = np.arange(C)
    for axis, t, p in zip(axes, true, predicted, strict=True):
        axis.bar(place - 0.2, t, 0.4, label="true", color=COLORS[0])
        look = {"color": "white", "edgecolor": COLORS[1], "hatch": "////"}
        axis.bar(place + 0.2, p, 0.4, label="predicted", **look)
        axis.set(xticks=place, xlabel="component")
        axis.tick_params(axis="x", labelsize=7)
    axes[0].set_ylabel("membership")
    shared_legend(axes[0], "upper center", ncols=2)
    return figure
