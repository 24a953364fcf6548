"""Errors relative to those of a reference on the same splits."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from reproduction.figures.layout import label_outer, name_rows
from reproduction.figures.style import COLORS, in_style, mark_look


@in_style
def plot_ablation(frame, *, reference, metric="rrmse"):
    """Errors of each form relative to a reference on the same split, one panel per setting.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``.
    reference, metric : str
        The method to divide by, and which metric.

    Returns
    -------
    Figure
    """
    frame = frame[frame["metric"] == metric]
    settings = list(frame["setting"].unique())
    methods = [method for method in frame["method"].unique() if method != reference]
    shape = 2, -(-len(settings) // 2)
    size = 9, 1.2 + 0.42 * len(methods)
    figure, axes = plt.subplots(*shape, figsize=size, sharey=True, squeeze=False)
    places = np.arange(len(methods))
    for axis, setting in zip(axes.flat, settings, strict=False):
        rows = frame[frame["setting"] == setting]
        wide = rows.pivot(index="split", columns="method", values="value")
        ratios = wide[methods].div(wide[reference], axis=0)
        axis.hlines(places, ratios.min(), ratios.max(), color=COLORS[0], lw=1.5)
        axis.plot(ratios.mean(), places, "o", color=COLORS[1], ms=5)
        axis.axvline(1, color="black", lw=0.8)
        axis.set(xscale="log", title=setting)
        axis.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.xaxis.set_minor_formatter(NullFormatter())
    label_outer(axes, "relative error", "form")  # of what says the caption: there is no room
    name_rows(axes[0, 0], methods)  # all others share its vertical axis
    return figure


@in_style
def plot_relative_errors(frame, methods, *, reference, metric="arrmse"):
    """Errors of methods divided by those of a reference on the same splits, one row per setting.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``.
    methods : sequence of str
        The methods to draw, at most seven.
    reference, metric : str
        The method to divide by, and which metric.

    Returns
    -------
    Figure
    """
    frame = frame[frame["metric"] == metric]
    settings = list(frame["setting"].unique())
    table = frame.pivot(index=["setting", "split"], columns="method", values="value")
    places = np.arange(len(settings))
    figure, axis = plt.subplots(figsize=(7.6, 1.2 + 0.42 * len(settings)))
    offsets = np.linspace(-0.28, 0.28, len(methods))
    for number, (method, offset) in enumerate(zip(methods, offsets, strict=True)):
        groups = (table[method] / table[reference]).groupby("setting")
        mean, std = (value[settings].to_numpy() for value in (groups.mean(), groups.std()))
        look = mark_look(number) | {"ms": 4.5, "elinewidth": 1}
        axis.errorbar(mean, places + offset, xerr=std, label=method, **look)
    axis.axvline(1, color="black", lw=0.8)
    name_rows(axis, settings)
    axis.set(xlabel=f"error / error of {reference}", ylabel="data set")
    figure.legend(loc="outside upper center", ncols=len(methods))
    return figure
