"""Figures of pictures: the digits."""

import matplotlib.pyplot as plt
import numpy as np

from ofer.plotting._style import COLORS, in_style

__all__ = [
    "plot_image_rows",
    "plot_means_as_images",
    "plot_memberships",
    "plot_prediction",
    "plot_task",
]


@in_style
def plot_task(images, centre_mask):
    """Whole pictures above what a learner sees of them.

    Parameters
    ----------
    images : ndarray of shape (n, height, width)
        Pictures.
    centre_mask : ndarray of bool of shape (height, width)
        The pixels that are outputs.

    Returns
    -------
    Figure
    """
    n = len(images)
    figure, axes = plt.subplots(2, n, figsize=(n * 0.95, 2.1), squeeze=False)
    for column, image in zip(axes.T, images, strict=True):
        _show(column[0], image)
        _show(column[1], np.where(centre_mask, np.nan, image))
    _label_rows(axes, ["picture", "input"])
    return figure


@in_style
def plot_image_rows(rows):
    """Rows of pictures, one a method, with its name.

    Parameters
    ----------
    rows : dict of str to ndarray of shape (n, height, width)
        Pictures by name.

    Returns
    -------
    Figure
    """
    n = len(next(iter(rows.values())))
    figure, axes = plt.subplots(len(rows), n, figsize=(n * 0.95, len(rows) * 1.0), squeeze=False)
    for axes_row, images in zip(axes, rows.values(), strict=True):
        for axis, image in zip(axes_row, images, strict=True):
            _show(axis, image)
    _label_rows(axes, rows)
    return figure


@in_style
def plot_means_as_images(means, weights):
    """Component means of an output model as pictures, under their weights.

    Parameters
    ----------
    means : ndarray of shape (C, side * side)
        Component means, square pictures row by row.
    weights : ndarray of shape (C,)
        Component weights, between 0 and 1.

    Returns
    -------
    Figure
    """
    side = round(np.sqrt(means.shape[1]))
    figure, axes = plt.subplots(1, len(means), figsize=(len(means) * 0.95, 1.4), squeeze=False)
    for axis, mean, weight in zip(axes[0], means, weights, strict=True):
        _show(axis, mean.reshape(side, side))
        axis.set_title(f"{weight:.0%}", fontsize=9)
    return figure


@in_style
def plot_memberships(true, predicted):
    """Memberships of a few outputs, true and predicted, as bars.

    Parameters
    ----------
    true, predicted : ndarray of shape (n, C)
        Responsibilities; predicted ones may leave [0, 1].

    Returns
    -------
    Figure
    """
    n, C = true.shape
    figure, axes = plt.subplots(1, n, figsize=(n * 1.6, 2.3), sharey=True, squeeze=False)
    place = np.arange(C)
    for axis, t, p in zip(axes[0], true, predicted, strict=True):
        axis.bar(place - 0.2, t, 0.4, label="true", color=COLORS[0])
        axis.bar(
            place + 0.2, p, 0.4, label="predicted", color="white", edgecolor=COLORS[1], hatch="////"
        )
        axis.set(xticks=place, xlabel="component")
        axis.tick_params(axis="x", labelsize=7)
    axes[0, 0].set_ylabel("membership")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return figure


@in_style
def plot_prediction(image, centre_mask, means, membership, completed):
    """One prediction, from left to right: input, embedding, decoded output and the truth.

    Parameters
    ----------
    image : ndarray of shape (height, width)
        The true picture.
    centre_mask : ndarray of bool of shape (height, width)
        The pixels that are outputs.
    means : ndarray of shape (C, side * side)
        Component means of the output model, as square pictures row by row.
    membership : ndarray of shape (C,)
        Predicted memberships.
    completed : ndarray of shape (height, width)
        The input, completed by the prediction.

    Returns
    -------
    Figure
    """
    C = len(means)
    side = round(np.sqrt(means.shape[1]))
    figure = plt.figure(figsize=(8.6, 2.6))
    grid = figure.add_gridspec(2, C + 6, height_ratios=(3, 1))
    given, decoded, truth = (
        figure.add_subplot(grid[:, places])
        for places in (slice(0, 2), slice(C + 2, C + 4), slice(C + 4, C + 6))
    )
    _show(given, np.where(centre_mask, np.nan, image))
    given.set_title("input")
    bars = figure.add_subplot(grid[0, 2 : C + 2])
    bars.bar(np.arange(C), membership, 0.7, color=COLORS[0])
    bars.axhline(0, color="black", lw=0.8)
    bars.set(xlim=(-0.5, C - 0.5), xticks=[], ylabel="membership")
    bars.set_title("regress an embedding of the output")
    for j, mean in enumerate(means):
        _show(figure.add_subplot(grid[1, 2 + j]), mean.reshape(side, side))
    _show(decoded, completed)
    decoded.set_title("decode")
    _show(truth, image)
    truth.set_title("truth")
    return figure


def _show(axis, image):
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


def _label_rows(axes, names):
    for axis, name in zip(axes[:, 0], names, strict=True):
        axis.set_ylabel(name, rotation=0, ha="right", va="center")
