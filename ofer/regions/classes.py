"""Sets of classes by leave-one-out scores."""

from copy import copy
from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state, column_or_1d, gen_batches, get_tags
from sklearn.utils.validation import check_is_fitted

from ofer.kernel_ridge import KernelRidgeCV
from ofer.regions._conformal import Block, Ellipsoids
from ofer.regions._fits import Training, fit_without_each
from ofer.regions._shapes import ALIKE, column_means, rank_of
from ofer.regions.full_conformal import settings_of
from ofer.semantic import SemanticClassifier
from ofer.utils.absent import cover_absent, indexable, look_at
from ofer.utils.estimators import DefaultParts, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.labels import plain
from ofer.utils.memory import BATCH
from ofer.utils.pipelines import Transformers, given
from ofer.utils.products import quiet
from ofer.utils.scoring import CheckedScoreMixin
from ofer.utils.sklearn_private import (
    HasMethods,
    Interval,
    StrOptions,
    num_samples,
    safe_indexing,
)
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_even, check_groups


@quiet
class CrossConformalClassifier(DefaultParts, CheckedScoreMixin, BaseEstimator):
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
    selection : {"fixed", "inside"}, default="fixed"
        "fixed" takes fits without each sample, with what is chosen once. "inside" adds the query
        with each class in turn, as `FullConformalRegressor` does, and chooses the ridge parameter
        by the leave-one-out error of all n + 1 samples. The right class is then held with a
        probability of at least :math:`1 - \alpha`, if the width and the candidates of the
        classifier's `KernelRidgeCV` are fixed beforehand.
    smoothed : bool, default=False
        Whether samples that are as odd as the query count by a random part. With "inside" and
        `allow_empty` the probability is then :math:`1 - \alpha` and no more.
    random_state : int, RandomState instance or None, default=None
        Draws these parts: the same in each call of `predict_set` for an int.

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
    0.96 right, 1.00 classes
    """

    _parameter_constraints: ClassVar = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "confidence_level": [Interval(Real, 0, 1, closed="neither")],
        "allow_empty": ["boolean"],
        "selection": [StrOptions({"fixed", "inside"})],
        "smoothed": ["boolean"],
        "random_state": ["random_state"],
    }

    _default_parts: ClassVar = {"estimator": SemanticClassifier}
    _input_part = "estimator"

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        confidence_level: float = 0.9,
        allow_empty: bool = False,
        selection: str = "fixed",
        smoothed: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.estimator = estimator
        self.confidence_level = confidence_level
        self.allow_empty = allow_empty
        self.selection = selection
        self.smoothed = smoothed
        self.random_state = random_state

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
        weights, X, y, groups = cover_absent(
            sample_weight, X, y, groups, pairwise=get_tags(self).input_tags.pairwise
        )
        look_at(self, X, y)
        check_even("y", y)
        estimator = part_of(self, "estimator")
        if not isinstance(Transformers(estimator).last, SemanticClassifier):
            raise ValueError(
                "estimator must be a SemanticClassifier, or a pipeline that ends in one; "
                f"got {estimator!r}."
            )
        self._before, inputs = Transformers(estimator).fit(X, y, weights)
        classifier = copy(self._before.last).fit(inputs, y, **given(weights))  # knows whose labels
        self.estimator_ = self._before.ending_in(classifier)
        self.classes_, self._vectors = classifier.classes_, classifier.class_vectors_
        encoded = np.searchsorted(self.classes_, column_or_1d(plain(y)))
        folds = np.arange(len(encoded)) if weights is None else np.flatnonzero(weights)
        labels, self._n_ranked = encoded[folds], len(folds)
        regressor, inputs = part_of(classifier, "regressor"), self._before.transform(X)
        if self.selection == "fixed":
            outputs = self._vectors[encoded]
            samples = Training(inputs, outputs, weights, folds, check_groups(groups, X))
            fits = fit_without_each(regressor, samples)
            self._ranking: LeftOut | AllInside = LeftOut(fits, labels, self._vectors)
        elif isinstance(Transformers(regressor).last, KernelRidgeCV) and groups is None:
            weights = np.ones(len(folds)) if weights is None else weights[folds]
            inputs = safe_indexing(inputs, folds) if len(folds) < len(encoded) else inputs
            self._ranking = AllInside(regressor, inputs, labels, weights, self._vectors)
        else:
            raise ValueError(
                "selection must be 'fixed' with groups, or if the classifier's regressor is not a "
                f"KernelRidgeCV, or ends in none; got 'inside' with {type(regressor).__name__}."
            )
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
        return self.estimator_.predict(indexable(X))

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
        self._validate_params()  # somebody may have set them after `fit`
        X = look_at(self, X)
        parts = [*self._ranking.compare(self._before.transform(X))]
        odd, alike = (np.vstack(part) for part in zip(*parts, strict=True))
        if self.smoothed:  # the query and samples as odd as it count in part
            drawn = check_random_state(self.random_state).uniform(size=(len(odd), 1))
            kept = self.confidence_level * (self._n_ranked + 1)
            sets = odd + (1.0 - drawn) * (alike + 1) < kept
        else:
            sets = odd < rank_of(self.confidence_level, self._n_ranked)
        return sets if self.allow_empty else sets | (odd == odd.min(axis=1, keepdims=True))


class LeftOut:
    """To how many fits without a sample each class is odder than their own, and as odd (b, K)."""

    def __init__(self, fits, labels, vectors):
        self._fits, self._vectors, self._slack = fits, vectors, slack_of(vectors)
        self._own = class_scores(fits.predictions, vectors)[np.arange(len(labels)), labels]

    def compare(self, X):
        """Counts for queries, batch by batch."""
        for _, predictions in self._fits.predict_at(X):
            more = class_scores(predictions, self._vectors) - self._own[:, None]
            yield (more > self._slack).sum(axis=1), (np.abs(more) <= self._slack).sum(axis=1)


class AllInside:
    """Than how many samples the query with each class is odder, and as odd (b, K).

    Scores are of the leave-one-out predictions of all n + 1 samples, see `FullConformalRegressor`.
    """

    def __init__(self, regressor, X, labels, weights, vectors):
        Y = vectors[labels]
        self._labels, self._vectors, self._slack = labels, vectors, slack_of(vectors)
        self._mean = column_means(Y, weights)
        self._settings = settings_of(regressor, X, Y, weights)
        solved = [one for setting in self._settings for one in setting.solve()]
        self._block = Block(
            slice(None), solved, Y - self._mean, weights, slice(None), Ellipsoids,
            self._settings[0].ridge.scoring is None,
        )  # fmt: skip

    def compare(self, X):
        """Counts for queries, batch by batch."""
        n, (k, d) = len(self._labels), self._vectors.shape
        step = max(1, BATCH // (n * (len(self._block.solved) + d + k)))
        for rows in gen_batches(num_samples(X), step):
            queries = safe_indexing(X, rows)
            at = [one for s in self._settings for one in s.at(queries, self._mean)]
            quadratics = self._block.quadratics(at)
            odd, alike = np.zeros((2, len(at[0].variances), k), dtype=int)
            for label in range(k):
                outputs = np.broadcast_to(self._vectors[label] - self._mean, (len(odd), d))
                best = self._block.errors(outputs, quadratics).argmin(axis=0)
                for place in np.unique(best):
                    chosen = best == place
                    query, scores = self._scores(label, place, at[place].of(chosen))
                    more = query[:, None] - scores
                    odd[chosen, label] = (more > self._slack).sum(axis=1)
                    alike[chosen, label] = (np.abs(more) <= self._slack).sum(axis=1)
            yield odd, alike

    def _scores(self, label, place, at):
        """Scores of queries (b,) with a label, and of the samples (b, n) beside them."""
        coef, diagonal, _ = self._block.solved[place]
        slopes = at.weights / at.variances[:, None]
        errors = self._vectors[label] - self._mean - at.predictions
        moved = coef - slopes[:, :, None] * errors[:, None]
        missed = moved / (diagonal + at.weights * slopes)[:, :, None]
        scores = class_scores(self._vectors[self._labels] - missed, self._vectors)
        query = class_scores(at.predictions + self._mean, self._vectors)[:, label]
        return query, scores[:, np.arange(len(self._labels)), self._labels]


def class_scores(predictions, vectors):
    """Scores (..., n_classes) of predictions (..., d): how much nearer another class is."""
    origin = np.median(vectors, axis=0)  # here differences of distances have most digits
    vectors, predictions = vectors - origin, predictions - origin
    distances = np.square(vectors).sum(axis=1) - 2.0 * predictions @ vectors.T
    nearest, second = np.moveaxis(np.partition(distances, 1, axis=-1)[..., :2], -1, 0)
    return distances - np.where(
        distances == nearest[..., None], second[..., None], nearest[..., None]
    )


def slack_of(vectors):
    """The difference of two scores that roundoff can make: these are equal."""
    return ALIKE * np.square(vectors - np.median(vectors, axis=0)).sum(axis=1).max()
