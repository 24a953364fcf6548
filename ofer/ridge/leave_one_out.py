"""The identity of leave-one-out, and residuals, group residuals and squared errors by it.

With G and the roots of weights s of `KernelSystem`, the fit without sample i misses its target, y
around their mean, by ``(G S y)_i / (s_i G_ii)``.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofer.utils.memory import BATCH, row_batches

NEAR = 1e-5  # eigenvalues of less relative distance are taken together
DECADES = 4.1  # ridge parameters within these share two matrix products; more would cost digits
EPSILON = np.finfo(float).eps


class Ridges:
    """Samples under q ridge parameters; in the primal form G is times the ridge parameter.

    `coordinates` (n, rank) are those of `KernelSystem`, of a kernel if `is_dual`, and `inverse`
    (rank, q, 1 or m) has ``1 / (eigenvalues + alpha)``, its last axis that of the targets. `roots`
    (n,) are those of the weights, `shares` (n,) those in the mean that an intercept takes off.
    """

    def __init__(
        self, coordinates: NDArray, inverse: NDArray, roots: NDArray, shares: NDArray, is_dual: bool
    ):
        self.coordinates, self.inverse, self.is_dual = coordinates, inverse, is_dual
        self.roots, self.shares = roots, shares

    @cached_property
    def diagonal(self) -> NDArray:
        """Roots of weights times the diagonal of G, (n, q, 1 or m)."""
        inverse = self.inverse.reshape(len(self.inverse), -1)
        diagonal = np.empty((len(self.coordinates), inverse.shape[1]))
        for rows in row_batches(*self.coordinates.shape):
            diagonal[rows] = np.square(self.coordinates[rows]) @ inverse
        if not self.is_dual:
            diagonal = np.maximum(1.0 - self.shares[:, None] - diagonal, EPSILON)
        diagonal *= self.roots[:, None]
        return diagonal.reshape(-1, *self.inverse.shape[1:])

    def solve(self, centred: NDArray, projected: NDArray | None = None) -> NDArray:
        """G times targets (n, m) around their mean and times the roots of weights, (n, q, m).

        `projected` (rank, m) are products of coordinates and targets of all samples, which these
        are if it is None.
        """
        projected = self.coordinates.T @ centred if projected is None else projected
        shrunk = (self.inverse * projected[:, None]).reshape(len(projected), -1)
        solved = (self.coordinates @ shrunk).reshape(len(centred), -1, centred.shape[1])
        return solved if self.is_dual else centred[:, None] - solved

    def loo_residuals(self, centred: NDArray, projected: NDArray | None = None) -> NDArray:
        """Leave-one-out residuals (n, q, m) of such targets."""
        return self.solve(centred, projected) / self.diagonal


def ridges_of(system: Any, alphas: NDArray) -> Ridges:
    """A `KernelSystem` under ridge parameters (q, 1 or m)."""
    _, _, roots, shares = system.samples
    inverse = 1.0 / (system.eigenvalues[:, None, None] + alphas)
    return Ridges(system.coordinates, inverse, roots, shares, system.is_dual)


def loo_residuals(system: Any, centred: NDArray, alphas: NDArray) -> Iterator[NDArray]:
    """Leave-one-out residuals (n_kept, m) of such targets, ridge after ridge.

    `alphas` have shape (n_alphas, 1 or m). Several share one matrix product, within 8 MB.
    """
    step = max(1, BATCH // max(1, centred.size))
    projected = system.coordinates.T @ centred
    for start in range(0, len(alphas), step):
        ridges = ridges_of(system, alphas[start : start + step])
        yield from ridges.loo_residuals(centred, projected).transpose(1, 0, 2)


def group_residuals(
    system: Any, centred: NDArray, alphas: NDArray, members: list[NDArray]
) -> Iterator[NDArray]:
    """Residuals of fits without a whole group; `members` are of `members_by_size`.

    A block of G takes the place of a diagonal entry, and a small system that of a division.
    """
    coordinates, shares = system.coordinates, np.sqrt(system.samples.shares)
    projected = coordinates.T @ centred
    for of_targets in alphas:
        missed = np.empty_like(centred)
        for alpha in np.unique(of_targets):
            columns = np.flatnonzero(np.broadcast_to(of_targets == alpha, centred.shape[1]))
            ridges = ridges_of(system, np.array([[alpha]]))
            solved = ridges.solve(centred[:, columns], projected[:, columns])[:, 0]
            for rows in members:
                inside = coordinates[rows]
                blocks = (inside * ridges.inverse[:, 0, 0]) @ inside.transpose(0, 2, 1)
                identity = np.eye(rows.shape[1])
                if not system.is_dual:
                    blocks = identity - shares[rows, None] * shares[rows][:, None] - blocks
                # Without much damping, roundoff may leave a block singular.
                traces = np.trace(blocks, axis1=1, axis2=2)[:, None, None]
                blocks += EPSILON * np.maximum(traces, 1e-300) * identity
                missed[rows[:, :, None], columns] = np.linalg.solve(blocks, solved[rows])
        yield missed / system.samples.roots[:, None]


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
    return (system.samples.filled(kept, len(gram)) for kept in _squares(system, gram, alphas))


def _squares(system, gram, alphas):
    """Squared leave-one-out errors of the samples of positive weight (n_kept,)."""
    _, rows, roots, shares = system.samples
    Z, L, values = system.coordinates, np.asarray(gram), system.eigenvalues
    V = Z if system.is_dual else Z * np.where(values > 0, values, np.inf) ** -0.5
    diagonal = ridges_of(system, alphas[:, None]).diagonal[:, :, 0]
    # The unit of the kernel cancels. Without it squares stay within the range of numbers.
    exponent = np.frexp(values.max(initial=0.0))[1]
    values, alphas = np.ldexp(values, -exponent), np.ldexp(alphas, -exponent)
    if len(rows) < len(L):
        L = L[np.ix_(rows, rows)]
    if (roots != 1.0).any():
        L = L * roots * roots[:, None]
    if not system.is_dual:  # what lies outside of the coordinates needs the centre
        L = L - np.outer(roots, shares / roots @ L)
        L -= np.outer(L @ (shares / roots), roots)
    if system.is_dual and len(alphas) == 1:  # the inverse itself is quicker
        G = (Z / (values + alphas[0])) @ Z.T
        yield np.einsum("ij,ij->i", G @ L, G) / np.square(np.diag(G) * roots)
        return
    cross = L @ V
    core = V.T @ cross
    squares = np.empty((len(V), len(alphas)))
    decades = np.ceil(np.log10(alphas / alphas.min()) / DECADES).clip(1)
    for near in (decades == i for i in np.unique(decades)):
        squares[:, near] = _forms(V, core, values, alphas[near])
    if system.is_dual:
        diagonal = np.ldexp(diagonal, exponent)
    else:
        # alpha G = (P - V V') + V diag(alpha / (values + alpha)) V', with a projection P: the
        # square of the first part, twice their product, and above the square of the second.
        kept = np.diag(L) - np.einsum("ij,ij->i", V, cross)
        cross -= V @ core
        kept -= np.einsum("ij,ij->i", V, cross)
        squares *= np.square(alphas)
        squares += kept[:, None] + 2.0 * (V * cross) @ (alphas * (1.0 / (values[:, None] + alphas)))
    yield from (squares / np.square(diagonal)).T


def _forms(V, core, values, alphas):
    """Quadratic forms of the rows of V, over values + alpha, in a symmetric core: (n, n_alphas).

    Two matrix products at most serve all ridge parameters of a few decades. Partial fractions take
    two eigenvalues apart: 1 / ((a + alpha) (b + alpha)) is the difference of 1 / (a + alpha) and 1
    / (b + alpha), divided by b - a. Where digits would cancel, the eigenvalues of a group are
    expanded around their mean, to first order. A group is a chain of neighbours: of 2,000 evenly
    spaced eigenvalues under a ridge a hundred times the largest, four or five digits are left.
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
    inverse -= inverse[-1]  # only differences count
    forms = np.empty((len(V), len(alphas)))
    for rows in row_batches(*V.shape):
        batch = V[rows]
        within = batch * np.diag(core)
        within[:, crowd] = batch[:, crowd] @ near
        forms[rows] = (batch * within) @ slopes - 2.0 * (batch * (batch @ apart)) @ inverse
    return forms
