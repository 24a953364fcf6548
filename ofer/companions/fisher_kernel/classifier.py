"""One generative model a class: the Bayes classifier, and log-likelihoods as features."""

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ofer.companions.fisher_kernel._objects import check_objects
from ofer.companions.fisher_kernel.pairwise_mrf import PairwiseMRF

__all__ = ["PairwiseMRFClassifier"]


class PairwiseMRFClassifier(ClassifierMixin, TransformerMixin, BaseEstimator):
    r"""Bayes classifier with a pairwise Markov random field for each class.

    .. math:: p(y = c \mid X) \propto p(X \mid y = c)\, p(y = c)

    A model is fitted to the objects of each class. Their log-likelihoods, not normalised, are the
    likelihood representation of [1]_, the result of `transform`.

    Parameters
    ----------
    model : PairwiseMRF, default=None
        The model that is cloned for each class; None takes ``PairwiseMRF(5)``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Classes.
    models_ : list of PairwiseMRF
        The model of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithms of the classes' shares of the training objects.
    n_features_in_ : int
        Columns of the nodes; 1 for symbols.

    See Also
    --------
    PairwiseMRF : Its transform is the Fisher representation.
    FisherKernelLearner : Its transform is the learned Fisher representation.

    Notes
    -----
    Of symbols, all models know as many as the training objects of all classes have.

    The cost is that of fitting and evaluating n_classes models.

    References
    ----------
    .. [1] van der Maaten, "Learning discriminative Fisher kernels", ICML 2011, section 4.2.

    Examples
    --------
    >>> from ofer.companions import PairwiseMRF, PairwiseMRFClassifier
    >>> from ofer.datasets import make_markov_sequences
    >>> data = make_markov_sequences(120, random_state=0)
    >>> model = PairwiseMRF(3, tol=1e-3, random_state=0)
    >>> bayes = PairwiseMRFClassifier(model).fit(data.sequences[:60], data.y[:60])
    >>> bool(bayes.score(data.sequences[60:], data.y[60:]) > 0.8)
    True
    >>> bayes.transform(data.sequences[60:]).shape
    (60, 2)
    """

    def __init__(self, model=None):
        self.model = model

    def fit(self, objects, y):
        """Fit a model to the objects of each class.

        Parameters
        ----------
        objects : list
            Chains, or graphs, see `PairwiseMRF`.
        y : array-like of shape (n_objects,)
            Classes, at least two.

        Returns
        -------
        self : PairwiseMRFClassifier

        Raises
        ------
        TypeError, ValueError
            If the model is not a `PairwiseMRF`, an object is not one, or there is but one class.
        """
        if not isinstance(self.model, PairwiseMRF | None):
            raise TypeError(f"model must be a PairwiseMRF or None; got {self.model!r}.")
        model = PairwiseMRF(5) if self.model is None else clone(self.model)
        checked = check_objects(objects, model.emission, n_symbols=model.n_symbols)
        y = column_or_1d(y)
        if len(y) != len(checked.sizes):
            raise ValueError(
                f"y must have one class an object, {len(checked.sizes)}; got {len(y)}."
            )
        check_classification_targets(y)
        self.classes_, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must have at least two classes; got {self.classes_.tolist()}.")
        if model.emission == "multinomial":
            model.set_params(n_symbols=model.n_symbols or int(checked.nodes.max()) + 1)
        self.models_ = [
            clone(model).fit([objects[i] for i in np.flatnonzero(codes == c)])
            for c in range(len(self.classes_))
        ]
        self.class_log_prior_ = np.log(counts / counts.sum())
        self.n_features_in_ = self.models_[0].n_features_in_
        return self

    def transform(self, objects):
        r"""Log-likelihoods :math:`\log p(X \mid y = c)`: the likelihood representation.

        Parameters
        ----------
        objects : list
            Chains, or graphs.

        Returns
        -------
        ndarray of shape (n_objects, n_classes)
        """
        check_is_fitted(self)
        return np.column_stack([model.loglikelihood(objects) for model in self.models_])

    def predict(self, objects):
        """Most probable class of each object.

        Parameters
        ----------
        objects : list
            Chains, or graphs.

        Returns
        -------
        ndarray of shape (n_objects,)
        """
        best = self._joint(objects).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, objects):
        """Probabilities of the classes.

        Parameters
        ----------
        objects : list
            Chains, or graphs.

        Returns
        -------
        ndarray of shape (n_objects, n_classes)
            Rows sum to one.
        """
        return softmax(self._joint(objects), axis=1)

    def _joint(self, objects):
        """Log-likelihoods plus log priors."""
        logs = self.transform(objects)
        return logs + self.class_log_prior_
