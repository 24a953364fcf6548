"""Structured regression by the dependence between inputs and outputs near a query."""

from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.companions.sharma_mittal.descent import descend
from ofer.companions.sharma_mittal.twin_kernels import ScaledPoints
from ofer.utils.fitting import fit_context
from ofer.utils.neighbors import CentredNeighbors
from ofer.utils.sklearn_private import Interval, StrOptions

__all__ = ["DependenceKNNRegressor"]

BATCH_SIZE = 2**22  # entries of the local kernel matrices that are in memory at a time


class DependenceKNNRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Regression by the output that makes a neighbourhood's inputs and outputs most dependent.

    The nearest training samples of a query, and the query with a candidate output y, have kernel
    matrices K of inputs and L of outputs, both Gaussian. The prediction is the y of the greatest
    dependence: by the Hilbert-Schmidt independence criterion [1]_, or by kernel-target
    alignment [2]_,

    .. math::

        \mathrm{HSIC}(y) = \mathrm{tr}(H K H L), \qquad
        \mathrm{KTA}(y) = \frac{\langle K, L \rangle}{\|K\| \|L\|} ,

    with the centring matrix :math:`H = I - 1 1^\top / (k + 1)`. These are the baselines HSIC-KNN
    and KTA-KNN of the literature on twin Gaussian processes [3]_, which differ from those in the
    measure alone.

    See Also
    --------
    ofer.companions.TwinGaussianProcess : The same with a divergence for the measure.
    sklearn.neighbors.KNeighborsRegressor : Means of the neighbours' outputs.

    Notes
    -----
    With k the kernel values of y with the neighbours' outputs, HSIC is a constant and
    :math:`2 \sum_i (H K H)_{i x} k_i`, an expansion of Gaussians with positive weights at near
    neighbours and negative ones at far. Together they are negative, so that a wide output kernel
    drives y away from all: take one that tells the neighbours' outputs apart, and neighbourhoods
    of dozens. KTA depends on y through k alone, too. All queries climb
    at once from the best of their neighbours' outputs, in the box, by limited-memory BFGS. An
    evaluation takes O(n d_y) for each of them, n being the number of training samples, and what
    comes before it O(k^2 (d_x + d_y)).

    References
    ----------
    .. [1] Gretton, Bousquet, Smola, Schölkopf, "Measuring statistical dependence with
       Hilbert-Schmidt norms", Algorithmic Learning Theory (2005).
    .. [2] Cristianini, Shawe-Taylor, Elisseeff, Kandola, "On kernel-target alignment", NIPS (2001).
    .. [3] Elhoseiny, Elgammal, "Generalized Twin Gaussian processes using Sharma-Mittal
       divergence", Machine Learning 100 (2015), Table 3.

    Examples
    --------
    >>> import numpy as np
    >>> from reproduction.studies.second_volume.twin_processes.dependence_knn import (
    ...     DependenceKNNRegressor,
    ... )
    >>> X = np.linspace(0, 6, 100)[:, None]
    >>> circle = np.column_stack([np.cos(X), np.sin(X)])
    >>> model = DependenceKNNRegressor("hsic", n_neighbors=8).fit(X, circle)
    >>> bool(np.abs(model.predict([[1.5]]) - [np.cos(1.5), np.sin(1.5)]).max() < 0.05)
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        "criterion": [StrOptions({"hsic", "kta"})],
        "n_neighbors": [Interval(Integral, 2, None, closed="left")],
        "bandwidth_x": [Interval(Real, 0, None, closed="neither"), None],
        "bandwidth_y": [Interval(Real, 0, None, closed="neither"), None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self, criterion="hsic", *, n_neighbors=30, bandwidth_x=None, bandwidth_y=None, max_iter=50
    ):
        self.criterion = criterion
        self.n_neighbors = n_neighbors
        self.bandwidth_x = bandwidth_x
        self.bandwidth_y = bandwidth_y
        self.max_iter = max_iter

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y):
        """Store the training set, and choose the widths that are not given."""
        X, y = validate_data(
            self, X, y, multi_output=True, y_numeric=True, dtype=np.float64, ensure_min_samples=2,
            copy=True,
        )  # fmt: skip
        self.X_fit_, self.y_fit_, self.n_iter_ = X, np.array(y, dtype=np.float64), 1
        Y = self.y_fit_.reshape(len(y), -1)
        self.bounds_ = np.array([Y.min(axis=0), Y.max(axis=0)])
        self.neighbors_ = CentredNeighbors(n_neighbors=min(self.n_neighbors, len(X))).fit(X)
        if self.bandwidth_x is None or self.bandwidth_y is None:
            others = min(self.n_neighbors, len(X) - 1)
            distances, nearest = self.neighbors_.kneighbors(n_neighbors=others)
            distances_y = np.linalg.norm(Y[nearest] - Y[:, None], axis=2)
        self.bandwidth_x_ = self.bandwidth_x or _median(distances)
        self.bandwidth_y_ = self.bandwidth_y or 0.25 * _median(distances_y)
        return self

    def predict(self, X):
        """Predict the outputs."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        nearest = self.neighbors_.kneighbors(X, return_distance=False)
        Y = self.y_fit_.reshape(len(self.y_fit_), -1)
        outputs, predictions = ScaledPoints(Y, self.bandwidth_y_), np.empty((len(X), Y.shape[1]))
        for batch in gen_batches(len(X), max(1, BATCH_SIZE // nearest.shape[1] ** 2)):
            local, members = self._local_measure(X[batch], nearest[batch]), nearest[batch]
            # Values at the outputs of all neighbours, whose best is where the search starts.
            at_neighbors = [local(L, np.arange(len(L)))[0] for L in self._output_kernels(members)]
            best = np.argmin(at_neighbors, axis=0)
            starts = Y[members[np.arange(len(members)), best]]
            cost = _among_all(local, members)
            options = {"max_iter": self.max_iter}
            predictions[batch] = descend(outputs, cost, starts[None], self.bounds_, **options)
        return predictions.reshape(len(X), *self.y_fit_.shape[1:])

    def _output_kernels(self, members):
        """Kernel matrices (k, n_queries, k) of the outputs of each query's neighbours."""
        Y = self.y_fit_.reshape(len(self.y_fit_), -1)
        return _local_kernels(Y[members], self.bandwidth_y_).transpose(1, 0, 2)

    def _local_measure(self, X, members):
        """Function of kernel values (m, k) with the neighbours: minus the measure, and slopes."""
        points = np.concatenate([self.X_fit_[members], X[:, None]], axis=1)
        K = _local_kernels(points, self.bandwidth_x_)
        if self.criterion == "hsic":
            means = K.mean(axis=2)
            weights = K[:, -1, :-1] - means[:, :-1] - means[:, -1:] + means.mean(axis=1)[:, None]
            weights /= np.abs(weights).sum(axis=1, keepdims=True).clip(np.finfo(float).tiny)
            return lambda k, rows: (-_dots(weights[rows], k), -weights[rows])
        L = self._output_kernels(members).transpose(1, 0, 2)
        norms = np.linalg.norm(K, axis=(1, 2))
        products = 1.0 + np.einsum("qij,qij->q", K[:, :-1, :-1], L)
        squares = 1.0 + np.square(L).sum(axis=(1, 2))
        to_query = K[:, -1, :-1]

        def alignment(k, rows):
            lengths = np.sqrt(squares[rows] + 2.0 * _dots(k, k))
            values = (products[rows] + 2.0 * _dots(to_query[rows], k)) / (norms[rows] * lengths)
            slopes = to_query[rows] / (norms[rows] * lengths)[:, None]
            slopes -= (values / np.square(lengths))[:, None] * k
            return -values, -2.0 * slopes

        return alignment


def _among_all(local, members):
    """The same cost of kernel values with all training outputs (m, n)."""

    def cost(k, rows):
        columns = members[rows]
        values, local_slopes = local(np.take_along_axis(k, columns, axis=1), rows)
        slopes = np.zeros_like(k)
        np.put_along_axis(slopes, columns, local_slopes, axis=1)
        return values, slopes

    return cost


def _local_kernels(points, bandwidth):
    """Gaussian kernel matrices (n_queries, k, k) of sets of points (n_queries, k, d)."""
    centred = (points - points.mean(axis=1, keepdims=True)) / bandwidth
    products = centred @ centred.transpose(0, 2, 1)
    squares = np.einsum("qii->qi", products)
    distances = squares[:, :, None] + squares[:, None, :] - 2.0 * products
    return np.exp(-0.5 * np.maximum(distances, 0.0))


def _median(distances):
    """Median of the positive distances; without any, every width is as good."""
    positive = distances[distances > 0]
    return float(np.median(positive)) if positive.size else 1.0


def _dots(a, b):
    return np.einsum("ij,ij->i", a, b)
