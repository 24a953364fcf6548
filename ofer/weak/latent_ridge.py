"""Ridge regression of which some targets change from round to round."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ofer.ridge.kernel_system import KernelSystem


class LatentRidge:
    r"""Ridge regression of labelled samples and of weak ones, whose targets change.

    With the coordinates Z of a decomposition and the roots s of the weights, all that a round asks
    for follows from :math:`P = Z^\top \mathrm{diag}(s) T`: predictions, leave-one-out residuals,
    and the penalised squares. A number in T that changes costs O(rank) time, and so does one in
    the predictions: rounds pay for what they change and what they look at.

    Parameters
    ----------
    system : KernelSystem
        The decomposition; labelled samples come first. Weak ones have positive weights.
    targets : ndarray of shape (n_samples, m)
        The first targets, not changed.
    n_labelled : int
        How many samples are labelled.
    gram : ndarray of shape (m, m), default=None
        Inner products of vectors of which targets are mixtures; None: targets are vectors.
    """

    def __init__(
        self, system: KernelSystem, targets: NDArray, n_labelled: int, gram: NDArray | None = None
    ):
        _, rows, roots, self._shares = system.samples
        self.system, self.n_labelled = system, n_labelled
        self._gram, self._roots = gram, roots[:, None]
        self._first = rows.searchsorted(n_labelled)
        self._kept = targets[rows]
        self._mean = self._shares @ self._kept
        self._projected = self._centred().T @ system.coordinates  # (m, rank)

    @property
    def weak(self) -> NDArray:
        """Targets of the weak samples, (n_weak, m)."""
        return self._kept[self._first :]

    def change(self, rows: NDArray, columns: NDArray, targets: NDArray) -> None:
        """Give weak samples other targets (n_rows, n_columns) in these columns."""
        step = targets - self.weak[np.ix_(rows, columns)]
        moved = step.any(axis=1)
        rows, step = rows[moved] + self._first, step[moved]
        self._kept[np.ix_(rows, columns)] += step
        self._mean[columns] += self._shares[rows] @ step
        self._projected[columns] += (self._roots[rows] * step).T @ self.system.coordinates[rows]

    def solve(self, alpha: float) -> None:
        """Fit the targets with one ridge."""
        shrunk = self._projected / (self.system.eigenvalues + alpha)
        self._alpha, self._shrunk = alpha, shrunk if self._gram is None else self._gram @ shrunk

    def fitted(self, rows: NDArray, columns: NDArray, left_out: bool = False) -> NDArray:
        """Predictions (n_rows, n_columns) for weak samples, or their products with vectors.

        If `left_out`, each is that of the fit without the sample.
        """
        rows, system, alpha = rows + self._first, self.system, self._alpha
        targets = self._times(self._kept[rows])[:, columns]
        solved = system.coordinates[rows] @ self._shrunk[columns].T / self._roots[rows]
        if system.is_dual:
            missed = alpha * solved
        else:
            missed = targets - self._times(self._mean)[columns] - solved
        if left_out:
            scales = system._loo_scales(1.0 / (system.eigenvalues[:, None] + alpha), rows)
            missed /= (alpha if system.is_dual else 1.0) * scales / self._roots[rows]
        return targets - missed

    def weak_squares(self) -> NDArray:
        """Squared lengths of the targets of weak samples, (n_weak,)."""
        return (self.weak * self._times(self.weak)).sum(axis=1)

    def penalised_squares(self) -> float:
        """The least of weighted squares and penalty, with the ridge that was solved for."""
        explained = np.vdot(self._projected, self._shrunk)
        if self.system.is_dual:
            return self._alpha * explained
        centred = self._centred()
        return np.vdot(centred, self._times(centred)) - explained

    def loo_residuals(self, alphas: ArrayLike) -> Iterator[NDArray]:
        """Leave-one-out residuals of labelled samples that have a weight, for each ridge.

        Weak samples are left out by nobody, which takes O(n_labelled rank m) time.
        """
        labelled, alphas = slice(self._first), np.reshape(alphas, (-1, 1))
        targets, projected = self._centred(labelled), self._projected.T
        return self.system._loo_residuals_of(targets, alphas, projected, labelled)

    def loo_errors(self, alphas: ArrayLike) -> NDArray:
        """Weighted means of their squared lengths, one for each ridge."""
        weights = np.square(self._roots[: self._first, 0])
        paths = self.loo_residuals(alphas)
        sums = [weights @ (missed * self._times(missed)).sum(axis=1) for missed in paths]
        return np.array(sums) / weights.sum()

    def give(self, ridge, X, targets, alphas, best, vectors=None):
        """Make a `KernelRidgeCV` that has begun with X the fit of these targets.

        Its scores and residuals are those of labelled samples; targets are `vectors` mixed.
        """
        (missed,) = self.loo_residuals(alphas[best])
        residuals = np.full((self.n_labelled, targets.shape[1]), np.nan)
        labelled = self.system.samples.weights[: self.n_labelled] > 0
        residuals[labelled] = missed if vectors is None else missed @ vectors
        scores = -self.loo_errors(alphas) / targets.shape[1]
        return ridge._adopt(X, targets, self.system, alphas, scores, best, residuals)

    def _centred(self, rows: slice = slice(None)) -> NDArray:
        return self._roots[rows] * (self._kept[rows] - self._mean)

    def _times(self, mixtures: NDArray) -> NDArray:
        return mixtures if self._gram is None else mixtures @ self._gram
