"""What a fitted regressor of an output kernel computes when it is asked for."""

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ofer.iokr._output_kernel import HasOutputKernel

__all__ = ["HasSolution"]


class HasSolution(HasOutputKernel):
    """Scores of the ridges, and weights of the training outputs, from the decomposed inputs.

    Nothing of it is needed for predictions with one ridge. It is kept once it is there.
    """

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
        return None if self._by_features else self._expansion.coef

    @property
    def coef_(self) -> NDArray | None:
        """The matrix B of ``a(x) = B' x + c``, or None."""
        return self._expansion.coef if self._by_features else None

    @property
    def intercept_(self) -> NDArray:
        """The weights c of the training outputs in the intercept."""
        return self._expansion.intercept

    @property
    def _by_features(self):
        check_is_fitted(self)
        return self._system.loadings is not None

    @property
    def _expansion(self):
        check_is_fitted(self)
        if self._solution is None:
            self._solution = self._system.expansion(self.alpha_)
        return self._solution

    def _start_solution(self, system):
        """Begin anew with decomposed inputs."""
        self._system, self._solution, self._loo_scores = system, None, None

    def _score_ridges(self):
        if self.output_kernel == "linear":
            Y = self.y_fit_.reshape(len(self.y_fit_), -1) - self._output_origin()
            missed = self._system.loo_residuals(Y, self.alphas_)
            errors = (np.square(residuals).sum(axis=1) for residuals in missed)
        else:
            errors = self._system.squared_loo_errors(self.output_gram_, self.alphas_)
        weights, rows, *_ = self._system.samples
        return -np.array([weights[rows] @ e[rows] / weights.sum() for e in errors])
