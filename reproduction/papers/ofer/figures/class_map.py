"""Classes as points: what their vectors say of each other."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA

from reproduction.figures.style import COLORS, MARKERS, in_style


@in_style
def plot_class_map(vectors, names, components):
    """Class vectors on their first two principal components, each with its name.

    Parameters
    ----------
    vectors : ndarray of shape (n_classes, p)
        Vectors of the classes.
    names : sequence of str
        Their names.
    components : ndarray of shape (n_classes,)
        Mixture component of each class, told by its look; looks repeat after a while.

    Returns
    -------
    Figure
    """
    places = PCA(2, svd_solver="full").fit_transform(vectors)
    figure, axis = plt.subplots(figsize=(8.6, 6.6))
    for number, component in enumerate(np.unique(components)):
        members = places[components == component]
        color = COLORS[number % len(COLORS)]
        marker = MARKERS[(number + number // len(COLORS)) % len(MARKERS)]
        axis.plot(*members.T, marker, color=color, ms=7)
    for place, name in zip(places, names, strict=True):
        axis.annotate(name, place, xytext=(5, 3), textcoords="offset points", fontsize=8)
    axis.set(xlabel="first principal component", ylabel="second principal component")
    axis.margins(x=0.08)
    return figure
