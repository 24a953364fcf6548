"""The kernel between inputs, as several estimators take it: a name, a function or a matrix."""

from collections.abc import Iterator
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.validation import validate_data

from ofer.kernels import median_gamma
from ofer.kernels._distances import gaussian_kernel
from ofer.ridge.kernel_system import KernelSystem
from ofer.utils.absent import indexable, of_order_one
from ofer.utils.memory import BATCH, check_gram_memory, row_batches
from ofer.utils.sklearn_private import Interval, StrOptions
from ofer.utils.typing import KernelLike, Matrix, MatrixLike
from ofer.utils.validation import (
    check_even,
    check_kernel_values,
    check_range,
    check_spread,
    check_weights,
)
from ofer.utils.warning import warn

INPUT_KERNEL_CONSTRAINTS = {
    "alphas": ["array-like", None],
    "kernel": [StrOptions({"precomputed", *PAIRWISE_KERNEL_FUNCTIONS}), callable],
    "gamma": [Interval(Real, 0, None, closed="left"), StrOptions({"mean", "median"}), None],
    "kernel_params": [dict, None],
    "fit_intercept": ["boolean"],
}


SHIFT_INVARIANT = ("rbf", "laplacian")
WITH_WIDTH = (*SHIFT_INVARIANT, "chi2", "poly", "polynomial", "sigmoid")
WIDTHS = 4.0 ** np.arange(2, -4, -1)  # Gaussian kernels from 1/4 to 8 times as wide as the rule's
SEMIDEFINITE = (*SHIFT_INVARIANT, "linear", "cosine")  # these are so for any inputs and parameters


def named_kernel(name: str, X: Matrix, Z: Matrix, **params: Any) -> Matrix:
    """One of scikit-learn's kernels; the Gaussian one keeps its digits far from zero, too."""
    if name == "cosine":  # scikit-learn takes rows shorter than 2e-15 for zero
        X, Z = (A / 2.0 ** np.frexp(abs(A).max())[1] for A in (X, Z))
    if name != "rbf":
        return pairwise_kernels(X, Z, metric=name, **params)
    gamma = params.get("gamma")
    return gaussian_kernel(X, Z, 1.0 / X.shape[1] if gamma is None else gamma)


def column_moments(X: Matrix, sample_weight: NDArray | None = None) -> tuple[NDArray, NDArray]:
    """Means and variances of inputs; a warning if a kernel hardly sees most of the columns."""
    columns = StandardScaler(with_mean=not sparse.issparse(X))
    sample_weight = of_order_one(sample_weight)
    for rows in row_batches(*X.shape):
        weights = None if sample_weight is None else sample_weight[rows]
        columns.partial_fit(X[rows], sample_weight=weights)
    means, variances = columns.mean_, columns.var_
    small = variances[variances > 0] < 1e-4 * variances.max(initial=0.0)
    if not sparse.issparse(X) and 2 * small.sum() > len(small):
        warn(
            "the standard deviations of most columns of X are less than a hundredth of the "
            "largest: the kernel hardly sees these columns. Standardise X, as "
            "make_pipeline(StandardScaler(), ...) does.",
        )
    return means, variances


def mean_gamma(kernel: str, X: Matrix, sample_weight: NDArray | None = None) -> float:
    """One over the mean of what a kernel exponentiates, or over a number of its size and unit."""
    means, variances = column_moments(X, sample_weight)
    if kernel == "rbf":  # this is the mean squared distance of pairs
        size = 2.0 * variances
    elif kernel == "laplacian":
        size = np.sqrt(variances)
    elif kernel == "chi2":
        size = variances / np.where(variances > 0, means, 1.0)
    else:  # the others have products
        size = variances + np.square(means)
    if 0 < size.sum() < 1e-290:
        check_spread("X", X, 1e-145)
    return float(1.0 / size.sum()) if size.any() else 1.0


