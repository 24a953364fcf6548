"""Checks of the weak labels of a semantic classifier."""

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import column_or_1d

from ofer.embeddings.base import as_output_model, fit_output_model
from ofer.regression import OutputFisherRegressor
from ofer.utils.validation import check_columns, check_real
from ofer.weak.outputs import check_ridge


def encode(name, classes, y):
    """Indices of labels among the classes."""
    unknown = np.setdiff1d(unique_labels(classes, y), classes)
    if unknown.size:
        raise ValueError(
            f"class_vectors must have a vector for every label in {name}; got none for "
            f"{unknown.tolist()}. (Rows of an array are those of the labels 0, 1, ...; other "
            "labels need a mapping.)"
        )
    return np.searchsorted(classes, y)


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
    y_weak = column_or_1d(y_weak, warn=True)
    embedding = clone(regressor._part("embedding"))
    model = as_output_model(embedding)
    if not model.has_membership:
        raise ValueError(
            "y_weak needs an embedding with memberships, such as GaussianMixtureEmbedding; "
            f"got {type(embedding).__name__}."
        )
    encoded = encode("y_weak", classes, y_weak)
    # Frozen: the regressor must number the components as they are numbered here.
    embedding = fit_output_model(embedding, vectors, None, weights)
    regressor.embedding = FrozenEstimator(embedding)
    model = as_output_model(embedding)
    return model.posterior(class_vectors).argmax(axis=1)[encoded]


def check_candidates(
    regressor, X_weak, candidates_weak, others, n_classes, weak_weight, noise_weak
):
    """Classes that the weak labels leave open, bool (n_weak, n_classes)."""
    _check_choice("weak_weight", weak_weight)
    _check_choice("noise_weak", noise_weak, below=1)
    check_ridge("weak='latent'", regressor)
    if candidates_weak is None or any(other is not None for other in others):
        raise ValueError(
            "weak='latent' needs candidates_weak, and neither y_weak nor membership_weak; got "
            "others. A component leaves open component_of_class == component_weak[:, None]."
        )
    still_open = check_array(candidates_weak, dtype=bool, input_name="candidates_weak")
    check_columns("candidates_weak", still_open, n_classes, "one per class")
    check_consistent_length(X_weak, still_open)
    closed = np.flatnonzero(~still_open.any(axis=1))
    if closed.size:
        raise ValueError(
            "candidates_weak must leave a class open in each row; got none in row(s) "
            f"{closed[:10].tolist()}. Drop them, or leave all classes open."
        )
    return still_open


def _check_choice(name, values, below=np.inf):
    """Check a number, or several to choose from, that are at least 0."""
    for value in np.atleast_1d(values).tolist():
        check_real(name, value, at_least=0)
        if not value < below:
            raise ValueError(f"{name} must be below {below}; got {value!r}.")
