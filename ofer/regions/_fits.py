"""Leave-one-out predictions of queries: by an identity, or by refits."""

import math

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import gen_batches, get_tags
from sklearn.utils.validation import has_fit_parameter

from ofer.blocks import as_block_regressor, fit_weighted
from ofer.embeddings.base import as_output_model
from ofer.regression import OutputFisherRegressor, smoother_of_blocks
from ofer.tuning.regression_cv import OutputFisherRegressorCV
from ofer.utils.memory import BATCH
from ofer.utils.pipelines import Transformers, given
from ofer.utils.sklearn_private import num_samples, safe_indexing, safe_split


def leave_one_out(estimator, X, Y, weights, folds, strict, options, groups=None):
    """Fit an estimator, and know its fits without each of the samples `folds`.

    If there are labels of `groups`, a fit is without all samples of a label. Y has the shape of the
    outputs. A block regressor with leave-one-out is exact by an identity, and so is
    `OutputFisherRegressor` on one; a pipeline that ends in either is, given its transformers, and
    `OutputFisherRegressorCV`, given its choice. Of any other the public `fit` and `predict` of
    clones are called. What is returned has

    - `model`, fitted to all samples;
    - `predictions` (n_folds, D), of each sample by the fit without it;
    - `predict_at(X)`, an iterator of slices of the queries and predictions
      (n_queries, n_folds, D) for them, D numbers for each output;
    - `membership_at(X)` and `memberships`, of queries and of the samples left out, or None.
    """
    before = Transformers(estimator)
    searched = not strict and isinstance(before.last, OutputFisherRegressorCV)
    if searched and before.last is estimator:  # once: its choice is that of all fits
        search = fit_weighted(estimator, X, Y, weights, **given(groups=groups))
        estimator = clone(search.best_estimator_)
        return leave_one_out(estimator, X, Y, weights, folds, strict, options, groups)
    embedded = isinstance(before.last, OutputFisherRegressor)
    regressor = before.last._part("regressor") if embedded else before.last
    asked = {"leave_one_out"} if groups is None else {"leave_one_out", "groups"}
    exact = not strict and asked <= as_block_regressor(regressor).abilities
    if embedded:  # of what is overridden there are refits
        exact &= type(before.last).fit is OutputFisherRegressor.fit
        exact &= type(before.last).predict is OutputFisherRegressor.predict
    if (exact or searched) and isinstance(estimator, Pipeline) and not options:
        return _PipedFits(before, X, Y, weights, folds, groups)
    if exact and embedded and before.last is estimator:
        return _EmbeddedFits(estimator, X, Y, weights, folds, options, groups)
    if options:
        raise ValueError(
            f"{', '.join(options)} must not be given for {type(estimator).__name__}, which is "
            "fitted anew without each sample; only OutputFisherRegressor on a regressor with "
            "leave-one-out, as KernelRidgeCV, takes such arguments, with strict=False."
        )
    return (_RidgeFits if exact else _Refits)(estimator, X, Y, weights, folds, groups)


def flat(Y):
    """Outputs of any shape as rows."""
    return np.reshape(Y, (len(Y), -1))


class _WithoutMembership:
    """Fits of a model that has no memberships."""

    memberships = None

    def membership_at(self, X):
        """There are none."""


class _PipedFits:
    """Leave-one-out fits of a pipeline's last step, all with the same transformers."""

    def __init__(self, before, X, Y, weights, folds, groups):
        self._before, X = before.fit(X, Y, weights)
        self._fits = leave_one_out(before.last, X, Y, weights, folds, False, {}, groups)
        self.model = self._before.ending_in(self._fits.model)
        self.predictions, self.memberships = self._fits.predictions, self._fits.memberships

    def membership_at(self, X):
        """Predicted memberships of queries, or None."""
        return self._fits.membership_at(self._before.transform(X))

    def predict_at(self, X):
        """Predictions of all fits, batch by batch."""
        return self._fits.predict_at(self._before.transform(X))


class _RidgeFits(_WithoutMembership):
    """``f_{-i}(x) = f(x) - w_i(x) r_i`` for a regressor with leave-one-out."""

    def __init__(self, estimator, X, Y, weights, folds, groups):
        self.model = fit_weighted(estimator, X, Y, weights, **given(groups=groups))
        self.predictions = flat(as_block_regressor(self.model).predict_left_out(Y))[folds]
        fitted = {"y": self.model}
        smoother = as_block_regressor(self.model).smoother(X, fitted, weights)
        self._shifts = _Shifts(smoother, fitted, folds, groups)

    def predict_at(self, X):
        """Predictions of all fits, batch by batch."""
        for rows, part in _batches(X, self.predictions.shape):
            (shift,) = self._shifts(part).values()
            yield rows, flat(self.model.predict(part))[:, None] - shift


