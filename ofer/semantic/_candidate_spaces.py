"""Spaces in which a semantic classifier compares classes with predictions, a class for each.

Each has classes and predictions as points around an origin, which depends on the metric; `products`
are inner products of the two. For cosines the origin is the mean of the training outputs, which has
the weights `prior` among the classes. Distances depend on no origin: there it is the median of the
classes, which no far class drags away from the others, and in a feature space its own origin.
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
from ofer.semantic._weak_labels import check_labels
from ofer.utils.entries import check_numbers, check_unmasked
from ofer.utils.sklearn_private import safe_split
from ofer.utils.validation import check_entries


def candidate_space(regressor, decode, X, vectors, candidates, prior, weights=None):
    """Place the candidates for a fitted regressor.

    It was fitted to X and the `vectors` (n_samples, d), with these weights. The space is its own
    if `decode` is "embedding", that of the vectors if it is "output". `candidates` (n_classes, d)
    are the vectors of the classes and `prior` (n_classes,) their shares in the training outputs.
    What is returned has `squared_norms` (n_classes,) by metric, `block_weights` and the method
    ``products(X, metric)``; beside it are the leave-one-out predictions of the training outputs,
    for its ``products_of(places, metric)``, or None.
    """
    if decode == "embedding" and isinstance(regressor, OutputFisherRegressor):
        rows = slice(None) if weights is None else np.flatnonzero(weights)
        block_weights, scale = _weigh_blocks(regressor, X, vectors, rows)
        places = np.asarray(regressor.embedding_.transform(candidates))
        space = _VectorSpace(regressor.predict_embedding, places, prior, scale, block_weights)
        unknown = any(error is None for error in regressor.loo_errors_.values())
        unseen = None if unknown else regressor.loo_predict_embedding()
    elif decode == "embedding" and isinstance(regressor, InputOutputKernelRegressor):
        return _FeatureSpace(regressor, candidates, prior), None  # only the errors are known
    else:
        space = _VectorSpace(regressor.predict, candidates, prior)
        unseen = left_out(regressor, vectors)
    return space, unseen


class _VectorSpace:
    """A space of vectors that are predicted, with weights for its coordinates."""

    def __init__(self, predict, places, prior, scale=1.0, block_weights=None):
        self.predict, self.scale, self.block_weights = predict, scale, block_weights
        self.origins = {"cosine": prior @ places, "euclidean": np.median(places, axis=0)}
        self.candidates = {
            metric: (places - origin) * scale for metric, origin in self.origins.items()
        }
        self.squared_norms = {
            metric: np.square(around).sum(axis=1) for metric, around in self.candidates.items()
        }

    def products(self, X, metric):
        """Inner products of predictions and classes, (n_queries, n_classes)."""
        H = np.asarray(self.predict(X), dtype=np.float64)
        return self.products_of(H.reshape(len(H), -1), metric)

    def products_of(self, places, metric):
        """Inner products of places (n, p) and classes."""
        return ((places - self.origins[metric]) * self.scale) @ self.candidates[metric].T


def _weigh_blocks(regressor, X, vectors, rows):
    """Weights of the blocks of an embedding by how well they are predicted; roots by column.

    Samples that are not among the `rows` are absent.
    """
    embedding, weights, vectors = regressor.embedding_, {}, vectors[rows]
    H = np.asarray(embedding.transform(vectors))
    # With one component per class the residuals are roundoff.
    noise = np.asarray(embedding.transform(vectors * (1.0 + 1e-10))) - H
    scale = np.empty(H.shape[1])
    for name, columns in regressor.blocks_.items():
        block, weight = H[:, columns], 0.0  # the block of one component says nothing
        spread = block.var(axis=0).mean()
        if spread > np.square(noise[:, columns]).mean():
            error = regressor.loo_errors_[name]
            if error is None:
                error = _error_by_folds(regressor.regressor_[name], X, block, rows)
            weight = 1.0 / max(error, np.finfo(float).eps * spread)
        weights[name], scale[columns] = float(weight), np.sqrt(weight)
    return weights, scale


class _FeatureSpace:
    """The feature space of an output kernel, known by inner products only."""

    block_weights = None

    def __init__(self, regressor, candidates, prior):
        self.regressor, self.candidates, self.prior = regressor, candidates, prior
        gram = regressor.output_kernel_matrix(candidates)
        towards_mean = gram @ prior
        self.self_products = np.diag(gram)
        self.offsets = towards_mean - prior @ towards_mean
        around_mean = self.self_products - towards_mean - self.offsets
        self.squared_norms = {"cosine": around_mean, "euclidean": self.self_products}

    def products(self, X, metric):
        """Inner products of predictions and classes, (n_queries, n_classes)."""
        scores = self.regressor.score_candidates(X, self.candidates)
        products = (scores + self.self_products) / 2.0
        if metric == "euclidean":
            return products
        return products - (products @ self.prior)[:, None] - self.offsets


def _error_by_folds(regressor, X, block, rows):
    """Mean squared error of a block's regressor on unseen inputs, by cross-validation."""
    if not isinstance(rows, slice):
        X = safe_split(regressor, X, None, rows, rows)[0]
    folds = KFold(min(5, len(block)), shuffle=True, random_state=0)
    target = block[:, 0] if block.shape[1] == 1 else block
    predicted = cross_val_predict(clone(regressor), X, target, cv=folds)
    return np.mean(np.square(predicted.reshape(block.shape) - block))


def check_class_vectors(class_vectors, y):
    """Sorted labels and their vectors (n_classes, d)."""
    if class_vectors is None:
        labels = np.unique(y)
        return labels, np.eye(len(labels))
    check_unmasked("class_vectors", class_vectors)
    options = {"dtype": np.float64, "input_name": "class_vectors", "ensure_min_samples": 2}
    pandas = sys.modules.get("pandas")  # who has a data frame has loaded it
    if pandas and isinstance(class_vectors, pandas.DataFrame):
        if not class_vectors.index.is_unique:
            twin = class_vectors.index[class_vectors.index.duplicated()][0]
            raise ValueError(f"class_vectors must have one row per label; got more for {twin!r}.")
        class_vectors = dict(zip(class_vectors.index, class_vectors.to_numpy(), strict=True))
    if isinstance(class_vectors, Mapping):
        check_labels("class_vectors", list(class_vectors))
        shapes = {label: np.shape(vector) for label, vector in class_vectors.items()}
        if len(set(shapes.values())) > 1:
            first = next(iter(shapes))
            other = next(label for label in shapes if shapes[label] != shapes[first])
            raise ValueError(
                "class_vectors must have one length; got shapes "
                f"{shapes[first]} for {first!r} and {shapes[other]} for {other!r}."
            )
        check_numbers("class_vectors", list(class_vectors.values()))
        vectors = check_array(list(class_vectors.values()), **options)
        labels = unique_labels(list(class_vectors))
        vectors = vectors[np.argsort(list(class_vectors))]
    else:
        check_entries("class_vectors", class_vectors)
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
