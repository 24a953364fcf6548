"""Figures of series whose first steps are known, and of forecasts of the others."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import (
    WIDEST,
    draw_band,
    draw_lines,
    label_outer,
    metric_name,
    only_ticks,
    panel_grid,
    shared_legend,
)
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, in_style, line_look, mark_look


@in_style
def plot_past_and_future(series, paths, n_given):
    """Observations of a few series against time, above the paths behind them in their plane."""
    n, T, p = series.shape
    figure, axes = plt.subplots(2, n, figsize=(WIDEST, 5.2), squeeze=False, sharey="row")
    steps, past, future = np.arange(1, T + 1), slice(n_given), slice(n_given, None)
    for i in range(n):
        top, bottom = axes[:, i]
        top.axvspan(n_given + 0.5, T + 0.5, color="0.93", lw=0)
        for j in range(p):
            top.plot(steps, series[i, :, j], **line_look(j), lw=1)
            look = mark_look(j) | {"ms": 4}
            top.plot(steps[past], series[i, past, j], **look, label=f"coordinate {j + 1}")
            top.plot(steps[future], series[i, future, j], **look, mfc="white")
        top.set(xlabel="step", xlim=(0.5, T + 0.5), title=f"series {i + 1}")
        bottom.plot(*paths[i].T, color="0.6", lw=1)
        bottom.plot(*paths[i, past].T, "o", color="black", ms=5, label="first half")
        bottom.plot(*paths[i, future].T, "o", color="black", mfc="white", ms=5, label="second half")
        bottom.annotate("1", paths[i, 0], (5, 5), textcoords="offset points")
        bottom.set(xlabel="first state", aspect="equal", adjustable="datalim")
    axes[0, 0].set_ylabel("observation")
    axes[1, 0].set_ylabel("second state")
    shared_legend(figure)
    return figure


@in_style
def plot_forecasts(series, means, deviations, n_given, *, others=None):
    """Forecasts of one coordinate of some series, with what is uncertain about them."""
    n, T = series.shape
    figure, axes = panel_grid(n, 1.7, 2.4, below=0.7, sharey=True)
    steps = np.arange(1, T + 1)
    future = steps[n_given:]
    for i, axis in enumerate(axes):
        for width, share, shade in [(1.645, "90 %", 0.15), (0.674, "50 %", 0.3)]:
            look = {"alpha": shade, "label": f"{share} of all futures"}
            draw_band(axis, future, means[i], width * deviations[i], COLORS[0], **look)
        axis.plot(future, means[i], color=COLORS[0], lw=2, label="best forecast")
        curves = {name: values[i] for name, values in (others or {}).items()}
        draw_lines(axis, future, curves, looks=method_looks(curves))
        axis.plot(steps[:n_given], series[i, :n_given], "o-", color="black", ms=4, label="known")
        axis.plot(future, series[i, n_given:], "o", color="black", mfc="white", ms=4, label="true")
        axis.set(title=f"series {i + 1}")
    label_outer(axes, "step", "observation")
    shared_legend(figure)
    return figure


@in_style
def plot_excess_error(frame, *, metrics, floor="Bayes", size="training samples"):
    """How far the mean error of each method lies above that of the best possible one."""
    figure, axes = panel_grid(len(metrics), 2.6, 4.0, sharey=True)
    methods = [method for method in frame["method"].unique() if method != floor]
    looks = method_looks(methods)
    for axis, metric in zip(axes, metrics, strict=True):
        rows = frame[frame["metric"] == metric]
        means = rows.pivot_table(index="setting", columns="method", values="value")
        means = means.set_index(means.index.astype(int)).sort_index()
        for method in [one for one in methods if one in means]:
            excess = means[method] - means[floor]
            axis.plot(means.index, excess.where(excess > 0), **looks[method], ms=5, label=method)
        axis.set(xscale="log", yscale="log", title=metric_name(metric))
        only_ticks(axis, means.index)
    label_outer(axes, size, f"error above that of {floor}")
    shared_legend(figure)
    return figure
