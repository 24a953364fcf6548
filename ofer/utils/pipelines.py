"""Transformers of a pipeline, and weights for each step that takes them."""

from collections.abc import Iterator
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from ofer.utils.absent import indexable, of_order_one
from ofer.utils.sklearn_private import BaseSearchCV, HasMethods, safe_indexing
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_weights


class Transformers:
    """The steps of a pipeline before its last one; none, of any other estimator.

    Samples of weight zero are absent, whatever a transformer takes: it is fitted to the others,
    with their weights if its `fit` takes `sample_weight`, and then transforms all.
    """

    def __init__(self, estimator: BaseEstimator):
        steps = estimator.steps if isinstance(estimator, Pipeline) else [("last", estimator)]
        self._whole, self._steps, self.last = estimator, steps[:-1], steps[-1][1]

    def fit(
        self, X: MatrixLike, Y: ArrayLike | None, sample_weight: ArrayLike | None = None
    ) -> tuple[Self, MatrixLike]:
        """A fitted twin, and the inputs as the last step takes them."""
        twin, weights = copy(self), check_weights(sample_weight, X)
        twin._steps = [(name, clone(step, safe=False)) for name, step in self._steps]
        shares, everything = of_order_one(weights), weights is None or weights.all()
        rows, X = slice(None) if everything else np.flatnonzero(weights), indexable(X)
        for step in twin._used():
            seen = shares[rows] if shares is not None and takes_weights(step) else None
            if everything and HasMethods(["fit_transform"]).is_satisfied_by(step):
                X = step.fit_transform(X, Y, **given(seen))  # it may be cross-fitted
            else:
                if not everything and get_tags(step).input_tags.pairwise:
                    raise ValueError(
                        "sample_weight must be positive for a pipeline with "
                        f"{type(step).__name__}, which transforms a kernel matrix; got zeros. Drop "
                        "the rows and columns of the absent samples."
                    )
                targets = None if Y is None else safe_indexing(Y, rows)
                X = step.fit(safe_indexing(X, rows), targets, **given(seen)).transform(X)
        return twin, X

    def transform(self, X: MatrixLike) -> MatrixLike:
        """Inputs as the last step takes them."""
        X = indexable(X)
        for step in self._used():
            X = step.transform(X)
        return indexable(X)

    def inverse_transform(self, X: MatrixLike) -> MatrixLike:
        """Inputs from what the last step takes."""
        for step in reversed([*self._used()]):
            X = step.inverse_transform(X)
        return X

    def ending_in(self, last: BaseEstimator) -> BaseEstimator:
        """The pipeline with these transformers and another last step."""
        if not isinstance(self._whole, Pipeline):
            return last
        pipeline = copy(self._whole)
        pipeline.steps = [*self._steps, (self._whole.steps[-1][0], last)]
        return pipeline

    def fitted_to_samples(self) -> list[Any]:
        """Those that a fit changes: neither frozen nor without state."""
        steps = [one for one in self._used() if not isinstance(one, FrozenEstimator)]
        return [one for one in steps if get_tags(one).requires_fit]

    def _used(self) -> Iterator[Any]:
        return (one for _, one in self._steps if one not in (None, "passthrough"))


def takes_weights(estimator: BaseEstimator) -> bool:
    """Whether the `fit` of an estimator takes weights, or hands on those that a part requests."""
    routing = get_config()["enable_metadata_routing"]
    routed = routing and get_routing_for_object(estimator).consumes("fit", ["sample_weight"])
    if routed or has_fit_parameter(estimator, "sample_weight"):
        return True
    if isinstance(estimator, TransformedTargetRegressor):  # it hands on all arguments
        return estimator.regressor is None or takes_weights(estimator.regressor)
    return isinstance(estimator, BaseSearchCV) and takes_weights(estimator.estimator)


def given(
    sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
) -> dict[str, ArrayLike]:
    """Arguments of `fit`: what is None is not passed on."""
    arguments = {"sample_weight": sample_weight, "groups": groups}
    return {name: value for name, value in arguments.items() if value is not None}
