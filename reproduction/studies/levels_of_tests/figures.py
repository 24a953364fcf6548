"""Figures of how models are fitted and compared."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import (
    label_outer,
    name_rows,
    only_ticks,
    panel_grid,
    shared_legend,
)
from reproduction.figures.style import COLORS, in_style, line_look


@in_style
def plot_em_path(lower_bounds, stops):
    """Log-likelihood after each EM iteration, and what is still missing to the last one."""
    bounds = np.asarray(lower_bounds)
    iterations = np.arange(1, len(bounds) + 1)
    figure, (left, right) = panel_grid(2, 2.6, 3.1, below=0.3)
    left.plot(iterations, bounds, color=COLORS[0])
    missing = bounds[-1] - bounds[:-1]
    above = missing > 1e-10  # the rest is roundoff, another on another processor
    right.plot(iterations[:-1][above], missing[above], color=COLORS[0])
    for axis in (left, right):
        for number, (name, stop) in enumerate(stops.items(), start=1):
            axis.axvline(stop, label=name, **line_look(number))
        axis.set(xscale="log", xlabel="EM iteration")
    left.set_ylabel("log-likelihood of an output [nats]")
    right.set(yscale="log", ylabel="missing to the last iteration [nats]")
    shared_legend(figure)
    return figure


@in_style
def plot_split(split, sizes):
    """Parts of one split for several training sizes, as bars."""
    figure, axis = plt.subplots(figsize=(5.4, 0.4 * len(sizes) + 1.4))
    place = np.arange(len(sizes))
    train = np.array([len(split.train(size)) for size in sizes])
    rest = len(split.train_pool) - train
    test = np.full(len(sizes), len(split.test))
    parts = {
        "training set": (train, {"color": COLORS[0]}),
        "rest of the pool (weak labels)": (rest, {"color": COLORS[4], "alpha": 0.4}),
        "test set": (test, {"color": "white", "edgecolor": COLORS[1], "hatch": "////"}),
    }
    start = np.zeros(len(sizes))
    for name, (width, look) in parts.items():
        axis.barh(place, width, 0.7, left=start, label=name, **look)
        start = start + width
    name_rows(axis, sizes)
    axis.set(xlabel="samples", ylabel="training size")
    axis.grid(False)
    shared_legend(figure, "upper center")
    return figure


@in_style
def plot_levels_of_tests(rates, levels, chosen):
    """How often tests call equal methods different, by training size, a panel for each level."""
    figure, axes = panel_grid(len(levels), 2.6, 3.3, below=0.9)
    for axis, level in zip(axes, levels, strict=True):
        rows = rates[rates["level"] == level]
        floor = level / 100  # what lies lower is drawn here
        axis.axhspan(level * 2 / 3, level * 4 / 3, color="0.5", alpha=0.3, lw=0)
        means = rows.groupby(["test", "n_train"], sort=False)["rate"].mean().unstack("test")
        for number, (test, rate) in enumerate(means.items()):
            width = 2.4 if test == chosen else 1.4
            axis.plot(rate.clip(lower=floor), label=test, lw=width, **line_look(number))
            if test == chosen:
                single = rows[rows["test"] == test].set_index("n_train")["rate"].clip(lower=floor)
                axis.plot(single, "o", color=COLORS[number % len(COLORS)], ms=3)
        axis.set(xscale="log", yscale="log", title=f"level {level}", ylim=(floor * 0.8, 1))
        only_ticks(axis, means.index)
    label_outer(axes, "training samples", "share of equal pairs\ncalled different")
    shared_legend(figure)
    return figure
