"""Nearest neighbours far from zero."""

from scipy.sparse import issparse
from sklearn.neighbors import NearestNeighbors


class CentredNeighbors(NearestNeighbors):
    """scikit-learn's, around the mean of dense samples: distances come from products of them."""

    def fit(self, X, y=None):
        """Store the samples around their mean."""
        self.origin_ = 0.0 if issparse(X) else X.mean(axis=0)
        return super().fit(X if issparse(X) else X - self.origin_)

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        """Nearest samples of queries that are given as the samples were."""
        X = X if X is None or issparse(X) else X - self.origin_
        return super().kneighbors(X, n_neighbors, return_distance)
