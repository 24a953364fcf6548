"""A supervised method among semi-supervised ones."""

from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags

from ofer.companions.local_structured.inputs import check_inputs, check_outputs

__all__ = ["LabelledOnly"]


class LabelledOnly(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A supervised estimator that is given the labelled samples only."""

    def __init__(self, estimator):
        self.estimator = estimator

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags

    def fit(self, X, y):
        """Fit the estimator to the labelled samples."""
        inputs = check_inputs(self, X, sequential=False, reset=True)
        labelled, labels = check_outputs(self, y, inputs, sequential=False)
        self.estimator_ = clone(self.estimator).fit(inputs.rows[labelled], labels)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X):
        """Predict labels."""
        return self.estimator_.predict(check_inputs(self, X, sequential=False, reset=False).rows)
