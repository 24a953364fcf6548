"""One generative model per class: the Bayes classifier, and log-likelihoods as features."""

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from ofer.companions.fisher_kernel.emissions import EMISSIONS
from ofer.companions.fisher_kernel.objects import check_classes, check_objects
from ofer.companions.fisher_kernel.pairwise_mrf import PairwiseMRF
from ofer.utils.fitting import fit_context

__all__ = ["PairwiseMRFClassifier"]


class PairwiseMRFClassifier(ClassifierMixin, TransformerMixin, BaseEstimator):
    r"""Bayes classifier with a pairwise Markov random field for each class.

    .. math:: p(y = c \mid X) \propto p(X \mid y = c)\, p(y = c)

    A model is fitted to the objects of each class. Their log-likelihoods, not normalised, are the
    likelihood representation of section 4.2 of the paper, the result of `transform`. Of symbols,
    all models know as many as the training objects of all classes have.
    """

    _parameter_constraints: ClassVar[dict] = {"model": [PairwiseMRF, None]}

    def __init__(self, model: PairwiseMRF | None = None):
        self.model = model

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, objects: Sequence, y: ArrayLike) -> Self:
        """Fit a model to the objects of each class."""
        model = PairwiseMRF(5) if self.model is None else clone(self.model)
        kind = EMISSIONS[model.emission]
        checked = check_objects(objects, kind, model.n_symbols)
        self.classes_, codes, counts = check_classes(y, len(checked.sizes))
        if kind.of_symbols:
            model.set_params(n_symbols=checked.width)
        self.models_ = [
            clone(model).fit([objects[i] for i in np.flatnonzero(codes == c)])
            for c in range(len(self.classes_))
        ]
        self.class_log_prior_ = np.log(counts / counts.sum())
        self.n_features_in_ = self.models_[0].n_features_in_
        return self

    def transform(self, objects: Sequence) -> np.ndarray:
        r"""Log-likelihoods :math:`\log p(X \mid y = c)`: the likelihood representation."""
        check_is_fitted(self)
        return np.column_stack([model.loglikelihood(objects) for model in self.models_])

    def get_feature_names_out(self, input_features: object = None) -> np.ndarray:
        """Names of the log-likelihoods."""
        check_is_fitted(self)
        return np.array([f"loglikelihood_{c}" for c in self.classes_], dtype=object)

    def predict(self, objects: Sequence) -> np.ndarray:
        """Most probable class of each object."""
        best = self._joint(objects).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, objects: Sequence) -> np.ndarray:
        """Probabilities of the classes."""
        return softmax(self._joint(objects), axis=1)

    def _joint(self, objects):
        """Log-likelihoods plus log priors."""
        logs = self.transform(objects)
        return logs + self.class_log_prior_
