"""Base class of estimators of structured outputs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ofer.companions.local_structured.chain import ChainOutputs
from ofer.companions.local_structured.finite import MulticlassOutputs
from ofer.companions.local_structured.inputs import check_steps
from ofer.companions.local_structured.space import OutputSpace
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import StrOptions

_BY_NAME = {"multiclass": MulticlassOutputs(), "chain": ChainOutputs()}
OUTPUTS_CONSTRAINT = [StrOptions(set(_BY_NAME)), OutputSpace]


def make_space(outputs: str | OutputSpace) -> OutputSpace:
    """An unfitted copy of the space that `outputs` is or names."""
    return clone(_BY_NAME.get(outputs, outputs))


@quiet
class StructuredEstimatorMixin(ABC, BaseEstimator):
    """An estimator with a parameter `outputs`, its fitted copy `outputs_`, and `predict`."""

    outputs_: OutputSpace

    @abstractmethod
    def predict(self, X: ArrayLike | Sequence) -> np.ndarray | list[np.ndarray]:
        """Outputs of queries."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def classes_(self) -> np.ndarray:
        """The labels: of samples, or of the steps of sequences."""
        check_is_fitted(self, "outputs_")
        return self.outputs_.labels_

    def score(self, X: ArrayLike | Sequence, y: ArrayLike | Sequence) -> float:
        """One minus the mean loss: the accuracy for the 0/1 loss.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features), or list of (T_i, d)
            Samples.
        y : array-like of shape (n_queries,), or list of array-like of shape (T_i,)
            Their outputs, none missing.

        Returns
        -------
        float
            At most one; negative where the loss exceeds one on average (28).
        """
        predicted = self.predict(X)
        check_consistent_length(predicted, y)
        space = self.outputs_
        lengths = np.array([len(p) for p in predicted] if space.sequential else [1] * len(y))
        encoded = space.transform(y)
        if space.sequential:
            check_steps(y, lengths, range(len(lengths)))
        losses = space.losses(encoded, space.transform(predicted), lengths)
        return 1.0 - float(losses.mean())
