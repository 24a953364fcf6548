"""Where a semantic classifier compares classes with predictions, one class for each place.

Each has classes and predictions as points around the mean of the training outputs, which has the
weights `prior` among the classes; `products` are inner products of the two.
"""

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_predict

from ofer._regressors import single_column_flat
from ofer.iokr import InputOutputKernelRegressor
from ofer.regression import OutputFisherRegressor

__all__ = ["candidate_space"]


def candidate_space(regressor, decode, X, vectors, candidates, prior):
    """Place the candidates for a fitted regressor.

    It was fitted to X and the `vectors` (n_samples, d). The space is its own if `decode` is
    "embedding", that of the vectors if it is "output". `candidates` (n_classes, d) are the vectors
    of the classes and `prior` (n_classes,) their shares in the training outputs. What is returned
    has `squared_norms` (n_classes,), `block_weights` and the method ``products(X)``.
    """
    if decode == "embedding" and isinstance(regressor, OutputFisherRegressor):
        return _EmbeddingSpace(regressor, X, vectors, candidates, prior)
    if decode == "embedding" and isinstance(regressor, InputOutputKernelRegressor):
        return _FeatureSpace(regressor, candidates, prior)
    return _VectorSpace(regressor, candidates, prior, 1.0)


class _VectorSpace:
    """The space of the vectors that the regressor predicts, with weights for its coordinates."""

    block_weights = None

    def __init__(self, regressor, places, prior, scale):
        self.regressor, self.scale = regressor, scale
        self.origin = prior @ places
        self.candidates = (places - self.origin) * scale
        self.squared_norms = np.square(self.candidates).sum(axis=1)

    def products(self, X):
        """Inner products of predictions and classes, (n_queries, n_classes)."""
        return ((self.predict(X) - self.origin) * self.scale) @ self.candidates.T

    def predict(self, X):
        """Places of the predictions."""
        H = np.asarray(self.regressor.predict(X), dtype=np.float64)
        return H.reshape(len(H), -1)


class _EmbeddingSpace(_VectorSpace):
    """The embedding, its blocks weighed by how well they are predicted."""

    def __init__(self, regressor, X, vectors, candidates, prior):
        embedding, blocks = regressor.embedding_, regressor.blocks_
        H = np.asarray(embedding.transform(vectors))
        # What is lost in roundoff: one component per class leaves residuals that are noise.
        noise = np.asarray(embedding.transform(vectors * (1.0 + 1e-10))) - H
        self.block_weights, scale = {}, np.empty(H.shape[1])
        for name, columns in blocks.items():
            block = H[:, columns]
            spread = block.var(axis=0).mean()
            weight = 0.0  # of a block that says nothing, such as the membership of one component
            if spread > np.square(noise[:, columns]).mean():
                error = regressor.loo_errors_[name]
                if error is None:
                    error = _error_by_folds(regressor.regressor_[name], X, block)
                weight = 1.0 / max(error, np.finfo(float).eps * spread)
            self.block_weights[name] = float(weight)
            scale[columns] = np.sqrt(weight)
        super().__init__(regressor, np.asarray(embedding.transform(candidates)), prior, scale)

    def predict(self, X):
        return self.regressor.predict_embedding(X)


class _FeatureSpace:
    """The feature space of an output kernel, known by inner products only."""

    block_weights = None

    def __init__(self, regressor, candidates, prior):
        self.regressor, self.candidates, self.prior = regressor, candidates, prior
        gram = regressor.output_kernel_matrix(candidates)
        towards_mean = gram @ prior
        self.self_products = np.diag(gram)
        self.offsets = towards_mean - prior @ towards_mean
        self.squared_norms = self.self_products - towards_mean - self.offsets

    def products(self, X):
        """Inner products of predictions and classes, (n_queries, n_classes)."""
        scores = self.regressor.score_candidates(X, self.candidates)
        products = (scores + self.self_products) / 2.0
        return products - (products @ self.prior)[:, None] - self.offsets


def _error_by_folds(regressor, X, block):
    """Mean squared error of a block's regressor on unseen inputs, by cross-validation."""
    folds = KFold(min(5, len(block)), shuffle=True, random_state=0)
    predicted = cross_val_predict(clone(regressor), X, single_column_flat(block), cv=folds)
    return np.mean(np.square(predicted.reshape(block.shape) - block))
