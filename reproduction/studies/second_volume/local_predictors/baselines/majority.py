"""The most frequent label, always."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from ofer.companions.local_structured.estimator import StructuredEstimatorMixin, make_space
from ofer.companions.local_structured.inputs import check_inputs, check_outputs

__all__ = ["MajorityPredictor"]


class MajorityPredictor(StructuredEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Predicts the most frequent label, at every step of every sequence.

    Where most steps have the same label, as outside names in a text, this is hard to beat by the
    0/1 loss of sequences; a comparison without it says little.
    """

    def __init__(self, outputs="multiclass"):
        self.outputs = outputs

    def fit(self, X, y):
        """Count the labels."""
        space = make_space(self.outputs)
        inputs = check_inputs(self, X, sequential=space.sequential, reset=True)
        _, outputs = check_outputs(self, y, inputs, sequential=space.sequential)
        self.outputs_ = space.fit(outputs)
        self.label_ = self.classes_[np.bincount(space.transform(outputs)).argmax()]
        return self

    def predict(self, X):
        """Predict the label."""
        inputs = check_inputs(self, X, sequential=self.outputs_.sequential, reset=False)
        y = np.full(inputs.lengths.sum(), np.searchsorted(self.classes_, self.label_))
        return self.outputs_.inverse_transform(y, inputs.lengths)
