"""Classes as points: what their vectors say of each other."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.transforms import Bbox
from sklearn.decomposition import PCA

from reproduction.figures.layout import WIDEST
from reproduction.figures.style import COLORS, MARKERS, in_style


@in_style
def plot_class_map(vectors, names, components):
    """Class vectors on their first two principal components, each with its name."""
    places = PCA(2, svd_solver="full").fit_transform(vectors)
    figure, axis = plt.subplots(figsize=(WIDEST, 7.0))
    for number, component in enumerate(np.unique(components)):
        members = places[components == component]
        color = COLORS[number % len(COLORS)]
        marker = MARKERS[(number + number // len(COLORS)) % len(MARKERS)]
        axis.plot(*members.T, marker, color=color, ms=7)
    axis.set(xlabel="first principal component", ylabel="second principal component")
    axis.margins(x=0.08)
    figure.canvas.draw()  # so that the places are known
    marks = axis.transData.transform(places)
    taken = [Bbox.from_bounds(x - 5, y - 5, 10, 10) for x, y in marks]
    for place, name in zip(places, names, strict=True):
        taken.append(_write_beside(axis, name, place, taken))
    return figure


def _write_beside(axis, name, place, taken):
    """Write a name beside its point, where it covers least of what is there; gives its box.

    A line leads from the name to the point, since another point may be as near.
    """
    look = {"textcoords": "offset points", "fontsize": 9, "va": "center"}
    label = axis.annotate(name, place, xytext=(0, 0), **look)
    spots = []
    for side, ha in ((7, "left"), (-7, "right"), (0, "center")):
        for up in (0, 8, -8, 15, -15):
            if side or up:
                label.set(position=(side, up), ha=ha)
                box = label.get_window_extent()
                spots.append((box.count_overlaps(taken), abs(side) + abs(up), side, up, ha, box))
    *_, side, up, ha, box = min(spots, key=lambda spot: spot[:2])
    label.set(position=(side, up), ha=ha)
    line = {"arrowstyle": "-", "color": "0.4", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", place, xytext=(side, up), textcoords="offset points", arrowprops=line)
    return box
