"""Neighbourhoods of samples, and predictions of the local predictors for their members."""

from typing import NamedTuple

import numpy as np
from joblib import delayed
from scipy.sparse import csr_matrix, issparse
from sklearn.utils import gen_batches

from ofer.companions._distances import index_neighbors
from ofer.companions.local_structured.inputs import with_constant
from ofer.companions.local_structured.space import rows_of

# Of the samples among which neighbours are searched at a time. What is found does not depend on
# the number of processes, but ties may be decided by which samples are searched together.
SUBSET_SIZE = 2**14


def nearest_neighbors(points, queries, k, parallel):
    """Nearest points of each query: a map over subsets of the points, and a reduction.

    Points (n, d) and queries (m, d) are dense or csr, distances Euclidean. `parallel`, of joblib,
    runs the searches. Returns indices (m, k), the nearest first; k is at most n.
    """
    n = points.shape[0]
    subsets = list(gen_batches(n, SUBSET_SIZE))
    results = parallel(delayed(_search)(points[subset], queries, k) for subset in subsets)
    distances = np.hstack([distance for distance, _ in results])
    indices = [subset.start + index for subset, (_, index) in zip(subsets, results, strict=True)]
    best = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(np.hstack(indices), best, axis=1)


def _search(points, queries, k):
    """Map: distances and indices of the nearest points of one subset."""
    search = index_neighbors(points, n_neighbors=min(k, points.shape[0]))
    return search.kneighbors(queries)


def find_neighborhoods(points, k, parallel):
    """The neighbourhood (1) of every point: itself, and the k - 1 nearest others.

    Among equal points a search may find others before the point itself; without it, a predictor
    would not see its own point, and the point might be in no neighbourhood at all.

    Parameters are those of `nearest_neighbors`. Returns indices (n, k), the point's own first.
    """
    nearest = nearest_neighbors(points, points, k, parallel)
    indices = np.arange(len(nearest))[:, None]
    is_own = nearest == indices
    is_own[~is_own.any(axis=1), -1] = True  # the last one makes room
    others = nearest[~is_own].reshape(len(nearest), k - 1)
    return np.hstack([indices, others])


class Neighborhoods(NamedTuple):
    """Neighbourhoods as pairs of a predictor and a sample, k a predictor; rows of all pairs."""

    neighbors: np.ndarray  # (n, k), samples in each neighbourhood
    rows: np.ndarray  # (n_pair_rows,), the rows of features of all pairs, predictor by predictor
    pair_lengths: np.ndarray  # (n * k,), number of rows of each pair

    @property
    def sizes(self):
        """Number of rows of each neighbourhood (n,)."""
        return self.pair_lengths.reshape(self.neighbors.shape).sum(axis=1)

    @classmethod
    def of(cls, neighbors, inputs):
        """Neighbourhoods of `inputs`."""
        members = neighbors.ravel()
        return cls(neighbors, rows_of(inputs.lengths, members), inputs.lengths[members])

    def part(self, predictors):
        """Neighbourhoods of a slice of the predictors, and where their rows are."""
        k = self.neighbors.shape[1]
        pairs = slice(predictors.start * k, predictors.stop * k)
        lengths, first = self.pair_lengths[pairs], int(self.pair_lengths[: pairs.start].sum())
        span = slice(first, first + int(lengths.sum()))
        return span, Neighborhoods(self.neighbors[predictors], self.rows[span], lengths)


class LocalProduct:
    r"""Scores of local predictors on the rows of their own neighbourhoods.

    A predictor that started from zero is a combination of its neighbourhood's rows,
    :math:`w_i = \sum_l x_l \otimes a_{il}`, so its scores there are :math:`G_i a_i` with the Gram
    matrix :math:`G_i`. These matrices are made once. Where rows are sparse and neighbourhoods
    large, :math:`X_i (X_i^\top a_i)` is less work, and a sparse matrix of all :math:`X_i`, each
    with columns of its own, takes the place of the Gram matrices.

    `X` (n_rows, d) are the rows of features, sparse or not, and `kernel` is their inner product.
    """

    def __init__(self, X, neighborhoods, kernel):
        sizes = neighborhoods.sizes
        self.present = np.arange(sizes.max()) < sizes[:, None]
        self.factor, shape = None, (*self.present.shape, sizes.max())
        if kernel.name != "linear" or not issparse(X):
            self.grams = np.zeros(shape)
            parts = np.split(neighborhoods.rows, np.cumsum(sizes)[:-1])
            for gram, rows in zip(self.grams, parts, strict=True):  # once, not in every iteration
                members = X[rows]
                gram[: len(rows), : len(rows)] = kernel(members, members)
            return
        factor = _block_diagonal(X, neighborhoods, kernel.intercept)
        if 2 * factor.nnz < np.prod(shape):
            self.factor = factor
            return
        product = (factor @ factor.T).tocoo()
        predictor = np.repeat(np.arange(len(sizes)), sizes)[product.row]
        first = (np.cumsum(sizes) - sizes)[predictor]
        self.grams = np.zeros(shape)
        self.grams[predictor, product.row - first, product.col - first] = product.data

    @property
    def trace(self):
        """Sum of the squared lengths of all rows of all neighbourhoods."""
        if self.factor is not None:
            return np.square(self.factor.data).sum()
        return np.einsum("ijj->", self.grams)

    def __call__(self, coef):
        """Scores (n_pair_rows, n_codes) of the predictors with these coefficients."""
        if self.factor is not None:
            return self.factor @ (self.factor.T @ coef)
        if self.present.all():
            return (self.grams @ coef.reshape(*self.present.shape, -1)).reshape(coef.shape)
        padded = np.zeros((*self.present.shape, coef.shape[1]))
        padded[self.present] = coef
        return (self.grams @ padded)[self.present]


def _block_diagonal(X, neighborhoods, intercept):
    """The rows of all neighbourhoods, each of these with columns of its own."""
    X = with_constant(X, intercept)
    stacked = csr_matrix(X[neighborhoods.rows])
    predictor = np.repeat(np.arange(len(neighborhoods.sizes)), neighborhoods.sizes)
    column = np.repeat(predictor * X.shape[1], np.diff(stacked.indptr)) + stacked.indices
    used, column = np.unique(column, return_inverse=True)
    shape = (stacked.shape[0], len(used))
    return csr_matrix((stacked.data, column.ravel(), stacked.indptr), shape=shape)
