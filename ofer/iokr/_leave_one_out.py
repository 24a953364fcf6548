"""Leave-one-out errors in the feature space of an output kernel."""

import numpy as np

from ofer.utils.memory import row_batches

NEAR = 1e-5  # relative distance of eigenvalues that are taken together
DECADES = 4.1  # of ridge parameters that share two matrix products: more of them cost digits


def squared_loo_errors(system, gram, alphas):
    r"""Squared leave-one-out errors of targets known by their inner products.

    With :math:`\Psi` the targets, vectors of a feature space, the squared norm of the residual
    :math:`(G S \Psi)_i / (s_i G_{ii})` of `KernelSystem` needs the matrix :math:`L = \Psi
    \Psi^\top` alone, `gram` (n_samples, n_samples). An iterator, one ridge parameter after the
    other, of arrays (n_samples,), NaN for samples of weight zero. O(n^2 r) time for ridge
    parameters of four decades together, and O(n r) per ridge parameter; nearly equal eigenvalues
    leave some seven digits.
    """
    alphas = np.asarray(alphas)
    return (system.samples.filled(part, len(gram)) for part in _squares(system, gram, alphas))


def _squares(system, gram, alphas):
    """Squared leave-one-out errors of the samples of positive weight (n_kept,)."""
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
    yield from (squares / np.square(system._loo_scales(inverse))).T


def _forms(V, core, values, alphas):
    """Quadratic forms of the rows of V, over values + alpha, in a symmetric core: (n, n_alphas).

    Two matrix products at most serve all ridge parameters of a few decades. Partial fractions take
    two eigenvalues apart: 1 / ((a + alpha) (b + alpha)) is the difference of 1 / (a + alpha) and 1
    / (b + alpha), divided by b - a. Where digits would cancel, the eigenvalues of a group are
    expanded around their mean, to second order.
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
    for rows in row_batches(*V.shape):
        part = V[rows]
        within = part * np.diag(core)
        within[:, crowd] = part[:, crowd] @ near
        forms[rows] = (part * within) @ slopes - 2.0 * (part * (part @ apart)) @ inverse
    return forms
