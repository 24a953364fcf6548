"""The output kernel of a regressor: its matrices, and what a fit keeps of it."""

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ofer._input_kernel import named_kernel
from ofer._typing import ListLike
from ofer._validation import check_kernel_values, check_spread
from ofer.iokr._output_space import warn_if_indefinite
from ofer.kernels import median_gamma

__all__ = ["HasOutputKernel"]


class HasOutputKernel(BaseEstimator):
    """What an estimator with the parameters `output_kernel`, ... knows of its outputs."""

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

    def _fit_output_kernel(self, y, weights):
        """Store the outputs; their Gram matrix."""
        self.y_fit_ = None if self.output_kernel == "precomputed" else y
        self.output_gamma_ = self.output_gamma if self.output_kernel == "rbf" else None
        if self.output_kernel == "rbf" and self.output_gamma is None:
            kept = (y if weights is None else y[weights > 0]).reshape(-1, y[0].size)
            check_spread("y", kept)
            self.output_gamma_ = median_gamma(kept)
        gram = y if self.output_kernel == "precomputed" else self.output_kernel_matrix(y)
        if self.output_kernel == "precomputed" or callable(self.output_kernel):
            warn_if_indefinite(gram)
        norms = np.diag(gram)  # an absent sample is no candidate: it is too far away
        self._squared_norms = norms if weights is None else np.where(weights > 0, norms, np.inf)
        self._gram = None if self.output_kernel in ("rbf", "linear") else gram
        return gram
