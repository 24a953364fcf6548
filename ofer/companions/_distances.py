"""Distances where some rows are so far from others that squares of lengths would dwarf them."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.neighbors import NearestNeighbors

from ofer.utils.neighbors import CentredNeighbors

# Squared distance of a row from the middle, in squares of what counts as near, beyond which a
# squared distance from products of rows has lost the digits that count.
FAR = 1e6


def middle(
    points: NDArray, weights: NDArray | float, limit: float = FAR
) -> tuple[NDArray, NDArray]:
    """A point (d,) amid points (n, d), and the rows whose squared distance from it is beyond.

    Distances are of columns times `weights`. The point is the mean, unless some rows are far: then
    it is the median, which none of them drags.
    """
    for rule in (np.mean, np.median):
        origin = rule(points, axis=0)
        scaled = (points - origin) * weights
        far = np.flatnonzero(np.einsum("ij,ij->i", scaled, scaled) > limit)
        if not far.size:
            break
    return origin, far


def dwarfed(points: NDArray, origin: NDArray | float = 0.0) -> bool:
    """Whether lengths of some dense rows, from an origin, dwarf what is between most of them."""
    centred = points - np.median(points, axis=0)
    between = np.einsum("ij,ij->i", centred, centred)
    squares = np.square(points - origin).sum(axis=1)
    typical = np.median(between[between > 0]) if between.any() else np.inf
    return bool(squares.max() > FAR * typical)


def index_neighbors(points: NDArray, **options: object) -> NearestNeighbors:
    """Nearest neighbours among rows, dense or sparse; by direct differences where some are far."""
    if issparse(points) or not dwarfed(points, points.mean(axis=0)):
        return CentredNeighbors(**options).fit(points)
    return NearestNeighbors(algorithm="kd_tree", **options).fit(points)
