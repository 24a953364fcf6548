"""Nearest neighbours far from zero."""

from typing import Self

from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.neighbors import NearestNeighbors

from ofer.utils.typing import Matrix


class CentredNeighbors(NearestNeighbors):
    """scikit-learn's, around the mean of dense samples: distances come from products of them."""

    def fit(self, X: Matrix, y: object = None) -> Self:
        """Store the samples around their mean."""
        self.origin_ = 0.0 if issparse(X) else X.mean(axis=0)
        return super().fit(X if issparse(X) else X - self.origin_)

    def kneighbors(
        self, X: Matrix | None = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> NDArray | tuple[NDArray, NDArray]:
        """Nearest samples of queries that are given as the samples were."""
        X = X if X is None or issparse(X) else X - self.origin_
        return super().kneighbors(X, n_neighbors, return_distance)
