"""Figures of state-space models: paths, bands, innovations and what is predicted from them."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle, Rectangle

from reproduction.figures.layout import (
    DATA_UNITS,
    WIDEST,
    draw_band,
    draw_lines,
    label_outer,
    legend_under,
    panel_grid,
    shared_legend,
)
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, curve_look, in_style, line_look, mark_look


@in_style
def plot_state_space_graph(n_steps=4):
    """The model as a graph: a chain of states, and an observation of each."""
    figure, axis = plt.subplots(figsize=(WIDEST, 2.3))
    axis.set(xlim=(-1.25, 2 * n_steps - 1.1), ylim=(-0.7, 2.5), aspect="equal")
    axis.axis("off")
    radius = 0.42

    def arrow(start, end, text, place, side):
        style = {"arrowstyle": "-|>", "lw": 1.4, "color": COLORS[0]}
        axis.annotate("", end, start, arrowprops=style)
        axis.text(*place, text, ha=side, va="center")

    for t in range(n_steps):
        x, number = 2 * t, str(t + 1)
        for y, name, face in [(1.8, "m", "white"), (0.0, "z", "0.85")]:
            axis.add_patch(Circle((x, y), radius, fc=face, ec="black", lw=1.2))
            axis.text(x, y, f"${name}_{number}$", ha="center", va="center", fontsize=12)
        arrow((x, 1.8 - radius), (x, radius), "$C,\\ R$", (x + 0.1, 0.9), "left")
        if t:
            arrow((x - 2 + radius, 1.8), (x - radius, 1.8), "$A,\\ Q$", (x - 1, 2.1), "center")
    arrow((-1.2, 1.8), (-radius, 1.8), "$\\mu_0,\\ \\Sigma_0$", (-0.9, 2.1), "center")
    return figure


@in_style
def plot_sampled_series(states, Z, deviation):
    """Paths of two states in their plane, and the first observation of the same series."""
    figure, (plane, time) = plt.subplots(1, 2, figsize=(WIDEST, 2.6), width_ratios=(1, 1.5))
    steps = np.arange(1, Z.shape[1] + 1)
    for number, (path, series) in enumerate(zip(states, Z, strict=True)):
        _draw_path(plane, path, number, ms=7, lw=1.2)
        time.plot(steps, series[:, 0], ms=3, lw=1.2, **curve_look(number))
    for bound in (-2 * deviation, 2 * deviation):
        time.axhline(bound, color="black", lw=0.8, ls=":")
    plane.set(title="states", xlabel="$m_{t,1}$", ylabel="$m_{t,2}$", aspect="equal")
    plane.set_box_aspect(1)
    time.set(title="first observation", xlabel="time $t$", ylabel="$z_{t,1}$")
    return figure


@in_style
def plot_filter_and_smoother(model, z, states):
    """Filter against smoother on one series with missing entries."""
    shared = {"sharex": True, "height_ratios": (2, 1)}
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(WIDEST, 5.0), **shared)
    steps = np.arange(1, len(z) + 1)
    row, b = model.observation_matrix_[0], model.observation_offset_[0]
    results = [
        ("filter", model.filter(z[None]), line_look(1), 0.18),
        ("smoother", model.smooth(z[None]), line_look(0), 0.35),
    ]
    for name, result, look, alpha in results:
        mean = result.means[0] @ row + b
        deviation = np.sqrt(row @ result.covariances[0] @ row)
        draw_band(top, steps, mean, 2 * deviation, look["color"], alpha)
        top.plot(steps, mean, label=f"{name}, two standard deviations", **look)
        bottom.plot(steps, deviation, **look)
    top.plot(steps, states @ row + b, color="black", ls=":", lw=1.5, label="truth")
    top.plot(steps, z[:, 0], "o", color="black", mfc="white", ms=4, label="observed")
    missing = np.isnan(z[:, 0])
    for axis in (top, bottom):
        for t in steps[missing]:
            axis.axvspan(t - 0.5, t + 0.5, color="0.93", zorder=0, lw=0)
    top.set_ylabel("$(C m_t)_1$")
    shared_legend(figure, "upper center")
    bottom.set(xlabel="time $t$", ylabel="standard deviation", ylim=(0, None))
    return figure


@in_style
def plot_likelihoods(curves, n_shown):
    """The first log-likelihoods of fits, where each ends, and what each iteration gains."""
    figure, (left, right) = panel_grid(2, 2.6, 2.9, below=0.3)
    iterations = np.arange(1, n_shown + 1)
    for number, (name, values) in enumerate(curves.items()):
        left.semilogx(iterations, values[1 : n_shown + 1], label=name, **line_look(number))
        left.axhline(values[-1], color=COLORS[number], lw=0.8)
        right.loglog(iterations, np.diff(values)[:n_shown], **line_look(number))
    left.set(xlabel="iteration", ylabel="log-likelihood")
    right.set(xlabel="iteration", ylabel="gain of the iteration")
    shared_legend(figure)
    return figure


@in_style
def plot_eigenvalues(truth, fitted):
    """Eigenvalues of transition matrices in the unit circle, and a closer look."""
    figure, axes = panel_grid(2, 2.6, 2.9, below=0.4, layout="compressed")
    for axis, size in zip(axes, (2, 5), strict=True):
        axis.add_patch(Circle((0, 0), 1, fill=False, ec="black", lw=1))
        for number, (name, values) in enumerate(fitted.items()):
            places = np.real(values).ravel(), np.imag(values).ravel()
            axis.plot(*places, ms=size, mfc="none", label=name, **mark_look(number))
        axis.plot(truth.real, truth.imag, "*", color="black", ms=2 * size, label="truth")
        axis.set(xlabel="real part", aspect="equal")
    axes[0].set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), ylabel="imaginary part")
    everything = np.concatenate([np.ravel(values) for values in [*fitted.values(), truth]])
    upper = everything[everything.imag >= 0]
    corners = np.array([[part.min(), part.max()] for part in (upper.real, upper.imag)])
    half = 0.6 * max(np.ptp(corners, axis=1).max(), 0.1)
    low = corners.mean(axis=1) - half
    axes[0].add_patch(Rectangle(low, 2 * half, 2 * half, fill=False, ec="0.4", lw=1))
    axes[1].set(xlim=(low[0], low[0] + 2 * half), ylim=(low[1], low[1] + 2 * half))
    shared_legend(figure)
    return figure


@in_style
def plot_innovations(model, states, z):
    """A series step by step: the model's move, the innovation, and the emission residual."""
    figure, (plane, time) = panel_grid(2, 2.6, 3.0, below=0.3)
    expected = states[:-1] @ model.transition_matrix_.T + model.transition_offset_
    plane.plot(*np.stack([states[:-1], expected], axis=1).T, color="0.55", ls=":", lw=1.4, zorder=1)
    look = {"color": COLORS[1], "width": 0.007, **DATA_UNITS}
    plane.quiver(*expected.T, *(states[1:] - expected).T, **look)
    plane.plot([], [], color=COLORS[1], lw=2, label="innovation")
    plane.plot(*expected.T, "s", color="0.55", ms=4, mfc="white", label="$A m_{t-1}$")
    plane.plot(*states.T, "o", color=COLORS[0], ms=5, label="$m_t$")
    plane.plot(*model.initial_mean_, "+", color="black", ms=10, mew=1.5, label=r"$\mu_0$")
    for t in (1, len(states)):
        plane.annotate(f"$t={t}$", states[t - 1], (6, 6), textcoords="offset points", fontsize=9)
    plane.set(xlabel="$m_{t,1}$", ylabel="$m_{t,2}$", title="transitions", aspect="equal")
    plane.set_box_aspect(0.9)
    steps = np.arange(1, len(z) + 1)
    fitted = states @ model.observation_matrix_[0] + model.observation_offset_[0]
    time.vlines(steps, fitted, z[:, 0], color=COLORS[1], lw=2, label="residual")
    time.plot(steps, fitted, color=COLORS[0], lw=1, label="$(C m_t)_1$")
    time.plot(steps, z[:, 0], "o", color="black", mfc="white", ms=4, label="$z_{t,1}$")
    time.set(xlabel="time $t$", title="emissions")
    shared_legend(figure)
    return figure


