"""What closed forms do with predicted embeddings: sums that stand still, and explosions."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import (
    draw_lines,
    label_outer,
    name_rows,
    panel_grid,
    shared_legend,
)
from reproduction.figures.style import COLORS, in_style, mark_look


@in_style
def plot_explosion(denominators, errors):
    """Errors of single predictions against the denominator of the printed closed form."""
    figure, axes = plt.subplots(figsize=(5.2, 3.4))
    draw_lines(axes, denominators, errors, look=mark_look, ms=4, alpha=0.7)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_xscale("symlog", linthresh=np.median(np.abs(denominators)) / 10)
    axes.set(yscale="log", xlabel="denominator", ylabel="error")
    axes.legend()
    return figure


@in_style
def plot_cancellation(panels, reference):
    """Predicted centroids, and the residuals that lead from there to the predictions."""
    figure, axes = panel_grid(len(panels), 1.7, 3.3, sharex=True, sharey=True)
    rows = np.arange(len(reference))
    look = {"arrowstyle": "->", "color": "black", "shrinkA": 0, "shrinkB": 0}
    for axis, (title, (centroids, sums)) in zip(axes, panels.items(), strict=True):
        axis.vlines(reference, rows - 0.4, rows + 0.4, color="0.5", lw=4, label="ridge of outputs")
        for row, ends in enumerate(zip(centroids, sums, strict=True)):
            axis.annotate("", (ends[1], row), (ends[0], row), arrowprops=look)
        axis.plot(centroids, rows, "s", color=COLORS[1], label="centroid $h_1 \\mu$")
        axis.plot(sums, rows, "o", color=COLORS[0], mfc="white", label="sum $h_1 \\mu + h_2$")
        axis.set_title(title.replace(", ", ",\n"))
    name_rows(axes[0], rows + 1)
    label_outer(axes, "output", "query")
    shared_legend(figure)
    return figure
