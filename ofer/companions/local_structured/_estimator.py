"""What estimators of structured outputs share."""

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ofer._validation import check_option
from ofer.companions.local_structured._space import OutputSpace
from ofer.companions.local_structured.chain import ChainOutputs
from ofer.companions.local_structured.multiclass import MulticlassOutputs

__all__ = ["StructuredEstimatorMixin"]

_BY_NAME = {"multiclass": MulticlassOutputs, "chain": ChainOutputs}


class StructuredEstimatorMixin:
    """An estimator with a parameter `outputs`, its fitted copy `outputs_`, and `predict`."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def classes_(self):
        """The labels: of samples, or of the steps of sequences."""
        check_is_fitted(self, "outputs_")
        return self.outputs_.states_ if self.outputs_.sequential else self.outputs_.classes_

    def score(self, X, y):
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
        losses = space.losses(space.transform(y), space.transform(predicted), lengths)
        return 1.0 - float(losses.mean())

    def _make_space(self, loss=None):
        """An unfitted copy of the space that `outputs` is or names."""
        if isinstance(self.outputs, OutputSpace):
            if loss is not None:
                raise ValueError(f"loss must be None where outputs has its own; got {loss!r}.")
            return clone(self.outputs)
        if not isinstance(self.outputs, str):
            raise TypeError(
                f"outputs must be 'multiclass', 'chain' or an OutputSpace; got {self.outputs!r}."
            )
        check_option("outputs", self.outputs, _BY_NAME)
        if self.outputs == "chain":
            return ChainOutputs(loss=loss or "zero_one")
        check_option("loss", loss or "zero_one", ("zero_one",))
        return MulticlassOutputs()
