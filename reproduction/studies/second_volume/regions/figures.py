"""Figures of prediction regions: who finds an output odd, boxes, bands, coverage and size."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from reproduction.figures.layout import (
    WIDEST,
    label_outer,
    name_rows,
    only_ticks,
    panel_grid,
    shared_legend,
)
from reproduction.figures.looks import method_looks
from reproduction.figures.names import method_name
from reproduction.figures.style import (
    COLORS,
    DASHES,
    curve_look,
    in_style,
    line_look,
    mark_look,
)

__all__ = [
    "plot_bands",
    "plot_choosing",
    "plot_coverage",
    "plot_left_out",
    "plot_odd",
    "plot_regions",
    "plot_sizes",
]


@in_style
def plot_odd(X, y, query, region, tried, grid, curves, odd, titles):
    """Samples that find an output odd and samples that do not, a panel for each output."""
    figure, axes = panel_grid(len(tried), 1.7, 2.1, below=0.4, sharex=True, sharey=True)
    for axis, output, curve, finds, title in zip(axes, tried, curves, odd, titles, strict=True):
        axis.plot([query] * 2, region, color="0.75", lw=7, solid_capstyle="butt", label="kept")
        axis.plot(grid, curve, **line_look(0), label="fit to all")
        axis.plot(X[~finds], y[~finds], "o", color="0.3", mfc="white", ms=5, label="not odd")
        axis.plot(X[finds], y[finds], "s", color=COLORS[1], ms=5, label="finds y odd")
        axis.plot(query, output, "X", color="black", ms=8, label="y")
        axis.set_title(title)
    label_outer(axes, "input", "output")
    shared_legend(figure)
    return figure


@in_style
def plot_choosing(coverage, errors, level, published):
    """Coverage over the number of samples, a curve for each way to choose."""
    figure, axis = plt.subplots(figsize=(WIDEST, 3.4))
    sizes = coverage.index.astype(int)
    axis.axhline(level, color="black", lw=0.8)
    for number, name in enumerate(coverage):
        places = sizes * 1.04 ** (number - (coverage.shape[1] - 1) / 2)
        bars = {"yerr": 2 * errors[name], "capsize": 2, "ms": 5, "label": name}
        axis.errorbar(places, coverage[name], **bars, **curve_look(number))
    look = {"mfc": "white", "ms": 7, "label": "chosen once, another package"}
    axis.plot(published.index, published, "X", color="black", **look)
    axis.set(xscale="log", xlabel="training samples", ylabel="share of outputs in their regions")
    only_ticks(axis, list(sizes))
    shared_legend(figure)
    return figure


@in_style
def plot_left_out(X, y, grid, curve, without, chosen, replaced):
    """A fit, and those without one point each, a panel for each point."""
    figure, axes = panel_grid(len(chosen), 1.7, 1.7, below=0.4, sharex=True, sharey=True)
    for axis, i in zip(axes, chosen, strict=True):
        others = np.delete(np.arange(len(X)), i)
        axis.plot(X[others], y[others], "o", color="0.45", ms=4)
        axis.plot(grid, curve, **line_look(0), label="all points")
        axis.plot(grid, without[:, i], **line_look(1), label="without one")
        axis.plot(X[i], y[i], "X", color=COLORS[6], ms=8, label="left out")
        axis.plot(X[i], replaced[i], "o", color=COLORS[1], ms=7, mfc="white", label="put there")
        axis.plot([X[i]] * 2, [y[i], replaced[i]], ":", color=COLORS[6], lw=1)
    label_outer(axes, "input", "output")
    shared_legend(figure)
    return figure


@in_style
def plot_regions(Y, regions, truth):
    """Boxes of a few queries in the plane of the outputs, a panel for each method."""
    figure, axes = panel_grid(len(regions), 2.6, 2.6, sharex=True, sharey=True)
    for axis, (name, boxes) in zip(axes, regions.items(), strict=True):
        axis.plot(*Y.T, ".", color="0.7", ms=3)
        for number, (box, y) in enumerate(zip(boxes, truth, strict=True)):
            look = {"fc": "none", "ec": COLORS[number % 7], "ls": DASHES[number % 7], "lw": 1.6}
            axis.add_patch(Rectangle(box[:, 0], *np.ptp(box, axis=1), **look))
            axis.plot(*y, **mark_look(number), ms=6)
        axis.set_title(name)
        axis.autoscale_view()
    label_outer(axes, "$y_1$", "$y_2$")
    return figure


@in_style
def plot_bands(series, predicted, bands):
    """Series with the prediction and bands around it, a panel for each."""
    figure, axes = panel_grid(len(series), 1.7, 1.7, below=0.4, sharex=True, sharey=True)
    steps = np.arange(1, series.shape[1] + 1)
    for k, axis in enumerate(axes):
        for number, (name, ends) in reversed([*enumerate(bands.items())]):
            look = {"color": COLORS[number], "alpha": 0.3 - 0.1 * number, "lw": 0}
            axis.fill_between(steps, *ends[k].T, label=name, **look)
            axis.plot(steps, ends[k], color=COLORS[number], ls=DASHES[number], lw=0.8)
        axis.plot(steps, predicted[k], color="black", ls="--", lw=1, label="predicted")
        axis.plot(steps, series[k], "o-", color="black", ms=3, lw=1, label="observed")
    label_outer(axes, "step", "output")
    shared_legend(figure)
    return figure


@in_style
def plot_coverage(coverage, low, high):
    """Coverage of each set at each level, a panel for each method, with binomial bands."""
    figure, axes = panel_grid(len(coverage), 1.9, 3.6, beside=1.2, sharex=True, sharey=True)
    for axis, (method, shares) in zip(axes, coverage.items(), strict=True):
        places = np.arange(len(shares))
        for number, level in enumerate(shares.columns):
            ends = low[level], high[level]
            axis.hlines(places, *ends, color=COLORS[number], lw=5, alpha=0.25)
            axis.axvline(level, color=COLORS[number], lw=0.8, ls=":")
            look = mark_look(number) | {"ms": 5}
            axis.plot(shares[level], places, label=f"{level:.0%}", **look)
        axis.set_title(method_name(method))
    name_rows(axes[0], shares.index)  # all others share its vertical axis
    label_outer(axes, "share inside", "data set")
    shared_legend(figure)
    return figure


@in_style
def plot_sizes(ratios, reference):
    """Sides of regions relative to those of a reference, sets in rows."""
    figure, axis = plt.subplots(figsize=(WIDEST, 4.8))
    places = np.arange(len(ratios))
    axis.axvline(1.0, color="black", lw=0.8)
    for method, look in method_looks(ratios).items():
        axis.plot(ratios[method], places, label=method, **look | {"ls": ""})
    name_rows(axis, ratios.index)
    axis.set(xscale="log", xlabel=f"side of the region, relative to {reference}")
    axis.set_ylabel("data set")
    ticks = [0.125, 0.25, 0.5, 1, 2, 4, 8]
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.minorticks_off()
    shared_legend(figure)
    return figure
