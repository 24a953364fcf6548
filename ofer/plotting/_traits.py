"""Figures of personality scores, of selected training sets, and of errors with weak labels."""

import matplotlib.pyplot as plt
import numpy as np

from ofer.plotting._style import COLORS, DASHES, MARKERS, in_style

__all__ = ["plot_calibration", "plot_errors_by_weak_labels", "plot_scores"]


@in_style
def plot_scores(Y, thresholds, parts):
    """Scores with thresholds, and how the mean scores of parts of the data are spread.

    Parameters
    ----------
    Y : ndarray of shape (n, n_traits)
        All scores, between 0 and 1.
    thresholds : sequence of float
        Drawn together with one minus them, at most six.
    parts : dict of str to ndarray of shape (n_part, n_traits)
        Scores by name, at most seven.

    Returns
    -------
    Figure
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.9), sharex=True)
    left.hist(np.ravel(Y), bins=np.linspace(0, 1, 41), color="0.75")
    for threshold, color, dash in zip(thresholds, COLORS, DASHES[1:], strict=False):
        left.axvline(threshold, color=color, ls=dash, label=f"{1 - threshold:g} and {threshold:g}")
        left.axvline(1 - threshold, color=color, ls=dash)
    left.set(xlabel="score", ylabel="scores of all clips")
    left.legend(title="thresholds", ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.17))
    for (name, scores), color, dash in zip(parts.items(), COLORS, DASHES, strict=False):
        means = np.mean(scores, axis=1)
        look = {"histtype": "step", "color": color, "ls": dash, "lw": 1.5}
        right.hist(means, bins=np.linspace(0, 1, 26), density=True, label=name, **look)
    right.set(xlabel="mean score of a clip", ylabel="density")
    right.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.17))
    return figure


@in_style
def plot_calibration(truth, predicted, *, n_bins=10):
    """True values over predicted ones, as means over equally filled bins of the predictions.

    Parameters
    ----------
    truth : ndarray of shape (n, n_targets)
        True outputs; all targets are pooled.
    predicted : dict of str to ndarray of shape (n, n_targets)
        Predictions by name, at most seven.
    n_bins : int, default=10
        Number of bins.

    Returns
    -------
    Figure
    """
    figure, axis = plt.subplots(figsize=(5.6, 3.8))
    truth, ends = np.ravel(truth), []
    looks = zip(predicted.items(), COLORS, MARKERS, DASHES, strict=False)
    for (name, values), color, marker, dash in looks:
        order = np.argsort(np.ravel(values), kind="stable")
        x, y = (
            [part.mean() for part in np.array_split(all_values[order], n_bins)]
            for all_values in (np.ravel(values), truth)
        )
        axis.plot(x, y, color=color, marker=marker, ls=dash, ms=4, label=name)
        ends += [min(x), max(x)]
    axis.plot([min(ends), max(ends)], [min(ends), max(ends)], color="black", lw=0.8)
    axis.set(xlabel="predicted score", ylabel="mean true score")
    axis.legend()
    return figure


@in_style
def plot_errors_by_weak_labels(panels, *, ylabel):
    """Errors over the number of weak labels, panel by panel.

    Parameters
    ----------
    panels : dict of str to (dict of str to DataFrame)
        By panel title: by name, at most seven, the columns "mean" and "std" over the number of
        weak labels. A name has the same look in every panel.
    ylabel : str
        Label of the vertical axis.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(
        1, len(panels), figsize=(3.1 * len(panels), 3.7), sharey=True, squeeze=False
    )
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    handles = {}
    for axis, (title, curves) in zip(axes[0], panels.items(), strict=True):
        for name, errors in curves.items():
            number = names.index(name)
            look = {"color": COLORS[number], "marker": MARKERS[number], "ls": DASHES[number]}
            handles[name] = axis.errorbar(
                errors.index, errors["mean"], errors["std"], ms=4, capsize=3, **look
            )
        axis.set(title=title, xlabel="weak labels")
        axis.set_xticks(sorted({size for errors in curves.values() for size in errors.index}))
        axis.tick_params(axis="x", labelrotation=45)
    axes[0, 0].set_ylabel(ylabel)
    figure.legend(
        [handles[name] for name in names], names, loc="outside lower center", ncols=len(names)
    )
    return figure
