"""Standardising the nodes of objects."""

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from ofer.companions.fisher_kernel.emissions import GaussianEmission
from ofer.companions.fisher_kernel.objects import check_objects

__all__ = ["NodeScaler"]


class NodeScaler(TransformerMixin, BaseEstimator):
    """Standardise the columns of all nodes together, as section 4.2 of the paper does.

    What `sklearn.preprocessing.StandardScaler` is to the rows of a matrix, for the frames of
    sequences, or the nodes of graphs, of real numbers. Each object keeps its own mean and scale
    relative to the others.
    """

    def fit(self, objects, y=None):
        """Compute means and standard deviations."""
        nodes = check_objects(objects, GaussianEmission).nodes
        self.mean_, scale = nodes.mean(axis=0), nodes.std(axis=0)
        self.scale_ = np.where(scale > 0, scale, 1.0)
        self.n_features_in_ = nodes.shape[1]
        return self

    def transform(self, objects):
        """Standardised objects."""
        checked = check_objects(objects, GaussianEmission, self.n_features_in_)
        scaled = (checked.nodes - self.mean_) / self.scale_
        nodes = np.split(scaled, np.cumsum(checked.sizes)[:-1])
        if checked.edges is None:
            return nodes
        return [(own, one[1]) for own, one in zip(nodes, objects, strict=True)]
