"""Figures of twin Gaussian processes: divergences, objectives, predictions, certainty and cost."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import spearmanr

from ofer.plotting._style import COLORS, DASHES, MARKERS, in_style

__all__ = [
    "plot_certainty",
    "plot_divergence_family",
    "plot_error_by_alpha",
    "plot_evaluation_times",
    "plot_multivalued",
    "plot_objectives",
    "plot_task_errors",
    "plot_two_means",
]


@in_style
def plot_divergence_family(alphas, curves, limits):
    """A two-parameter family of divergences over its first parameter.

    Parameters
    ----------
    alphas : ndarray of shape (n,)
        First parameter, between 0 and 1.
    curves : dict of str to ndarray of shape (n,)
        Divergences, by the name of their second parameter.
    limits : dict of str to tuple of float
        Points (alpha, value) that belong to divergences with a name.

    Returns
    -------
    Figure
    """
    figure, axis = plt.subplots(figsize=(7.0, 4.0))
    for look, (name, values) in enumerate(curves.items()):
        axis.plot(alphas, values, color=COLORS[look], ls=DASHES[look], label=name)
    for look, (name, (alpha, value)) in enumerate(limits.items()):
        marker = MARKERS[look % len(MARKERS)]
        axis.plot(alpha, value, marker, color="black", mfc="white", ms=8, label=name)
    axis.set(xlabel=r"$\alpha$", ylabel=r"divergence $D_{\alpha,\beta}(p : q)$")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


@in_style
def plot_objectives(y, curves, answers):
    """Objectives along a single output, from their minimum 0 to 1, and where the right answers are.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Outputs.
    curves : dict of str to ndarray of shape (n,)
        Objectives by name; their minimum is marked.
    answers : ndarray of shape (m,)
        Right answers.

    Returns
    -------
    Figure
    """
    figure, axis = plt.subplots(figsize=(7.0, 4.0))
    for answer in answers:
        axis.axvline(answer, color="0.7", lw=4, zorder=0)
    for look, (name, values) in enumerate(curves.items()):
        # The square root shows a shallow valley beside a deep one.
        heights = np.sqrt((values - values.min()) / np.ptp(values))
        look = {"color": COLORS[look % len(COLORS)], "ls": DASHES[look % len(DASHES)]}
        axis.plot(y, heights, label=name, **look)
        axis.plot(y[values.argmin()], 0.0, "v", color=look["color"], ms=8, clip_on=False, zorder=3)
    axis.set(xlabel="output y", ylabel="square root of the scaled objective", ylim=(0, None))
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


@in_style
def plot_two_means(alphas, pairs):
    """Geometric and arithmetic weighted means of two numbers over the weight of the second.

    Parameters
    ----------
    alphas : ndarray of shape (n,)
        Weights of the second number.
    pairs : sequence of tuple of float
        The pairs of positive numbers, one a panel.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(1, len(pairs), figsize=(3.2 * len(pairs), 2.8), squeeze=False)
    for axis, (first, second) in zip(axes[0], pairs, strict=True):
        geometric = first ** (1.0 - alphas) * second**alphas
        axis.plot(alphas, geometric, label=r"$\eta_x^{1-\alpha} \eta_y^\alpha$")
        arithmetic = (1.0 - alphas) * first + alphas * second
        axis.plot(alphas, arithmetic, "--", label=r"$(1-\alpha)\eta_x + \alpha\eta_y$")
        axis.set(title=rf"$\eta_x = {first:g}$, $\eta_y = {second:g}$", xlabel=r"$\alpha$")
    axes[0, 0].set_ylabel("mean")
    axes[0, 0].legend()
    return figure


