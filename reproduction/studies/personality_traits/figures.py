"""Figures of personality scores, of selected training sets, and of errors with weak labels."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import label_outer, legend_under, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.names import method_name
from reproduction.figures.style import COLORS, DASHES, in_style, line_look
from reproduction.statistics import steady


@in_style
def plot_scores(Y, thresholds, parts):
    """Scores with thresholds, and how the mean scores of parts of the data are spread."""
    figure, (left, right) = panel_grid(2, 2.6, 3.8, sharex=True)
    left.hist(np.ravel(Y), bins=np.linspace(0, 1, 41), color="0.75")
    for threshold, color, dash in zip(thresholds, COLORS, DASHES[1:], strict=False):
        left.axvline(threshold, color=color, ls=dash, label=f"{1 - threshold:g} and {threshold:g}")
        left.axvline(1 - threshold, color=color, ls=dash)
    left.set(xlabel="score", ylabel="scores of all clips")
    legend_under(left, ncols=1, title="thresholds")
    for number, (name, scores) in enumerate(parts.items()):
        look = line_look(number) | {"histtype": "step", "density": True, "lw": 1.5}
        right.hist(np.mean(scores, axis=1), bins=np.linspace(0, 1, 26), label=name, **look)
    right.set(xlabel="mean score of a clip", ylabel="density")
    legend_under(right, ncols=2)
    return figure


@in_style
def plot_calibration(truth, predicted, *, n_bins=10):
    """True values over predicted ones, as means over equally filled bins of the predictions."""
    figure, axis = plt.subplots(figsize=(5.2, 3.8))
    truth, ends = np.ravel(truth), []
    looks = method_looks(predicted)
    for name, values in predicted.items():
        bins = np.array_split(np.argsort(steady(np.ravel(values)), kind="stable"), n_bins)
        x, y = ([of[rows].mean() for rows in bins] for of in (np.ravel(values), truth))
        axis.plot(x, y, ms=4, label=method_name(name), **looks[name])
        ends += [min(x), max(x)]
    axis.plot([min(ends), max(ends)], [min(ends), max(ends)], color="black", lw=0.8)
    axis.set(xlabel="predicted score", ylabel="mean true score")
    axis.legend()
    return figure


@in_style
def plot_errors_by_weak_labels(panels, *, ylabel):
    """Errors over the number of weak labels, panel by panel."""
    figure, axes = panel_grid(len(panels), 1.7, 2.9, below=0.4, sharey=True)
    looks = method_looks(name for curves in panels.values() for name in curves)
    for axis, (title, curves) in zip(axes, panels.items(), strict=True):
        for name, errors in curves.items():
            look = looks[name] | {"ms": 4, "capsize": 3, "label": name}
            axis.errorbar(errors.index, errors["mean"], errors["std"], **look)
        axis.set_title(title)
        axis.set_xticks(sorted({size for errors in curves.values() for size in errors.index}))
        axis.tick_params(axis="x", labelrotation=45)
    label_outer(axes, "weak labels", ylabel)
    shared_legend(figure)
    return figure
