"""Checks of the weak labels of a semantic classifier."""

from numbers import Number
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import column_or_1d

from ofer.embeddings.base import as_output_model, fit_output_model
from ofer.regression import OutputFisherRegressor
from ofer.utils.entries import check_unmasked
from ofer.utils.estimators import part_of
from ofer.utils.validation import check_columns, check_real, plain


def check_labels(name, *labels):
    """Raise ValueError unless labels are all numbers or all strings, which can be sorted."""
    kinds = {kind: label for some in labels for kind, label in _kinds(some)}
    others = kinds.keys() - {"number", "string"}
    if others:
        raise ValueError(
            f"{name} must have labels that are numbers or strings; got {kinds[min(others)]!r}."
        )
    if len(kinds) > 1:
        raise ValueError(
            f"{name} must have labels of one type, all numbers or all strings; got "
            f"{kinds['number']!r} and {kinds['string']!r}."
        )


def _kinds(labels):
    """Kinds of labels, each with one of these."""
    if not isinstance(labels, list | tuple):  # a list's numbers may become strings beside others
        array = np.asarray(plain(labels))
        kind = {"U": "string", "S": "string", "O": None}.get(array.dtype.kind, "number")
        if kind is not None:
            return [(kind, label) for label in array.ravel()[:1].tolist()]
        labels = array.ravel().tolist()
    kinds: dict[str, Any] = {}
    for label in labels:
        if isinstance(label, Number | np.bool_ | np.datetime64 | list | np.ndarray):
            kinds.setdefault("number", label)  # rows of a column are left to other checks
        elif isinstance(label, str | bytes):
            kinds.setdefault("string", label)
        else:
            kinds.setdefault(type(label).__name__, label)
    return kinds.items()


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


def weak_membership(regressor, classes, class_vectors, vectors, weights, y_weak, membership_weak):
    """Weak labels as mixture components, for the regressor, whose embedding this may freeze."""
    if not isinstance(regressor, OutputFisherRegressor):
        raise ValueError(
            "X_weak needs an OutputFisherRegressor as regressor, with any pipeline inside; got "
            f"{type(regressor).__name__}."
        )
    if y_weak is None:
        return membership_weak
    if membership_weak is not None:
        raise ValueError("y_weak and membership_weak exclude each other; got both.")
    check_unmasked("y_weak", y_weak)
    check_labels("y_weak", y_weak)
    y_weak = column_or_1d(plain(y_weak), warn=True)
    embedding = clone(part_of(regressor, "embedding"))
    model = as_output_model(embedding)
    if not model.has_membership:
        raise ValueError(
            "y_weak needs an embedding with memberships, such as GaussianMixtureEmbedding; "
            f"got {type(embedding).__name__}."
        )
    encoded = encode("y_weak", classes, y_weak)
    # The regressor must number the components as here, so the embedding is frozen.
    embedding = fit_output_model(embedding, vectors, None, weights)
    regressor.embedding = FrozenEstimator(embedding)
    model = as_output_model(embedding)
    return model.posterior(class_vectors).argmax(axis=1)[encoded]


def check_lone_candidates(X_weak, y_weak, membership_weak):
    """Raise ValueError unless candidates come with inputs, and without labels of another kind."""
    if X_weak is None:
        raise ValueError("X_weak and candidates_weak go together; X_weak is None.")
    others = {"y_weak": y_weak, "membership_weak": membership_weak}
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"candidates_weak and {name} exclude each other; got both.")


def check_candidates(candidates_weak, X_weak, n_classes, weak_weight):
    """Classes that weak labels leave open, bool (n_weak, n_classes)."""
    if not (isinstance(weak_weight, str) and weak_weight == "auto"):
        check_real("weak_weight", weak_weight, above=0)
    check_unmasked("candidates_weak", candidates_weak)
    candidates = check_array(candidates_weak, dtype=None, input_name="candidates_weak")
    check_columns("candidates_weak", candidates, n_classes, "one per class")
    check_consistent_length(X_weak, candidates)
    still_open = candidates == 1
    other = ~still_open & (candidates != 0)
    if other.any():
        raise ValueError(
            "candidates_weak must be booleans, or 0 and 1: whether a class is open; got "
            f"{candidates[other][0]!r} in row {np.flatnonzero(other.any(axis=1))[0]}."
        )
    closed = np.flatnonzero(~still_open.any(axis=1))
    if closed.size:
        raise ValueError(
            "candidates_weak must leave a class open in each row; got none in row(s) "
            f"{closed[:10].tolist()}. Drop these rows."
        )
    return still_open
