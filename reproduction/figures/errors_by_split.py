"""Errors with one dot per split."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import label_outer, metric_name, name_rows, panel_grid
from reproduction.figures.names import method_name, setting_name
from reproduction.figures.style import COLORS, in_style, mark_look

_SPLIT = {"ms": 4, "alpha": 0.7, **mark_look(0)}
_MEAN = {"color": COLORS[1], "lw": 2}


@in_style
def plot_paired_differences(frame, pairs, *, metric="rrmse", size="training samples"):
    """Differences between two methods on the same splits, one dot per split.

    Of each pair it is the first minus the second. Settings are on the horizontal axis, `size` is
    its label; below zero the first method is better.
    """
    # Each pair has its own scale: a small difference can be a clear one.
    figure, axes = panel_grid(len(pairs), 2.6, 2.7, below=0.3)
    frame = frame[frame["metric"] == metric]
    table = frame.pivot_table(index=["setting", "split"], columns="method", values="value")
    settings = sorted(frame["setting"].unique(), key=int)
    for axis, (method, reference) in zip(axes, pairs, strict=True):
        difference = table[method] - table[reference]
        for place, setting in enumerate(settings):
            values = difference.loc[setting].to_numpy()
            spread = np.linspace(-0.15, 0.15, len(values))
            axis.plot(place + spread, values, **_SPLIT)
            axis.hlines(values.mean(), place - 0.25, place + 0.25, **_MEAN)
        axis.axhline(0, color="black", lw=0.8)
        axis.set(title=f"{method_name(method)}\nminus {method_name(reference)}")
        axis.set_xticks(range(len(settings)), settings)
    label_outer(axes, size, f"difference in {metric_name(metric)}")
    _explain(figure)
    return figure


@in_style
def plot_error_by_method(frame, *, metric, label, reference=None):
    """Errors of all methods in one setting: one dot per split, a bar at the mean."""
    frame = frame[frame["metric"] == metric]
    methods = list(frame["method"].unique())
    figure, axis = plt.subplots(figsize=(5.4, 0.6 + 0.34 * len(methods)))
    for place, method in enumerate(methods):
        values = frame.loc[frame["method"] == method, "value"].to_numpy()
        spread = place + np.linspace(-0.12, 0.12, len(values))
        axis.plot(values, spread, **_SPLIT)
        axis.vlines(values.mean(), place - 0.3, place + 0.3, **_MEAN)
    if reference is not None:
        axis.axvline(reference, color="black", lw=0.8, ls="--")
    name_rows(axis, methods)
    axis.set(xlabel=label, ylabel="method")
    _explain(figure)
    return figure


@in_style
def plot_task_errors(frame, panels, methods):
    """Errors of methods on several tasks: one dot per split, a bar at the mean, one panel per task.

    Panels are settings and metrics by title; the row of a method that a task does not have is
    empty.
    """
    height = 0.9 + 0.28 * len(methods)
    figure, axes = panel_grid(len(panels), 1.2, height, beside=1.6, sharey=True)
    values = frame.groupby(["setting", "metric", "method"])["value"]
    for axis, (title, (setting, metric)) in zip(axes, panels.items(), strict=True):
        for place, method in enumerate(methods):
            if (setting, metric, method) not in values.groups:
                continue
            errors = values.get_group((setting, metric, method))
            axis.plot(errors, np.full(len(errors), place), **_SPLIT | {"ms": 3})
            axis.vlines(errors.mean(), place - 0.3, place + 0.3, **_MEAN)
        axis.set(title=setting_name(title), xlim=(0, None))
    name_rows(axes[0], methods)  # all others share its vertical axis
    label_outer(axes, "error", "method")
    _explain(figure)
    return figure


def _explain(figure):
    """Say what marks and bars are, which all panels have alike."""
    axis = figure.axes[0]
    handles = axis.lines[0], axis.collections[0]
    figure.legend(handles, ("a split", "mean"), loc="outside lower center", ncols=2)
