"""Scores of predictions: of any shape, and any scikit-learn scorer's."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer, r2_score
from sklearn.utils import check_consistent_length

from ofer.utils.labels import check_one_kind
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import IdentityRegressor
from ofer.utils.typing import ListLike, MatrixLike, ScoringLike
from ofer.utils.validation import check_even, check_values, check_weights


def score_predictions(scoring: ScoringLike, y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Score predictions; the greater, the better."""
    try:
        return get_scorer(scoring or "r2")(IdentityRegressor(), y_pred, y_true)
    except ValueError as error:
        if not isinstance(scoring, str):
            raise
        raise ValueError(
            f"scoring must suit the outputs, as 'r2' does; got {scoring!r}, which says: {error}"
        ) from error


def residual_scorer(
    scoring: ScoringLike, Y: NDArray, weights: NDArray, per_target: bool
) -> Callable[[NDArray], NDArray | float]:
    """Function of residuals (n_samples, n_targets) that returns their score, or one per target.

    Where targets Y are NaN, residuals do not count. None is minus the mean square in units of
    `target_units`, averaged over the targets. "neg_mean_squared_error" leaves the units out. Both
    are weighted.
    """
    seen = ~np.isnan(Y)
    if scoring in (None, "neg_mean_squared_error"):
        units = target_units(Y, weights) if scoring is None else 1.0
        factors = -1.0 / np.square(units) / (weights @ seen)

        def score(residuals):
            return factors * (weights @ np.square(np.where(seen, residuals, 0.0)))

    elif seen.all() and not per_target:
        return lambda residuals: score_predictions(scoring, Y, Y - residuals)
    else:

        def score(residuals):
            columns = zip(Y.T, residuals.T, seen.T, strict=True)
            return np.array([score_predictions(scoring, y[s], (y - r)[s]) for y, r, s in columns])

    return score if per_target else lambda residuals: np.mean(score(residuals))


def rises_at(end: int, scores: NDArray) -> NDArray:
    """Where the best of the scores (n_alphas, m) is at an end, 0 or -1, and 1 % over the next."""
    rise = scores[end] - scores[1 if end == 0 else -2]
    return (rise > 0.01 * np.abs(scores[end])) & (scores[end] == scores.max(axis=0))


def target_units(Y: NDArray, weights: NDArray | None = None) -> NDArray:
    """Standard deviations (n_targets,) of targets (n_samples, n_targets), NaN where missing.

    A constant has its size for a unit.
    """
    means, spreads = _moments(Y, weights)
    return units_of(spreads, np.abs(means))


def units_of(spreads: NDArray, means: NDArray) -> NDArray:
    """Spreads as units: the mean of what is constant, and 1 for zeros."""
    units = np.where(spreads > 1e-10 * means, spreads, means)
    return np.where(units > 0, units, 1.0)


def spreads_of(y: NDArray, weights: NDArray | None) -> NDArray:
    """Standard deviations of outputs, in the shape of one; 1 where an output does not vary."""
    _, spreads = _moments(y.reshape(len(y), -1), weights)
    return np.where(spreads > 0, spreads, 1.0).reshape(y.shape[1:])


def _moments(Y: NDArray, weights: NDArray | None) -> tuple[NDArray, NDArray]:
    """Weighted means and standard deviations of columns, NaN where an entry is missing."""
    shares = np.where(np.isnan(Y), 0.0, 1.0 if weights is None else weights[:, None])
    shares /= np.maximum(shares.sum(axis=0), np.finfo(float).tiny)
    Y = np.nan_to_num(Y)
    means = (shares * Y).sum(axis=0)
    return means, np.sqrt((shares * np.square(Y - means)).sum(axis=0))


def as_rows(Y: ListLike) -> ListLike:
    """Outputs of more than two axes, such as series, with a row for each; others as they are."""
    check_even("y", Y)
    array = np.asarray(Y)
    return array.reshape(len(array), -1) if array.ndim > 2 else Y


@quiet
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
        y, weights = check_values("y", y, missing=True), check_weights(sample_weight, y)
        predicted = self.predict(X)
        check_even("predictions", predicted)
        check_consistent_length(y, predicted)
        Y = np.asarray(y, dtype=np.float64).reshape(len(predicted), -1)
        if not np.isnan(Y).any():
            return r2_score(as_rows(y), as_rows(predicted), sample_weight=weights)
        weights = np.broadcast_to(1.0 if weights is None else weights, len(Y))
        columns = zip(Y.T, np.reshape(predicted, Y.shape).T, ~np.isnan(Y.T), strict=True)
        kept = [(y[s], h[s], weights[s]) for y, h, s in columns if s.sum() > 1]
        return float(np.mean([r2_score(y, h, sample_weight=w) for y, h, w in kept]))


@quiet
class CheckedScoreMixin(ClassifierMixin, BaseEstimator):
    """A classifier whose score refuses masks, which that of scikit-learn ignores."""

    def score(self, X: MatrixLike, y: ListLike, sample_weight: ArrayLike | None = None) -> float:
        """Accuracy: the share of samples whose labels are all predicted.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict`.
        y : array-like of shape (n_queries,) or (n_queries, n_labels)
            Their labels.
        sample_weight : array-like of shape (n_queries,), default=None
            Weights of the samples.

        Returns
        -------
        float
            Between 0 and 1.
        """
        check_even("y", y)
        check_one_kind("y", y)
        return super().score(X, y, check_weights(sample_weight, y))
