"""Figures of Fisher vectors: their shape, their blocks and what decides them."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import DATA_UNITS, WIDEST, label_outer, panel_grid, shared_legend
from reproduction.figures.style import COLORS, curve_look, in_style, line_look, mark_look


@in_style
def plot_fisher_vectors(line, y, plane, Y):
    """Fisher vectors of Gaussian samples in one and two dimensions (Figure 2, redrawn)."""
    figure = plt.figure(figsize=(WIDEST, 6.0))
    places = figure.add_gridspec(2, 2, height_ratios=[1, 1.3])
    histogram, parabola = (figure.add_subplot(places[0, k]) for k in range(2))
    paraboloid = figure.add_subplot(places[1, :], projection="3d")

    mean, deviation = line.mean_[0], np.sqrt(line.covariance_)
    inside = np.abs(y[:, 0] - mean) <= deviation
    # One standard deviation is a whole number of bins, so that no bar has both colours.
    bins = mean + deviation * np.arange(-4, 4.01, 0.25)
    looks = [
        (inside, "within", COLORS[1], "//", "^"),
        (~inside, "beyond", COLORS[0], "", "o"),
    ]
    vectors = line.fisher_vector(y)
    for chosen, name, color, hatch, marker in looks:
        style = {"color": color, "hatch": hatch, "alpha": 0.6, "edgecolor": "white"}
        histogram.hist(y[chosen, 0], bins, label=f"{name} $\\sigma$", **style)
        parabola.plot(*vectors[chosen].T, marker, color=color, mfc="none", ms=5)

    score = plane.fisher_vector(Y)
    height = score[:, 2:].reshape(-1, 2, 2).trace(axis1=1, axis2=2)
    distance = np.linalg.norm(Y - plane.mean_, axis=1) / np.sqrt(plane.covariance_)
    for chosen, (*_, color, _, marker) in zip((distance <= 1, distance > 1), looks, strict=True):
        points = *score[chosen, :2].T, height[chosen]
        paraboloid.plot(*points, marker, color=color, mfc="none", ms=3, mew=0.7)
    histogram.set(xlabel="output $y$", ylabel="number of outputs")
    histogram.legend(loc="upper left", handlelength=1.2, fontsize=9)
    parabola.set(xlabel=r"$\phi_\mu$", ylabel=r"$\phi_\Sigma$")
    paraboloid.set(xlabel=r"$\phi_{\mu,1}$", ylabel=r"$\phi_{\mu,2}$")
    paraboloid.set_zlabel(r"$\operatorname{tr} \phi_\Sigma$", labelpad=8)
    paraboloid.set_box_aspect((1, 1, 0.9), zoom=0.95)
    paraboloid.locator_params(nbins=4)
    return figure


@in_style
def plot_covariance_types(embeddings, Y, places=None):
    """Outputs in the plane under models of several covariance types, side by side."""
    n = len(embeddings)
    shared = {"sharex": True, "sharey": True, "layout": "compressed"}
    figure, axes = panel_grid(n, 1.7, 2.6, **shared)
    if places is not None:  # one scale for all panels
        scores = [embedding.fisher_vector(places)[:, :2] for embedding in embeddings.values()]
        longest = np.linalg.norm(scores, axis=2).max()
    for axis, (title, embedding) in zip(axes, embeddings.items(), strict=True):
        axis.plot(*Y.T, ".", color="0.6", ms=3)
        _draw_ellipses(axis, embedding.mixture_)
        if places is not None:
            units = DATA_UNITS | {"scale": longest / np.ptp(Y) * 5}
            arrows = embedding.fisher_vector(places)[:, :2]
            axis.quiver(*places.T, *arrows.T, color=COLORS[1], width=0.008, **units)
            axis.update_datalim(places + arrows / units["scale"])  # room for the tips
            axis.autoscale_view()
        axis.set(title=title, aspect="equal")
    label_outer(axes, "$y_1$", "$y_2$")
    return figure


@in_style
def plot_responsibilities(embedding, Y, limits):
    """Density of a mixture in the plane, and the responsibilities of its components."""
    shared = {"sharex": True, "sharey": True, "layout": "compressed"}
    figure, axes = plt.subplots(2, 2, figsize=(WIDEST, 4.8), **shared)
    x, y = np.linspace(*limits[:2], 161), np.linspace(*limits[2:], 161)
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    log_density = embedding.score_samples(grid.reshape(-1, 2)).reshape(161, 161)
    gamma = embedding.predict_proba(grid.reshape(-1, 2)).reshape(161, 161, -1)
    owner = embedding.predict_proba(Y).argmax(axis=1)

    first, *others = axes.flat
    look = {"colors": "0.5", "linewidths": 0.7, "linestyles": "-"}
    first.contour(x, y, log_density, levels=np.arange(-13, 0), **look)
    first.set(title=r"$\log p_\theta(y)$, one nat a line", aspect="equal")
    for j, axis in enumerate(others):
        shades = axis.contourf(x, y, gamma[:, :, j], np.linspace(0, 1, 11), cmap="Greys", vmax=1.5)
        axis.contour(x, y, gamma[:, :, j], [0.5], colors=COLORS[j], linewidths=1.5)
        axis.set(title=f"$\\gamma_{j + 1}(y)$", aspect="equal")
        for panel in (first, axis):
            panel.plot(*Y[owner == j].T, mec="white", mew=0.4, ms=4.5, **mark_look(j))
    figure.colorbar(shades, ax=axes, label="responsibility", shrink=0.6)
    label_outer(axes, "$y_1$", "$y_2$")
    return figure


@in_style
def plot_sparsity(shares):
    """Share of small coordinates in Fisher vectors of mixtures, against cluster separation."""
    figure, axis = plt.subplots(figsize=(5.2, 3.6))
    for number, (C, share) in enumerate(shares.items()):
        axis.plot(share, ms=5, label=f"$C = {C}$", **curve_look(number))
        axis.axhline(1 - 1 / C, color=COLORS[number], ls=":", lw=1)
    axis.set_xlabel("distance of two cluster means [standard deviations]")
    axis.set(ylabel="share of small coordinates", ylim=(0, 1))
    shared_legend(figure)
    return figure


@in_style
def plot_tolerances(frame, default):
    """What EM's tolerance leaves of the mean score, and how many iterations it costs."""
    figure, axes = panel_grid(2, 2.6, 2.9, below=0.3, sharex=True)
    for number, (axis, name) in enumerate(zip(axes, frame, strict=True)):
        axis.plot(frame[name], ms=5, **mark_look(number) | {"ls": "-"})
        axis.axvline(default, color="black", ls="--", lw=1.2, label="scikit-learn's default")
        axis.set(xscale="log", xlabel="gain at which EM stops [nats]", ylabel=name)
    axes[0].plot(frame.index, np.sqrt(frame.index), color="0.4", ls=":", label="square root")
    axes[0].set(yscale="log", ylabel="largest mean score")
    shared_legend(figure)
    return figure


def _draw_ellipses(axis, mixture):
    """Ellipses of two standard deviations, one per component, in the plane."""
    covariances, kind = mixture.covariances_, mixture.covariance_type
    turn = np.linspace(0, 2 * np.pi, 200)
    circle = 2 * np.column_stack([np.cos(turn), np.sin(turn)])
    for j, mean in enumerate(mixture.means_):
        covariance = covariances if kind == "tied" else covariances[j]
        # A number, the diagonal of a matrix, or a matrix.
        matrix = covariance if np.ndim(covariance) == 2 else covariance * np.eye(2)
        # Where dashes begin must not depend on a machine's signs of eigenvectors.
        places = mean + circle @ np.linalg.cholesky(matrix).T
        axis.plot(*places.T, **line_look(j) | {"lw": 1.8})
