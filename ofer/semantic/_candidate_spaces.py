"""Where a semantic classifier compares classes with predictions, one class for each place.

Each has classes and predictions as points around the mean of the training outputs, which has the
weights `prior` among the classes; `products` are inner products of the two.
"""

import sys
from collections.abc import Mapping

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.utils import check_array
from sklearn.utils.multiclass import unique_labels

from ofer.blocks import left_out
from ofer.iokr import InputOutputKernelRegressor
from ofer.regression import OutputFisherRegressor
from ofer.utils.validation import check_even

__all__ = ["candidate_space", "check_class_vectors"]


def candidate_space(regressor, decode, X, vectors, candidates, prior):
    """Place the candidates for a fitted regressor.

    It was fitted to X and the `vectors` (n_samples, d). The space is its own if `decode` is
    "embedding", that of the vectors if it is "output". `candidates` (n_classes, d) are the vectors
    of the classes and `prior` (n_classes,) their shares in the training outputs. What is returned
    has `squared_norms` (n_classes,), `block_weights` and the methods ``products(X)`` and
    ``loo_products(vectors)``, the same of leave-one-out predictions, or None.
    """
    if decode == "embedding" and isinstance(regressor, OutputFisherRegressor):
        return _EmbeddingSpace(regressor, X, vectors, candidates, prior)
    if decode == "embedding" and isinstance(regressor, InputOutputKernelRegressor):
        return _FeatureSpace(regressor, candidates, prior)
    return _VectorSpace(regressor, candidates, prior, 1.0)


class _VectorSpace:
    """The space of the vectors that the regressor predicts, with weights for its coordinates."""

    block_weights: dict[str, float] | None = None

    def __init__(self, regressor, places, prior, scale):
        self.regressor, self.scale = regressor, scale
        self.origin = prior @ places
        self.candidates = (places - self.origin) * scale
        self.squared_norms = np.square(self.candidates).sum(axis=1)

    def products(self, X):
        """Inner products of predictions and classes, (n_queries, n_classes)."""
        return self._products(self.predict(X))

    def loo_products(self, vectors):
        """The same of the leave-one-out predictions of the training outputs, or None."""
        places = self.loo_predict(vectors)
        return None if places is None else self._products(places)

    def _products(self, places):
        return ((places - self.origin) * self.scale) @ self.candidates.T

    def predict(self, X):
        """Places of the predictions."""
        H = np.asarray(self.regressor.predict(X), dtype=np.float64)
        return H.reshape(len(H), -1)

    def loo_predict(self, vectors):
        """Places of the leave-one-out predictions, or None."""
        return left_out(self.regressor, vectors)


class _EmbeddingSpace(_VectorSpace):
    """The embedding, its blocks weighed by how well they are predicted."""

    def __init__(self, regressor, X, vectors, candidates, prior):
        embedding, blocks = regressor.embedding_, regressor.blocks_
        H = np.asarray(embedding.transform(vectors))
        # What is lost in roundoff: one component per class leaves residuals that are noise.
        noise = np.asarray(embedding.transform(vectors * (1.0 + 1e-10))) - H
        weights, scale = {}, np.empty(H.shape[1])
        for name, columns in blocks.items():
            block = H[:, columns]
            spread = block.var(axis=0).mean()
            weight = 0.0  # of a block that says nothing, such as the membership of one component
            if spread > np.square(noise[:, columns]).mean():
                error = regressor.loo_errors_[name]
                if error is None:
                    error = _error_by_folds(regressor.regressor_[name], X, block)
                weight = 1.0 / max(error, np.finfo(float).eps * spread)
            weights[name] = float(weight)
            scale[columns] = np.sqrt(weight)
        self.block_weights = weights
        super().__init__(regressor, np.asarray(embedding.transform(candidates)), prior, scale)

    def predict(self, X):
        return self.regressor.predict_embedding(X)

    def loo_predict(self, vectors):
        if any(error is None for error in self.regressor.loo_errors_.values()):
            return None
        return self.regressor.loo_predict_embedding()


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

    def loo_products(self, vectors):
        """None: the leave-one-out errors are known, but not the predictions."""


def _error_by_folds(regressor, X, block):
    """Mean squared error of a block's regressor on unseen inputs, by cross-validation."""
    folds = KFold(min(5, len(block)), shuffle=True, random_state=0)
    target = block[:, 0] if block.shape[1] == 1 else block
    predicted = cross_val_predict(clone(regressor), X, target, cv=folds)
    return np.mean(np.square(predicted.reshape(block.shape) - block))


def check_class_vectors(class_vectors, y):
    """Sorted labels and their vectors (n_classes, d)."""
    if class_vectors is None:
        labels = np.unique(y)
        return labels, np.eye(len(labels))
    options = {"dtype": np.float64, "input_name": "class_vectors", "ensure_min_samples": 2}
    pandas = sys.modules.get("pandas")  # loaded by whoever has a data frame
    if pandas and isinstance(class_vectors, pandas.DataFrame):
        if not class_vectors.index.is_unique:
            twin = class_vectors.index[class_vectors.index.duplicated()][0]
            raise ValueError(f"class_vectors must have one row per label; got more for {twin!r}.")
        class_vectors = dict(zip(class_vectors.index, class_vectors.to_numpy(), strict=True))
    if isinstance(class_vectors, Mapping):
        shapes = {label: np.shape(vector) for label, vector in class_vectors.items()}
        if len(set(shapes.values())) > 1:
            first = next(iter(shapes))
            other = next(label for label in shapes if shapes[label] != shapes[first])
            raise ValueError(
                "class_vectors must have one length; got shapes "
                f"{shapes[first]} for {first!r} and {shapes[other]} for {other!r}."
            )
        vectors = check_array(list(class_vectors.values()), **options)
        labels = unique_labels(list(class_vectors))
        vectors = vectors[np.argsort(list(class_vectors))]
    else:
        check_even("class_vectors", class_vectors)
        vectors = check_array(class_vectors, copy=True, **options)
        labels = np.arange(len(vectors))
    _, first, inverse = np.unique(vectors, axis=0, return_index=True, return_inverse=True)
    if len(first) < len(vectors):
        twin = np.flatnonzero(first[inverse.ravel()] != np.arange(len(vectors)))[0]
        pair = labels[[first[inverse.ravel()[twin]], twin]].tolist()
        raise ValueError(
            "class_vectors must be different, or classes cannot be told apart; those of "
            f"{pair[0]!r} and {pair[1]!r} are equal."
        )
    return labels, vectors
