"""Sets of classes by leave-one-out scores."""

from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.blocks import fit_weighted
from ofer.regions._fits import leave_one_out
from ofer.semantic import SemanticClassifier
from ofer.utils.estimators import DefaultParts
from ofer.utils.pipelines import Transformers
from ofer.utils.sklearn_private import HasMethods, Interval, check_feature_names, fit_context
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_even, check_groups, check_weights


class CrossConformalClassifier(DefaultParts, ClassifierMixin, BaseEstimator):
    r"""Conformal prediction sets of classes, by leave-one-out scores.

    With :math:`f_{-i}(x)` the class vector that the regressor predicts without sample i, the score
    of a class is how much nearer than itself another one is,

    .. math:: a_i(x, k) = \| f_{-i}(x) - v_k \|^2 - \min_{l \ne k} \| f_{-i}(x) - v_l \|^2 ,

    and the set of x has the classes k for which less than :math:`(1 - \alpha)(n + 1)` of the
    :math:`a_i(x, k)` exceed their sample's own :math:`a_i(x_i, y_i)`. It holds the right class with
    a probability of about :math:`1 - \alpha`; of at least :math:`1 - 2 \alpha`, by the theorem of
    the jackknife+ [1]_, if nothing is chosen from the samples, as a width and a ridge parameter
    that are given.

    Parameters
    ----------
    estimator : SemanticClassifier or pipeline that ends in one, default=None
        Classifier by predicted vectors; None is one with its defaults. No fit is repeated for the
        regressors that `JackknifePlus` names. All fits are given the transformers of a pipeline,
        which have seen all samples.
    confidence_level : float, default=0.9
        The level :math:`1 - \alpha`, between 0 and 1. It and `allow_empty` may be changed after
        `fit`.
    allow_empty : bool, default=False
        Whether a set may be empty. If not, it has the class that is odd to the fewest fits, so that
        the right one is only held more often.

    Attributes
    ----------
    estimator_ : estimator
        Fitted to all samples.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    JackknifePlus : Regions of vectors; its notes apply.

    Notes
    -----
    Distances are those of outputs, decoded where there is an embedding. By the rule a set is empty
    if each class is odd to more fits than the level allows, which happens to queries near the
    border between classes if the classifier is right more often than the level asks for. A set has
    all classes with
    :math:`n < 1 / \alpha - 1` samples. The probability is an average over classes: one that is
    rare, or was not seen, may be missed more often. O(n (d + k)) for a query among k classes.

    References
    ----------
    .. [1] Barber, Candès, Ramdas, Tibshirani, "Predictive inference with the jackknife+",
       Annals of Statistics 49 (2021), theorem 1 and its proof.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ofer import CrossConformalClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CrossConformalClassifier(confidence_level=0.9).fit(X[::2], y[::2])
    >>> sets = model.predict_set(X[1::2])
    >>> print(f"{sets[range(75), y[1::2]].mean():.2f} right, {sets.sum(axis=1).mean():.2f} classes")
    0.95 right, 1.25 classes
    """

    _parameter_constraints: ClassVar = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "confidence_level": [Interval(Real, 0, 1, closed="neither")],
        "allow_empty": ["boolean"],
    }

    _default_parts: ClassVar = {"estimator": SemanticClassifier}
    _input_part = "estimator"

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        confidence_level: float = 0.9,
        allow_empty: bool = False,
    ):
        self.estimator = estimator
        self.confidence_level = confidence_level
        self.allow_empty = allow_empty

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit the classifier, and its regressor without each sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs, as the regressor takes them.
        y : array-like of shape (n_samples,)
            Labels, of at least two classes.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative, of the samples in all fits. The quantile is that of samples,
            each of which counts once; one of weight zero has no part.
        groups : array-like of shape (n_samples,), default=None
            Labels of groups of samples. Each fit is without a whole group, as in `JackknifePlus`.
            They matter for the sets, and not for `predict`.

        Returns
        -------
        self : CrossConformalClassifier
        """
        validate_data(self, X, y, skip_check_array=True)
        check_even("X", X)
        check_even("y", y)
        weights = check_weights(sample_weight, X)
        estimator = self._part("estimator")
        if not isinstance(Transformers(estimator).last, SemanticClassifier):
            raise ValueError(
                "estimator must be a SemanticClassifier, or a pipeline that ends in one; "
                f"got {estimator!r}."
            )
        self.estimator_ = fit_weighted(estimator, X, y, weights)
        self._before = Transformers(self.estimator_)
        classifier = self._before.last
        self.classes_, self._vectors = classifier.classes_, classifier.class_vectors_
        encoded = np.searchsorted(self.classes_, column_or_1d(y))
        folds = np.arange(len(encoded)) if weights is None else np.flatnonzero(weights)
        self._fits = leave_one_out(
            classifier._part("regressor"), self._before.transform(X), self._vectors[encoded],
            weights, folds, False, {}, check_groups(groups, X),
        )  # fmt: skip
        scores = self._scores(self._fits.predictions)
        self._own_scores = scores[np.arange(len(folds)), encoded[folds]]
        return self

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict one class for each sample, by the classifier fitted to all samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        return self.estimator_.predict(X)

    def predict_set(self, X: MatrixLike) -> NDArray:
        """Predict a set of classes for each sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of bool of shape (n_queries, n_classes)
            Which of `classes_` are in the set of each query.
        """
        check_is_fitted(self)
        self._validate_params()  # which may have been set after `fit`
        check_feature_names(self, X, reset=False)
        check_even("X", X)
        odd = np.vstack(
            [
                (self._scores(part) > self._own_scores[:, None]).sum(axis=1)
                for _, part in self._fits.predict_at(self._before.transform(X))
            ]
        )
        sets = odd < np.round(self.confidence_level * (len(self._own_scores) + 1), 9)
        return sets if self.allow_empty else sets | (odd == odd.min(axis=1, keepdims=True))

    def _scores(self, predictions):
        """Scores (..., n_classes) of predictions (..., d)."""
        vectors = self._vectors
        distances = np.square(vectors).sum(axis=1) - 2.0 * predictions @ vectors.T
        nearest, second = np.moveaxis(np.partition(distances, 1, axis=-1)[..., :2], -1, 0)
        return distances - np.where(
            distances == nearest[..., None], second[..., None], nearest[..., None]
        )
