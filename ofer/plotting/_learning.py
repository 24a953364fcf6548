"""Figures of the learning step: curves side by side, and the targets of weak samples."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from ofer.plotting._style import COLORS, DASHES, MARKERS, in_style

__all__ = ["plot_curves", "plot_targets"]


@in_style
def plot_curves(x, panels, *, xlabel, ylabel, chosen=None, xscale="log", yscale="linear"):
    """Curves over a common axis, panel by panel, as means and bands where there are several runs.

    Parameters
    ----------
    x : ndarray of shape (n,)
        Places on the horizontal axis; few of them become its ticks.
    panels : dict of str to (dict of str to ndarray of shape (n,) or (n_runs, n))
        By panel title: values by name. Several runs are shown as their mean and a band of one
        standard deviation. A name has the same look in every panel.
    xlabel, ylabel : str
        Labels of the axes.
    chosen : dict of str to float, default=None
        By panel title: the place that was chosen.
    xscale, yscale : {"log", "linear"}
        Scales of the axes.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(4.2 * len(panels), 3.5), squeeze=False)
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    handles = {}
    for axis, (title, curves) in zip(axes[0], panels.items(), strict=True):
        for name, values in curves.items():
            number = names.index(name)
            runs = np.atleast_2d(values)
            middle, spread = runs.mean(axis=0), runs.std(axis=0, ddof=len(runs) > 1)
            look = {"color": COLORS[number], "ls": DASHES[number], "marker": MARKERS[number]}
            handles[name] = axis.plot(x, middle, ms=4, **look)[0]
            if len(runs) > 1:
                axis.fill_between(
                    x, middle - spread, middle + spread, color=COLORS[number], alpha=0.15
                )
        if chosen:
            handles["chosen"] = axis.axvline(chosen[title], color="black", lw=0.8, ls=":")
        axis.set(title=title, xlabel=xlabel, xscale=xscale, yscale=yscale)
        if len(x) < 8:
            axis.set_xticks(x, x)
            axis.minorticks_off()
    axes[0, 0].set_ylabel(ylabel)
    if chosen:
        handles["chosen"] = handles.pop("chosen")  # the last entry of the legend
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=len(handles))
    return figure


@in_style
def plot_targets(membership, mean, membership_weak):
    """The table of targets: whole rows for labelled samples, one block for weak ones.

    Parameters
    ----------
    membership : ndarray of shape (n, C)
        Memberships of the labelled samples.
    mean : ndarray of shape (n, d)
        Their mean block.
    membership_weak : ndarray of shape (w, C)
        Memberships of the weak samples.

    Returns
    -------
    Figure
    """
    (n, C), d, w = membership.shape, mean.shape[1], len(membership_weak)
    figure, axis = plt.subplots(figsize=(6.0, 3.6))
    look = {"cmap": "Greys", "aspect": "auto", "interpolation": "nearest"}
    everything = np.vstack([membership, membership_weak])
    axis.imshow(everything, extent=(0, C, n + w, 0), vmin=0, vmax=1, **look)
    axis.imshow(np.abs(mean), extent=(C, C + d, n, 0), **look)
    axis.add_patch(Rectangle((C, n), d, w, fc="white", ec="0.5", hatch="///"))
    axis.text(C + d / 2, n + w / 2, "unknown", ha="center", va="center", backgroundcolor="white")
    axis.axvline(C, color=COLORS[1])
    axis.axhline(n, color=COLORS[1], ls="--")
    axis.set(
        xlim=(0, C + d),
        ylim=(n + w, 0),
        xticks=[C / 2, C + d / 2],
        xticklabels=["memberships", "mean block (size)"],
        yticks=[n / 2, n + w / 2],
        yticklabels=["labelled", "weak"],
        xlabel="coordinates of the embedding",
        ylabel="samples",
    )
    axis.tick_params(length=0)
    axis.grid(False)
    return figure
