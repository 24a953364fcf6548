"""Scores of predictions: of any shape, and any scikit-learn scorer's."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import get_scorer, r2_score
from sklearn.utils import check_consistent_length

from ofer.utils.sklearn_private import IdentityRegressor
from ofer.utils.typing import ListLike, MatrixLike, ScoringLike
from ofer.utils.validation import check_even


def score_predictions(scoring: ScoringLike, y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Score predictions; the greater, the better."""
    return get_scorer(scoring or "r2")(IdentityRegressor(), y_pred, y_true)


def score_residuals(
    residuals: NDArray, scoring: ScoringLike, Y: NDArray, weights: NDArray, per_target: bool
) -> NDArray | float:
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


def as_rows(Y: ListLike) -> ListLike:
    """Outputs of more than two axes, such as series, with a row for each; others as they are."""
    check_even("y", Y)
    array = np.asarray(Y)
    return array.reshape(len(array), -1) if array.ndim > 2 else Y


class AnyOutputsMixin:
    """A regressor of outputs with any number of axes, of which some may be missing."""

    predict: Callable

    def score(self, X: MatrixLike, y: ListLike, sample_weight: ArrayLike | None = None) -> float:
        """Coefficient of determination, its average over all entries of an output.

        That of an entry is over the samples for which it is observed, at least two of them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict`.
        y : array-like of shape (n_queries, ...)
            Their outputs: numbers, vectors, or series of one length; NaN where missing.
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
        check_consistent_length(y, predicted, sample_weight)
        Y = np.asarray(y, dtype=np.float64).reshape(len(predicted), -1)
        if not np.isnan(Y).any():
            return r2_score(as_rows(y), as_rows(predicted), sample_weight=sample_weight)
        weights = np.broadcast_to(1.0 if sample_weight is None else sample_weight, len(Y))
        columns = zip(Y.T, np.reshape(predicted, Y.shape).T, ~np.isnan(Y.T), strict=True)
        kept = [(y[s], h[s], weights[s]) for y, h, s in columns if s.sum() > 1]
        return float(np.mean([r2_score(y, h, sample_weight=w) for y, h, w in kept]))
