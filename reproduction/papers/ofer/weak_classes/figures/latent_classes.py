"""Weak labels as latent classes: how classes are inferred, and what it earns."""

import numpy as np

from reproduction.figures.layout import draw_band, label_outer, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, MARKERS, curve_look, in_style


@in_style
def plot_assignments(places, rounds, truth, names, labelled, labels):
    """Weak images on a map, round by round, with the class that each has then.

    Parameters
    ----------
    places : ndarray of shape (n_weak, 2)
        Places of the weak images.
    rounds : dict of str to ndarray of shape (n_weak,)
        By the title of a panel: their classes, places in `names`.
    truth : ndarray of shape (n_weak,)
        The true classes; where another one was inferred, there is a ring.
    names : sequence of str
        Names of the classes.
    labelled : ndarray of shape (n, 2)
        Places of the labelled images, drawn larger.
    labels : ndarray of shape (n,)
        Their classes.

    Returns
    -------
    Figure
    """
    figure, axes = panel_grid(len(rounds), 1.7, 2.7, below=0.4, sharex=True, sharey=True)
    for axis, (title, classes) in zip(axes, rounds.items(), strict=True):
        wrong = classes != truth
        axis.plot(*places[wrong].T, "o", ms=10, mfc="none", mec="black", mew=0.8, label="wrong")
        for k, name in enumerate(names):
            look = {"color": COLORS[k % 6], "marker": MARKERS[k % 6], "ls": ""}
            axis.plot(*places[classes == k].T, **look, ms=4, label=name)
            axis.plot(*labelled[labels == k].T, **look, ms=12, mec="black")
        axis.set(title=f"{title}:\n{wrong.sum()} of {len(truth)} wrong", xticks=[], yticks=[])
    label_outer(axes, "first component", "second principal component")
    shared_legend(figure)
    return figure


@in_style
def plot_gains(means, deviations):
    """Accuracy of one step after the other, a panel for each data set.

    Parameters
    ----------
    means, deviations : dict of str to DataFrame of shape (n_settings, n_steps)
        By data set, over splits; columns are the steps, the index the images a class.

    Returns
    -------
    Figure
    """
    figure, axes = panel_grid(len(means), 2.6, 3.4)
    for axis, (title, frame) in zip(axes, means.items(), strict=True):
        for number, (size, row) in enumerate(frame.iterrows()):
            spread = deviations[title].loc[size]
            x, look = np.arange(len(row)), curve_look(number)
            draw_band(axis, x, row.to_numpy(), spread.to_numpy(), look["color"])
            axis.plot(x, row, label=f"{size} per class", ms=5, **look)
        axis.set_xticks(np.arange(frame.shape[1]), frame.columns, rotation=25, ha="right")
        axis.set_title(title)
    label_outer(axes, "step", "accuracy (%)")
    shared_legend(figure)
    return figure


@in_style
def plot_kinds(panels, xlabels):
    """Accuracy over a property of weak labels, panel by panel.

    Parameters
    ----------
    panels : dict of str to DataFrame of shape (n_places, n_methods)
        By title, mean accuracies; the index is the property.
    xlabels : sequence of str
        Labels of the horizontal axes.

    Returns
    -------
    Figure
    """
    figure, axes = panel_grid(len(panels), 1.7, 2.6, below=0.6)
    looks = method_looks(name for frame in panels.values() for name in frame)
    for axis, (title, frame), label in zip(axes, panels.items(), xlabels, strict=True):
        for name, values in frame.items():
            axis.plot(values.dropna(), label=name, ms=5, **looks[name])
        axis.set(title=title, xlabel=label)
    axes[0].set_ylabel("accuracy (%)")
    shared_legend(figure)
    return figure
