"""One generative model per class: the Bayes classifier, and log-likelihoods as features."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone

__all__ = ["PairwiseMRFClassifier"]


class PairwiseMRFClassifier(ClassifierMixin, TransformerMixin, BaseEstimator):
    r"""Bayes classifier with a pairwise Markov random field for each class.

    .. math:: p(y = c \mid X) \propto p(X \mid y = c)\, p(y = c)

    A model is fitted to the objects of each class. Their log-likelihoods, not normalised, are the
    likelihood representation of section 4.2 of the paper, the result of `transform`.
    """

    def __init__(self, model):
        self.model = model

    def fit(self, objects, y):
        """Fit a model to the objects of each class."""
        self.classes_, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
        self.models_ = [
            clone(self.model).fit([objects[i] for i in np.flatnonzero(codes == c)])
            for c in range(len(self.classes_))
        ]
        self.class_log_prior_ = np.log(counts / counts.sum())
        return self

    def transform(self, objects):
        r"""Log-likelihoods :math:`\log p(X \mid y = c)`: the likelihood representation."""
        return np.column_stack([model.loglikelihood(objects) for model in self.models_])

    def predict(self, objects):
        """Most probable class of each object."""
        best = (self.transform(objects) + self.class_log_prior_).argmax(axis=1)
        return self.classes_[best]
