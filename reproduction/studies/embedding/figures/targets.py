"""The targets of labelled and weak samples."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from reproduction.figures.style import COLORS, in_style


@in_style
def plot_targets(membership, mean, membership_weak):
    """The table of targets: whole rows for labelled samples, one block for weak ones."""
    (n, C), d, w = membership.shape, mean.shape[1], len(membership_weak)
    figure, axis = plt.subplots(figsize=(5.2, 3.6))
    look = {"cmap": "Greys", "aspect": "auto", "interpolation": "nearest"}
    everything = np.vstack([membership, membership_weak])
    axis.imshow(everything, extent=(0, C, n + w, 0), vmin=0, vmax=1, **look)
    axis.imshow(np.abs(mean), extent=(C, C + d, n, 0), **look)
    axis.add_patch(Rectangle((C, n), d, w, fc="white", ec="0.5", hatch="///"))
    axis.text(C + d / 2, n + w / 2, "unknown", ha="center", va="center", backgroundcolor="white")
    axis.axvline(C, color=COLORS[1])
    axis.axhline(n, color=COLORS[1], ls="--")
    axis.set(xlim=(0, C + d), ylim=(n + w, 0))
    axis.set(xlabel="coordinates of the embedding", ylabel="samples")
    axis.set_xticks([C / 2, C + d / 2], ["memberships", "mean block (size)"])
    axis.set_yticks([n / 2, n + w / 2], ["labelled", "weak"])
    axis.tick_params(length=0)
    axis.grid(False)
    return figure
