"""The output kernel of a regressor: its matrices, and what is computed when it is asked for."""

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ofer.iokr._output_space import warn_if_indefinite
from ofer.kernels import median_gamma
from ofer.ridge.input_kernel import named_kernel
from ofer.ridge.kernel_system import KernelSolution
from ofer.utils.typing import ListLike
from ofer.utils.validation import check_kernel_values, check_spread

__all__ = ["HasOutputKernel"]


class HasOutputKernel(BaseEstimator):
    """What an estimator with the parameters `output_kernel`, ... knows of its outputs.

    With one ridge predictions need neither scores nor weights: these are found on demand, and kept.
    """

    _loo_scores: NDArray | None
    _solution: KernelSolution | None

    @property
    def loo_scores_(self) -> NDArray:
        """Minus the mean squared leave-one-out error in the output feature space, by ridge."""
        check_is_fitted(self)
        if self._loo_scores is None:
            self._loo_scores = self._score_ridges()
        return self._loo_scores

    @property
    def best_score_(self) -> float:
        """Score of the chosen ridge."""
        return float(self.loo_scores_.max())

    @property
    def dual_coef_(self) -> NDArray | None:
        """The matrix G of ``a(x) = G k(x) + c``, or None."""
        return self._expansion().coef if self._system.loadings is None else None

    @property
    def coef_(self) -> NDArray | None:
        """The matrix B of ``a(x) = B' x + c``, or None."""
        return None if self._system.loadings is None else self._expansion().coef

    @property
    def intercept_(self) -> NDArray:
        """The weights c of the training outputs in the intercept."""
        return self._expansion().intercept

    @property
    def output_gram_(self) -> NDArray:
        """The output kernel's matrix on the training outputs."""
        check_is_fitted(self)
        return self.output_kernel_matrix(self.y_fit_) if self._gram is None else self._gram

    def output_kernel_matrix(self, Y: ListLike, Z: ListLike | None = None) -> NDArray:
        """Output kernel between two sets of outputs, with the fitted width.

        With an intercept the linear kernel is around the mean of the training outputs.

        Parameters
        ----------
        Y, Z : like `y` in `fit`, of any length
            Outputs; None in place of Z is Y.

        Returns
        -------
        ndarray of shape (n_y, n_z), float64
        """
        Z = Y if Z is None else Z
        if callable(self.output_kernel):
            K = self.output_kernel(Y, Z, **(self.output_kernel_params or {}))
            return check_kernel_values("output_kernel", K, (len(Y), len(Z)))
        Y, Z = (A.reshape(len(A), -1) for A in (Y, Z))
        if self.output_kernel == "linear":
            origin = self._output_origin()
            return (Y - origin) @ (Z - origin).T
        return named_kernel("rbf", Y, Z, gamma=self.output_gamma_)

    def _output_origin(self):
        """Where outputs begin that are compared by products: their mean if weights sum to one."""
        Y = self.y_fit_.reshape(len(self.y_fit_), -1)
        return Y.mean(axis=0) if self.fit_intercept else np.zeros(Y.shape[1])

    def _of_training(self, choices=None):
        """Kernel (n_samples, n_choices) with the training outputs to choose among, and their norms.

        An absent sample is no candidate: it is too far away.
        """
        if choices is None:
            return self.output_gram_, self._squared_norms
        if self._gram is not None:
            return self._gram[:, choices], self._squared_norms[choices]
        gram = self.output_kernel_matrix(self.y_fit_[choices], self.y_fit_)
        return gram.T, self._squared_norms[choices]

    def _fit_output_kernel(self, y, weights):
        """Store the outputs, and those of them that differ."""
        self.y_fit_ = None if self.output_kernel == "precomputed" else y
        self.output_gamma_ = self.output_gamma if self.output_kernel == "rbf" else None
        present = np.arange(len(y)) if weights is None else np.flatnonzero(weights > 0)
        self._gram, self._choices = None, present
        if self.output_kernel in ("rbf", "linear"):
            rows = y.reshape(len(y), -1)
            if self.output_kernel == "rbf" and self.output_gamma is None:
                check_spread("y", rows[present])
                self.output_gamma_ = median_gamma(rows[present])
            self._choices = present[_first_of_equals(rows[present])]
            norms = np.ones(len(y))
            if self.output_kernel == "linear":
                norms = np.square(rows - self._output_origin()).sum(axis=1)
        else:
            precomputed = self.output_kernel == "precomputed"
            self._gram = y if precomputed else self.output_kernel_matrix(y)
            warn_if_indefinite(self._gram)
            norms = np.diag(self._gram)
        self._squared_norms = norms if weights is None else np.where(weights > 0, norms, np.inf)

    def _expansion(self):
        if self._solution is None:
            self._solution = self._system.expansion(self.alpha_)
        return self._solution

    def _score_ridges(self):
        if self.output_kernel == "linear":
            Y = self.y_fit_.reshape(len(self.y_fit_), -1) - self._output_origin()
            missed = self._system.loo_residuals(Y, self.alphas_)
            errors = (np.square(residuals).sum(axis=1) for residuals in missed)
        else:
            errors = self._system.squared_loo_errors(self.output_gram_, self.alphas_)
        weights, rows, *_ = self._system.samples
        return -np.array([weights[rows] @ e[rows] / weights.sum() for e in errors])


def _first_of_equals(rows):
    """Places of the rows that no earlier one equals, in order."""
    exact = np.ascontiguousarray(rows + 0.0)  # there is one zero
    keys = exact.view(np.dtype((np.void, exact.itemsize * exact.shape[1]))).ravel()
    return np.sort(np.unique(keys, return_index=True)[1])  # rows as bytes sort ten times faster
