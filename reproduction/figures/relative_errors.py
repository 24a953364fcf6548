"""Errors relative to those of a reference on the same splits."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from reproduction.figures.layout import label_outer, name_rows, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.names import method_name
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_ablation(frame, *, reference, metric="rrmse"):
    """Errors of each form relative to a reference on the same split, one panel per setting."""
    frame = frame[frame["metric"] == metric]
    settings = list(frame["setting"].unique())
    methods = [method for method in frame["method"].unique() if method != reference]
    height = 0.65 + 0.21 * len(methods)
    figure, axes = panel_grid(len(settings), 1.2, height, beside=1.6, below=0.4, sharey=True)
    places = np.arange(len(methods))
    for axis, setting in zip(axes, settings, strict=True):
        rows = frame[frame["setting"] == setting]
        wide = rows.pivot(index="split", columns="method", values="value")
        ratios = wide[methods].div(wide[reference], axis=0)
        look = {"color": COLORS[0], "lw": 1.5, "label": "range"}
        axis.hlines(places, ratios.min(), ratios.max(), **look)
        axis.plot(ratios.mean(), places, "o", color=COLORS[1], ms=5, label="mean")
        axis.axvline(1, color="black", lw=0.8)
        axis.set(xscale="log", title=setting)
        wide = ratios.max(axis=None) > 5 * ratios.min(axis=None)
        locator = LogLocator() if wide else MaxNLocator(2, steps=[1, 2, 5, 10])
        axis.xaxis.set_major_locator(locator)
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.xaxis.set_minor_formatter(NullFormatter())
    label_outer(axes, "relative error", "form")  # of what says the caption: there is no room
    name_rows(axes[0], methods)  # all others share its vertical axis
    shared_legend(figure)
    return figure


@in_style
def plot_relative_errors(frame, methods, *, reference, metric="arrmse"):
    """Errors of methods divided by those of a reference on the same splits, one row per setting.

    At most seven methods have room.
    """
    frame = frame[frame["metric"] == metric]
    settings = list(frame["setting"].unique())
    table = frame.pivot(index=["setting", "split"], columns="method", values="value")
    places = np.arange(len(settings))
    figure, axis = plt.subplots(figsize=(5.4, 1.2 + 0.42 * len(settings)))
    offsets = 0.2 * (np.arange(len(methods)) - (len(methods) - 1) / 2)
    looks = method_looks(methods)
    for method, offset in zip(methods, offsets, strict=True):
        groups = (table[method] / table[reference]).groupby("setting")
        mean, std = (value[settings].to_numpy() for value in (groups.mean(), groups.std()))
        look = looks[method] | {"ls": "", "ms": 4.5, "elinewidth": 1}
        axis.errorbar(mean, places + offset, xerr=std, label=method, **look)
    axis.axvline(1, color="black", lw=0.8)
    name_rows(axis, settings)
    axis.set(xlabel=f"error / error of {method_name(reference)}", ylabel="data set")
    shared_legend(figure, "upper center")
    return figure
