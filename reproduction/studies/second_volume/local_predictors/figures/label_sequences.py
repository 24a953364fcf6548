"""Sequences of labels."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from reproduction.figures.layout import label_outer, panel_grid
from reproduction.figures.style import in_style


@in_style
def plot_label_sequences(panels, labels):
    """Sequences of labels of one length as rows of grey cells, one panel per set of sequences."""
    shades = [str(shade) for shade in np.linspace(1.0, 0.0, len(labels))]
    figure, axes = panel_grid(len(panels), 2.6, 3.2, below=0.4, sharey=True)
    for axis, (title, sequences) in zip(axes, panels.items(), strict=True):
        index = np.argmax(np.asarray(sequences)[..., None] == np.asarray(labels), axis=-1)
        look = {"cmap": ListedColormap(shades), "vmin": -0.5, "vmax": len(labels) - 0.5}
        axis.pcolormesh(index, edgecolors="0.85", lw=0.3, **look)
        steps = np.arange(0, index.shape[1], 2)
        axis.set_title(title)
        axis.set_xticks(steps + 0.5, steps + 1)
        axis.grid(visible=False)
    label_outer(axes, "step", "sequence")
    axes[0].invert_yaxis()
    keys = [plt.Rectangle((0, 0), 1, 1, fc=shade, ec="0.5") for shade in shades]
    figure.legend(
        keys, [str(label) for label in labels], loc="outside lower center", ncols=len(keys)
    )
    return figure
