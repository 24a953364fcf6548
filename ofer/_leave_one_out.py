"""Leave-one-out errors of a `KernelSystem`, for its samples of positive weight."""

import numpy as np

from ofer._decomposition import BLOCK, row_blocks

__all__ = ["residuals", "squared_errors"]


def residuals(system, centred, alphas):
    """Residuals (n_kept, m) of centred, weighted targets, one of the ridges after the other."""
    n, m = centred.shape
    projected, step = system.coordinates.T @ centred, max(1, BLOCK // (n * m))
    for start in range(0, len(alphas), step):
        inverse = 1.0 / (system.eigenvalues[:, None, None] + alphas[start : start + step])
        rank, q, _ = inverse.shape
        diagonals = _diagonals(system, inverse.reshape(rank, -1)).reshape(n, q, -1)
        shrunk = (inverse * projected[:, None]).reshape(rank, -1)
        solved = (system.coordinates @ shrunk).reshape(n, q, m)
        if not system.is_dual:
            solved = centred[:, None] - solved
        yield from (solved / diagonals).transpose(1, 0, 2)


def squared_errors(system, gram, alphas):
    """Squared residuals (n_kept,) of targets known by their inner products (n_samples, n_samples).

    O(n^2 r) time and O(n r^2) per ridge, in blocks of rows.
    """
    _, rows, roots, shares = system.samples
    Z, L = system.coordinates, np.asarray(gram)
    if len(rows) < len(L):
        L = L[np.ix_(rows, rows)]
    if (roots != 1.0).any():
        L = L * roots * roots[:, None]
    if not system.is_dual:  # the part of the inverse outside the coordinates needs the centre
        L = L - np.outer(roots, shares / roots @ L)
        L -= np.outer(L @ (shares / roots), roots)
    if system.is_dual and len(alphas) == 1:  # quicker by the inverse itself
        G = (Z / (system.eigenvalues + alphas[0])) @ Z.T
        yield np.einsum("ij,ij->i", G @ L, G) / np.square(np.diag(G) * roots)
        return
    cross = L @ Z
    core = Z.T @ cross
    if system.is_dual:
        del L, cross
    for alpha in alphas:
        inverse, errors = 1.0 / (system.eigenvalues + alpha), np.empty(len(Z))
        for block in row_blocks(*Z.shape):
            shrunk = Z[block] * inverse
            errors[block] = np.einsum("ij,ij->i", shrunk @ core, shrunk)
            if not system.is_dual:
                errors[block] -= 2.0 * np.einsum("ij,ij->i", shrunk, cross[block])
        if not system.is_dual:
            errors += np.diag(L)
        yield errors / np.square(_diagonals(system, inverse[:, None])[:, 0])


def _diagonals(system, inverse):
    """Diagonals of the inverses with these eigenvalues (rank, k), times weights' roots: (n, k)."""
    found = np.empty((len(system.coordinates), inverse.shape[1]))
    for rows in row_blocks(*system.coordinates.shape):
        found[rows] = np.square(system.coordinates[rows]) @ inverse
    if not system.is_dual:
        found = 1.0 - system.samples.shares[:, None] - found
    return found * system.samples.roots[:, None]
