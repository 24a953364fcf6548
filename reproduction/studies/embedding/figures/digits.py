"""Figures of the reconstruction of digits."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST
from reproduction.figures.pictures import show_picture
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_means_as_images(means, weights):
    """Component means of an output model as pictures, under their weights."""
    side = round(np.sqrt(means.shape[1]))
    figure, axes = plt.subplots(1, len(means), figsize=(WIDEST, 1.1), squeeze=False)
    for axis, mean, weight in zip(axes[0], means, weights, strict=True):
        show_picture(axis, mean.reshape(side, side))
        axis.set_title(f"{weight:.0%}", fontsize=9)
    return figure


@in_style
def plot_prediction(image, centre_mask, means, membership, completed):
    """One prediction: input, decoded output and the truth, and below them the embedding."""
    C = len(means)
    side = round(np.sqrt(means.shape[1]))
    figure = plt.figure(figsize=(WIDEST, 4.4))
    above, below = figure.add_gridspec(2, 1, height_ratios=(1, 1.3))
    given, decoded, truth = (figure.add_subplot(place) for place in above.subgridspec(1, 3))
    show_picture(given, np.where(centre_mask, np.nan, image))
    given.set_title("input")
    grid = below.subgridspec(2, C, height_ratios=(3, 1))
    bars = figure.add_subplot(grid[0, :])
    bars.bar(np.arange(C), membership, 0.7, color=COLORS[0])
    bars.axhline(0, color="black", lw=0.8)
    bars.set(xlim=(-0.5, C - 0.5), xticks=[], ylabel="membership")
    bars.set_title("regress an embedding of the output")
    for j, mean in enumerate(means):
        show_picture(figure.add_subplot(grid[1, j]), mean.reshape(side, side))
    show_picture(decoded, completed)
    decoded.set_title("decode")
    show_picture(truth, image)
    truth.set_title("truth")
    return figure
