"""Figures of divergences and of the objectives made of them."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST, draw_lines, label_outer, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style, mark_look


@in_style
def plot_divergence_family(alphas, curves, limits):
    """A two-parameter family of divergences over its first parameter."""
    figure, axis = plt.subplots(figsize=(WIDEST, 4.2))
    draw_lines(axis, alphas, curves)
    for number, (name, point) in enumerate(limits.items()):
        look = mark_look(number) | {"color": "black", "mfc": "white", "ms": 8}
        axis.plot(*point, label=name, **look)
    axis.set(xlabel=r"$\alpha$", ylabel=r"divergence $D_{\alpha,\beta}(p : q)$")
    shared_legend(figure)
    return figure


@in_style
def plot_objectives(y, curves, answers):
    """Objectives along a single output, scaled from 0 to 1, and the right answers."""
    figure, axis = plt.subplots(figsize=(WIDEST, 4.2))
    for answer in answers:
        axis.axvline(answer, color="0.7", lw=4, zorder=0)
    looks = method_looks(curves)
    for name, values in curves.items():
        # The square root shows a shallow valley beside a deep one.
        heights = np.sqrt((values - values.min()) / np.ptp(values))
        look = looks[name]
        axis.plot(y, heights, label=name, **look | {"marker": ""})
        look = look | {"ls": "", "marker": "v", "ms": 8, "clip_on": False, "zorder": 3}
        axis.plot(y[values.argmin()], 0.0, **look)
    axis.set(xlabel="output y", ylabel="square root of the scaled objective", ylim=(0, None))
    shared_legend(figure)
    return figure


@in_style
def plot_two_means(alphas, pairs):
    """Geometric and arithmetic weighted means of two numbers over the weight of the second."""
    figure, axes = panel_grid(len(pairs), 1.7, 2.1, below=0.4)
    for axis, (first, second) in zip(axes, pairs, strict=True):
        geometric = first ** (1.0 - alphas) * second**alphas
        axis.plot(alphas, geometric, label=r"$\eta_x^{1-\alpha} \eta_y^\alpha$")
        arithmetic = (1.0 - alphas) * first + alphas * second
        axis.plot(alphas, arithmetic, "--", label=r"$(1-\alpha)\eta_x + \alpha\eta_y$")
        axis.set(title=rf"$\eta_x = {first:g}$, $\eta_y = {second:g}$")
    label_outer(axes, r"$\alpha$", "mean")
    shared_legend(figure)
    return figure
