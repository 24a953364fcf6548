"""What local predictors have to beat: simple methods, each with its parameters chosen fairly."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ofer._validation import check_real
from ofer.companions.local_structured._inputs import check_inputs, check_outputs
from ofer.companions.local_structured.laplacian_ridge import LaplacianRidgeClassifier
from ofer.companions.local_structured.majority import MajorityPredictor
from ofer.companions.local_structured.perceptron import StructuredPerceptron

__all__ = ["LabelledKFold", "LabelledOnly", "semi_supervised_baselines"]


def semi_supervised_baselines(outputs="multiclass", *, n_splits=5, random_state=None):
    """Simple methods that take unlabelled samples, or leave them out.

    Parameters that matter are chosen by cross-validation on the labelled samples, with the
    unlabelled ones in every training part (`LabelledKFold`), so that no test label has a say.

    Parameters
    ----------
    outputs : {"multiclass", "chain"} or OutputSpace, default="multiclass"
        The space of outputs. For sequences there are two methods only.
    n_splits : int, default=5
        Folds of the cross-validation.
    random_state : int, RandomState instance or None, default=None
        For the folds, and for methods that draw.

    Returns
    -------
    dict of str to estimator
        Unfitted. Their `fit` takes outputs with -1 or None for unlabelled samples.

    See Also
    --------
    LocalStructuredPredictor : What they are compared with.

    Examples
    --------
    >>> from ofer.companions import semi_supervised_baselines
    >>> list(semi_supervised_baselines())  # doctest: +NORMALIZE_WHITESPACE
    ['majority', 'linear SVM', 'k-NN', 'self-training', 'label spreading',
     'structured perceptron', 'Laplacian ridge']
    >>> list(semi_supervised_baselines("chain"))
    ['majority', 'structured perceptron']
    """

    def tuned(estimator, **grid):
        folds = LabelledKFold(n_splits, random_state=random_state)
        return GridSearchCV(estimator, grid, cv=folds, error_score="raise")

    majority = MajorityPredictor(outputs)
    perceptron = StructuredPerceptron(outputs, random_state=random_state)
    if majority._make_space().sequential:
        return {"majority": majority, "structured perceptron": perceptron}
    scales = np.logspace(-2, 3, 6).tolist()
    return {
        "majority": majority,
        "linear SVM": tuned(
            LabelledOnly(LinearSVC(dual="auto", random_state=random_state)), estimator__C=scales
        ),
        "k-NN": tuned(
            LabelledOnly(KNeighborsClassifier(weights="distance")),
            estimator__n_neighbors=[1, 2, 5, 10, 20],
        ),
        "self-training": tuned(
            SelfTrainingClassifier(LogisticRegression(max_iter=1000)),
            estimator__C=scales[2:],
            threshold=[0.75, 0.9],
        ),
        "label spreading": tuned(
            LabelSpreading(kernel="knn", max_iter=1000),
            n_neighbors=[5, 10, 20],
            alpha=[0.2, 0.8],
        ),
        "structured perceptron": perceptron,
        "Laplacian ridge": tuned(
            LaplacianRidgeClassifier(outputs),
            alpha=[1e-4, 1e-3, 1e-2],
            smoothness=[0.1, 1.0, 10.0],
        ),
    }


class LabelledKFold(BaseEstimator):
    """Cross-validation folds of the labelled samples; the unlabelled ones are always trained on.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at most the number of labelled samples.
    random_state : int, RandomState instance or None, default=None
        For the order of the samples.

    See Also
    --------
    semi_supervised_baselines : Uses it.

    Examples
    --------
    >>> from ofer.companions import LabelledKFold
    >>> for train, test in LabelledKFold(2, random_state=0).split([[0.0]] * 5, [0, -1, 1, -1, 0]):
    ...     print(train, test)
    [0 1 3] [2 4]
    [1 2 3 4] [0]
    """

    def __init__(self, n_splits=5, *, random_state=None):
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """Number of folds.

        Parameters
        ----------
        X, y, groups : object, default=None
            Not looked at.

        Returns
        -------
        int
        """
        return self.n_splits

    def split(self, X, y, groups=None):
        """Training and test parts.

        Parameters
        ----------
        X : object of length n_samples
            Not looked at.
        y : array-like or list of length n_samples
            Outputs; -1 or None marks an unlabelled sample.
        groups : object, default=None
            Not looked at.

        Yields
        ------
        train, test : ndarray
            Indices, sorted. Test samples are labelled.

        Raises
        ------
        ValueError
            If there are fewer labelled samples than folds.
        """
        check_real("n_splits", self.n_splits, at_least=2, integer=True)
        labelled = _is_labelled(y)
        known = np.flatnonzero(labelled)
        if len(known) < self.n_splits:
            raise ValueError(
                f"n_splits must be at most the number of labelled samples, {len(known)}; "
                f"got {self.n_splits}."
            )
        folds = KFold(self.n_splits, shuffle=True, random_state=self.random_state)
        for _, test in folds.split(known):
            kept = np.ones(len(labelled), dtype=bool)
            kept[known[test]] = False
            yield np.flatnonzero(kept), known[test]


class LabelledOnly(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A supervised estimator that is given the labelled samples only.

    Parameters
    ----------
    estimator : estimator
        Has `fit` and `predict`.

    Attributes
    ----------
    estimator_ : estimator
        The fitted copy.
    classes_ : ndarray
        Its labels.
    n_features_in_ : int
        Number of features.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from ofer.companions import LabelledOnly
    >>> model = LabelledOnly(KNeighborsClassifier(1))
    >>> model.fit([[0.0], [1.0], [2.0]], [0, -1, 1]).predict([[0.9]])
    array([0])
    """

    def __init__(self, estimator):
        self.estimator = estimator

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags

    def fit(self, X, y):
        """Fit the estimator to the labelled samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Labels; -1 or None marks an unlabelled sample.

        Returns
        -------
        self : LabelledOnly

        Raises
        ------
        ValueError
            If nothing is labelled.
        """
        inputs = check_inputs(self, X, sequential=False, reset=True)
        labelled, labels = check_outputs(self, y, inputs, sequential=False)
        self.estimator_ = clone(self.estimator).fit(inputs.rows[labelled], labels)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X):
        """Predict labels.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_queries,)
            Labels.
        """
        check_is_fitted(self)
        return self.estimator_.predict(check_inputs(self, X, sequential=False, reset=False).rows)


def _is_labelled(y):
    """Which outputs are neither None nor the number -1."""
    return np.array(
        [not (output is None or (np.isscalar(output) and output == -1)) for output in y]
    )
