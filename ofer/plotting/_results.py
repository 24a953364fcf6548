"""Figures of tables of results."""

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np

from ofer.plotting._style import COLORS, DASHES, MARKERS, in_style

__all__ = [
    "plot_learning_curves",
    "plot_paired_differences",
]


@in_style
def plot_learning_curves(
    summary,
    *,
    paper=None,
    metric="rrmse",
    size="training samples",
    label="RRMSE on the test set",
    limits=None,
):
    """Mean of each method against the training size, with a band of one standard deviation.

    Parameters
    ----------
    summary : DataFrame
        Columns ``method, setting, metric, mean, std``, as of `ofer.experiments.summarize`;
        settings are training sizes.
    paper : DataFrame, default=None
        The paper's figures in the same columns, for a second panel.
    metric : str, default="rrmse"
        Which metric.
    size, label : str
        Labels of the axes, with their units.
    limits : (float, float), default=None
        Ends of the vertical axis.

    Returns
    -------
    Figure
    """
    panels = [("this book", summary)] + (
        [] if paper is None else [("as printed in the paper", paper)]
    )
    figure, axes = plt.subplots(
        1, len(panels), figsize=(4.4 * len(panels), 3.6), sharey=True, squeeze=False
    )
    labels = list(dict.fromkeys(m for _, frame in panels for m in frame["method"]))
    styles = dict(zip(labels, cycle(zip(COLORS, MARKERS, DASHES, strict=True)), strict=False))
    for axis, (title, frame) in zip(axes[0], panels, strict=True):
        frame = frame[frame["metric"] == metric]
        for method, rows in frame.groupby("method", sort=False):
            color, marker, dash = styles[method]
            sizes = rows["setting"].astype(int).to_numpy()
            order = np.argsort(sizes)
            sizes = sizes[order]
            mean, std = (rows[name].to_numpy()[order] for name in ("mean", "std"))
            axis.fill_between(sizes, mean - std, mean + std, color=color, alpha=0.15, lw=0)
            axis.plot(sizes, mean, color=color, marker=marker, ls=dash, ms=5, label=method)
        axis.set(xscale="log", xlabel=size, title=title if paper is not None else "")
        axis.set_xticks(sizes, [str(size) for size in sizes])
        axis.minorticks_off()
        axis.legend(fontsize=8)
    axes[0, 0].set(ylabel=label, ylim=limits)
    return figure


@in_style
def plot_paired_differences(frame, pairs, *, metric="rrmse", size="training samples"):
    """Differences between two methods on the same splits, one dot a split.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``.
    pairs : list of (str, str)
        Methods to compare: the first minus the second.
    metric : str, default="rrmse"
        Which metric; below zero the first method is better.
    size : str
        Label of the horizontal axis.

    Returns
    -------
    Figure
    """
    # Each pair has its own scale: a small difference can be a clear one.
    figure, axes = plt.subplots(1, len(pairs), figsize=(4.4 * len(pairs), 3.2), squeeze=False)
    frame = frame[frame["metric"] == metric]
    table = frame.pivot_table(index=["setting", "split"], columns="method", values="value")
    settings = sorted(frame["setting"].unique(), key=int)
    for axis, (method, reference) in zip(axes[0], pairs, strict=True):
        difference = table[method] - table[reference]
        for place, setting in enumerate(settings):
            values = difference.loc[setting].to_numpy()
            spread = np.linspace(-0.15, 0.15, len(values))
            axis.plot(place + spread, values, MARKERS[0], ms=4, color=COLORS[0], alpha=0.7)
            axis.hlines(values.mean(), place - 0.25, place + 0.25, color=COLORS[1], lw=2)
        axis.axhline(0, color="black", lw=0.8)
        axis.set(title=f"{method} minus {reference}", xlabel=size)
        axis.set_xticks(range(len(settings)), settings)
    axes[0, 0].set_ylabel(f"difference in {metric.upper()}")
    return figure
