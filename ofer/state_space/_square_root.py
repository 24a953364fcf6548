"""Square roots of covariances, the rotations that update them, and what roundoff leaves of zero."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dgeqrf

from ofer.utils.series import SeriesBatch

ROUNDED = 1e-15  # relative, what roundoff may leave of zero in a root, for each of its columns
LONG = 16  # steps whose product pays for a call
HELD, FEWEST = 1_000_000, 8  # numbers of reflectors that wait for their rotations, and steps


def symmetrize(matrices: NDArray) -> NDArray:
    """Mean of square matrices and their transposes."""
    return 0.5 * (matrices + matrices.mT)


def root(covariance: NDArray) -> NDArray:
    """L with L L' = covariance, which may be singular and in any units."""
    variances = np.diagonal(covariance)
    unit = np.sqrt(np.where(variances > 0, variances, 1.0))
    values, vectors = np.linalg.eigh(covariance / np.outer(unit, unit))
    values[values < len(unit) * ROUNDED * values[-1]] = 0.0
    return unit[:, None] * vectors * np.sqrt(values)


def masked_roots(noise: NDArray, observed: NDArray) -> tuple[NDArray, NDArray]:
    """Transposed roots of M R M + I - M for all kinds of observed entries, and which is whose.

    With the diagonals of M (..., p) they are (k, p, p), and the places among them (...).
    """
    p = len(noise)
    codes = np.packbits(observed, axis=-1)
    flat = codes.reshape(-1, codes.shape[-1])
    if flat.shape[1] == 1:
        _, first, which = np.unique(flat[:, 0], return_index=True, return_inverse=True)
    else:
        _, first, which = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    M = observed.reshape(-1, p)[first, None, :]
    both = np.concatenate([noise.T * M, np.eye(p) * ~M], axis=1)
    roots: NDArray = np.linalg.qr(both, mode="r")  # type: ignore[assignment]
    return roots, which.reshape(observed.shape[:-1])


def reflect(arrays: NDArray) -> tuple[NDArray, NDArray]:
    """Householder reflectors (G, columns, rows) of QR decompositions and their factors.

    The lower triangle of the reflectors is the transposed triangle of the decomposition.
    """
    if len(arrays) == 1:  # NumPy's checks take longer than a small decomposition
        reflectors, factors, _, _ = dgeqrf(arrays[0])
        return reflectors.T[None], factors[None]
    reflectors, factors = np.linalg.qr(arrays, mode="raw")
    return reflectors, factors


def has_exact(noise: NDArray) -> bool:
    """Whether a root of `root` belongs to a singular covariance: something is seen exactly."""
    return bool((noise == 0).all(axis=0).any())


def norms(rows: NDArray) -> NDArray:
    """Norm of each row, in any unit."""
    return np.sqrt(np.square(rows).sum(axis=-1))


def roundoff(maps, L, noises):
    """What roundoff may leave of a row of zeros in the triangle of an array (G, p + d)."""
    bounds = norms(L) @ np.abs(maps) + norms(noises.mT)
    return ROUNDED * noises.shape[1] * bounds


def apply_by_pattern(matrices: NDArray, pattern: NDArray, vectors: NDArray) -> NDArray:
    """Multiply vectors (..., n, j) by the matrices (G, i, j) of their patterns."""
    if len(matrices) == 1:
        rows = vectors.reshape(-1, vectors.shape[-1]) @ matrices[0].T
        return rows.reshape(*vectors.shape[:-1], -1)
    n = len(pattern)
    distinct = n > 0 and pattern[-1] == n - 1  # ids rise by one at most: each has its own
    chosen = matrices[:n] if distinct else matrices[pattern]
    return np.einsum("nij,...nj->...ni", chosen, vectors)


def apply_by_step(
    matrices: NDArray, which: NDArray, batch: SeriesBatch, vectors: NDArray, n_series: list[int]
) -> NDArray:
    """Multiply vectors (T, n, j) by the matrices (K, G, i, j) of their step and pattern.

    The first `n_series` of a step have it; for others the result is zero or of no meaning.
    """
    runs = runs_of(which)
    if matrices.shape[1] == 1 and not any(stop - start >= LONG for start, stop in runs):
        return vectors @ matrices[which, 0].mT
    moved = np.zeros((*vectors.shape[:2], matrices.shape[2]))
    short = np.zeros(len(which), dtype=bool)
    for start, stop in runs:
        steps = slice(start, stop)
        if matrices.shape[1] == 1 and stop - start < LONG:
            short[steps] = True  # all together, below
        else:
            series = slice(n_series[start])
            moved[steps, series] = apply_by_pattern(
                matrices[which[start]], batch.pattern[series], vectors[steps, series]
            )
    if short.any():
        moved[short] = vectors[short] @ matrices[which[short], 0].mT
    return moved