def warn_if_blind(K: NDArray, sample_weight: NDArray | None = None) -> None:
    """Warn if a kernel matrix (n, n) is the identity, or constant, to 1e-6, for most samples."""
    if sample_weight is not None and not sample_weight.all():
        K = K[np.ix_(sample_weight > 0, sample_weight > 0)]
    largest = np.abs(K.diagonal()).max(initial=0.0)
    if largest > 0 and not 1e-140 < largest < 1e140:  # its squares would not be numbers
        K, largest = K / largest, 1.0
    diagonal = np.abs(K.diagonal())
    others = np.einsum("ij,ij->i", K, K) - np.square(diagonal)  # this needs no further matrix
    if len(K) > 2 and np.median(others) < 1e-12 * largest**2:
        what = "the identity: no sample says anything of another"
    elif largest > 0 and K.min() > (1 - 1e-6) * largest:
        what = "all ones: it tells no samples apart"
    else:
        return
    warn(
        f"the kernel matrix is, to 1e-6 of its diagonal, {what}. Standardise X, as "
        "make_pipeline(StandardScaler(), ...) does, and leave gamma to its rule.",
    )


def same_inputs(A: Matrix | None, B: Matrix | None) -> bool:
    """Whether two sets of inputs, dense or sparse, are equal; None is that of none."""
    if A is B or A is None or B is None:
        return A is B
    return A.shape == B.shape and (A != B).sum() == 0


