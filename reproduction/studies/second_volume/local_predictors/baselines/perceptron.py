"""A global linear predictor of structured outputs, from the labelled samples alone."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state

from ofer.companions.local_structured.estimator import StructuredEstimatorMixin, make_space
from ofer.companions.local_structured.inputs import check_inputs, check_outputs
from ofer.companions.local_structured.perceptron import learn_weights, predict_encoded

__all__ = ["StructuredPerceptron"]


class StructuredPerceptron(StructuredEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""Averaged structured perceptron: one linear predictor for all inputs.

    Predicts :math:`\arg\max_y w^\top \Phi(x, y)` with the joint representation :math:`\Phi` of an
    `OutputSpace`. Samples come one by one, in a new random order in each pass, and where the
    prediction :math:`\hat y` is wrong, :math:`w` moves by :math:`\Phi(x, y) - \Phi(x, \hat y)`
    [1]_. The weights are the average over all steps. Unlabelled samples are ignored. With zero
    weights, as with other ties, the first label is predicted.

    References
    ----------
    .. [1] Collins, "Discriminative training methods for hidden Markov models: theory and
       experiments with perceptron algorithms", EMNLP 2002.
    """

    def __init__(self, outputs="multiclass", *, n_iter=10, random_state=None):
        self.outputs = outputs
        self.n_iter = n_iter
        self.random_state = random_state

    def fit(self, X, y):
        """Fit the predictor to the labelled samples."""
        space = make_space(self.outputs)
        inputs = check_inputs(self, X, sequential=space.sequential, reset=True)
        labelled, outputs = check_outputs(self, y, inputs, sequential=space.sequential)
        self.outputs_ = space.fit(outputs)
        self.coef_, self.shared_coef_ = learn_weights(
            inputs.take(np.flatnonzero(labelled)),
            space.transform(outputs),
            space,
            n_iter=self.n_iter,
            fit_intercept=True,
            rng=check_random_state(self.random_state),
        )
        return self

    def predict(self, X):
        """Predict outputs."""
        space = self.outputs_
        inputs = check_inputs(self, X, sequential=space.sequential, reset=False)
        y = predict_encoded(inputs, space, self.coef_, self.shared_coef_, fit_intercept=True)
        return space.inverse_transform(y, inputs.lengths)
