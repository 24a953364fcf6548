"""Scores of predictions: of any shape, and any scikit-learn scorer's."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import check_scoring, r2_score

from ofer.utils.typing import ListLike, MatrixLike
from ofer.utils.validation import check_even


def score_predictions(scoring, y_true, y_pred):
    """Score predictions; the greater, the better."""
    return check_scoring(_Identity(), scoring=scoring)(_Identity(), y_pred, y_true)


def score_residuals(residuals, scoring, Y, weights, per_target):
    """Score residuals of targets (n_samples, n_targets), NaN where missing: one or one per target.

    None is minus the mean square, weighted, averaged over the targets.
    """
    seen = ~np.isnan(Y)
    if scoring is None:
        squares = np.square(np.where(seen, residuals, 0.0))
        scores = -(weights @ squares) / (weights @ seen)
    elif seen.all() and not per_target:
        return score_predictions(scoring, Y, Y - residuals)
    else:
        columns = zip(Y.T, residuals.T, seen.T, strict=True)
        scores = [score_predictions(scoring, y[s], (y - r)[s]) for y, r, s in columns]
    return np.array(scores) if per_target else np.mean(scores)


def as_rows(Y):
    """Outputs of more than two axes, such as series, with a row for each; others as they are."""
    check_even("y", Y)
    array = np.asarray(Y)
    return array.reshape(len(array), -1) if array.ndim > 2 else Y


class AnyOutputsMixin:
    """A regressor of outputs with any number of axes."""

    predict: Callable

    def score(self, X: MatrixLike, y: ListLike, sample_weight: ArrayLike | None = None) -> float:
        """Coefficient of determination, its average over all entries of an output.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict`.
        y : array-like of shape (n_queries, ...)
            Their outputs: numbers, vectors, or series of one length.
        sample_weight : array-like of shape (n_queries,), default=None
            Weights of the samples.

        Returns
        -------
        float
            At most 1; 0 is the level of the outputs' mean.
        """
        check_even("y", y)
        predicted = self.predict(X)
        check_even("predictions", predicted)
        return r2_score(as_rows(y), as_rows(predicted), sample_weight=sample_weight)


class _Identity(RegressorMixin, BaseEstimator):
    """A regressor whose inputs are its predictions."""

    def fit(self, X, y):
        """Do nothing."""
        return self

    def predict(self, X):
        """Return the inputs."""
        return X