@in_style
def plot_shrinkage(past, future, predictions, ridges, errors, levels):
    """Predictions under growing ridges on the innovations, and their errors."""
    figure, (series, error) = plt.subplots(2, 1, figsize=(WIDEST, 7.0))
    T = len(future)
    before, after = np.arange(1 - len(past), 1), np.arange(1, T + 1)
    series.plot(before, past, "o", color="black", ms=3)
    series.plot(after, future, "o", color="black", ms=4, mfc="white", label="truth")
    series.axvline(0.5, color="black", lw=0.8)
    draw_lines(series, after, predictions)
    series.set(xlabel="time from the present", ylabel="$z_{t,1}$")
    legend_under(series, 2)
    mean = errors.mean(axis=1)
    spread = errors.std(axis=1, ddof=1) / np.sqrt(errors.shape[1])
    draw_band(error, ridges, mean, spread, COLORS[0], alpha=0.25)
    error.semilogx(ridges, mean, color=COLORS[0], marker="o", ms=4, label="a ridge a block")
    for name, look in method_looks(levels).items():
        error.axhline(levels[name].mean(), label=name, **look | {"marker": ""})
    error.set(xlabel="ridge on transitions and emissions", ylabel="RRMSE on test series")
    legend_under(error, 2)
    return figure


@in_style
def plot_state_paths(paths, titles):
    """Paths of two states in their plane, a panel each."""
    figure, axes = panel_grid(len(paths), 1.7, 2.6, layout="compressed")
    for axis, panel, title in zip(axes, paths, titles, strict=True):
        for number, (name, path) in enumerate(panel.items()):
            _draw_path(axis, path, number, ms=6, label=name)
        axis.axhline(0, color="0.7", lw=0.8, zorder=0)
        axis.axvline(0, color="0.7", lw=0.8, zorder=0)
        axis.set_title(title)
        axis.set_box_aspect(1)
    label_outer(axes, "$m_{t,1}$", "$m_{t,2}$")
    shared_legend(figure)
    return figure


def _draw_path(axis, path, number, ms, **options):
    """A path in the plane, its start marked."""
    axis.plot(*path.T, **line_look(number), **options)
    axis.plot(*path[0], ms=ms, **mark_look(number))
