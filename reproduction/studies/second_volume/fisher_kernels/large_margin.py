"""Large-margin nearest neighbours: a linear map before k-nearest-neighbour classification."""

import warnings

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import NearestNeighbors

__all__ = ["LargeMarginNearestNeighbor"]

BLOCK_ENTRIES = 2**21  # of a block of rows of the (n, n) matrices: 16 MB each


class LargeMarginNearestNeighbor(TransformerMixin, BaseEstimator):
    r"""Linear map that keeps neighbours of a class close, and others a margin away.

    Before learning, each sample i is given its target neighbours N(i), the nearest of its class.
    The map L minimises, with :math:`d_{ij} = \|L (x_i - x_j)\|^2` [1]_,

    .. math::

        \frac1n \sum_i \sum_{j \in N(i)} \Bigl[ (1 - \mu)\, d_{ij}
        + \mu \sum_{l : y_l \ne y_i} \max(0, 1 + d_{ij} - d_{il}) \Bigr] .

    The sum is over all samples of other classes, not over a list of suspects that is renewed now
    and then; the loss in L, unlike that in the metric, is not convex. An iteration takes O(n^2 d)
    time, O(d + k) for each of the pairs that are too close, and O(n d) memory beside some blocks of
    16 MB.

    References
    ----------
    .. [1] Weinberger, Saul, "Distance metric learning for large margin nearest neighbor
       classification", Journal of Machine Learning Research 10 (2009).
    """

    def __init__(self, n_neighbors=3, *, mu=0.5, n_components=None, max_iter=50, tol=1e-4):
        self.n_neighbors = n_neighbors
        self.mu = mu
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X, y):
        """Learn the map."""
        _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
        if self.n_components is None:
            start = np.eye(X.shape[1])
        else:
            start = PCA(self.n_components, svd_solver="full").fit(X).components_
        centred = X - X.mean(axis=0)
        targets = target_neighbors(centred, codes, min(self.n_neighbors, counts.min() - 1))
        result = minimize(
            lambda L: _flat(loss(L.reshape(start.shape), centred, codes, targets, self.mu)),
            start.ravel(),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": self.max_iter, "ftol": self.tol, "gtol": 0},
        )
        self.components_ = result.x.reshape(start.shape)
        self.loss_, self.n_iter_ = float(result.fun), max(result.nit, 1)
        if result.status == 1:
            warnings.warn(
                f"fit stopped after max_iter={self.max_iter} iterations. Raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def transform(self, X):
        """Map samples."""
        return X @ self.components_.T


def _flat(value_and_gradient):
    """With the gradient as a vector."""
    value, gradient = value_and_gradient
    return value, gradient.ravel()


def target_neighbors(X, codes, n_neighbors):
    """Nearest samples of the same class, (n, k)."""
    targets = np.empty((len(X), n_neighbors), dtype=int)
    for c in range(codes.max() + 1):
        members = np.flatnonzero(codes == c)
        search = NearestNeighbors(n_neighbors=n_neighbors).fit(X[members])
        targets[members] = members[search.kneighbors(return_distance=False)]
    return targets


def loss(L, X, codes, targets, mu):
    """Loss of the map L and its gradient, both matrices of L's shape.

    With weights c_ij of the squared distances d_ij, the gradient is 2 L sum_ij c_ij (x_i - x_j)
    (x_i - x_j)', a product with the Laplacian of c + c'.
    """
    n = len(X)
    Z = X @ L.T
    norms = np.einsum("ij,ij->i", Z, Z)
    pulls = ((Z[:, None] - Z[targets]) ** 2).sum(axis=2)
    value = (1 - mu) * pulls.sum()
    reach = 1 + pulls.max(axis=1)
    degrees, mixed = np.zeros(n), np.zeros_like(X)
    own_weights = np.full(targets.shape, 1 - mu)
    rows = max(1, BLOCK_ENTRIES // n)
    for start in range(0, n, rows):
        block = slice(start, min(start + rows, n))
        distances = np.maximum(norms[block, None] + norms - 2 * Z[block] @ Z.T, 0)
        # Few pairs are so close: the rest of the sum is over these.
        i, l = np.nonzero(distances < reach[block, None])
        other = codes[block][i] != codes[l]
        i, l = i[other], l[other]
        margins = 1 + pulls[block][i] - distances[i, l][:, None]
        intruding = margins > 0
        value += mu * margins[intruding].sum()
        for k, column in enumerate(intruding.T):
            own_weights[block, k] += mu * np.bincount(i, column, minlength=len(distances))
        pushes = csr_array((-mu * intruding.sum(axis=1), (i, l)), shape=distances.shape)
        degrees[block] += pushes.sum(axis=1)
        degrees += pushes.sum(axis=0)
        mixed[block] += pushes @ X
        mixed += pushes.T @ X[block]
    for k in range(targets.shape[1]):
        weights, other = own_weights[:, k], targets[:, k]
        degrees += weights
        np.add.at(degrees, other, weights)
        mixed += weights[:, None] * X[other]
        np.add.at(mixed, other, weights[:, None] * X)
    scatter = (degrees[:, None] * X - mixed).T @ X
    return value / n, 2 * L @ scatter / n
