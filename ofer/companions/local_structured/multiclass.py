"""Classes as outputs."""

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ofer.companions.local_structured.finite import FiniteOutputs
from ofer.utils.sklearn_private import fit_context

__all__ = ["MulticlassOutputs"]


class MulticlassOutputs(FiniteOutputs):
    """Classes, coded as indicators, with the 0/1 loss of equation (25).

    Parameters
    ----------
    classes : array-like of shape (n_classes,), default=None
        The labels; None takes those of the labelled samples.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    codes_ : ndarray of shape (n_classes, n_classes)
        The identity.
    loss_matrix_ : ndarray of shape (n_classes, n_classes)
        Ones off the diagonal.

    See Also
    --------
    OutputSpace : Describes the methods.

    References
    ----------
    .. [1] Du, "Semi-supervised learning of local structured output predictors", Neurocomputing
       2016, equations (24) to (26).

    Examples
    --------
    >>> from ofer.companions import MulticlassOutputs
    >>> space = MulticlassOutputs().fit(["cat", "dog", "cat"])
    >>> space.transform(["dog", "cat"])
    array([1, 0])
    """

    _parameter_constraints: ClassVar[dict] = {"classes": ["array-like", None]}

    def __init__(self, classes: ArrayLike | None = None):
        self.classes = classes

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, y: ArrayLike | Sequence) -> Self:
        """Take the classes from the labels, unless they were given.

        Parameters
        ----------
        y : array-like of shape (n_labelled,)
            Labels, none missing.

        Returns
        -------
        self : MulticlassOutputs
        """
        self.classes_ = np.unique(y if self.classes is None else self.classes)
        self.codes_ = np.eye(len(self.classes_))
        self.loss_matrix_ = 1.0 - self.codes_
        return self

    def _all_scores(self, scores):
        return scores.rows  # codes are indicators
