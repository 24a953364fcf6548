"""Figures of generated clusters, and of what accuracy costs in time."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA

from ofer.plotting._style import COLORS, MARKERS, in_style

__all__ = ["plot_clusters", "plot_time_and_error"]


@in_style
def plot_clusters(datasets):
    """Outputs and inputs of generated data sets in the plane, a row a data set.

    Parameters
    ----------
    datasets : dict of str to sklearn.utils.Bunch
        Data sets by name, as from `ofer.datasets.make_mixture_regression`.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(len(datasets), 2, figsize=(8.0, 3.4 * len(datasets)), squeeze=False)
    for (left, right), (name, data) in zip(axes, datasets.items(), strict=True):
        plane = PCA(2).fit(data.Y)
        outputs, means = plane.transform(data.Y), plane.transform(data.means)
        for j, mean in enumerate(means):
            look = {
                "color": COLORS[j % len(COLORS)],
                "marker": MARKERS[j % len(MARKERS)],
                "ls": "",
                "ms": 4,
                "alpha": 0.6,
                # More clusters than colours: the next ones are hollow.
                "mfc": "white" if j >= len(COLORS) else None,
            }
            left.plot(*outputs[data.clusters == j].T, **look)
            right.plot(*data.X[data.clusters == j, :2].T, **look)
            left.annotate(str(j + 1), mean, ha="center", va="center", weight="bold")
        d = data.Y.shape[1]
        left.set(title=f"{name}: outputs in {d} dimensions", xlabel="first principal axis")
        left.set_ylabel("second principal axis")
        left.set_aspect("equal", adjustable="datalim")
        right.set(title=f"{name}: inputs in {data.X.shape[1]} dimensions", xlabel="first input")
        right.set_ylabel("second input")
    return figure


@in_style
def plot_time_and_error(summary, *, settings, time="predict time", metric="rrmse"):
    """Error of each method against its time, one panel a setting.

    Parameters
    ----------
    summary : DataFrame
        Columns ``method, setting, metric, mean, std``, as of `ofer.experiments.summarize`.
    settings : list of str
        The settings to show.
    time : str, default="predict time"
        Metric of the horizontal axis, in seconds.
    metric : str, default="rrmse"
        Metric of the vertical axis; bars are one standard deviation.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(
        1, len(settings), figsize=(1.0 + 2.3 * len(settings), 3.6), sharey=True, squeeze=False
    )
    place = ["method", "setting"]
    wide = summary.pivot(index=place, columns="metric", values=["mean", "std"])
    for axis, setting in zip(axes[0], settings, strict=True):
        for j, method in enumerate(summary["method"].unique()):
            row = wide.loc[method, setting]
            axis.errorbar(
                row["mean", time],
                row["mean", metric],
                yerr=np.nan_to_num(row["std", metric]),
                color=COLORS[j],
                fmt=MARKERS[j],
                ms=6,
                capsize=2,
                label=method,
            )
        axis.set(xscale="log", xlabel=f"{time} (s)", title=setting)
    axes[0, 0].set_ylabel(metric.upper())
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure
