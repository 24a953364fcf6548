"""Figures of Fisher vectors: their shape, their blocks and what decides them."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Ellipse

from ofer.embeddings._covariances import full_precisions
from ofer.plotting._style import COLORS, DASHES, MARKERS, in_style

__all__ = [
    "plot_covariance_types",
    "plot_fisher_vectors",
    "plot_responsibilities",
    "plot_sparsity",
    "plot_tolerances",
]


@in_style
def plot_fisher_vectors(line, y, plane, Y):
    """Fisher vectors of Gaussian samples in one and two dimensions (the paper's Figure 2, redrawn).

    Parameters
    ----------
    line, plane : GaussianEmbedding
        Fitted to outputs in one and in two dimensions; the second is spherical.
    y : ndarray of shape (n, 1)
        Outputs in one dimension.
    Y : ndarray of shape (m, 2)
        Outputs in two dimensions.

    Returns
    -------
    Figure
    """
    figure = plt.figure(figsize=(9.6, 3.4))
    places = figure.add_gridspec(1, 3, width_ratios=[1, 1, 1.35])
    histogram, parabola = (figure.add_subplot(places[k]) for k in range(2))
    paraboloid = figure.add_subplot(places[2], projection="3d")

    mean, deviation = line.mean_[0], np.sqrt(line.covariance_)
    inside = np.abs(y[:, 0] - mean) <= deviation
    # One standard deviation is a whole number of bins, so that no bar has both colours.
    bins = mean + deviation * np.arange(-4, 4.01, 0.25)
    looks = [
        (inside, "within", COLORS[1], "//", MARKERS[2]),
        (~inside, "beyond", COLORS[0], "", MARKERS[0]),
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
        paraboloid.plot(
            *score[chosen, :2].T, height[chosen], marker, color=color, mfc="none", ms=3, mew=0.7
        )
    histogram.set(xlabel="output $y$", ylabel="number of outputs")
    histogram.legend(loc="upper left", handlelength=1.2, fontsize="small")
    parabola.set(xlabel=r"$\phi_\mu$", ylabel=r"$\phi_\Sigma$")
    paraboloid.set(xlabel=r"$\phi_{\mu,1}$", ylabel=r"$\phi_{\mu,2}$")
    paraboloid.set_zlabel(r"$\operatorname{tr} \phi_\Sigma$", labelpad=8)
    paraboloid.set_box_aspect((1, 1, 0.9), zoom=0.95)
    paraboloid.locator_params(nbins=4)
    return figure


@in_style
def plot_covariance_types(embeddings, Y, places=None):
    """Outputs in the plane under Gaussians or mixtures of several covariance types, side by side.

    Parameters
    ----------
    embeddings : dict of str to GaussianEmbedding or GaussianMixtureEmbedding
        Fitted to outputs in two dimensions, by the title of their panel.
    Y : ndarray of shape (n, 2)
        Outputs.
    places : ndarray of shape (m, 2), default=None
        Where to draw the score of the mean, of a single Gaussian, as an arrow.

    Returns
    -------
    Figure
    """
    rows = 1 if len(embeddings) < 4 else 2
    columns = -(-len(embeddings) // rows)
    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(3.0 * columns, 3.0 * rows),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="compressed",
    )
    if places is not None:  # one scale for all panels
        scores = [embedding.fisher_vector(places)[:, :2] for embedding in embeddings.values()]
        longest = np.linalg.norm(scores, axis=2).max()
    for axis, (title, embedding) in zip(axes.flat, embeddings.items(), strict=True):
        axis.plot(*Y.T, ".", color="0.6", ms=3)
        _draw_ellipses(axis, embedding.mixture_)
        if places is not None:
            units = {"angles": "xy", "scale_units": "xy", "scale": longest / np.ptp(Y) * 5}
            arrows = embedding.fisher_vector(places)[:, :2]
            axis.quiver(*places.T, *arrows.T, color=COLORS[1], width=0.008, **units)
        axis.set(title=title, aspect="equal")
    for axis in axes[-1]:
        axis.set_xlabel("$y_1$")
    for axis in axes[:, 0]:
        axis.set_ylabel("$y_2$")
    return figure


@in_style
def plot_responsibilities(embedding, Y, limits):
    """Density of a mixture in the plane, and the responsibilities of its components.

    Parameters
    ----------
    embedding : GaussianMixtureEmbedding
        Fitted to outputs in two dimensions, with three components.
    Y : ndarray of shape (n, 2)
        Outputs.
    limits : tuple of float
        Least and largest value of both axes, as (left, right, bottom, top).

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(
        2, 2, figsize=(7.4, 6.2), sharex=True, sharey=True, layout="compressed"
    )
    x, y = np.linspace(*limits[:2], 161), np.linspace(*limits[2:], 161)
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    log_density = embedding.score_samples(grid.reshape(-1, 2)).reshape(161, 161)
    gamma = embedding.predict_proba(grid.reshape(-1, 2)).reshape(161, 161, -1)
    owner = embedding.predict_proba(Y).argmax(axis=1)

    first, *others = axes.flat
    first.contour(
        x, y, log_density, levels=np.arange(-13, 0), colors="0.5", linewidths=0.7, linestyles="-"
    )
    first.set_title(r"$\log p_\theta(y)$, one nat a line")
    for j, axis in enumerate(others):
        shades = axis.contourf(x, y, gamma[:, :, j], np.linspace(0, 1, 11), cmap="Greys", vmax=1.5)
        axis.contour(x, y, gamma[:, :, j], [0.5], colors=COLORS[j], linewidths=1.5)
        axis.set_title(f"$\\gamma_{j + 1}(y)$")
        for panel in (first, axis):
            mine = {"color": COLORS[j], "mec": "white", "mew": 0.4, "ms": 4.5}
            panel.plot(*Y[owner == j].T, MARKERS[j], **mine)
    figure.colorbar(shades, ax=axes, label="responsibility", shrink=0.6)
    for axis in axes.flat:
        axis.set_aspect("equal")
    for axis in axes[1]:
        axis.set_xlabel("$y_1$")
    for axis in axes[:, 0]:
        axis.set_ylabel("$y_2$")
    return figure


@in_style
def plot_sparsity(shares):
    """Share of small coordinates in Fisher vectors of mixtures, against cluster separation.

    Parameters
    ----------
    shares : DataFrame
        Shares in [0, 1]: a row a separation (the index), a column a number of components.

    Returns
    -------
    Figure
    """
    figure, axis = plt.subplots(figsize=(6.0, 3.6))
    for (C, share), color, marker, dash in zip(
        shares.items(), COLORS, MARKERS, DASHES, strict=False
    ):
        axis.plot(share, color=color, marker=marker, ls=dash, ms=5, label=f"$C = {C}$")
        axis.axhline(1 - 1 / C, color=color, ls=":", lw=1)
    axis.set(
        xlabel="distance of two cluster means [standard deviations]",
        ylabel="share of small coordinates",
        ylim=(0, 1),
    )
    axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


@in_style
def plot_tolerances(frame, default):
    """What EM's tolerance leaves of the mean score, and how many iterations it costs.

    Parameters
    ----------
    frame : DataFrame
        Columns "mean score" and "iterations", the gain at which EM stops as the index.
    default : float
        The gain to mark, scikit-learn's default.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.2), sharex=True)
    for axis, name, color, marker in zip(axes, frame, COLORS, MARKERS, strict=False):
        axis.plot(frame[name], color=color, marker=marker, ms=5, label=name)
        axis.axvline(default, color="black", ls=DASHES[1], lw=1.2, label="scikit-learn's default")
        axis.set(xscale="log", xlabel="gain at which EM stops [nats]", ylabel=name)
    axes[0].plot(frame.index, np.sqrt(frame.index), color="0.4", ls=":", label="square root")
    axes[0].set(yscale="log", ylabel="largest mean score")
    axes[0].legend(fontsize="small")
    return figure


def _draw_ellipses(axis, mixture):
    """Ellipses of two standard deviations, one a component, in the plane."""
    C, d = mixture.means_.shape
    precisions = full_precisions(mixture.precisions_, mixture.covariance_type, C, d)
    for j, (mean, precision) in enumerate(zip(mixture.means_, precisions, strict=True)):
        values, vectors = np.linalg.eigh(precision)
        widths = 4 / np.sqrt(values)
        angle = np.degrees(np.arctan2(vectors[1, 0], vectors[0, 0]))
        look = {"fill": False, "color": COLORS[j], "ls": DASHES[j], "lw": 1.8}
        axis.add_patch(Ellipse(mean, *widths, angle=angle, **look))
