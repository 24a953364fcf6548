"""Figures of how models are fitted and compared."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import draw_lines, name_rows, panel_grid, shared_legend
from reproduction.figures.style import COLORS, in_style, line_look


@in_style
def plot_em_path(lower_bounds, stops):
    """Log-likelihood after each EM iteration, and what is still missing to the last one.

    Parameters
    ----------
    lower_bounds : sequence of float
        Mean log-likelihood of an output after each iteration, in nats.
    stops : dict of str to int
        Iterations to mark, numbered from 1, by name.

    Returns
    -------
    Figure
    """
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
    """Parts of one split for several training sizes, as bars.

    Parameters
    ----------
    split : Split
        Training pool and test set, as of `reproduction.statistics.repeated_splits`.
    sizes : sequence of int
        Training sizes, one per bar.

    Returns
    -------
    Figure
    """
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
def plot_p_values(p_values, levels):
    """How often tests reject equal methods, against how often they should.

    Parameters
    ----------
    p_values : dict of str to ndarray of shape (n_tests,)
        Positive p-values of tests by name, all of them of equal methods.
    levels : sequence of float
        Levels to mark.

    Returns
    -------
    Figure
    """
    figure, axis = plt.subplots(figsize=(5.4, 3.6))
    grid = np.logspace(-4, 0, 200)
    axis.plot(grid, grid, color="black", lw=0.8, label="as it should be")
    shares = {name: np.mean(p[:, None] < grid, axis=0) for name, p in p_values.items()}
    draw_lines(axis, grid, {k: np.where(share > 0, share, np.nan) for k, share in shares.items()})
    for level in levels:
        axis.axvline(level, color="0.5", lw=1, ls=":")
    axis.set(xscale="log", yscale="log", xlabel="level of the test")
    axis.set_ylabel("share of equal pairs\ncalled different")
    shared_legend(figure)
    return figure
