"""Figures of pre-image losses, their minima and the searches for them."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST, label_outer, panel_grid, shared_legend
from reproduction.figures.style import COLORS, curve_look, in_style, line_look

# Contours at these multiples of the powers of ten: short labels.
COARSE, FINE = (1, 3), (1, 1.5, 2, 3, 4, 5, 6, 7, 8)


@in_style
def plot_loss_curves(y, panels, truth, *, highest):
    """Losses over an output in one dimension, their minima marked."""
    figure, axes = panel_grid(len(panels), 2.6, 2.9, below=0.3, sharey=True)
    for axis, (title, losses) in zip(axes, panels.items(), strict=True):
        for number, (name, loss) in enumerate(losses.items()):
            lowest = np.flatnonzero((loss[1:-1] < loss[:-2]) & (loss[1:-1] < loss[2:])) + 1
            axis.plot(y, loss, markevery=list(lowest), label=name, **curve_look(number))
        axis.axvline(truth, color="black", lw=0.8, ls=":", label="true output")
        axis.set(title=title, ylim=(-0.04 * highest, highest))
    label_outer(axes, "output $y$", "loss")
    shared_legend(figure)
    return figure


@in_style
def plot_loss_maps(grid, panels):
    """Contours of losses over the plane of outputs, in grey, with points on them."""
    shared = {"sharex": True, "sharey": True, "layout": "compressed"}
    figure, axes = panel_grid(len(panels), 2.6, 2.8, **shared)
    names = list(dict.fromkeys(name for _, points in panels.values() for name in points))
    for axis, (title, (loss, points)) in zip(axes, panels.items(), strict=True):
        _contours(axis, grid, loss)
        for name, places in points.items():
            _points(axis, places, names.index(name), name)
        axis.set(title=title)
    label_outer(axes, "$y_1$", "$y_2$")
    shared_legend(figure)
    return figure


@in_style
def plot_search_paths(grid, loss, paths, points):
    """Paths of a search from several starts, over the contours of its loss."""
    figure, axis = plt.subplots(figsize=(WIDEST, 4.2))
    _contours(axis, grid, loss)
    for path in np.swapaxes(paths, 0, 1):
        axis.plot(*path.T, "-", marker=".", ms=5, lw=1.4, color=COLORS[0])
    axis.lines[-1].set_label("steps from a start")
    for number, (name, places) in enumerate(points.items()):
        _points(axis, places, number, name)
    axis.set(xlabel="$y_1$", ylabel="$y_2$")
    shared_legend(figure)
    return figure


@in_style
def plot_vanishing_sum(t, sums, distances, scale):
    """The sum of precisions along a path of predictions, and what is decoded there."""
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(5.2, 4.6), sharex=True)
    for number, name in enumerate(sums):
        top.plot(t, sums[name], label=name, **line_look(number))
        bottom.plot(t, distances[name], **line_look(number))
    top.axhline(0, color="black", lw=0.8)
    bottom.axhline(scale, color="black", lw=0.8, ls=":", label="farthest training output")
    top.set_ylabel("sum of precisions\n$\\sum_j g_j \\sigma_j^{-2}$")
    bottom.set(xlabel="position on the way from $x_a$ to $x_b$", yscale="log")
    bottom.set_ylabel("distance of $y^\\star$ from\nthe mean output")
    top.legend()
    bottom.legend()
    return figure


def _contours(axis, grid, loss):
    """Grey contours with labels, darker where the loss is smaller."""
    places = grid[:, :, 0], grid[:, :, 1]
    # The last bits of a loss hang on the processor, and a label's place along its contour on them.
    mantissas, exponents = np.frexp(loss)
    loss = np.ldexp(mantissas.round(4), exponents)
    for multiples in (FINE, COARSE):
        levels = np.outer(10.0 ** np.arange(-3, 7), multiples).ravel()
        levels = levels[(levels > loss.min()) & (levels < loss.max())]
        if len(levels) <= 12:
            break
    greys = [str(shade) for shade in np.linspace(0.62, 1.0, len(levels) + 1)]
    axis.contourf(*places, loss, levels, colors=greys, extend="both")
    lines = axis.contour(*places, loss, levels, colors="0.25", linewidths=0.7)
    axis.clabel(lines, fmt="%g", fontsize=9)
    axis.set_aspect("equal")
    axis.set(xlim=grid[0, [0, -1], 0], ylim=grid[[0, -1], 0, 1])
    axis.grid(False)


def _points(axis, places, number, name):
    """Points in the look of this number."""
    marker, color, size, order = (
        ("o", "white", 6, 5),
        ("X", COLORS[1], 8, 7),
        ("*", "black", 11, 6),
        ("s", COLORS[2], 6, 4),
    )[number]
    look = {"color": color, "mec": "black", "ms": size, "zorder": order}
    axis.plot(*np.atleast_2d(places).T, marker, label=name, **look)
