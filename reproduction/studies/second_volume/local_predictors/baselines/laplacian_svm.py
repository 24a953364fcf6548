"""A global max-margin predictor of structured outputs that is smooth along a graph of parts."""

import warnings

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.extmath import safe_sparse_dot

from ofer.companions.local_structured import Scores
from ofer.companions.local_structured.estimator import StructuredEstimatorMixin, make_space
from ofer.companions.local_structured.inputs import check_inputs, check_outputs, with_constant
from ofer.companions.local_structured.perceptron import predict_encoded
from ofer.companions.local_structured.space import rows_of
from reproduction.studies.second_volume.local_predictors.baselines.laplacian_ridge import (
    graph_laplacian,
)

__all__ = ["LaplacianStructuredSVM"]


class LaplacianStructuredSVM(StructuredEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""One max-margin predictor for all inputs, smooth along a graph of their parts.

    The semi-supervised method of Altun, Belkin and McAllester [1]_ with a linear kernel. Parts are
    rows of features: samples, or the steps of sequences. The scores :math:`F = X W` of all N rows,
    labelled or not, are smooth along their graph of nearest neighbours, while labelled outputs have
    a margin over all others that is as large as the loss:

    .. math:: \frac 1l \sum_{i \text{ labelled}} \max_z \bigl[ w^\top (\Phi(x_i, z) -
              \Phi(x_i, y_i)) + \Delta(y_i, z) \bigr] + \frac{\alpha}{2} \| w \|^2
              + \frac{\gamma}{2 N} \operatorname{tr} F^\top L F ,

    with the joint representation :math:`\Phi` and the loss :math:`\Delta` of an `OutputSpace`, and
    the normalised Laplacian :math:`L`. Weights of shared features, as transitions are, have
    :math:`\alpha` alone.

    The quadratic form of the weights of a code is :math:`M = \alpha I + \frac{\gamma}{N} X^\top L
    X`, so the problem is a structured support vector machine in another metric. One cutting plane
    after the other is added [2]_: the average of the most violated constraints of all samples.

    References
    ----------
    .. [1] Altun, Belkin, McAllester, "Maximum margin semi-supervised learning for structured
       variables", NIPS 2005.
    .. [2] Joachims, Finley, Yu, "Cutting-plane training of structural SVMs", Machine Learning 77
       (2009).
    """

    def __init__(
        self,
        outputs="multiclass",
        *,
        alpha=0.01,
        smoothness=1.0,
        n_neighbors=10,
        max_iter=200,
        tol=0.01,
    ):
        self.outputs = outputs
        self.alpha = alpha
        self.smoothness = smoothness
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X, y):
        """Fit the predictor."""
        space = make_space(self.outputs)
        inputs = check_inputs(self, X, sequential=space.sequential, reset=True)
        labelled, outputs = check_outputs(self, y, inputs, sequential=space.sequential)
        self.outputs_ = space.fit(outputs)
        samples = np.flatnonzero(labelled)
        representers = self._representers(inputs.rows, rows_of(inputs.lengths, samples))
        known = inputs.take(samples)
        rows = with_constant(known.rows, True)
        kernel = safe_sparse_dot(rows, representers, dense_output=True)
        A, V = self._cut(0.5 * (kernel + kernel.T), space, space.transform(outputs), known.lengths)
        self.coef_, self.shared_coef_ = representers @ A, V
        return self

    def _representers(self, rows, labelled):
        """M^-1 X' of the labelled rows (d, r): what each of them adds to the weights of a code."""
        X = with_constant(rows, True)
        n_rows, d = X.shape
        L = (self.smoothness / n_rows) * graph_laplacian(rows, self.n_neighbors)
        if d <= n_rows:
            M = X.T @ (L @ X)
            M = M.toarray() if issparse(M) else M
            M[np.diag_indices(d)] += self.alpha
            known = X[labelled].toarray() if issparse(X) else X[labelled]
            return cho_solve(cho_factor(M), known.T)
        # The same as X'a with (alpha I + L K) a = the unit vectors of the labelled rows.
        system = L @ safe_sparse_dot(X, X.T, dense_output=True)
        system[np.diag_indices(n_rows)] += self.alpha
        units = np.zeros((n_rows, len(labelled)))
        units[labelled, np.arange(len(labelled))] = 1.0
        return X.T @ solve(system, units)

    def _cut(self, kernel, space, y, lengths):
        """Coefficients (r, n_codes) of the labelled rows, and weights (n_shared,) of the shared.

        A plane is an average over samples of differences of features, and of losses. The dual is
        the largest b'beta - beta'H beta / 2 of weights beta of planes that sum to one; the first
        plane is zero: each output compared with itself.
        """
        n = len(lengths)
        own_codes, own_shared = space.features(y, lengths)
        codes, pulled = [np.zeros_like(own_codes)], [np.zeros_like(own_codes)]
        shared, losses = np.zeros((1, space.n_shared_)), np.zeros(1)
        H, beta = np.zeros((1, 1)), np.ones(1)
        first = None
        for n_iter in range(1, self.max_iter + 1):
            self.n_iter_ = n_iter
            F = np.tensordot(beta, pulled, 1)
            V = beta @ shared / self.alpha
            scores = Scores(F, np.repeat(V[None], n, axis=0), lengths)
            z = space.decode_augmented(scores, y)
            z_codes, z_shared = space.features(z, lengths)
            plane = (own_codes - z_codes) / n
            plane_shared = (own_shared - z_shared).mean(axis=0)
            loss = space.losses(y, z, lengths).mean()
            # The plane's slope at these weights, above that of the mixture of planes so far.
            slope = loss - np.vdot(plane, F) - plane_shared @ V
            self.gap_ = max(0.0, slope - (losses @ beta - beta @ H @ beta))
            first = first or loss
            if self.gap_ <= self.tol * first:
                break
            image = kernel @ plane
            row = np.array([np.vdot(plane, other) for other in [*pulled, image]])
            shared = np.vstack([shared, plane_shared])
            row += shared @ plane_shared / self.alpha
            codes, pulled, losses = [*codes, plane], [*pulled, image], np.append(losses, loss)
            H = np.block([[H, row[:-1, None]], [row[None]]])
            beta = _weigh(H, losses, np.append(beta, 0.0), tol=0.1 * self.gap_)
        else:
            warnings.warn(
                f"{self.max_iter} cutting planes leave a gap of {self.gap_:.2g}; give a larger "
                "max_iter or tol.",
                ConvergenceWarning,
                stacklevel=4,
            )
        beta = beta[: len(codes)]
        return np.tensordot(beta, codes, 1), beta @ shared / self.alpha

    def predict(self, X):
        """Predict outputs."""
        space = self.outputs_
        inputs = check_inputs(self, X, sequential=space.sequential, reset=False)
        y = predict_encoded(inputs, space, self.coef_, self.shared_coef_, fit_intercept=True)
        return space.inverse_transform(y, inputs.lengths)


def _weigh(H, b, beta, *, tol, max_iter=10_000):
    """Weights of the simplex with the largest b'beta - beta'H beta / 2, from `beta` on.

    Weight moves from the worst plane that has any to the best one, as far as that helps, until
    no plane promises more than `tol`.
    """
    beta = beta.copy()
    slopes = b - H @ beta
    for _ in range(max_iter):
        up = slopes.argmax()
        down = np.where(beta > 0, slopes, np.inf).argmin()
        if slopes[up] - slopes @ beta <= tol:
            break
        curvature = H[up, up] + H[down, down] - 2.0 * H[up, down]
        gain = slopes[up] - slopes[down]
        step = min(beta[down], gain / curvature if curvature > 0 else np.inf)
        beta[up] += step
        beta[down] -= step
        slopes -= step * (H[:, up] - H[:, down])
    return beta
