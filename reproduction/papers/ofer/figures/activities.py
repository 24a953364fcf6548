"""Figures of the drug activities."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import draw_lines
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_activities(Y, names):
    """Activity scores of molecules: their distribution, and how cell lines hang together.

    Parameters
    ----------
    Y : ndarray of shape (n_molecules, n_cell_lines)
        Activity scores.
    names : sequence of str
        Cell lines as tissue:line.

    Returns
    -------
    Figure
    """
    order = np.argsort(names, kind="stable")
    tissues = np.array([str(name).split(":")[0] for name in np.asarray(names)[order]])
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.6))
    left.hist(Y.ravel(), bins=np.arange(10, 151, 4), color=COLORS[0], density=True)
    left.axvline(60, color="black", ls="--", label="1 micromolar")
    left.set(xlabel="activity score", ylabel="share of scores per unit", yscale="log")
    left.legend()
    image = right.imshow(np.corrcoef(Y[:, order].T), cmap="viridis", vmin=0, vmax=1)
    right.grid(False)
    starts = np.flatnonzero(np.r_[True, tissues[1:] != tissues[:-1]])
    middles = (starts + np.r_[starts[1:], len(tissues)] - 1) / 2
    right.set_xticks(middles, tissues[starts], fontsize=7, rotation=90)
    right.set_yticks(middles, tissues[starts], fontsize=7)
    for start in starts[1:]:
        right.axhline(start - 0.5, color="white", lw=0.5)
        right.axvline(start - 0.5, color="white", lw=0.5)
    figure.colorbar(image, ax=right, label="correlation")
    return figure


@in_style
def plot_activity_profiles(true, predictions, names):
    """Activities of a few molecules on all cell lines, true and predicted.

    Parameters
    ----------
    true : ndarray of shape (n, n_cell_lines)
        Activity scores.
    predictions : dict of str to ndarray of shape (n, n_cell_lines)
        Predicted scores by method.
    names : sequence of str
        Titles of the molecules.

    Returns
    -------
    Figure
    """
    n, n_cell_lines = true.shape
    figure, axes = plt.subplots(n, 1, figsize=(8.0, 1.7 * n), sharex=True, squeeze=False)
    place = np.arange(n_cell_lines)
    looks = {name: look | {"marker": ""} for name, look in method_looks(predictions).items()}
    for i, (axis, name) in enumerate(zip(axes[:, 0], names, strict=True)):
        axis.bar(place, true[i], color="0.8", label="measured")
        shown = {method: values[i] for method, values in predictions.items()}
        draw_lines(axis, place, shown, looks=looks, drawstyle="steps-mid")
        axis.set(ylabel="score", title=name)
    axes[-1, 0].set_xlabel("cell line")
    axes[0, 0].legend(fontsize=8, ncols=3, loc="lower right")
    return figure
