"""Ridge regression of output codes that is smooth along a graph of neighbours."""

from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve
from scipy.sparse import issparse
from scipy.sparse.csgraph import laplacian
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import kneighbors_graph
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from ofer.companions.local_structured.estimator import (
    OUTPUTS_CONSTRAINT,
    StructuredEstimatorMixin,
    make_space,
)
from ofer.companions.local_structured.inputs import Kernel, check_inputs, check_outputs
from ofer.utils.fitting import fit_context
from ofer.utils.sklearn_private import Interval

__all__ = ["LaplacianRidgeClassifier", "graph_laplacian"]

BATCH_SIZE = 2**20  # kernel values of a batch of queries


class LaplacianRidgeClassifier(StructuredEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""One predictor of output codes for all samples, smooth along a graph of neighbours.

    Laplacian regularised least squares [1]_ on the codes :math:`\psi(y)` of an `OutputSpace`,

    .. math:: \frac 1l \sum_{i \text{ labelled}} \| \psi(y_i) - f(x_i) \|^2 + \alpha \| f \|^2
              + \frac{\gamma}{n} \operatorname{tr} F^\top L F ,

    where :math:`F` are the predictions for all n samples, labelled or not, and :math:`L` is the
    normalised Laplacian of their graph of nearest neighbours. The answer is the output of the
    nearest code. This is a global predictor that knows of neighbourhoods, in the spirit of the
    comparison of section 1.1 of the paper; unlike there the missing outputs are no variables.
    Fitting solves a system of n unknowns; for the linear kernel and fewer features than samples one
    of d unknowns.

    References
    ----------
    .. [1] Belkin, Niyogi, Sindhwani, "Manifold regularization: a geometric framework for learning
       from labeled and unlabeled examples", Journal of Machine Learning Research 7 (2006).
    """

    _parameter_constraints: ClassVar[dict] = {
        "outputs": OUTPUTS_CONSTRAINT,
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "smoothness": [Interval(Real, 0, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "kernel": [str, callable],
        "kernel_params": [dict, None],
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        outputs="multiclass",
        *,
        alpha=0.01,
        smoothness=1.0,
        n_neighbors=10,
        kernel="linear",
        kernel_params=None,
        fit_intercept=True,
    ):
        self.outputs = outputs
        self.alpha = alpha
        self.smoothness = smoothness
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y):
        """Fit the predictor."""
        space = make_space(self.outputs)
        if space.sequential:
            raise ValueError(f"outputs must not be a space of sequences; got {self.outputs!r}.")
        inputs = check_inputs(self, X, sequential=False, reset=True)
        n_samples = len(inputs.lengths)
        if self.n_neighbors >= n_samples:
            raise ValueError(
                f"n_neighbors must be less than n_samples={n_samples}; got {self.n_neighbors}."
            )
        labelled, outputs = check_outputs(self, y, inputs, sequential=False)
        self.outputs_ = space.fit(outputs)
        encoded = space.transform(outputs)
        targets = np.zeros((n_samples, space.n_codes_))
        targets[labelled] = space.codes_[encoded] / labelled.sum()
        # Predictions F minimise tr F'(J F - 2 T) + alpha |f|^2, J the weights of the squares.
        weights = (self.smoothness / n_samples) * graph_laplacian(inputs.rows, self.n_neighbors)
        weights.setdiag(weights.diagonal() + labelled / labelled.sum())
        self._X = inputs.rows
        self.dual_coef_ = self._solve(weights, targets)
        self.transduction_ = self.predict(X)
        self.transduction_[labelled] = space.classes_[encoded]
        return self

    def _solve(self, weights, targets):
        """Coefficients a of f = K a with (J K + alpha I) a = T."""
        n_samples, d = self._X.shape
        if self.kernel == "linear" and d < n_samples:  # the same through w = X'a, d unknowns
            X = self._X.toarray() if issparse(self._X) else self._X
            if self.fit_intercept:
                X = np.column_stack([X, np.ones(n_samples)])
            system = X.T @ (weights @ X) + self.alpha * np.eye(X.shape[1])
            w = cho_solve(cho_factor(system), X.T @ targets)
            return (targets - weights @ (X @ w)) / self.alpha
        K = self._kernel()(self._X, self._X)
        return solve(weights @ K + self.alpha * np.eye(n_samples), targets)

    def predict(self, X):
        """Predict outputs."""
        check_is_fitted(self)
        inputs = check_inputs(self, X, sequential=False, reset=False)
        codes = self.outputs_.codes_
        rows, a = inputs.rows, self.dual_coef_
        if self.kernel == "linear":
            predicted = rows @ (self._X.T @ a) + self.fit_intercept * a.sum(axis=0)
        else:
            batches = gen_batches(rows.shape[0], max(64, BATCH_SIZE // len(a)))
            predicted = np.concatenate([self._kernel()(rows[b], self._X) @ a for b in batches])
        nearest = (predicted @ codes.T - 0.5 * (codes**2).sum(axis=1)).argmax(axis=1)
        return self.classes_[nearest]

    def _kernel(self):
        return Kernel(self.kernel, self.kernel_params, self.fit_intercept)


def graph_laplacian(X, n_neighbors):
    """Normalised Laplacian of the symmetric graph of nearest neighbours."""
    # around the mean, because far from zero products of samples have few digits
    graph = kneighbors_graph(X if issparse(X) else X - X.mean(axis=0), n_neighbors)
    return laplacian(graph.maximum(graph.T), normed=True).tolil().tocsr()
