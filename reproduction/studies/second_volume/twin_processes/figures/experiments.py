"""Figures of the experiments with twin Gaussian processes: errors, certainty, cost and poses."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import spearmanr

from reproduction.figures.layout import WIDEST, label_outer, only_ticks, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, curve_look, in_style, line_look
from reproduction.statistics import steady


@in_style
def plot_error_by_alpha(panels, *, ylabel):
    """Errors over the places of a grid of alpha, one panel per data set."""
    figure, axes = panel_grid(len(panels), 2.6, 3.0, below=0.3)
    for axis, (title, errors) in zip(axes, panels.items(), strict=True):
        for number, (name, series) in enumerate(errors.items()):
            place = np.arange(len(series))  # as on the grid, whose ends are dense
            axis.plot(place, series, ms=4, label=name, **curve_look(number))
            axis.plot(
                steady(series).argmin(), series.min(), "o", ms=12, mfc="none", mec=COLORS[number]
            )
        labels = [f"{alpha:g}" for alpha in series.index]
        axis.set_xticks(place, labels, rotation=90, fontsize=9)
        axis.set_title(title)
    label_outer(axes, r"$\alpha$", ylabel)
    shared_legend(figure)
    return figure


@in_style
def plot_certainty(panels, *, n_bins=10):
    """Mean error in bins of certainty, and their rank correlation, one panel per data set."""
    figure, axes = panel_grid(len(panels), 2.6, 2.9)
    for axis, (title, (certainty, errors)) in zip(axes, panels.items(), strict=True):
        ranked = np.argsort(steady(certainty), kind="stable")
        bins = np.array_split(ranked, n_bins)
        axis.plot(certainty, errors, ".", color="0.8", ms=3)
        middles = [np.median(certainty[rows]) for rows in bins]
        axis.plot(middles, [errors[rows].mean() for rows in bins], "o-", color=COLORS[0])
        correlation = spearmanr(steady(certainty), steady(errors)).statistic
        axis.set(title=f"{title}: {correlation:+.2f}")
        axis.set_xlim(*np.quantile(certainty, [0.01, 1.0]))
        axis.set_ylim(0, np.quantile(errors, 0.995))
    label_outer(axes, r"certainty $\log\varphi_\alpha$", "error")
    return figure


@in_style
def plot_evaluation_times(summary, *, ylabel="seconds"):
    """Times over the number of training samples, on logarithmic axes, with their slopes."""
    figure, axis = plt.subplots(figsize=(WIDEST, 4.0))
    looks = method_looks(summary["method"])
    for method, rows in summary.groupby("method", sort=False):
        sizes = rows["setting"].astype(float)
        slope = np.polyfit(np.log(sizes), np.log(rows["mean"]), 1)[0]
        label = f"{method}, slope {slope:.1f}"
        axis.loglog(sizes, rows["mean"], label=label, **looks[method])
    only_ticks(axis, sizes, rows["setting"])
    axis.set(xlabel="training samples N", ylabel=ylabel)
    shared_legend(figure)
    return figure


@in_style
def plot_skeletons(poses, limbs, titles):
    """Body poses seen from two sides, each column a frame, the poses of a frame over each other."""
    n = len(titles)
    reach = 1.1 * max(abs(points[..., [0, 2]]).max() for points in poses.values())
    figure, axes = plt.subplots(2, n, figsize=(WIDEST, 4.4), sharey=True, squeeze=False)
    views = [(0, "from the front"), (2, "from the side")]
    for row, (across, view) in zip(axes, views, strict=True):
        for number, (name, points) in enumerate(poses.items()):
            for axis, frame in zip(row, points, strict=True):
                ends = frame[limbs][:, :, [across, 1]]  # (limbs, ends, plane)
                gaps = np.full((len(limbs), 1, 2), np.nan)  # so that one line draws all limbs
                path = np.concatenate([ends, gaps], axis=1).reshape(-1, 2)
                look = line_look(number) | {"lw": 3 - 1.5 * number, "alpha": 0.8}
                axis.plot(*path.T, label=name, **look)
        for axis in row:
            axis.set(aspect="equal", xticks=[], yticks=[], xlim=(-reach, reach))
            axis.grid(False)
        row[0].set_ylabel(view)
    axes[0, 0].invert_yaxis()  # all others share it
    for axis, title in zip(axes[0], titles, strict=True):
        axis.set_title(title, fontsize=9)
    shared_legend(figure)
    return figure
