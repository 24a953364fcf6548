"""The kernel between inputs, as several estimators take it: a name, a function or a matrix."""

from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.utils import resample
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import validate_data

from ofer._validation import check_even, check_gram_memory, check_kernel_values
from ofer.kernels import median_gamma

__all__ = ["INPUT_KERNEL_CONSTRAINTS", "InputKernel"]

INPUT_KERNEL_CONSTRAINTS = {
    "alphas": ["array-like", None],
    "kernel": [StrOptions({"precomputed", *PAIRWISE_KERNEL_FUNCTIONS}), callable],
    "gamma": [Interval(Real, 0, None, closed="left"), StrOptions({"scale", "median"}), None],
    "kernel_params": [dict, None],
    "fit_intercept": ["boolean"],
}


class InputKernel(NamedTuple):
    """A kernel with its parameters; see `ofer.KernelRidgeCV` for them."""

    kernel: object
    gamma: float | None = None
    degree: float = 3
    coef0: float = 1
    kernel_params: dict | None = None

    def check_inputs(self, estimator, X, *, reset=True, **options):
        """Check inputs, and targets given as `y`, as scikit-learn's `validate_data` does.

        Training inputs that are kept for predictions are copied: the caller may change theirs.
        """
        check_even("X", X)
        check_even("y", options.get("y", 0))
        options |= {"reset": reset, "copy": reset and self.kernel != "precomputed"}
        # Named kernels work in float64; a function sees the inputs' own type (packed bits).
        dtype = "numeric" if callable(self.kernel) else np.float64
        return validate_data(estimator, X, accept_sparse=("csr", "csc"), dtype=dtype, **options)

    def width(self, X):
        """The number `gamma`, or None; a rule for it is applied to the training inputs."""
        if not isinstance(self.gamma, str) or self.kernel not in PAIRWISE_KERNEL_FUNCTIONS:
            return self.gamma
        if self.gamma == "scale":
            squares = X.multiply(X).mean() - X.mean() ** 2 if sparse.issparse(X) else X.var()
            return float(1.0 / (X.shape[1] * squares)) if squares > 0 else 1.0
        if sparse.issparse(X):
            n_rows = min(X.shape[0], 1000)
            X = resample(X, replace=False, n_samples=n_rows, random_state=0).toarray()
        return median_gamma(X)

    def matrix(self, X, Z) -> NDArray:
        """Kernel matrix between two sets of inputs, float64; X itself if it is precomputed."""
        if self.kernel == "precomputed":
            K = X
        elif callable(self.kernel):
            K = self.kernel(X, Z, **(self.kernel_params or {}))
            return check_kernel_values("kernel", K, (X.shape[0], Z.shape[0]))
        else:
            params = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
            K = pairwise_kernels(X, Z, metric=self.kernel, filter_params=True, **params)
        K = K.toarray() if sparse.issparse(K) else np.asarray(K)
        return K.astype(np.float64, copy=False)

    def gram(self, X, *, n_matrices=3) -> NDArray:
        """Kernel matrix of the training inputs, checked.

        Raises MemoryError if `n_matrices` of its size would not fit in this machine's memory.
        """
        check_gram_memory(X.shape[0], n_matrices)
        if self.kernel == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise ValueError(
                    "X must be a square kernel matrix when kernel='precomputed'; "
                    f"got shape {X.shape}."
                )
            if not np.allclose(X, X.T, rtol=1e-7, atol=1e-10 * np.abs(X).max()):
                raise ValueError("X must be a symmetric kernel matrix when kernel='precomputed'.")
        K = self.matrix(X, X)
        if not np.isfinite(K).all():
            raise ValueError(
                f"kernel {self.kernel!r} returned values that are not finite, on finite inputs; "
                "check its parameters."
            )
        return K