class InputKernel(NamedTuple):
    """A kernel with its parameters; see `ofer.KernelRidgeCV` for them."""

    kernel: KernelLike
    gamma: Any = None  # a number, a rule for one, or several numbers
    degree: float = 3
    coef0: float = 1
    kernel_params: dict | None = None

    def check_inputs(
        self, estimator: BaseEstimator, X: MatrixLike, *, reset: bool = True, **options: Any
    ) -> Any:
        """Check inputs, and targets given as `y`, as scikit-learn's `validate_data` does.

        Training inputs that are kept for predictions are copied: the caller may change theirs.
        """
        advice = ""
        if callable(self.kernel):
            advice = (
                " Of series of several lengths take the kernel matrix, and kernel='precomputed'."
            )
        check_even("X", X, advice=advice)
        check_even("y", options.get("y", 0))
        options |= {"reset": reset, "copy": reset and self.kernel != "precomputed"}
        # Named kernels work in float64; a function sees the inputs' own type (packed bits).
        dtype = "numeric" if callable(self.kernel) else np.float64
        X = indexable(X)
        checked = validate_data(estimator, X, accept_sparse=("csr", "csc"), dtype=dtype, **options)
        if not callable(self.kernel):
            check_range("X", checked[0] if "y" in options else checked)
        return checked

    def width(self, X: Matrix, sample_weight: NDArray | None = None) -> float | None:
        """The number `gamma`; a rule for it is applied to the inputs of positive weight."""
        if not isinstance(self.gamma, str):
            return self.gamma
        if self.kernel not in WITH_WIDTH:
            return None
        if sample_weight is not None and not sample_weight.all():
            X, sample_weight = X[sample_weight > 0], sample_weight[sample_weight > 0]
        if self.gamma == "mean":
            return mean_gamma(self.kernel, X, sample_weight)
        if self.kernel != "rbf":
            raise ValueError(f"gamma must not be 'median' for the kernel {self.kernel!r}.")
        if sparse.issparse(X):
            rows = check_random_state(0).permutation(X.shape[0])[:1000]
            X = X[rows].toarray()
            sample_weight = None if sample_weight is None else sample_weight[rows]
        check_spread("X", X)
        return median_gamma(X, sample_weight=sample_weight)

    def candidates(self, X: Matrix, sample_weight: NDArray | None = None) -> list["InputKernel"]:
        """Kernels with numbers for widths: this one, or those to choose among by leave-one-out.

        "loo" stands for widths around that of a rule; for the linear and the Gaussian kernel it is
        the linear one, and Gaussian ones.
        """
        if np.ndim(self.gamma):
            gammas = np.asarray(self.gamma).tolist() if self.kernel in WITH_WIDTH else [None]
            return [self._replace(gamma=gamma) for gamma in gammas]
        if not (self.gamma == "loo" and self.kernel in ("linear", *WITH_WIDTH)):
            return [self._replace(gamma=self.width(X, sample_weight))]
        if self.kernel not in ("linear", "rbf"):
            middle: Any = self._replace(gamma="mean").width(X, sample_weight)
            return self._replace(gamma=WIDTHS * middle).candidates(X)
        column_moments(X, sample_weight)
        rbf = self._replace(kernel="rbf", gamma="median")
        middle = rbf.width(X, sample_weight)
        linear = self._replace(kernel="linear", gamma=None)
        return [linear, *rbf._replace(gamma=WIDTHS * middle).candidates(X)]

    def same_as(self, other: "InputKernel") -> bool:
        """Whether another kernel is this one; parameters of functions may be arrays."""
        params, others = self.kernel_params or {}, other.kernel_params or {}
        alike = self[:-1] == other[:-1] and params.keys() == others.keys()
        return alike and all(np.array_equal(params[key], others[key]) for key in params)

    def matrix(self, X: Matrix, Z: Matrix | None) -> NDArray:
        """Kernel matrix between two sets of inputs, float64; X itself if Z is None."""
        if Z is None:
            K = X
        elif callable(self.kernel):
            K = self.kernel(X, Z, **(self.kernel_params or {}))
            return check_kernel_values("kernel", K, (X.shape[0], Z.shape[0]))
        else:
            params = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
            K = named_kernel(self.kernel, X, Z, filter_params=True, **params)
        K = K.toarray() if sparse.issparse(K) else np.asarray(K)
        return K.astype(np.float64, copy=False)

    def batches(self, X: Matrix, Z: Matrix | None) -> Iterator[NDArray]:
        """Kernel matrix in batches of rows, not too few: each goes through all of Z."""
        n_columns = X.shape[1] if Z is None else Z.shape[0]
        parts = (X[rows] for rows in gen_batches(X.shape[0], max(1000, BATCH // n_columns)))
        return (self.matrix(part, Z) for part in parts)

    def diagonal(self, X: Matrix) -> NDArray:
        """The kernel of each input with itself, (n,)."""
        parts = (X[rows] for rows in gen_batches(X.shape[0], 64))
        return np.concatenate([self.matrix(part, part).diagonal() for part in parts])

    def has_features(self, X: Matrix) -> bool:
        """Whether ridge regression is solved by coefficients of the inputs themselves."""
        few = not sparse.issparse(X) or X.shape[1] < X.shape[0]
        return self.kernel == "linear" and few

    def system(self, X, alphas, sample_weight, fit_intercept, *, n_matrices=3):
        """Decompose the kernel of the training inputs, checked, for some candidates or any.

        Raises MemoryError if `n_matrices` of the matrices would not fit in this machine's memory.
        """
        n, alpha = X.shape[0], alphas[0] if alphas is not None and len(alphas) == 1 else None
        if self.has_features(X):
            check_gram_memory(min(X.shape), n_matrices)
            return KernelSystem.from_features(X, sample_weight, fit_intercept, alpha=alpha)
        check_gram_memory(n, n_matrices)
        if self.kernel == "precomputed":
            if n != X.shape[1]:
                raise ValueError(
                    "X must be a square kernel matrix when kernel='precomputed'; "
                    f"got shape {X.shape}."
                )
            parts = (abs(X[rows] - X[:, rows].T).max() for rows in row_batches(n, n))
            asymmetry = max(parts) / max(abs(X).max(), np.finfo(float).tiny)
            if asymmetry > 1e-6:  # roundoff of sums in float32 is less
                raise ValueError(
                    "X must be a symmetric kernel matrix when kernel='precomputed'; its halves "
                    f"differ by {asymmetry:.2g} of the largest entry."
                )
            if asymmetry > 1e-12:
                X = 0.5 * (X + X.T)
        is_matrix = self.kernel == "precomputed"
        K = self.matrix(X, None if is_matrix else X)
        if not np.isfinite(K).all():
            raise ValueError(
                f"kernel {self.kernel!r} returned values that are not finite, on finite inputs; "
                "check its parameters."
            )
        warn_if_blind(K, check_weights(sample_weight, K))
        return KernelSystem.from_kernel(
            K,
            sample_weight,
            fit_intercept,
            alpha=alpha,
            semidefinite=self.kernel in SEMIDEFINITE,
            overwrite=not (is_matrix or callable(self.kernel)),
        )
