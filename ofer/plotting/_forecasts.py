"""Figures of series whose first steps are known, and of forecasts of the others."""

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np

from ofer.plotting._style import COLORS, DASHES, MARKERS, in_style

__all__ = ["plot_excess_error", "plot_forecasts", "plot_past_and_future"]


@in_style
def plot_past_and_future(series, paths, n_given):
    """Observations of a few series against time, above the paths behind them in their plane.

    Parameters
    ----------
    series : ndarray of shape (n, T, p)
        Observations, one panel a series.
    paths : ndarray of shape (n, T, 2)
        States.
    n_given : int
        Steps that are known.

    Returns
    -------
    Figure
    """
    n, T, p = series.shape
    figure, axes = plt.subplots(2, n, figsize=(2.8 * n, 5.2), squeeze=False, sharey="row")
    steps, past, future = np.arange(1, T + 1), slice(n_given), slice(n_given, None)
    for i in range(n):
        top, bottom = axes[:, i]
        top.axvspan(n_given + 0.5, T + 0.5, color="0.93", lw=0)
        for j in range(p):
            top.plot(steps, series[i, :, j], color=COLORS[j], ls=DASHES[j], lw=1)
            look = {"color": COLORS[j], "ls": "", "marker": MARKERS[j], "ms": 4}
            top.plot(steps[past], series[i, past, j], **look, label=f"coordinate {j + 1}")
            top.plot(steps[future], series[i, future, j], **look, mfc="white")
        top.set(xlabel="step", xlim=(0.5, T + 0.5), title=f"series {i + 1}")
        bottom.plot(*paths[i].T, color="0.6", lw=1)
        bottom.plot(*paths[i, past].T, "o", color="black", ms=5, label="first half")
        bottom.plot(*paths[i, future].T, "o", color="black", mfc="white", ms=5, label="second half")
        bottom.annotate("1", paths[i, 0], (5, 5), textcoords="offset points")
        bottom.set(xlabel="first state", aspect="equal", adjustable="datalim")
    axes[0, 0].set_ylabel("observation")
    axes[0, 0].legend(fontsize=7)
    axes[1, 0].set_ylabel("second state")
    axes[1, 0].legend(fontsize=7)
    return figure


@in_style
def plot_forecasts(series, means, deviations, n_given, *, others=None):
    """Forecasts of one coordinate of some series, with what is uncertain about them.

    Parameters
    ----------
    series : ndarray of shape (n, T)
        The true values, one panel a series.
    means, deviations : ndarray of shape (n, T - n_given)
        Mean and standard deviation of the distribution of the values to come; the bands hold
        half of it and nine tenths.
    n_given : int
        Steps that are known.
    others : dict of str to ndarray of shape (n, T - n_given), default=None
        Other forecasts.

    Returns
    -------
    Figure
    """
    n, T = series.shape
    figure, axes = plt.subplots(1, n, figsize=(3.2 * n, 3.2), squeeze=False, sharey=True)
    steps = np.arange(1, T + 1)
    future = steps[n_given:]
    for i, axis in enumerate(axes[0]):
        for width, share, shade in [(1.645, "90 %", 0.15), (0.674, "50 %", 0.3)]:
            low, high = (means[i] + side * width * deviations[i] for side in (-1, 1))
            label = f"{share} of all futures"
            axis.fill_between(future, low, high, color=COLORS[0], alpha=shade, lw=0, label=label)
        axis.plot(future, means[i], color=COLORS[0], lw=2, label="best forecast")
        for k, (name, values) in enumerate((others or {}).items(), start=1):
            axis.plot(future, values[i], color=COLORS[k], ls=DASHES[k], label=name)
        axis.plot(steps[:n_given], series[i, :n_given], "o-", color="black", ms=4, label="known")
        axis.plot(future, series[i, n_given:], "o", color="black", mfc="white", ms=4, label="true")
        axis.set(xlabel="step", title=f"series {i + 1}")
    axes[0, 0].set_ylabel("observation")
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=8
    )
    return figure


@in_style
def plot_excess_error(frame, *, metrics, floor="Bayes", size="training samples"):
    """How far the mean error of each method lies above that of the best possible one.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``; settings are training
        sizes.
    metrics : list of str
        One panel each.
    floor : str, default="Bayes"
        The method whose error is subtracted.
    size : str
        Label of the horizontal axis.

    Returns
    -------
    Figure
        On logarithmic axes, where a mean that is not above the floor has no place.
    """
    figure, axes = plt.subplots(
        1, len(metrics), figsize=(4.4 * len(metrics), 4.6), squeeze=False, sharey=True
    )
    methods = [method for method in frame["method"].unique() if method != floor]
    styles = dict(zip(methods, cycle(_styles()), strict=False))
    for axis, metric in zip(axes[0], metrics, strict=True):
        rows = frame[frame["metric"] == metric]
        means = rows.pivot_table(index="setting", columns="method", values="value")
        means = means.set_index(means.index.astype(int)).sort_index()
        for method in [one for one in methods if one in means]:
            excess = means[method] - means[floor]
            axis.plot(means.index, excess.where(excess > 0), **styles[method], ms=5, label=method)
        axis.set(xscale="log", yscale="log", xlabel=size, title=metric)
        axis.set_xticks(means.index, means.index.astype(str))
        axis.minorticks_off()
    axes[0, 0].set_ylabel(f"error above that of {floor}")
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=8
    )
    return figure


def _styles():
    """Looks of curves; two cycles of different lengths make more of them than colours."""
    dashes = cycle(DASHES[:4])
    looks = zip(COLORS, MARKERS, dashes, strict=False)
    plain = [{"color": color, "marker": m, "ls": dash} for color, m, dash in looks]
    return plain + [look | {"mfc": "white"} for look in plain]
