"""Rows of grey pictures."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST
from reproduction.figures.style import in_style


@in_style
def plot_task(images, centre_mask):
    """Whole pictures (n, height, width) above what a learner sees of them, all but the centre."""
    return _draw_rows({"picture": images, "input": np.where(centre_mask, np.nan, images)})


@in_style
def plot_image_rows(rows):
    """Rows of pictures (n, height, width), one per method, with its name."""
    return _draw_rows(rows)


def show_picture(axis, image):
    """One grey picture without ticks; missing pixels are hatched."""
    axis.imshow(image, cmap="gray_r", vmin=0, vmax=1)
    axis.set(xticks=[], yticks=[])
    axis.grid(False)
    axis.spines[:].set_visible(True)
    axis.spines[:].set_linewidth(0.5)
    missing = np.isnan(image)
    if missing.any():
        rows, columns = np.nonzero(missing)
        corner = (columns.min() - 0.5, rows.min() - 0.5)
        size = (np.ptp(columns) + 1, np.ptp(rows) + 1)
        axis.add_patch(plt.Rectangle(corner, *size, fc="none", ec="0.6", hatch="///", lw=0.0))


def _draw_rows(rows):
    n = len(next(iter(rows.values())))
    size = (WIDEST, (WIDEST / n + 0.25) * len(rows))
    figure, axes = plt.subplots(len(rows), n, figsize=size, squeeze=False)
    for panels, (name, images) in zip(axes, rows.items(), strict=True):
        panels[0].set_title(name, loc="left")
        for axis, image in zip(panels, images, strict=True):
            show_picture(axis, image)
    return figure