@in_style
def plot_multivalued(toy, panels):
    """Predictions of a curve with several answers, one panel a method.

    Parameters
    ----------
    toy : sklearn.utils.Bunch
        As from `ofer.datasets.make_toy1`.
    panels : dict of str to ndarray of shape (n_test, 1)
        Predictions by method.

    Returns
    -------
    Figure
    """
    n_columns = min(len(panels), 3)
    n_rows = -(-len(panels) // n_columns)
    figure, axes = plt.subplots(
        n_rows,
        n_columns,
        figsize=(2.9 * n_columns, 2.7 * n_rows),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    low, high = toy.Y.min(), toy.Y.max()
    margin = 0.1 * (high - low)
    for axis, (name, predicted) in zip(axes.flat, panels.items(), strict=False):
        axis.plot(toy.X, toy.Y, ".", color="0.75", ms=3, label="training data")
        axis.plot(toy.X_test, predicted, ".", color=COLORS[1], ms=4, label="prediction")
        axis.set(title=name, ylim=(low - margin, high + margin))
    for axis in axes[:, 0]:
        axis.set_ylabel("output y")
    for axis in axes[-1]:
        axis.set_xlabel("input x")
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


@in_style
def plot_task_errors(frame, panels, methods):
    """Errors of methods on several tasks: a dot a split, a bar at the mean, one panel a task.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``.
    panels : dict of str to tuple of str
        Setting and metric by title.
    methods : sequence of str
        The methods, from top to bottom.

    Returns
    -------
    Figure
    """
    size = (1.6 + 1.6 * len(panels), 0.9 + 0.28 * len(methods))
    figure, axes = plt.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False)
    values = frame.groupby(["setting", "metric", "method"])["value"]
    for axis, (title, (setting, metric)) in zip(axes[0], panels.items(), strict=True):
        for place, method in enumerate(methods):
            found = values.get_group((setting, metric, method))
            axis.plot(found, np.full(len(found), place), "o", color=COLORS[0], ms=3, alpha=0.5)
            axis.plot(found.mean(), place, "|", color="black", ms=11, mew=2)
        axis.set(title=title, xlabel="error", xlim=(0, None))
    first = axes[0, 0]  # all others share its vertical axis
    first.set_yticks(range(len(methods)), methods)
    first.set_ylabel("method")
    first.invert_yaxis()
    return figure


@in_style
def plot_error_by_alpha(panels, *, ylabel):
    """Errors over the places of a grid of alpha, one panel a data set.

    Parameters
    ----------
    panels : dict of str to dict of str to Series
        By data set and name of the error: errors indexed by alpha. The least one is marked.
    ylabel : str
        Name of the error.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(3.8 * len(panels), 3.2), squeeze=False)
    for axis, (title, errors) in zip(axes[0], panels.items(), strict=True):
        for look, (name, series) in enumerate(errors.items()):
            style = {"color": COLORS[look], "ls": DASHES[look], "marker": MARKERS[look]}
            place = np.arange(len(series))  # as on the grid, whose ends are dense
            axis.plot(place, series, ms=4, label=name, **style)
            axis.plot(series.argmin(), series.min(), "o", ms=12, mfc="none", mec=COLORS[look])
        labels = [f"{alpha:g}" for alpha in series.index]
        axis.set(title=title, xlabel=r"$\alpha$", xticks=place)
        axis.set_xticklabels(labels, rotation=90, fontsize=7)
    axes[0, 0].set_ylabel(ylabel)
    axes[0, 0].legend()
    return figure


@in_style
def plot_certainty(panels, *, n_bins=10):
    """Mean error in bins of certainty, and the rank correlation of the two, one panel a data set.

    Parameters
    ----------
    panels : dict of str to tuple of ndarray of shape (n,)
        Certainties and errors of the same samples, by data set.
    n_bins : int, default=10
        Number of bins of equal size.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(3.2 * len(panels), 3.0), squeeze=False)
    for axis, (title, (certainty, errors)) in zip(axes[0], panels.items(), strict=True):
        ranked = np.argsort(certainty)
        bins = np.array_split(ranked, n_bins)
        axis.plot(certainty, errors, ".", color="0.8", ms=3)
        middles = [np.median(certainty[rows]) for rows in bins]
        axis.plot(middles, [errors[rows].mean() for rows in bins], "o-", color=COLORS[0])
        correlation = spearmanr(certainty, errors).statistic
        axis.set(title=f"{title}: {correlation:+.2f}", xlabel=r"certainty $\log\varphi_\alpha$")
        axis.set_xlim(*np.quantile(certainty, [0.01, 1.0]))
        axis.set_ylim(0, np.quantile(errors, 0.995))
    axes[0, 0].set_ylabel("error")
    return figure


@in_style
def plot_evaluation_times(summary, *, ylabel="seconds"):
    """Times over the number of training samples, on logarithmic axes, with their slopes.

    Parameters
    ----------
    summary : DataFrame
        Columns ``method``, ``setting`` (a number as text) and ``mean``.
    ylabel : str, default="seconds"
        What a time is of.

    Returns
    -------
    Figure
    """
    figure, axis = plt.subplots(figsize=(5.5, 3.6))
    for look, (method, rows) in enumerate(summary.groupby("method", sort=False)):
        sizes = rows["setting"].astype(float)
        slope = np.polyfit(np.log(sizes), np.log(rows["mean"]), 1)[0]
        style = {"color": COLORS[look], "ls": DASHES[look], "marker": MARKERS[look]}
        axis.loglog(sizes, rows["mean"], label=f"{method}, slope {slope:.1f}", **style)
    axis.set_xticks(sizes, rows["setting"])
    axis.minorticks_off()
    axis.set(xlabel="training samples N", ylabel=ylabel)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
