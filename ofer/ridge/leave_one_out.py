"""Leave-one-out errors of a `KernelSystem`, for its samples of positive weight."""

import numpy as np

from ofer.ridge.decomposition import BLOCK, row_blocks

__all__ = ["fold_errors", "residuals", "squared_errors"]

NEAR = 1e-5  # relative distance of eigenvalues that are taken together
DECADES = 4.1  # of ridges that share two matrix products: the more, the fewer digits are left


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

    O(n^2 r) time for all ridges together, and O(n r) per ridge.
    """
    _, rows, roots, shares = system.samples
    Z, L, values = system.coordinates, np.asarray(gram), system.eigenvalues
    if len(rows) < len(L):
        L = L[np.ix_(rows, rows)]
    if (roots != 1.0).any():
        L = L * roots * roots[:, None]
    if not system.is_dual:  # the part of the inverse outside the coordinates needs the centre
        L = L - np.outer(roots, shares / roots @ L)
        L -= np.outer(L @ (shares / roots), roots)
    if system.is_dual and len(alphas) == 1:  # quicker by the inverse itself
        G = (Z / (values + alphas[0])) @ Z.T
        yield np.einsum("ij,ij->i", G @ L, G) / np.square(np.diag(G) * roots)
        return
    V = Z if system.is_dual else Z * np.where(values > 0, values, np.inf) ** -0.5
    inverse = 1.0 / (values[:, None] + alphas)
    cross = L @ V
    core = V.T @ cross
    squares = np.empty((len(V), len(alphas)))
    part = np.ceil(np.log10(alphas / alphas.min()) / DECADES).clip(1)
    for own in (part == i for i in np.unique(part)):
        squares[:, own] = _forms(V, core, values, alphas[own])
    if not system.is_dual:  # alpha G is the projection P - V V', and V diag(alpha inverse) V'
        kept = np.diag(L) - np.einsum("ij,ij->i", V, cross)
        cross -= V @ core
        kept -= np.einsum("ij,ij->i", V, cross)
        squares *= np.square(alphas)
        squares += kept[:, None] + 2.0 * (V * cross) @ (alphas * inverse)
    yield from (squares / np.square(_diagonals(system, inverse))).T


def _forms(V, core, values, alphas):
    """Quadratic forms of the rows of V, over values + alpha, in a symmetric core: (n, n_alphas).

    Two matrix products at most serve all ridges of a few decades. Partial fractions take two
    eigenvalues apart: 1 / ((a + alpha) (b + alpha)) is the difference of 1 / (a + alpha) and
    1 / (b + alpha), divided by b - a. Where digits would cancel, the eigenvalues of a group
    are expanded around their mean, to second order.
    """
    gaps = np.diff(values) > NEAR * (values[1:] + alphas.min())
    group = np.concatenate([[0], np.cumsum(gaps)])
    sizes = np.bincount(group)
    means, crowd = (np.bincount(group, values) / sizes)[group], np.flatnonzero(sizes[group] > 1)
    same = group[:, None] == group
    apart = np.where(same, 0.0, core) / np.where(same, 1.0, values - values[:, None])
    near = np.where(same[crowd][:, crowd], core[crowd][:, crowd], 0.0)
    inverse, at_means = 1.0 / (values[:, None] + alphas), 1.0 / (means[:, None] + alphas)
    slopes = np.square(at_means) * (1.0 - 2.0 * (values - means)[:, None] * at_means)
    inverse -= inverse[-1]  # differences count alone
    forms = np.empty((len(V), len(alphas)))
    for rows in row_blocks(*V.shape):
        part = V[rows]
        within = part * np.diag(core)
        within[:, crowd] = part[:, crowd] @ near
        forms[rows] = (part * within) @ slopes - 2.0 * (part * (part @ apart)) @ inverse
    return forms


def fold_errors(system, Y, alphas):
    """Sums (n_kept, m) of squared leave-one-out errors of each fit without a sample, by ridge.

    Row i belongs to the n - 1 samples other than i, each of which is left out in its turn. With
    the inverse G and ``c = G S y``, the residuals of the fit without i and j solve the two by two
    system of their rows, and the weighted square of that at j is ``((G_ii c_j - G_ij c_i) /
    (G_ii G_jj - G_ij^2))^2``. O(n^2 r) time for each ridge, three n x n matrices.
    """
    _, rows, roots, shares = system.samples
    Z, Y = system.coordinates, Y[rows]
    centred = roots[:, None] * (Y - shares @ Y)
    for alpha in alphas:
        G = (Z / (system.eigenvalues + alpha)) @ Z.T
        if not system.is_dual:  # times the ridge, which cancels
            G = np.eye(len(Z)) - np.outer(np.sqrt(shares), np.sqrt(shares)) - G
        c, diagonal = G @ centred, np.diag(G)[:, None]
        inverse = diagonal * diagonal.T - np.square(G)
        np.fill_diagonal(inverse, np.inf)
        inverse = np.square(1.0 / inverse)
        found = np.square(diagonal) * (inverse @ np.square(c))
        inverse *= G
        found -= 2.0 * diagonal * c * (inverse @ c)
        inverse *= G
        yield found + np.square(c) * inverse.sum(axis=1, keepdims=True)


def _diagonals(system, inverse):
    """Diagonals of the inverses with these eigenvalues (rank, k), times weights' roots: (n, k)."""
    found = np.empty((len(system.coordinates), inverse.shape[1]))
    for rows in row_blocks(*system.coordinates.shape):
        found[rows] = np.square(system.coordinates[rows]) @ inverse
    if not system.is_dual:
        found = 1.0 - system.samples.shares[:, None] - found
    return found * system.samples.roots[:, None]
