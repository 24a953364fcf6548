"""Figures on the value of weak labels."""

import numpy as np
from matplotlib import pyplot as plt

from ofer.plotting._style import COLORS, DASHES, MARKERS, in_style

__all__ = ["plot_weak_label_value"]


@in_style
def plot_weak_label_value(worth):
    """Labelled samples that a baseline needs for the error of methods with weak labels.

    Parameters
    ----------
    worth : DataFrame of shape (n_sizes, n_methods)
        Equivalent numbers of labelled samples; the index is the number a method has.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(figsize=(5.6, 3.6))
    sizes = worth.index.to_numpy()
    looks = zip(worth, COLORS, MARKERS, DASHES, strict=False)
    for method, color, marker, dash in looks:
        axes.plot(sizes, worth[method], color=color, marker=marker, ls=dash, label=method)
    ends = np.array([sizes.min(), sizes.max()])
    axes.plot(ends, ends, color="black", lw=0.8)
    axes.set(
        xscale="log", yscale="log", xlabel="labelled samples", ylabel="worth, in labelled samples"
    )
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.set_yticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.legend()
    return figure
