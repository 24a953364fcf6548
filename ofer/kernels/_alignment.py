"""The dynamic programme that all alignments of two series share, for many pairs at once."""

from collections.abc import Callable, Collection, Mapping, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from ofer.utils.entries import check_unmasked
from ofer.utils.series import check_series
from ofer.utils.typing import ListLike

CHUNK = 2**15  # numbers in the largest temporary array: some of them fit into a fast cache


class Series(NamedTuple):
    """Series in one array (n_series, max(lengths), n_dimensions), zeros after their ends."""

    values: np.ndarray
    lengths: np.ndarray


def as_series(name: str, X: ListLike, n_columns: int | None = None) -> Series:
    """Check and pad series, whatever they come in: an array or a sequence of arrays."""
    check_unmasked(name, X)
    if not isinstance(X, Collection) or isinstance(X, str | Mapping | Set):
        raise TypeError(f"{name} must be an array or a list of series; got {type(X).__name__}.")
    # Series of a frame are its rows, though one goes through it by columns.
    arrays = [np.asarray(x) for x in (X if isinstance(X, list | tuple) else np.asarray(X))]
    arrays = [x[:, None] if x.ndim == 1 else x for x in arrays]
    checked = check_series(name, arrays, n_columns, allow_missing=False)
    lengths = np.array([len(x) for x in checked])
    values = np.zeros((len(checked), lengths.max(), checked[0].shape[1]))
    for row, x in zip(values, checked, strict=True):
        row[: len(x)] = x
    return Series(values, lengths)


def as_two_sets(X: ListLike, Z: ListLike | None) -> tuple[Series, Series | None]:
    """Check both sides of a kernel; the second is None when it is the first itself."""
    A = as_series("X", X)
    return A, None if Z is None else as_series("Z", Z, A.values.shape[2])


class Recursion(NamedTuple):
    """How a table of alignments is filled."""

    advance: Callable  # of squared distances, up, left, diagonal and out
    start: float  # before any step is matched
    none: float  # of an alignment that is impossible


def align(A: Series, B: Series, left: NDArray, right: NDArray, recursion: Recursion) -> NDArray:
    """Combine the costs, or kernel values, of all alignments of pairs of series.

    Fills, for every pair, a table D whose entry (i, j) is what ``advance(squared, up, left,
    diagonal, out)`` makes of the squared distance of the steps i and j and the entries (i - 1, j),
    (i, j - 1) and (i - 1, j - 1), one anti-diagonal after the other, all pairs at once. `advance`
    writes to `out`, and may overwrite the distances.

    `left` and `right` (n_pairs,) say which series of A and of B make a pair. Returns the last entry
    of each table (n_pairs,).
    """
    width = min(A.values.shape[1], B.values.shape[1]) * A.values.shape[2]
    totals = np.empty(len(left))
    for chunk in gen_batches(len(left), max(1, CHUNK // width)):
        a, b = left[chunk], right[chunk]
        # As long as the longest of this chunk, not of the set; pairs last, so they are contiguous.
        X = np.ascontiguousarray(A.values[a, : A.lengths[a].max()].T)
        Z = np.ascontiguousarray(B.values[b, : B.lengths[b].max()].T)
        totals[chunk] = _sweep(X, Z, A.lengths[a] - 1, B.lengths[b] - 1, recursion)
    return totals


def _sweep(X, Z, last_x, last_z, recursion):
    """Totals of the pairs (X[:, :, p], Z[:, :, p]), given dimension by dimension.

    An anti-diagonal holds the entries (i, d - i) in row i + 1; row 0 is the border.
    """
    n, m, n_pairs = X.shape[1], Z.shape[1], X.shape[2]
    backwards = Z[:, ::-1]
    before, previous, current = np.full((3, n + 2, n_pairs), recursion.none)
    before[0] = recursion.start  # every alignment starts here
    squares, spare = np.empty((2, n, n_pairs))
    totals = np.empty(n_pairs)
    for d in range(n + m - 1):
        low, high = max(0, d - m + 1), min(n - 1, d)
        steps, opposite = slice(low, high + 1), slice(low + m - 1 - d, high + m - d)
        below = slice(low + 1, high + 2)
        squared = squares[: high + 1 - low]
        _square(X[:, steps], backwards[:, opposite], squared, spare[: high + 1 - low])
        recursion.advance(squared, previous[steps], previous[below], before[steps], current[below])
        current[low] = current[high + 2] = recursion.none  # all that is read beside the entries
        done = np.flatnonzero(last_x + last_z == d)
        totals[done] = current[last_x[done] + 1, done]
        before, previous, current = previous, current, before
    return totals


def _square(X: NDArray, Z: NDArray, out: NDArray, spare: NDArray) -> None:
    """Squared distances of (n_dimensions, n_steps, n_pairs), in memory that stays in a cache."""
    for k, (x, z) in enumerate(zip(X, Z, strict=True)):
        squares = spare if k else out
        np.subtract(x, z, out=squares)
        squares *= squares
        if k:
            out += squares
