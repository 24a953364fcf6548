"""The value of weak labels."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import draw_lines, only_ticks
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style


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
