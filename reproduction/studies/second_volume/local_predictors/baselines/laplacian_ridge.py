"""Ridge regression of output codes that is smooth along a graph of neighbours."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve
from scipy.sparse import issparse
from scipy.sparse.csgraph import laplacian
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import kneighbors_graph
from sklearn.utils.extmath import safe_sparse_dot

from ofer.companions.local_structured.estimator import StructuredEstimatorMixin, make_space
from ofer.companions.local_structured.inputs import check_inputs, check_outputs, with_constant

__all__ = ["LaplacianRidgeClassifier", "graph_laplacian"]


class LaplacianRidgeClassifier(StructuredEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""One predictor of output codes for all samples, smooth along a graph of neighbours.

    Laplacian regularised least squares [1]_ on the codes :math:`\psi(y)` of an `OutputSpace`,

    .. math:: \frac 1l \sum_{i \text{ labelled}} \| \psi(y_i) - f(x_i) \|^2 + \alpha \| f \|^2
              + \frac{\gamma}{n} \operatorname{tr} F^\top L F ,

    where :math:`F` are the predictions for all n samples, labelled or not, and :math:`L` is the
    normalised Laplacian of their graph of nearest neighbours. The answer is the output of the
    nearest code. This is a global predictor that knows of neighbourhoods, in the spirit of the
    comparison of section 1.1 of the paper; unlike there the missing outputs are no variables.

    References
    ----------
    .. [1] Belkin, Niyogi, Sindhwani, "Manifold regularization: a geometric framework for learning
       from labeled and unlabeled examples", Journal of Machine Learning Research 7 (2006).
    """

    def __init__(self, outputs="multiclass", *, alpha=0.01, smoothness=1.0, n_neighbors=10):
        self.outputs = outputs
        self.alpha = alpha
        self.smoothness = smoothness
        self.n_neighbors = n_neighbors

    def fit(self, X, y):
        """Fit the predictor."""
        inputs = check_inputs(self, X, sequential=False, reset=True)
        labelled, outputs = check_outputs(self, y, inputs, sequential=False)
        self.outputs_ = make_space(self.outputs).fit(outputs)
        n_samples, n_labelled = len(labelled), labelled.sum()
        targets = np.zeros((n_samples, self.outputs_.n_codes_))
        targets[labelled] = self.outputs_.codes_[self.outputs_.transform(outputs)] / n_labelled
        # Predictions F minimise tr F'(J F - 2 T) + alpha |f|^2, J the weights of the squares.
        weights = (self.smoothness / n_samples) * graph_laplacian(inputs.rows, self.n_neighbors)
        weights.setdiag(weights.diagonal() + labelled / n_labelled)
        self.coef_ = self._solve(with_constant(inputs.rows, True), weights, targets)
        return self

    def _solve(self, X, weights, targets):
        """Weights w of F = X w with (X'J X + alpha I) w = X'T."""
        n_samples, d = X.shape
        if d <= n_samples:
            X = X.toarray() if issparse(X) else X
            system = X.T @ (weights @ X) + self.alpha * np.eye(d)
            return cho_solve(cho_factor(system), X.T @ targets)
        # The same as w = X'a with (J X X' + alpha I) a = T.
        system = weights @ safe_sparse_dot(X, X.T, dense_output=True)
        return X.T @ solve(system + self.alpha * np.eye(n_samples), targets)

    def predict(self, X):
        """Predict outputs."""
        inputs = check_inputs(self, X, sequential=False, reset=False)
        predicted, codes = with_constant(inputs.rows, True) @ self.coef_, self.outputs_.codes_
        nearest = (predicted @ codes.T - 0.5 * (codes**2).sum(axis=1)).argmax(axis=1)
        return self.classes_[nearest]


def graph_laplacian(X, n_neighbors):
    """Normalised Laplacian of the symmetric graph of nearest neighbours."""
    # around the mean, because far from zero products of samples have few digits
    graph = kneighbors_graph(X if issparse(X) else X - X.mean(axis=0), n_neighbors)
    return laplacian(graph.maximum(graph.T), normed=True).tolil().tocsr()
