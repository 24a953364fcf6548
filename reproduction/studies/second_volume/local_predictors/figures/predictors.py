"""Figures of local structured predictors: arrows, transduction and half steps."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST, label_outer, panel_grid, shared_legend
from reproduction.figures.style import COLORS, MARKERS, in_style, line_look, mark_look


@in_style
def plot_local_predictors(X, y, arrows, grid, regions):
    """Points of two classes, the directions of their predictors, and what all predict together."""
    figure, axis = plt.subplots(figsize=(WIDEST, 3.8))
    axis.contourf(*grid, regions, levels=[-0.5, 0.5, 1.5], colors=["white", "0.9"])
    axis.contour(*grid, regions, levels=[0.5], colors="black", linewidths=1.0)
    _draw_classes(axis, X, y)
    lengths = np.maximum(np.linalg.norm(arrows, axis=1, keepdims=True), 1e-12)
    axis.quiver(*X.T, *(arrows / lengths).T, scale=28, width=0.0025, color="0.3", zorder=3)
    axis.set(xlabel="first feature", ylabel="second feature", aspect="equal")
    axis.grid(visible=False)
    shared_legend(figure)
    return figure


@in_style
def plot_transduction(X, truth, labelled, panels):
    """Labels of points of two classes, the wrong ones crossed out, one panel per set of labels."""
    figure, axes = panel_grid(len(panels), 2.6, 1.7, below=0.6, sharey=True)
    for axis, (title, labels) in zip(axes, panels.items(), strict=True):
        _draw_classes(axis, X[~labelled], labels[~labelled])
        for label in (0, 1):
            some = labelled & (truth == label)
            look = {"color": "black", "ms": 7, "label": f"class {label}, given"}
            axis.plot(*X[some].T, MARKERS[label], **look)
        wrong = labels != truth
        axis.plot(*X[wrong].T, "x", color="black", ms=6, mew=1.0, label="wrong")
        axis.set(title=f"{title}: {wrong.sum()} wrong", aspect="equal")
    label_outer(axes, "first feature", "second feature")
    shared_legend(figure)
    return figure


@in_style
def plot_half_steps(histories):
    """An objective that two kinds of steps change in turn, with the second ones that raise it."""
    figure, axis = plt.subplots(figsize=(WIDEST, 3.8))
    for number, (name, values) in enumerate(histories.items()):
        values = np.asarray(values)
        t = np.arange(len(values)) / 2
        axis.plot(t, values, label=name, **line_look(number))
        rises = np.flatnonzero(np.diff(values)[1::2] > 1e-9 * np.abs(values[1:-1:2])) * 2 + 2
        look = {"color": COLORS[number], "mfc": "white", "ms": 6}
        axis.plot(t[rises], values[rises], "^", **look, label=f"raised by it: {len(rises)} times")
    axis.set(xlabel="iteration", ylabel="objective (9)", yscale="log")
    shared_legend(figure)
    return figure


def _draw_classes(axis, X, y):
    for label in (0, 1):
        some = y == label
        axis.plot(*X[some].T, mfc="white", ms=5, label=f"class {label}", **mark_look(label))
