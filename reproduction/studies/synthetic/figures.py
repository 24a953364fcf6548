"""Figures of generated clusters, of where searches end, and of what accuracy costs in time."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patheffects import withStroke
from sklearn.decomposition import PCA

from reproduction.figures.layout import (
    WIDEST,
    label_outer,
    legend_under,
    metric_name,
    only_ticks,
    panel_grid,
    shared_legend,
)
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, curve_look, in_style, mark_look


@in_style
def plot_clusters(datasets):
    """Outputs and inputs of generated data sets in the plane, one row per data set."""
    size = (WIDEST, 2.6 * len(datasets))
    figure, axes = plt.subplots(len(datasets), 2, figsize=size, squeeze=False)
    for (left, right), (name, data) in zip(axes, datasets.items(), strict=True):
        plane = PCA(2).fit(data.Y)
        outputs, means = plane.transform(data.Y), plane.transform(data.means)
        for j, mean in enumerate(means):
            # More clusters than colours: the next ones are hollow.
            face = "white" if j >= len(COLORS) else None
            look = mark_look(j) | {"ms": 4, "alpha": 0.6, "mfc": face}
            left.plot(*outputs[data.clusters == j].T, **look)
            right.plot(*data.X[data.clusters == j, :2].T, **look)
            halo = [withStroke(linewidth=3, foreground="white")]
            number = {"ha": "center", "va": "center", "weight": "bold", "path_effects": halo}
            left.annotate(str(j + 1), mean, **number)
        d = data.Y.shape[1]
        left.set(title=f"{name}: outputs in {d} dimensions", xlabel="first principal axis")
        left.set_ylabel("second principal axis")
        left.set_aspect("equal", adjustable="datalim")
        right.set(title=f"{name}: inputs in {data.X.shape[1]} dimensions", xlabel="first input")
        right.set_ylabel("second input")
    return figure


@in_style
def plot_search_ends(means, truth, panels, *, start):
    """True and predicted outputs in the plane of the component means, one panel per search."""
    figure, axes = panel_grid(len(panels), 2.6, 2.9, below=0.3, sharex=True, sharey=True)
    plane = PCA(2).fit(means)
    true, centres = plane.transform(truth), plane.transform(means)
    for axis, (name, predicted) in zip(axes, panels.items(), strict=True):
        ends = plane.transform(predicted)
        axis.plot(*np.stack([ends, true], axis=1).T, color="0.7", lw=1)
        axis.plot(*true.T, "o", color=COLORS[0], ms=5, mfc="white", label="true output")
        axis.plot(*ends.T, "s", color=COLORS[1], ms=4, label="prediction")
        axis.plot(*centres.T, "*", color="black", ms=11, label=r"means $\mu_j$")
        axis.set(title=name, aspect="equal")
    axes[-1].plot(*plane.transform(start[None]).T, "x", color="black", ms=9, mew=2, label="start")
    label_outer(axes, "first axis of the means", "second axis of the means")
    shared_legend(figure)
    return figure


@in_style
def plot_time_and_error(summary, *, settings, time="predict time", metric="rrmse", limits=None):
    """Error of each method against its time, one panel per setting."""
    figure, axes = panel_grid(len(settings), 1.7, 2.5, below=0.8, sharey=True)
    place = ["method", "setting"]
    wide = summary.pivot(index=place, columns="metric", values=["mean", "std"])
    looks = method_looks(summary["method"])
    for axis, setting in zip(axes, settings, strict=True):
        for method, look in looks.items():
            row = wide.loc[method, setting]
            point = row["mean", time], row["mean", metric], np.nan_to_num(row["std", metric])
            axis.errorbar(*point, ms=6, capsize=2, label=method, **look | {"ls": ""})
        axis.set(xscale="log", title=setting)
    axes[0].set(ylim=limits)
    label_outer(axes, f"{time} (s)", metric_name(metric))
    shared_legend(figure)
    return figure


@in_style
def plot_nearest_settings(panels, *, limits=(0.08, 3.0)):
    """Printed errors, ours, and all settings of a search, one panel per data set."""
    figure, axes = panel_grid(len(panels), WIDEST, 3.3, sharey=True)
    for axis, (title, (printed, ours, nearest, everything)) in zip(
        axes, panels.items(), strict=True
    ):
        axis.plot(everything.columns, everything.to_numpy().T, color="0.85", lw=0.6, zorder=1)
        for number, (name, curve) in enumerate(nearest.items(), start=1):
            axis.plot(curve.index, curve, label=name, lw=1.2, ms=4, **curve_look(number))
        axis.plot(ours.index, ours, "o--", color=COLORS[0], label="our choices")
        axis.plot(printed.index, printed, "X-", color="black", ms=7, lw=2, label="printed")
        axis.set(xscale="log", yscale="log", title=title, ylim=limits)
        only_ticks(axis, list(printed.index))
        legend_under(axis, 1, fontsize=9)
    label_outer(axes, "training samples", "relative error")
    axes[0].set_yticks([0.1, 0.2, 0.5, 1, 2], ["0.1", "0.2", "0.5", "1", "2"])
    return figure
