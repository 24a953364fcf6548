"""Figures of the experiments with Fisher kernels: letters, errors of classifiers, overfitting."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST, label_outer, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style, mark_look


@in_style
def plot_letters(rows, titles, states=None):
    """Letters as they were written, from the velocities of the pen."""
    n = -(-len(titles) // 2)  # in a line; the others stand below
    size = (WIDEST, 2.5 * len(rows))
    figure, axes = plt.subplots(2 * len(rows), n, figsize=size, squeeze=False)
    frames = [one for letters in (states or {}).values() for one in letters]
    numbers = np.unique(np.concatenate(frames)) if frames else []
    for axis in axes.flat:
        axis.set_axis_off()
    for row, (name, letters) in enumerate(rows.items()):
        for column, letter in enumerate(letters):
            half, place = divmod(column, n)
            axis, path = axes[half * len(rows) + row, place], np.cumsum(letter[:, :2], axis=0)
            axis.set_axis_on()
            if row == 0:
                axis.set_title(titles[column])
            if place == 0:
                axis.set_ylabel(name)
            axis.plot(*path.T, color="0.6" if len(numbers) else "black", lw=1, zorder=0)
            for look, number in enumerate(numbers):
                chosen = path[states[name][column] == number]
                axis.plot(*chosen.T, ms=2.5, label=f"state {number + 1}", **mark_look(look))
            axis.plot(*path[0], "o", color="black", mfc="white", ms=5)
            axis.set(aspect="equal", adjustable="datalim", xticks=[], yticks=[])
            axis.spines[:].set_visible(False)
    if len(numbers):
        shared_legend(figure, "upper center", markerscale=2.5)
    return figure


@in_style
def plot_classifier_errors(panels, classifiers, methods):
    """Errors over the number of hidden states: one row per data set, one column per classifier."""
    size = (WIDEST, 0.4 + 1.8 * len(panels))
    shared = {"sharex": True, "sharey": "row", "squeeze": False}
    figure, axes = plt.subplots(len(panels), len(classifiers), figsize=size, **shared)
    looks = method_looks(methods)
    for row, (name, summary) in enumerate(panels.items()):
        places = {setting: place for place, setting in enumerate(summary["setting"].unique())}
        for axis, classifier in zip(axes[row], classifiers, strict=True):
            for number, method in enumerate(methods):
                chosen = (summary["method"] == method) & (summary["metric"] == classifier)
                cells = summary[chosen]
                # A little apart, so that bars do not cover each other.
                apart = 0.06 * (number - (len(methods) - 1) / 2)
                x = cells["setting"].map(places).astype(float) + apart
                look = looks[method] | {"ms": 5, "lw": 1.3}
                axis.errorbar(x, cells["mean"], cells["std"], label=method, **look)
            axis.set_xticks(list(places.values()), list(places))
            if row == 0:
                axis.set_title(classifier)
        axes[row, 0].set(ylabel=f"{name}\nerror in %", ylim=(0, None))
    for axis in axes[-1]:
        axis.set_xlabel("hidden states")
    shared_legend(figure, "upper center")
    return figure


@in_style
def plot_shares(panels, methods):
    """Objective on training and on test objects, one panel per data set."""
    figure, axes = panel_grid(len(panels), 2.6, 2.5, below=0.4)
    looks = method_looks(methods)
    for axis, (title, shares) in zip(axes, panels.items(), strict=True):
        equal = shares["test"].max()  # the line goes through what is drawn, and takes no room
        axis.axline((equal, equal), slope=1, color="0.7", lw=1, zorder=0)
        for method in methods:
            if method not in shares.index:
                continue  # but keeps its colour and marker
            points, look = shares.loc[method], looks[method] | {"ms": 5, "lw": 1}
            axis.plot(points["training"], points["test"], label=method, **look)
            for place, point in enumerate(points.to_numpy()):
                axis.plot(*point, **look | {"ms": 5 + 2 * place})
        axis.set(title=title)
        axis.margins(0.12)
        axis.locator_params(nbins=5)
    label_outer(axes, "training objects", "test objects")
    shared_legend(figure, "upper center")
    return figure
