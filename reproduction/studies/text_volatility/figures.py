"""Figures of series of log-volatility, their model, and the words that predict them."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import (
    WIDEST,
    draw_band,
    draw_lines,
    legend_under,
    name_rows,
    panel_grid,
    shared_legend,
)
from reproduction.figures.style import COLORS, curve_look, in_style, line_look, mark_look
from reproduction.statistics import steady


@in_style
def plot_volatilities(Y, rows):
    """A few series among all of them, and how their steps hang together."""
    steps = np.arange(1, Y.shape[1] + 1)
    figure, (left, right) = plt.subplots(2, 1, figsize=(WIDEST, 7.0))
    for inner, shade in ((90, 0.12), (50, 0.2)):
        bounds = np.percentile(Y, [50 - inner / 2, 50 + inner / 2], axis=0)
        left.fill_between(steps, *bounds, color="black", alpha=shade, lw=0, label=f"{inner} %")
    curves = {name: Y[row] for name, row in rows.items()}
    draw_lines(left, steps, curves, look=curve_look, ms=4)
    left.set(xlabel="window of ten trading days", ylabel="log-volatility", xticks=steps)
    legend_under(left, ncols=3, fontsize=9)
    correlations = np.corrcoef(Y.T)
    right.imshow(correlations, cmap="viridis", vmin=0, vmax=1)
    for i, j in np.ndindex(correlations.shape):
        color = "black" if correlations[i, j] > 0.6 else "white"
        right.text(j, i, f"{correlations[i, j]:.2f}", ha="center", va="center", color=color)
    right.grid(False)
    right.set(xlabel="window", ylabel="window", title="correlation")
    right.set_xticks(steps - 1, steps)
    right.set_yticks(steps - 1, steps)
    return figure


@in_style
def plot_series_model(model, Y, rows):
    """What a state-space model says of a step, and what it makes of a few series."""
    A, C, b = model.transition_matrix_, model.observation_matrix_[0], model.observation_offset_[0]
    mean, covariance = model.initial_mean_, model.initial_covariance_
    moments = []
    for _ in range(Y.shape[1]):
        variance = C @ covariance @ C + model.observation_covariance_[0, 0]
        moments.append((C @ mean + b, np.sqrt(variance)))
        mean = A @ mean + model.transition_offset_
        covariance = A @ covariance @ A.T + model.transition_covariance_
    centre, deviation = np.array(moments).T

    figure, (left, right) = panel_grid(2, 2.6, 3.0, below=0.3, sharey=True)
    steps = np.arange(1, Y.shape[1] + 1)
    draw_band(left, steps, centre, 2 * deviation, COLORS[0], alpha=0.2)
    left.plot(steps, centre, color=COLORS[0], label="model, two standard deviations")
    look = {"fmt": "o", "color": "black", "mfc": "white", "ms": 5, "capsize": 3}
    left.errorbar(steps, Y.mean(axis=0), 2 * Y.std(axis=0), label="data, the same", **look)
    smoothed = model.smooth(Y[rows][:, :, None]).means @ C + b
    for number, (z, path) in enumerate(zip(Y[rows], smoothed, strict=True)):
        right.plot(steps, z, ms=5, mfc="white", **mark_look(number))
        right.plot(steps, path, **line_look(number))
    left.set(title="all series", ylabel="log-volatility")
    right.set(title="three series and their states" if len(rows) == 3 else "series and states")
    for axis in (left, right):
        axis.set(xlabel="window of ten trading days", xticks=steps)
    shared_legend(figure)
    return figure


@in_style
def plot_words(words, coefficients, *, n_words=15, label):
    """Words with the largest coefficients of either sign."""
    order = np.argsort(steady(coefficients), kind="stable")
    figure, axes = panel_grid(2, 2.6, 0.8 + 0.22 * n_words)
    sides = [("less volatile", order, COLORS[0]), ("more volatile", order[::-1], COLORS[1])]
    for axis, (title, chosen, color) in zip(axes, sides, strict=True):
        chosen = chosen[:n_words]
        axis.barh(range(len(chosen)), np.abs(coefficients[chosen]), color=color)
        name_rows(axis, words[chosen], fontsize=9)
        axis.set(title=title, xlabel=label)
    axes[0].set_ylabel("word")
    return figure
