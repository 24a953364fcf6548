"""Multi-label classification by a regressor and a threshold chosen by leave-one-out."""

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, check_consistent_length, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.blocks import fit_weighted, left_out
from ofer.kernel_ridge import scaled_ridge
from ofer.utils.absent import cover_absent, indexable
from ofer.utils.estimators import DefaultParts, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.scoring import CheckedScoreMixin
from ofer.utils.sklearn_private import HasMethods, check_feature_names
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_even


@quiet
class TunedThresholdMultilabelClassifier(DefaultParts, CheckedScoreMixin, BaseEstimator):
    r"""Multi-label classifier: regresses on indicators, and chooses one threshold by leave-one-out.

    The threshold [1]_ maximises the F1 by example of the leave-one-out predictions, over *all*
    thresholds, without a grid or a further fit. With :math:`\hat L_i` the labels decided for sample
    i and :math:`L_i` its own,

    .. math:: F_1 = \frac1n \sum_i \frac{2 |L_i \cap \hat L_i|}{|L_i| + |\hat L_i|} ,

    which is ``f1_score(Y, Y_hat, average="samples")``, with 0 where both sets are empty.

    Parameters
    ----------
    regressor : regressor, default=None
        Multi-output regressor with leave-one-out predictions: `KernelRidgeCV`,
        `OutputFisherRegressor`, `OutputFisherRegressorCV`, or a pipeline that ends in one, for
        which these predictions are exact given the fitted transformers. None is
        ``KernelRidgeCV(gamma="loo")``, which chooses its kernel, behind a `StandardScaler`.
    at_least_one : bool, default=False
        Whether a sample without a score above the threshold gets the label of highest score; for
        data in which each sample has a label. The threshold is chosen with that in mind.

    Attributes
    ----------
    regressor_ : regressor
        The fitted regressor.
    threshold_ : float
        Labels with scores above it are decided for.
    best_score_ : float
        F1 by example of the leave-one-out predictions, at the threshold; the weighted mean.
    classes_ : ndarray of shape (n_labels,)
        Numbers of the labels, from 0.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    sklearn.model_selection.TunedThresholdClassifierCV : The same idea for two classes.
    SemanticClassifier : One class for each sample.

    Notes
    -----
    Choosing the threshold takes O(n m log(n m)) time for n samples and m labels, by sorting,
    beside the fit of the regressor.

    References
    ----------
    .. [1] Fan, Lin, "A study on threshold selection for multi-label classification", technical
       report, National Taiwan University (2007).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import KernelRidgeCV, TunedThresholdMultilabelClassifier
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(100, 2))
    >>> Y = (X > 0.5).astype(int)  # a label for each coordinate, off as a rule
    >>> model = TunedThresholdMultilabelClassifier(KernelRidgeCV(kernel="rbf")).fit(X, Y)
    >>> model.predict([[0.9, 0.0], [0.8, 0.8]])
    array([[1, 0],
           [1, 1]])
    """

    _parameter_constraints: ClassVar = {
        "regressor": [HasMethods(["fit", "predict"]), None],
        "at_least_one": ["boolean"],
    }

    _default_parts: ClassVar = {"regressor": scaled_ridge}
    _input_part = "regressor"

    def __init__(self, regressor: BaseEstimator | None = None, *, at_least_one: bool = False):
        self.regressor = regressor
        self.at_least_one = at_least_one

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        return tags

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: MatrixLike, y: MatrixLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the regressor and choose the threshold.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs, as the regressor takes them.
        y : {array-like, sparse matrix} of shape (n_samples, n_labels)
            Indicators of the labels, 0 or 1, and at least one of them 1.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative, for a regressor that takes them; F1 is averaged with them, too.
            Zero is an absent sample.

        Returns
        -------
        self : TunedThresholdMultilabelClassifier
        """
        pairwise = get_tags(self).input_tags.pairwise
        weights, X, y = cover_absent(sample_weight, X, y, pairwise=pairwise)
        validate_data(self, X, skip_check_array=True)
        Y = _check_indicators(y)
        check_consistent_length(X, Y)
        self.regressor_ = fit_weighted(part_of(self, "regressor"), X, Y.astype(np.float64), weights)
        scores = left_out(self.regressor_, Y)
        if scores is None:
            raise ValueError(
                "regressor must have leave-one-out predictions, as KernelRidgeCV, "
                "OutputFisherRegressor and pipelines that end in one; "
                f"got {type(self.regressor_).__name__}."
            )
        weights = np.ones(len(Y)) if weights is None else weights
        seen = weights > 0
        self.threshold_, self.best_score_ = _best_threshold(
            scores[seen], Y[seen], self.at_least_one, weights[seen]
        )
        self.classes_ = np.arange(Y.shape[1])
        return self

    def decision_function(self, X: MatrixLike) -> NDArray:
        """Scores of the labels: predicted indicators minus the threshold.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries, n_labels)
            Positive for the labels that are decided for, apart from `at_least_one`.
        """
        check_is_fitted(self)
        check_feature_names(self, X, reset=False)
        return np.asarray(self.regressor_.predict(indexable(X))) - self.threshold_

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict the set of labels of each sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries, n_labels)
            Indicators, 0 or 1.
        """
        scores = self.decision_function(X)
        labels = (scores > 0).astype(np.int64)
        if self.at_least_one:
            labels[np.arange(len(labels)), scores.argmax(axis=1)] = 1
        return labels


def _check_indicators(y):
    """Labels as an array (n_samples, n_labels) of 0 and 1."""
    check_even("y", y)
    Y = check_array(y, accept_sparse="csr", input_name="y", ensure_min_samples=2)
    Y = Y.toarray() if sparse.issparse(Y) else np.asarray(Y)
    wrong = Y[(Y != 0) & (Y != 1)]
    if wrong.size:
        raise ValueError(f"y must hold indicators of labels, 0 or 1; got {wrong[0]}.")
    if not Y.any():
        raise ValueError("y must have at least one label that is 1; got none.")
    return Y.astype(np.int64)


def _best_threshold(scores, Y, at_least_one, weights):
    """Threshold of scores (n, m) with the best F1 by example for labels Y, and this F1.

    The `weights` (n,) are those of the samples in the mean.
    """
    n, m = scores.shape
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=1)
    hits = np.take_along_axis(Y, order, axis=1).cumsum(axis=1)
    f1 = 2.0 * hits / (Y.sum(axis=1, keepdims=True) + np.arange(1, m + 1)) * weights[:, None]
    # From high to low, a threshold passes the entries one by one; each changes its row's F1.
    before = f1[:, :1] if at_least_one else np.zeros((n, 1))
    gains = np.diff(f1, axis=1, prepend=before)
    falling = np.argsort(-ranked, axis=None, kind="stable")
    totals = before.sum() + np.append(0.0, gains.ravel()[falling].cumsum())
    levels = ranked.ravel()[falling]
    levels = np.concatenate([[levels[0] + 1.0], levels, [levels[-1] - 1.0]])
    between = np.flatnonzero(levels[:-1] > levels[1:])  # nothing separates equal scores
    best = between[totals[between].argmax()]
    return float(levels[best : best + 2].mean()), float(totals[best] / weights.sum())