def runs_of(which: NDArray) -> list[tuple[int, int]]:
    """The first of steps that share their arrays, and the first after them."""
    stops = np.append(np.flatnonzero(np.diff(which)) + 1, len(which)).tolist()
    return list(zip([0, *stops[:-1]], stops, strict=True))


def alignment(roots: NDArray, targets: NDArray) -> NDArray:
    """Rotations after which roots are the targets, which have the same covariances."""
    unit = norms(targets)[..., None]
    unit = np.where(unit > 0, unit, 1.0)
    left, _, right = np.linalg.svd((roots / unit).mT @ (targets / unit))
    return left @ right


def refuse(bad: NDArray, batch: SeriesBatch, t: int) -> None:
    """Raise ValueError for the first pattern that is bad at a step."""
    if bad.any():
        place = batch.order[batch.pattern == np.flatnonzero(bad)[0]].min()
        raise ValueError(
            f"the predicted covariance of the observations of series {place} must be positive "
            f"definite at time {t}; got one that is singular or not finite. Check the model's "
            "covariances, and the eigenvalues of its transition matrix."
        )


class Turns:
    """Rows of rotations for x, of the arrays that are appended, by step.

    They say x = E e + X x' + U u of the innovation, the next x, and a rest, see `kalman_filter`.
    The QR decompositions of the transposed arrays leave reflectors, which are multiplied out some
    steps at a time. Roots L, and signs, are free, but always E E' + X X' + U U' = I. With P = L L'
    and S the covariance of observations, L E E' L' = P C' S^-1 C P is what the innovation tells,
    and L X L_next' = (P - P C' S^-1 C P) A' what the next state keeps. `align` turns X to another
    root of the next P.
    """

    def __init__(self, T, G, d, shape):
        rows, columns = shape
        self.values = np.zeros((T, G, d, rows))
        self.d, self.p, self.done, self.appended = d, columns - d, 0, 0
        self.size = min(max(HELD // (G * rows * columns), FEWEST), T)
        self.reflectors = np.zeros((self.size, G, columns, rows))
        self.factors = np.zeros((self.size, G, columns))
        self.aligned = {}

    def append(self, arrays):
        """Decompose arrays (G, rows, columns); returns the reflectors, beside the root."""
        if self.appended - self.done == self.size:
            self._rotate()
        reflectors, factors = reflect(arrays)
        place, patterns = self.appended - self.done, slice(len(arrays))
        self.reflectors[place, patterns], self.factors[place, patterns] = reflectors, factors
        self.appended += 1
        return reflectors

    def last(self, size):
        """Reflectors of the last arrays, (size, G, columns, rows).

        All are still here: `advance` fills the room once, from empty or full.
        """
        stop = self.appended - self.done
        return self.reflectors[stop - size : stop]

    def align(self, L, target):
        """Let the x after the last array be that of the root `target` in the place of L."""
        self.aligned[self.appended - 1] = alignment(L, target)

    def finish(self):
        """All rows so far, (K, G, d, rows)."""
        self._rotate()
        ahead = self.values[..., self.p : self.p + self.d]
        for k, turn in self.aligned.items():
            ahead[k, : len(turn)] = ahead[k, : len(turn)] @ turn
        return self.values[: self.appended]

    def _rotate(self):
        """Rows of the product of the reflections that wait, H_1 H_2 .. with H = I - factor v v'."""
        size = self.appended - self.done
        rows = self.values[self.done : self.appended]
        rows[..., : self.d] = np.eye(self.d)
        for j in range(self.reflectors.shape[2]):
            v = self.reflectors[:size, :, j, j:].copy()
            v[..., 0] = 1.0
            scaled = self.factors[:size, :, j, None] * v
            columns = rows[..., j:]
            columns -= (columns @ v[..., None]) * scaled[..., None, :]
        self.done = self.appended
