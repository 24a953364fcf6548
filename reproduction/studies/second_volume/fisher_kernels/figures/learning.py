"""Figures of Fisher kernel learning: walks, mean scores, propagation, objectives, embeddings."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST, draw_lines, label_outer, panel_grid, shared_legend
from reproduction.figures.style import COLORS, curve_look, in_style, line_look, mark_look


@in_style
def plot_walks(data):
    """First sequence of each class: what is seen, and its way between the hidden places."""
    classes, first = np.unique(data.y, return_index=True)
    figure, axes = panel_grid(len(classes), 2.6, 2.6, below=0.3, sharex=True, sharey=True)
    for axis, label, row in zip(axes, classes, first, strict=True):
        path = data.paths[row]
        steps = path[np.append(True, np.diff(path) != 0)]  # each place once per visit
        for start, end in zip(data.means[steps[:-1]], data.means[steps[1:]], strict=True):
            # Ends short of the place, so that heads do not pile up.
            axis.annotate("", start + 0.9 * (end - start), start, arrowprops={"arrowstyle": "->"})
        axis.plot(*data.sequences[row].T, ".", color=COLORS[0], label="seen")
        axis.plot(*data.means.T, "o", ms=11, mfc="none", mec="black", label="places")
        axis.set(title=f"class {label}", aspect="equal")
    label_outer(axes, "first coordinate", "second coordinate")
    shared_legend(figure, "upper center")
    return figure


@in_style
def plot_mean_scores(iterations, curves):
    """Lengths of scores over the iterations of a fit, on a logarithmic axis."""
    figure, axis = plt.subplots(figsize=(WIDEST, 3.6))
    draw_lines(axis, iterations, curves, look=curve_look, ms=5)
    axis.set(xlabel="iterations of EM", ylabel="length", yscale="log")
    axis.set_xscale("symlog", linthresh=1)
    axis.set_xlim(-0.1, None)
    ticks = [i for i in (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if i <= max(iterations)]
    axis.set_xticks(ticks, [str(i) for i in ticks])
    axis.set_xticks([], minor=True)
    shared_legend(figure)
    return figure


@in_style
def plot_propagation(strengths, panels):
    """Sums over hidden states, by enumeration and by loopy propagation, over the coupling."""
    figure, axes = panel_grid(len(panels), 2.6, 3.0)
    for axis, (title, curves) in zip(axes, panels.items(), strict=True):
        draw_lines(axis, strengths, curves, lw=2)
        axis.set(xlabel="strength of the coupling", ylabel=title)
    shared_legend(figure, "upper center")
    return figure


@in_style
def plot_objective_histories(histories):
    """Objective per object over the iterations of several learners, the best of each marked."""
    figure, axis = plt.subplots(figsize=(WIDEST, 4.0))
    for number, (name, values) in enumerate(histories.items()):
        axis.plot(values, label=name, **line_look(number))
        best = int(np.argmax(values))
        axis.plot(best, values[best], ms=7, **mark_look(number))
    axis.set(xlabel="iteration", ylabel="objective per object", ylim=(None, 1.02))
    axis.xaxis.get_major_locator().set_params(integer=True)
    shared_legend(figure)
    return figure


@in_style
def plot_score_embeddings(columns, rows):
    """Points of several classes in the plane, one column of panels per embedding."""
    shared = {"sharex": "col", "sharey": "col", "squeeze": False}
    size = (WIDEST, 0.4 + 2.3 * len(rows))
    figure, axes = plt.subplots(len(rows), len(columns), figsize=size, **shared)
    for column, (title, clouds) in enumerate(columns.items()):
        for row, ((name, y), cloud) in enumerate(zip(rows.items(), clouds, strict=True)):
            axis = axes[row, column]
            for number, label in enumerate(np.unique(y)):
                look = mark_look(number) | {"ms": 4, "alpha": 0.7}
                axis.plot(*cloud[y == label].T, label=f"class {label}", **look)
            axis.set_title(f"{title},\n{name}")
            axis.locator_params(axis="x", nbins=3)
    label_outer(axes, "first coordinate", "second coordinate")
    shared_legend(figure, "upper center")
    return figure
