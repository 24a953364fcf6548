"""Figures of the drug activities, and of what weak labels are worth."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST, draw_lines, only_ticks, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_activities(Y, names):
    """Activity scores of molecules: their distribution, and how cell lines hang together."""
    order = np.argsort(names, kind="stable")
    tissues = np.array([str(name).split(":")[0] for name in np.asarray(names)[order]])
    look = {"figsize": (WIDEST, 7.4), "height_ratios": (1, 2)}
    figure, (scores, lines) = plt.subplots(2, 1, **look)
    scores.hist(Y.ravel(), bins=np.arange(10, 151, 4), color=COLORS[0], density=True)
    scores.axvline(60, color="black", ls="--", label="1 micromolar")
    scores.set(xlabel="activity score", ylabel="share of scores per unit", yscale="log")
    scores.legend()
    image = lines.imshow(np.corrcoef(Y[:, order].T), cmap="viridis", vmin=0, vmax=1)
    lines.grid(False)
    starts = np.flatnonzero(np.r_[True, tissues[1:] != tissues[:-1]])
    middles = (starts + np.r_[starts[1:], len(tissues)] - 1) / 2
    lines.set_xticks(middles, tissues[starts], fontsize=9, rotation=90)
    lines.set_yticks(middles, tissues[starts], fontsize=9)
    for start in starts[1:]:
        lines.axhline(start - 0.5, color="white", lw=0.5)
        lines.axvline(start - 0.5, color="white", lw=0.5)
    figure.colorbar(image, ax=lines, label="correlation")
    return figure


@in_style
def plot_activity_profiles(true, predictions, names):
    """Activities of a few molecules on all cell lines, true and predicted."""
    n, n_cell_lines = true.shape
    figure, axes = plt.subplots(n, 1, figsize=(WIDEST, 0.4 + 1.7 * n), sharex=True, squeeze=False)
    place = np.arange(n_cell_lines)
    looks = {name: look | {"marker": ""} for name, look in method_looks(predictions).items()}
    for i, (axis, name) in enumerate(zip(axes[:, 0], names, strict=True)):
        axis.bar(place, true[i], color="0.8", label="measured")
        shown = {method: values[i] for method, values in predictions.items()}
        draw_lines(axis, place, shown, looks=looks, drawstyle="steps-mid")
        axis.set(ylabel="score", title=name)
    axes[-1, 0].set_xlabel("cell line")
    shared_legend(figure)
    return figure


@in_style
def plot_weak_label_value(worth):
    """Measured molecules that a baseline needs for the error of methods with weak labels."""
    figure, axes = plt.subplots(figsize=(5.2, 3.6))
    sizes = worth.index.to_numpy()
    draw_lines(axes, sizes, worth, looks=method_looks(worth))
    ends = np.array([sizes.min(), sizes.max()])
    axes.plot(ends, ends, color="black", lw=0.8)
    axes.set(xscale="log", yscale="log", xlabel="measured molecules")
    axes.set_ylabel("worth, in measured molecules")
    axes.set_yticks(sizes, [str(size) for size in sizes])
    only_ticks(axes, sizes)
    axes.legend()
    return figure
