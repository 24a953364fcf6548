"""Figures of output models, their scores and what is decoded from them."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from reproduction.figures.layout import DATA_UNITS, WIDEST, draw_lines, panel_grid, shared_legend
from reproduction.figures.style import COLORS, in_style, line_look, mark_look


@in_style
def plot_three_steps():
    """The method as a diagram: embed, regress, decode (the paper's Figure 1, redrawn)."""
    vector = "$\\phi^M(y) = M\\,\\nabla_\\theta \\log p_\\theta(y) \\in ℝ^p$"
    boxes = [
        (1.2, 1.0, 1.9, "inputs $x$"),
        (8.8, 1.0, 1.9, "outputs $y$"),
        (5.0, 3.1, 4.6, f"Fisher embeddings\n{vector}"),
    ]
    nearest = "\\operatorname{arg\\,min}_y$\n$\\|\\phi^M(y) - h(x)\\|^2"
    decode = f"3  decode (pre-image)\n$y^\\star \\in {nearest}$"
    arrows = [
        ((8.7, 1.65), (7.5, 2.9), 0.15, (8.85, 2.5), "1  embed\n(generative model)", "left"),
        ((1.3, 1.65), (2.5, 2.9), -0.15, (1.15, 2.5), "2  regress\n$h(x)$", "right"),
        ((5.4, 2.45), (7.7, 0.95), 0.15, (4.5, 1.1), decode, "center"),
    ]
    return _draw_scheme(boxes, arrows)


@in_style
def plot_class_scheme(n_inputs, n_outputs, n_components, n_classes):
    """The method with a step from classes to vectors and one back (after section 6.5)."""
    size = n_outputs + n_components
    boxes = [
        (1.2, 1.0, 2.1, f"images\n$x \\in ℝ^{{{n_inputs}}}$"),
        (5.0, 3.1, 3.2, f"Fisher embeddings\n$\\phi^M(y) \\in ℝ^{{{size}}}$"),
        (8.8, 3.1, 2.1, f"class vectors\n$y \\in ℝ^{{{n_outputs}}}$"),
        (8.8, 1.0, 2.1, f"classes\n$z$, {n_classes} of them"),
    ]
    arrows = [
        ((9.2, 1.65), (9.2, 2.45), 0.0, (9.3, 2.05), "1  describe", "left"),
        ((7.65, 3.35), (6.75, 3.35), 0.2, (7.2, 3.85), "2  embed", "center"),
        ((1.5, 1.65), (3.25, 2.9), -0.15, (1.5, 2.5), "3  regress\n$h(x)$", "right"),
        ((6.75, 2.85), (7.65, 2.85), 0.2, (6.6, 2.35), "4  decode $\\hat y$", "center"),
        ((8.4, 2.45), (8.4, 1.65), 0.0, (8.3, 2.0), "5  nearest $\\hat z$", "right"),
    ]
    return _draw_scheme(boxes, arrows)


def _draw_scheme(boxes, arrows):
    """Boxes (centre, width, text) and arrows (start, end, bend, and a text at a place)."""
    figure, axis = plt.subplots(figsize=(WIDEST, 3.2))
    axis.set(xlim=(0, 10), ylim=(0, 4))
    axis.axis("off")
    for x, y, width, text in boxes:
        look = {"boxstyle": "round,pad=0.08", "fc": "0.95", "ec": "black"}
        axis.add_patch(FancyBboxPatch((x - width / 2, y - 0.5), width, 1.0, **look))
        axis.text(x, y, text, ha="center", va="center")
    look = {"arrowstyle": "-|>", "mutation_scale": 16, "lw": 1.6, "color": COLORS[0]}
    for start, end, bend, place, text, side in arrows:
        axis.add_patch(FancyArrowPatch(start, end, connectionstyle=f"arc3,rad={bend}", **look))
        axis.text(*place, text, ha=side, va="center")
    return figure


@in_style
def plot_density_and_score(embedding, y):
    """Density of outputs in one dimension above its scores in mean and variance."""
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(5.2, 4.2), sharex=True)
    top.fill_between(y[:, 0], np.exp(embedding.score_samples(y)), color=COLORS[0], alpha=0.4)
    top.set_ylabel(r"density $p_\theta(y)$")
    score = embedding.fisher_vector(y)
    names = [r"$\partial_\mu \log p_\theta(y)$", r"$\partial_\Sigma \log p_\theta(y)$"]
    draw_lines(bottom, y[:, 0], dict(zip(names, score.T, strict=True)))
    bottom.axhline(0, color="black", lw=0.8)
    bottom.set(xlabel="output $y$", ylabel="score")
    bottom.legend()
    return figure


@in_style
def plot_mixture_scores(embedding, Y, grid):
    """Outputs of a two-dimensional mixture, and the score of the means over the plane."""
    figure, axes = panel_grid(2, 2.6, 2.9, sharex=True, sharey=True, layout="compressed")
    C = len(embedding.weights_)
    owner = embedding.predict_proba(Y).argmax(axis=1)
    gamma = embedding.predict_proba(grid)
    mean_scores = embedding.fisher_vector(grid)[:, C : 3 * C].reshape(-1, C, 2)
    for j in range(C):
        axes[0].plot(*Y[owner == j].T, ms=3, alpha=0.6, **mark_look(j))
        radius = 2 * np.sqrt(embedding.covariances_[j])
        for axis in axes:
            look = line_look(j) | {"fill": False, "lw": 1.5}
            axis.add_patch(plt.Circle(embedding.means_[j], radius, **look))
        strong = gamma[:, j] > 0.05
        look = {"color": COLORS[j], "angles": "xy", "width": 0.004}
        axes[1].quiver(*grid[strong].T, *mean_scores[strong, j].T, **look)
    axes[0].set(title="outputs and components", xlabel="$y_1$", ylabel="$y_2$")
    axes[1].set(title=r"scores $\varphi_{\mu,j}(y)$", xlabel="$y_1$")
    for axis in axes:
        axis.set_aspect("equal")
    return figure


@in_style
def plot_decoding(embedding, H, Y):
    """How predictions are put together: a mean of the means, and a residual."""
    figure, axis = plt.subplots(figsize=(5.2, 4.4))
    corners = embedding.means_[[*range(len(embedding.means_)), 0]]
    axis.plot(*corners.T, ":", color="0.4", lw=1)
    axis.plot(*embedding.means_.T, "*", color="black", ms=11, label=r"means $\mu_j$")
    base = embedding.decode_membership(H[:, embedding.blocks_["membership"]]) @ embedding.means_
    predicted = embedding.inverse_transform(H)
    axis.plot(*np.stack([predicted, Y], axis=1).T, color="0.6", lw=1)
    axis.quiver(*base.T, *(predicted - base).T, color=COLORS[0], width=0.005, **DATA_UNITS)
    axis.plot(*base.T, "s", color=COLORS[0], ms=4, label=r"$\sum_j g_j \mu_j$")
    axis.plot(*predicted.T, "o", color=COLORS[1], ms=5, label=r"prediction $y^\star$")
    axis.plot(*Y.T, "o", color=COLORS[1], ms=5, mfc="white", label="true output")
    axis.set(xlabel="$y_1$", ylabel="$y_2$", aspect="equal")
    shared_legend(figure)
    return figure
