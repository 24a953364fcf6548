"""Checks of the weak labels of a semantic classifier."""

from numbers import Number

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import column_or_1d

from ofer.embeddings.base import as_output_model, fit_output_model
from ofer.regression import OutputFisherRegressor
from ofer.utils.entries import check_unmasked
from ofer.utils.estimators import part_of
from ofer.utils.labels import check_one_kind, plain
from ofer.utils.validation import check_columns, check_order
from ofer.weak import Memberships


def check_labels(name, *labels):
    """Raise ValueError unless labels are all numbers or all strings, which can be sorted."""
    check_one_kind(name, *labels, allowed=("number", "str", "bytes", "date or time", "row"))


def as_labels(labels):
    """Labels; numbers that come as objects, as an array of numbers, and NumPy's strings as str."""
    labels = plain(labels)
    objects = np.asarray(labels).dtype.kind == "O"
    if objects and all(isinstance(label, Number) for label in np.ravel(labels)):
        return np.array(np.asarray(labels).tolist())
    return labels


def encode(name, classes, y):
    """Indices of labels among the classes."""
    check_labels(f"{name} and class_vectors", classes, y)
    # Arrays of signed and unsigned integers become floats, in which two integers may be one.
    places = {label: k for k, label in enumerate(classes.tolist())}
    labels = y.tolist()
    unknown = sorted({*labels} - {*places})
    if unknown:
        raise ValueError(
            f"class_vectors must have a vector for every label in {name}; got none for "
            f"{unknown}. (Rows of an array are those of the labels 0, 1, ...; other "
            "labels need a mapping.)"
        )
    return np.array([places[label] for label in labels], dtype=int)


def check_own_labels(classes, y):
    """Raise ValueError if labels may be the numbers that a meta-estimator has put in their place.

    Those are the first numbers from 0, as many as there are labels.
    """
    seen = np.unique(y)
    if len(seen) < len(classes) and np.array_equal(seen, np.arange(len(seen))):
        raise ValueError(
            "class_vectors must be a mapping from names, such as strings, where y has only the "
            f"labels 0 to {len(seen) - 1} of {len(classes)}: they may be numbers that a "
            "meta-estimator, as VotingClassifier, has put in the place of other labels."
        )


def memberships_for(regressor, weak, classes, class_vectors, vectors, weights):
    """Weak samples as memberships, for the regressor, whose embedding this may freeze."""
    if not isinstance(regressor, OutputFisherRegressor):
        raise ValueError(
            f"{type(weak).__name__} need an OutputFisherRegressor as regressor, with any pipeline "
            f"inside; got {type(regressor).__name__}."
        )
    if isinstance(weak, Memberships):
        return weak
    check_labels("weak.y", weak.y)
    labels = column_or_1d(plain(weak.y), warn=True)
    embedding = clone(part_of(regressor, "embedding"))
    model = as_output_model(embedding)
    if not model.has_membership:
        raise ValueError(
            "Classes need an embedding with memberships, such as GaussianMixtureEmbedding; "
            f"got {type(embedding).__name__}."
        )
    encoded = encode("weak.y", classes, labels)
    # The regressor must number the components as here, so the embedding is frozen.
    embedding = fit_output_model(embedding, vectors, None, weights)
    regressor.embedding = FrozenEstimator(embedding)
    components = as_output_model(embedding).posterior(class_vectors).argmax(axis=1)
    return Memberships(weak.X, components[encoded], weight=weak.weight)


def check_candidates(weak, classes):
    """Classes that weak labels leave open, bool (n_weak, n_classes)."""
    check_order("outputs", weak.outputs, classes.tolist())
    check_unmasked("outputs", weak.outputs)
    candidates = check_array(weak.outputs, dtype=None, input_name="outputs")
    check_columns("outputs", candidates, len(classes), "one per class")
    check_consistent_length(weak.X, candidates)
    still_open = candidates == 1
    other = ~still_open & (candidates != 0)
    if other.any():
        raise ValueError(
            "outputs must be booleans, or 0 and 1: whether a class is open; got "
            f"{candidates[other][0]!r} in row {np.flatnonzero(other.any(axis=1))[0]}."
        )
    closed = np.flatnonzero(~still_open.any(axis=1))
    if closed.size:
        raise ValueError(
            "outputs must leave a class open in each row; got none in row(s) "
            f"{closed[:10].tolist()}. Drop these rows."
        )
    return still_open
