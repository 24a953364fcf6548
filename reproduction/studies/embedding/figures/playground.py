"""The still figures that stand where pictures cannot move."""

import matplotlib.pyplot as plt
import numpy as np

from ofer.embeddings import project_simplex
from reproduction.figures.layout import WIDEST, draw_band, label_outer, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, in_style

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])  # of the simplex, as drawn


@in_style
def plot_embedding_of_output(embedding, y, *, limits):
    """Memberships, centroid and residual of an output in the plane."""
    memberships, residual = _blocks(embedding, embedding.transform(y[None])[0])
    centroid = y - residual
    figure, (plane, bars) = plt.subplots(1, 2, figsize=(WIDEST, 3.0), width_ratios=(3, 2))
    spreads = np.sqrt(embedding.covariances_)
    looks = zip(embedding.means_, spreads, embedding.weights_, memberships, COLORS, strict=False)
    for number, (mean, spread, weight, membership, color) in enumerate(looks, 1):
        plane.add_patch(plt.Circle(mean, spread, fc=(color, 0.6 * weight), ec=color))
        plane.plot(*np.transpose([mean, centroid]), color=color, lw=8 * membership, alpha=0.7)
        _numbered(plane, mean, number, color)
        bars.barh(number, membership, color=color)
    _arrow(plane, centroid, y)
    plane.plot(*centroid, "s", color="black", label="centroid")
    plane.plot(*y, "o", color="black", label="output $y$")
    plane.legend(loc="lower left")
    plane.set(xlabel="$y_1$", ylabel="$y_2$", xlim=limits[0], ylim=limits[1], aspect="equal")
    bars.set(xlabel="membership $\\gamma_j(y)$", ylabel="component $j$", xlim=(0, 1))
    bars.set_yticks(np.arange(1, len(memberships) + 1))
    bars.invert_yaxis()
    return figure


@in_style
def plot_tug(embedding, y, *, limits):
    """How an output tugs at the means of a mixture, and the embedding that this makes."""
    vector = embedding.transform(y[None])[0]
    memberships, residual = _blocks(embedding, vector)
    figure, (plane, bars) = plt.subplots(1, 2, figsize=(WIDEST, 3.0), width_ratios=(3, 2))
    spreads = np.sqrt(embedding.covariances_)
    looks = zip(embedding.means_, spreads, memberships, COLORS, strict=False)
    for number, (mean, spread, membership, color) in enumerate(looks, 1):
        plane.add_patch(plt.Circle(mean, spread, fc=(color, 0.15), ec=color))
        _numbered(plane, mean, number, color)
        if membership > 0.01:
            _arrow(plane, mean, mean + membership * (y - mean), color=color)
    plane.plot(*y, "o", color="black", label="output $y$")
    plane.legend(loc="lower left")
    plane.set(xlabel="$y_1$", ylabel="$y_2$", xlim=limits[0], ylim=limits[1], aspect="equal")
    places = np.arange(len(vector))
    bars.barh(places, vector, color=[*COLORS[: len(memberships)], "0.5", "0.5"])
    bars.axvline(0, color="black", lw=0.8)
    bars.axhline(len(memberships) - 0.5, color="0.6", lw=0.8)
    names = [f"$\\gamma_{j + 1}$" for j in range(len(memberships))]
    bars.set_yticks(places, [*names, *(f"$r_{k + 1}$" for k in range(len(residual)))])
    bars.set(xlabel="value", ylabel="coordinate of the embedding")
    bars.invert_yaxis()
    return figure


@in_style
def plot_two_decoders(embedding, h, *, limits):
    """A predicted embedding, decoded as it is and after projection on the simplex."""
    memberships, residual = _blocks(embedding, h)
    decoders = {
        "raw": (memberships, COLORS[1], "s", "--"),
        "simplex": (project_simplex(memberships[None])[0], COLORS[0], "o", "-"),
    }
    figure, (triangle, plane) = plt.subplots(1, 2, figsize=(WIDEST, 3.0))
    for axis, corners in ((triangle, CORNERS), (plane, embedding.means_)):
        axis.fill(*corners.T, fc="0.93", ec="0.4")
        for number, corner in enumerate(corners, 1):
            away = corner - corners.mean(axis=0)
            offset = 10 * away / np.linalg.norm(away)  # in points
            look = {"textcoords": "offset points", "ha": "center", "va": "center"}
            axis.annotate(str(number), corner, offset, **look)
    for name, (g, color, marker, dash) in decoders.items():
        triangle.plot(*(g @ CORNERS), marker, color=color, label=name)
        centroid = g @ embedding.means_
        plane.plot(*centroid, marker, color=color, mfc="white")
        _arrow(plane, centroid, centroid + residual, color=color, ls=dash)
        plane.plot(*(centroid + residual), marker, color=color, label=f"$y^\\star$, {name}")
    ends = np.array([g @ CORNERS for g, *_ in decoders.values()])
    triangle.plot(*ends.T, ":", color="0.4", zorder=1)
    triangle.set(title="memberships that sum to one", aspect="equal")
    triangle.margins(0.15)
    triangle.axis("off")
    triangle.legend(loc="upper left")
    plane.set(xlabel="$y_1$", ylabel="$y_2$", xlim=limits[0], ylim=limits[1], aspect="equal")
    plane.legend(loc="lower left")
    return figure


@in_style
def plot_weak_label_panels(sizes, baseline, rival, curves, *, ylabel):
    """Errors over labelled samples, one panel per number of weak labels."""
    figure, axes = panel_grid(len(curves), 1.7, 2.3, below=0.4, sharey=True)
    looks = method_looks(["baseline", "imputed", "OFER"])
    for axis, curve in zip(axes, curves, strict=True):
        for errors, (name, look) in zip((baseline, rival, curve), looks.items(), strict=True):
            means, deviations = np.array(errors["mean"]), np.array(errors["std"])
            if errors is not rival:
                draw_band(axis, sizes, means, deviations, look["color"])
            axis.plot(sizes, means, ms=4, label=name, **look)
        axis.set(title=f"{curve['weak']} weak", xscale="log")
        axis.set_xticks([sizes[0], sizes[len(sizes) // 2], sizes[-1]])
        axis.xaxis.set_major_formatter("{x:.0f}")
        axis.minorticks_off()
    label_outer(axes, "labelled samples", ylabel)
    shared_legend(figure)
    return figure


def _blocks(embedding, h):
    """Membership and mean block of one embedding."""
    return h[embedding.blocks_["membership"]], h[embedding.blocks_["mean"]]


def _numbered(axis, place, number, color):
    """A disc with a number in it."""
    axis.plot(*place, "o", ms=13, mfc="white", mec=color, mew=2)
    axis.annotate(str(number), place, ha="center", va="center_baseline", fontsize=9)


def _arrow(axis, start, end, *, color="black", ls="-"):
    """An arrow between two points of the data."""
    look = {"arrowstyle": "->", "color": color, "ls": ls, "lw": 1.5, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", end, start, arrowprops=look)
