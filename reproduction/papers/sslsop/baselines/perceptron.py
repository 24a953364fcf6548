"""A global linear predictor of structured outputs, from the labelled samples alone."""

from collections.abc import Sequence
from numbers import Integral
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ofer.companions import OutputSpace
from ofer.companions.local_structured.estimator import (
    OUTPUTS_CONSTRAINT,
    StructuredEstimatorMixin,
    make_space,
)
from ofer.companions.local_structured.inputs import check_inputs, check_outputs
from ofer.companions.local_structured.perceptron import learn_weights, predict_encoded
from ofer.utils.fitting import fit_context
from ofer.utils.sklearn_private import Interval

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

    _parameter_constraints: ClassVar[dict] = {
        "outputs": OUTPUTS_CONSTRAINT,
        "n_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        outputs: str | OutputSpace = "multiclass",
        *,
        n_iter: int = 10,
        fit_intercept: bool = True,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.outputs = outputs
        self.n_iter = n_iter
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike | Sequence, y: ArrayLike | Sequence) -> Self:
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
            fit_intercept=self.fit_intercept,
            rng=check_random_state(self.random_state),
        )
        return self

    def predict(self, X: ArrayLike | Sequence) -> np.ndarray | list[np.ndarray]:
        """Predict outputs."""
        check_is_fitted(self)
        inputs = check_inputs(self, X, sequential=self.outputs_.sequential, reset=False)
        y = predict_encoded(
            inputs,
            self.outputs_,
            self.coef_,
            self.shared_coef_,
            fit_intercept=self.fit_intercept,
        )
        return self.outputs_.inverse_transform(y, inputs.lengths)
