"""From sums to a solution, when it is asked for; several blocks of targets from one pass."""

from collections.abc import Mapping
from copy import copy
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.utils.estimators import WarnsOnce
from ofer.utils.sklearn_private import fit_context
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_range

__all__ = ["SolvesSums"]


class _Solution(NamedTuple):
    alpha_: float
    alphas_: NDArray
    coef_: NDArray
    intercept_: NDArray | float
    scores: NDArray | None  # by generalised cross-validation; None if not looked at


class _Solved:
    """An attribute of the solution."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, model, owner=None):
        return self if model is None else getattr(model._solve(), self.name)


class SolvesSums(WarnsOnce):
    """A regressor that has sums over samples, `_sums`, and values of a kernel with its centres."""

    alpha_ = _Solved()
    alphas_ = _Solved()
    coef_ = _Solved()
    intercept_ = _Solved()

    @property
    def gcv_scores_(self) -> NDArray:
        """Minus the generalised cross-validation error of each candidate."""
        check_is_fitted(self)
        return self._decompose()[2] if self._solve().scores is None else self._solve().scores

    @property
    def n_samples_seen_(self) -> int:
        """Number of samples, without those of weight zero."""
        check_is_fitted(self)
        return self._sums.n_samples

    @fit_context(prefer_skip_nested_validation=True)
    def fit_blocks(
        self, X: MatrixLike, blocks: Mapping[str, ArrayLike], sample_weight: ArrayLike | None = None
    ) -> dict[str, Self]:
        """Fit one regressor for each block of targets, in one pass, as `KernelRidgeCV` does.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs, as in `fit`.
        blocks : dict of array-like of shape (n_samples,) or (n_samples, n_targets)
            Training targets by the name of their block.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, as in `fit`.

        Returns
        -------
        dict of NystroemRidgeCV
            By block; all have the same centres.
        """
        return clone(self)._fit_together(X, blocks, sample_weight)

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit_blocks(
        self,
        fitted: Mapping[str, Self],
        X: MatrixLike,
        blocks: Mapping[str, ArrayLike],
        sample_weight: ArrayLike | None = None,
    ) -> dict[str, Self]:
        """Add samples to what `fit_blocks` or this method has returned, in one pass.

        Parameters
        ----------
        fitted : dict of NystroemRidgeCV
            By block, changed in place; empty for the first samples.
        X, blocks, sample_weight
            As in `fit_blocks`.

        Returns
        -------
        dict of NystroemRidgeCV
            By block.
        """
        whole = clone(self)
        if fitted:
            first = next(iter(fitted.values()))
            whole.set_params(components=first.components_, gamma=first.gamma_)
        added = whole.partial_fit(X, _stack(blocks), sample_weight)._split(blocks)
        return {name: fitted[name].merge(one) for name, one in added.items()} if fitted else added

    def predict_blocks(self, X: MatrixLike, fitted: Mapping[str, Self]) -> dict[str, NDArray]:
        """Predict the targets of several blocks from one pass of kernel values.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs.
        fitted : dict of NystroemRidgeCV
            By block, with the centres of this regressor.

        Returns
        -------
        dict of ndarray of shape (n_queries,) or (n_queries, n_targets)
            By block.
        """
        check_is_fitted(self)
        X = validate_data(self, X, **self._options(), reset=False)
        check_range("X", X)
        solved = {name: (one.coef_, one.intercept_) for name, one in fitted.items()}
        found = {
            name: np.empty((X.shape[0], *coef.shape[1:])) for name, (coef, _) in solved.items()
        }
        for rows, values in self._values(X):
            for name, (coef, intercept) in solved.items():
                found[name][rows] = values @ coef + intercept
        return found

    def _fit_together(self, X, blocks, sample_weight):
        """As `fit_blocks`; this regressor has then seen the targets of all blocks."""
        X, Y, weights = self._validate(X, _stack(blocks), sample_weight, reset=True)
        self._begin(X, Y, weights)
        self._add(X, Y, weights)
        fitted = self._split(blocks)
        return {name: one._finish(X, blocks[name], weights) for name, one in fitted.items()}

    def _split(self, blocks):
        """A model for each block of the targets that this one has seen together."""
        fitted, start = {}, 0
        for name, block in blocks.items():
            one, shape = copy(self), np.shape(block)[1:]
            stop = start + (shape[0] if shape else 1)
            one._sums, one._y_shape = self._sums.take(slice(start, stop)), shape
            fitted[name], start = one, stop
        return fitted

    def _values(self, X):
        """Slices of the rows of X, and the kernel values of each, in memory that is used again."""
        values = np.empty((min(X.shape[0], self.batch_size), self.components_.shape[0]))
        for rows in gen_batches(X.shape[0], self.batch_size):
            batch = values[: rows.stop - rows.start]
            self._centres.into(X[rows], batch)
            yield rows, batch

    def _decompose(self):
        """Path of solutions, candidates, and their scores by generalised cross-validation."""
        path = self._sums.decompose(self._centres.gram(), self.fit_intercept, self.alphas)
        alphas = path.default_alphas() if self.alphas is None else self.alphas
        alphas = np.array(alphas, dtype=np.float64)
        return path, alphas, -path.gcv(alphas)

    def _choose(self, path, alphas, gcv_scores, scores):
        """Keep the solution of the best score."""
        alpha = float(alphas[scores.argmax()])
        self._warn_of_grid_end(alphas, scores)
        self._keep(alpha, alphas, *path.solve(alpha), gcv_scores)

    def _keep(self, alpha, alphas, coef, intercept, scores=None):
        if not self._y_shape:
            coef, intercept = coef[:, 0], float(intercept[0])
        self._solution = _Solution(alpha, alphas, coef, intercept, scores)

    def _solve(self):
        """The solution; by generalised cross-validation, if there is none."""
        check_is_fitted(self)
        if self._solution is None and self.alphas is not None and len(self.alphas) == 1:
            (alpha,) = alphas = np.array(self.alphas, dtype=np.float64)
            found = self._sums.solve(self._centres.gram(), alpha, self.fit_intercept)
            if found is not None:
                self._keep(float(alpha), alphas, *found)
        if self._solution is None:
            path, alphas, scores = self._decompose()
            self._choose(path, alphas, scores, scores)
        return self._solution

    def _finish(self, X, y, weights):
        """Solve, by leave-one-out if that is wanted."""
        if self.selection == "gcv":
            self._solve()
            return self
        path, alphas, gcv_scores = self._decompose()
        Y = np.asarray(y, dtype=np.float64).reshape(X.shape[0], -1)
        weights = np.ones(len(Y)) if weights is None else weights
        self.loo_scores_, residuals = np.zeros(len(alphas)), np.empty(Y.shape)
        for rows, missed in self._left_out(path, X, Y, weights, alphas):
            self.loo_scores_ -= np.square(missed).mean(axis=2) @ weights[rows] / weights.sum()
        self._choose(path, alphas, gcv_scores, self.loo_scores_)
        for rows, (missed,) in self._left_out(path, X, Y, weights, [self.alpha_]):
            residuals[rows] = np.where(weights[rows, None] > 0, missed, np.nan)
        self.loo_residuals_ = residuals.reshape(np.shape(y))
        return self

    def _left_out(self, path, X, Y, weights, alphas):
        """Slices of the rows, and their leave-one-out residuals (n_alphas, k, p)."""
        for rows, values in self._values(X):
            yield rows, path.loo_residuals(values, Y[rows], weights[rows], alphas)


def _stack(blocks):
    """Targets of all blocks, side by side."""
    return np.column_stack([np.asarray(block) for block in blocks.values()])