class _EmbeddedFits:
    """Leave-one-out fits of `OutputFisherRegressor`: the identity for each block, and decoding."""

    def __init__(self, estimator, X, Y, weights, folds, options, groups):
        for name in ("candidates_weak", "bounds_weak"):
            if options.get(name) is not None:
                raise ValueError(
                    f"{name} must not be given: the output of a weak sample is inferred from all "
                    "samples, those that are left out among them. Use membership_weak."
                )
        self.model = model = fit_weighted(
            estimator, X, Y, weights, **options, **given(groups=groups)
        )
        self._output_model = as_output_model(model.embedding_)
        H = model.loo_predict_embedding()[folds]
        self.predictions = flat(model.loo_predict())[folds]
        self.memberships = None
        if self._output_model.has_membership:
            block = H[:, self._output_model.blocks_["membership"]]
            self.memberships = self._output_model.decode_membership(block)
        self._width = max(H.shape[1], self.predictions.shape[1])
        smoother = smoother_of_blocks(model, X, weights, options.get("X_weak"))
        self._shifts = _Shifts(smoother, model.regressor_, folds, groups)

    def membership_at(self, X):
        """Predicted memberships of queries, or None."""
        return None if self.memberships is None else self.model.predict_membership(X)

    def predict_at(self, X):
        """Predictions of all fits, batch by batch."""
        for rows, part in _batches(X, (len(self.predictions), self._width)):
            shifts = self._shifts(part)
            shift = np.concatenate([shifts[name] for name in self.model.blocks_], axis=2)
            H = self.model.predict_embedding(part)[:, None] - shift
            Y = self._output_model.inverse_transform(H.reshape(-1, H.shape[2]))
            yield rows, np.reshape(Y, (*H.shape[:2], -1))


class _Shifts:
    """Shifts ``w_i(x) r_i`` of predictions, when sample i is left out of the fit.

    Those of a group add up when it is left out together. The `regressors` are by name; they may
    have seen samples after those that are left out.
    """

    def __init__(self, smoother, regressors, folds, groups=None):
        self._smoother, self._folds, self._together = smoother, folds, None
        if groups is not None:
            _, which = np.unique(groups[folds], return_inverse=True)
            order = np.argsort(which, kind="stable")
            self._together = order, np.unique(which[order], return_index=True)[1], which
        self._missed = {
            name: flat(as_block_regressor(one).loo_residuals_)[folds]
            for name, one in regressors.items()
        }

    def __call__(self, X):
        """Shifts (n_queries, n_folds, n_columns) by name."""
        weights = self._smoother(X)
        shifts = {name: W[:, self._folds] * self._missed[name] for name, W in weights.items()}
        if self._together is None:
            return shifts
        order, starts, which = self._together
        return {
            name: np.add.reduceat(shift[:, order], starts, axis=1)[:, which]
            for name, shift in shifts.items()
        }


class _Refits(_WithoutMembership):
    """Leave-one-out fits of any regressor: as many as there are samples or groups, and slow."""

    def __init__(self, estimator, X, Y, weights, folds, groups):
        estimator = clone(estimator)  # whose clones warn once
        takes = "groups" in as_block_regressor(estimator).abilities
        takes |= has_fit_parameter(estimator, "groups")

        def fit(rows, inputs, outputs):
            seen = None if weights is None else weights[rows]
            labels = groups[rows] if takes and groups is not None else None
            return fit_weighted(estimator, inputs, outputs, seen, **given(groups=labels))

        samples = np.arange(len(Y))
        self.model = fit(samples, X, Y)
        self._pairwise = get_tags(estimator).input_tags.pairwise
        labels = samples if groups is None else groups
        different, self._which = np.unique(labels[folds], return_inverse=True)
        self._fits, self.predictions = [], np.empty((len(folds), flat(Y).shape[1]))
        for i, label in enumerate(different):
            kept, gone = np.flatnonzero(labels != label), folds[self._which == i]
            one = fit(kept, *safe_split(estimator, X, Y, kept))
            left_out, _ = safe_split(estimator, X, Y, gone, kept)
            self.predictions[self._which == i] = flat(one.predict(left_out))
            self._fits.append((one, kept))

    def predict_at(self, X):
        """Predictions of all fits, batch by batch."""
        for rows, part in _batches(X, self.predictions.shape):
            predictions = [
                flat(one.predict(np.asarray(part)[:, kept] if self._pairwise else part))
                for one, kept in self._fits
            ]
            yield rows, np.stack(predictions, axis=1)[:, self._which]


def _batches(X, shape):
    """Slices and parts of queries whose predictions by all fits, each of `shape`, take some MB."""
    X = X.tocsr() if sparse.issparse(X) else X
    for rows in gen_batches(num_samples(X), max(1, BATCH // math.prod(shape))):
        yield rows, safe_indexing(X, rows)
