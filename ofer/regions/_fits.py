"""Leave-one-out predictions of queries: by an identity, or by refits."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import gen_batches, get_tags
from sklearn.utils.validation import has_fit_parameter

from ofer.blocks import as_block_regressor, fit_weighted, left_out
from ofer.embeddings.base import as_output_model
from ofer.regression import OutputFisherRegressor, smoother_of_blocks
from ofer.tuning.regression_cv import OutputFisherRegressorCV
from ofer.utils.estimators import part_of
from ofer.utils.memory import BATCH
from ofer.utils.pipelines import Transformers, given
from ofer.utils.scoring import as_rows
from ofer.utils.sklearn_private import num_samples, safe_indexing, safe_split
from ofer.weak import Memberships


class Training(NamedTuple):
    """Samples of a fit, some of which are left out in turn."""

    X: Any
    Y: NDArray  # in the shape of the outputs
    weights: NDArray | None
    folds: NDArray  # places of the samples that are left out
    groups: NDArray | None = None  # labels; a fit is without all samples of a label


def fit_without_each(estimator, samples, *, strict=False, options=None):
    """Fit an estimator, and know its fits without each of the samples.

    A block regressor with leave-one-out is exact by an identity, and so is `OutputFisherRegressor`
    on one; a pipeline that ends in either is, given its transformers, and
    `OutputFisherRegressorCV`, given its choice. Of any other the public `fit` and `predict` of
    clones are called. What is returned has

    - `model`, fitted to all samples;
    - `predictions` (n_folds, D), of each sample by the fit without it;
    - `predict_at(X)`, an iterator of slices of the queries and predictions
      (n_queries, n_folds, D) for them, D numbers for each output;
    - `membership_at(X)` and `memberships`, of queries and of the samples left out, or None.
    """
    before, options = Transformers(estimator), options or {}
    last, groups = before.last, given(groups=samples.groups)
    searched, embedded = (
        isinstance(last, kind) for kind in (OutputFisherRegressorCV, OutputFisherRegressor)
    )
    regressor = part_of(last, "regressor") if searched or embedded else last
    asked = {"leave_one_out", *groups}
    exact = not strict and asked <= as_block_regressor(regressor).abilities
    if embedded:  # a subclass that overrides these is fitted anew
        exact &= type(last).fit is OutputFisherRegressor.fit
        exact &= type(last).predict is OutputFisherRegressor.predict
    if options and not (exact and (searched or embedded) and last is estimator):
        raise ValueError(
            f"{', '.join(options)} must not be given for {type(estimator).__name__}, which is "
            "fitted anew without each sample; only OutputFisherRegressor on a regressor with "
            "leave-one-out, as KernelRidgeCV, takes such arguments, with strict=False."
        )
    if not exact:
        return _Refits(estimator, samples)
    before, X = before.fit(samples.X, samples.Y, samples.weights)
    samples = samples._replace(X=X, Y=samples.Y if embedded else as_rows(samples.Y))
    if searched:  # it searches once, and all fits have its choice
        last = fit_weighted(last, X, samples.Y, samples.weights, **groups).best_estimator_
    kind = _EmbeddedFits if searched or embedded else _RidgeFits
    return kind(before, last, samples, options)


def flat(Y):
    """Outputs of any shape as rows."""
    return np.reshape(Y, (len(Y), -1))


class _Fits:
    """Fits of a model that has no memberships."""

    memberships = None

    def membership_at(self, X):
        """There are none."""


class _RidgeFits(_Fits):
    """``f_{-i}(x) = f(x) - w_i(x) r_i`` for a regressor with leave-one-out, behind transformers."""

    def __init__(self, before, last, samples, options):
        X, Y, weights, folds, groups = samples
        self._before = before
        self._last = fit_weighted(last, X, Y, weights, **options, **given(groups=groups))
        self.model = before.ending_in(self._last)
        self.predictions = flat(left_out(self._last, Y))[folds]
        regressors, smoother = self._smoother(samples, options.get("weak"))
        self._shifts = _Shifts(smoother, regressors, folds, groups)

    def predict_at(self, X):
        """Predictions of all fits, batch by batch."""
        n, width = self.predictions.shape
        shape = n, max(width, self._shifts.n_columns)
        for rows, queries in _batches(self._before.transform(X), shape):
            yield rows, self._predict(queries, self._shifts(queries))

    def _smoother(self, samples, weak):
        regressors = {"y": self._last}
        view = as_block_regressor(self._last)
        return regressors, view.smoother(samples.X, regressors, samples.weights)

    def _predict(self, X, shifts):
        return flat(self._last.predict(X))[:, None] - shifts["y"]


class _EmbeddedFits(_RidgeFits):
    """Those of `OutputFisherRegressor`: the identity for each block, and decoding."""

    def __init__(self, before, last, samples, options):
        if not isinstance(weak := options.get("weak"), Memberships | None):
            raise ValueError(
                f"weak must be None or Memberships; got {type(weak).__name__}, whose outputs are "
                "inferred from all samples, those that are left out among them."
            )
        super().__init__(before, last, samples, options)
        self._output_model = as_output_model(self._last.embedding_)
        if self._output_model.has_membership:
            columns = self._output_model.blocks_["membership"]
            H = self._last.loo_predict_embedding()[samples.folds]
            self.memberships = self._output_model.decode_membership(H[:, columns])

    def membership_at(self, X):
        """Predicted memberships of queries, or None."""
        if self.memberships is None:
            return None
        return self._last.predict_membership(self._before.transform(X))

    def _smoother(self, samples, weak):
        smoother = smoother_of_blocks(self._last, samples.X, samples.weights, weak)
        return self._last.regressor_, smoother

    def _predict(self, X, shifts):
        shift = np.concatenate([shifts[name] for name in self._last.blocks_], axis=2)
        H = self._last.predict_embedding(X)[:, None] - shift
        Y = self._output_model.inverse_transform(H.reshape(-1, H.shape[2]))
        return np.reshape(Y, (*H.shape[:2], -1))


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
            name: flat(as_block_regressor(regressor).loo_residuals_)[folds]
            for name, regressor in regressors.items()
        }
        self.n_columns = sum(missed.shape[1] for missed in self._missed.values())

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


class _Refits(_Fits):
    """Leave-one-out fits of any regressor: as many as there are samples or groups, and slow."""

    def __init__(self, estimator, samples):
        X, Y, weights, folds, groups = samples
        estimator = clone(estimator)  # its clones warn once
        takes = "groups" in as_block_regressor(estimator).abilities
        takes |= has_fit_parameter(estimator, "groups")

        def fit(rows, inputs, outputs):
            seen = None if weights is None else weights[rows]
            labels = groups[rows] if takes and groups is not None else None
            return fit_weighted(estimator, inputs, outputs, seen, **given(groups=labels))

        every = np.arange(len(Y))
        self.model = fit(every, X, Y)
        self._pairwise = get_tags(estimator).input_tags.pairwise
        labels = every if groups is None else groups
        different, self._which = np.unique(labels[folds], return_inverse=True)
        self._fits, self.predictions = [], np.empty((len(folds), flat(Y).shape[1]))
        for i, label in enumerate(different):
            kept, gone = np.flatnonzero(labels != label), folds[self._which == i]
            model = fit(kept, *safe_split(estimator, X, Y, kept))
            queries, _ = safe_split(estimator, X, Y, gone, kept)
            self.predictions[self._which == i] = flat(model.predict(queries))
            self._fits.append((model, kept))

    def predict_at(self, X):
        """Predictions of all fits, batch by batch."""
        for rows, queries in _batches(X, self.predictions.shape):
            predictions = [
                flat(model.predict(np.asarray(queries)[:, kept] if self._pairwise else queries))
                for model, kept in self._fits
            ]
            yield rows, np.stack(predictions, axis=1)[:, self._which]


def _batches(X, shape):
    """Slices and parts of queries whose predictions by all fits, each of `shape`, take some MB."""
    for rows in gen_batches(num_samples(X), max(1, BATCH // math.prod(shape))):
        yield rows, safe_indexing(X, rows)
