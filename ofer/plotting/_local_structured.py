"""Figures of local structured predictors: arrows, transduction, half steps, label sequences."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from ofer.plotting._style import COLORS, DASHES, MARKERS, in_style

__all__ = [
    "plot_half_steps",
    "plot_label_sequences",
    "plot_local_predictors",
    "plot_loss_by_parameter",
    "plot_transduction",
]


@in_style
def plot_local_predictors(X, y, arrows, grid, regions):
    """Points of two classes, the direction of each one's predictor, and what all predict together.

    Parameters
    ----------
    X : ndarray of shape (n, 2)
        Points.
    y : ndarray of shape (n,)
        Their classes, 0 or 1.
    arrows : ndarray of shape (n, 2)
        Direction towards class 1 of each point's predictor; drawn with one length.
    grid : tuple of ndarray of shape (m,) and (p,)
        First and second coordinates of a grid.
    regions : ndarray of shape (p, m)
        Predicted classes on the grid.

    Returns
    -------
    Figure
    """
    figure, axis = plt.subplots(figsize=(7.0, 3.8))
    axis.contourf(*grid, regions, levels=[-0.5, 0.5, 1.5], colors=["white", "0.9"])
    axis.contour(*grid, regions, levels=[0.5], colors="black", linewidths=1.0)
    _draw_classes(axis, X, y)
    lengths = np.maximum(np.linalg.norm(arrows, axis=1, keepdims=True), 1e-12)
    axis.quiver(*X.T, *(arrows / lengths).T, scale=28, width=0.0025, color="0.3", zorder=3)
    axis.set(xlabel="first feature", ylabel="second feature", aspect="equal")
    axis.grid(visible=False)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


@in_style
def plot_transduction(X, truth, labelled, panels):
    """Labels of points of two classes, the wrong ones crossed out, one panel a set of labels.

    Parameters
    ----------
    X : ndarray of shape (n, 2)
        Points.
    truth : ndarray of shape (n,)
        Their classes, 0 or 1.
    labelled : ndarray of shape (n,)
        Which were given; drawn in black.
    panels : dict of str to ndarray of shape (n,)
        Labels by title.

    Returns
    -------
    Figure
    """
    size = (3.0 * len(panels), 2.7)
    figure, axes = plt.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False)
    for axis, (title, labels) in zip(axes[0], panels.items(), strict=True):
        _draw_classes(axis, X[~labelled], labels[~labelled])
        for label in (0, 1):
            some = labelled & (truth == label)
            look = {"color": "black", "ms": 7, "label": f"class {label}, given"}
            axis.plot(*X[some].T, MARKERS[label], **look)
        wrong = labels != truth
        axis.plot(*X[wrong].T, "x", color="black", ms=6, mew=1.0, label="wrong")
        axis.set(title=f"{title}: {wrong.sum()} wrong", xlabel="first feature", aspect="equal")
    axes[0, 0].set_ylabel("second feature")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


@in_style
def plot_half_steps(histories):
    """An objective that two kinds of steps change in turn, with the second ones that raise it.

    Parameters
    ----------
    histories : dict of str to ndarray of shape (2 * n_iter + 1,)
        Values by method: at the start, after the first step, after the second, and so on.

    Returns
    -------
    Figure
    """
    figure, axis = plt.subplots(figsize=(7.0, 3.8))
    for look, (name, values) in enumerate(histories.items()):
        values = np.asarray(values)
        t = np.arange(len(values)) / 2
        axis.plot(t, values, color=COLORS[look], ls=DASHES[look], label=name)
        rises = np.flatnonzero(np.diff(values)[1::2] > 1e-9 * np.abs(values[1:-1:2])) * 2 + 2
        look = {"color": COLORS[look], "mfc": "white", "ms": 6}
        axis.plot(t[rises], values[rises], "^", **look, label=f"raised by it: {len(rises)} times")
    axis.set(xlabel="iteration", ylabel="objective (9)", yscale="log")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


@in_style
def plot_label_sequences(panels, labels):
    """Sequences of labels of one length as rows of grey cells, one panel a set of sequences.

    Parameters
    ----------
    panels : dict of str to ndarray of shape (n, T)
        Sequences by title.
    labels : sequence
        The labels, from the one drawn white to the one drawn black.

    Returns
    -------
    Figure
    """
    shades = [str(shade) for shade in np.linspace(1.0, 0.0, len(labels))]
    size = (2.1 * len(panels) + 0.8, 4.2)
    figure, axes = plt.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False)
    for axis, (title, sequences) in zip(axes[0], panels.items(), strict=True):
        index = np.argmax(np.asarray(sequences)[..., None] == np.asarray(labels), axis=-1)
        look = {"cmap": ListedColormap(shades), "vmin": -0.5, "vmax": len(labels) - 0.5}
        axis.pcolormesh(index, edgecolors="0.85", lw=0.3, **look)
        steps = np.arange(0, index.shape[1], 2)
        axis.set(title=title, xlabel="step")
        axis.set_xticks(steps + 0.5, steps + 1)
        axis.grid(visible=False)
    axes[0, 0].set_ylabel("sequence")
    axes[0, 0].invert_yaxis()
    keys = [plt.Rectangle((0, 0), 1, 1, fc=shade, ec="0.5") for shade in shades]
    figure.legend(keys, [str(label) for label in labels], loc="outside right center")
    return figure


@in_style
def plot_loss_by_parameter(frame, methods, *, label, reference):
    """Losses over a parameter: a dot a split, a line through the means, one panel a setting.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``, with the metric "loss".
    methods : dict of str to float
        Positive value of the parameter by method, increasing.
    label : str
        Name of the parameter.
    reference : str
        The method whose mean is drawn across.

    Returns
    -------
    Figure
    """
    losses = frame[frame["metric"] == "loss"]
    settings = losses["setting"].unique()
    size = (1.0 + 2.2 * len(settings), 2.9)
    figure, axes = plt.subplots(1, len(settings), figsize=size, squeeze=False)
    for axis, setting in zip(axes[0], settings, strict=True):
        rows = losses[losses["setting"] == setting]
        table = rows.pivot(index="split", columns="method", values="value")
        x, values = list(methods.values()), table[list(methods)].to_numpy()
        axis.axhline(table[reference].mean(), color="black", ls="--", label=reference)
        axis.plot(x, values.T, "o", color=COLORS[0], ms=3, alpha=0.5)
        axis.plot(x, values.mean(axis=0), "-o", color=COLORS[0], ms=6, mfc="white", label="mean")
        axis.set(title=setting, xscale="log", xlabel=label, ylim=(0, None))
        axis.set_xticks(x, [f"{value:g}" for value in x], fontsize=8)
        axis.set_xticks([], minor=True)
    axes[0, 0].set_ylabel("loss")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _draw_classes(axis, X, y):
    for label in (0, 1):
        some = y == label
        look = {"color": COLORS[label], "mfc": "white", "ms": 5, "label": f"class {label}"}
        axis.plot(*X[some].T, MARKERS[label], **look)
