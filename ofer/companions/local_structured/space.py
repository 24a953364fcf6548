"""Spaces of structured outputs: the contract of learning and prediction."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from ofer.companions._checks import number_like
from ofer.utils.products import quiet

MOST_SHOWN = 10  # labels in a message


class Scores(NamedTuple):
    """How well codes fit inputs, for a batch of q problems of inference.

    A problem is one input under one predictor. An input has one row of features or, for
    sequences, one per step; the rows of all problems are concatenated.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, n_codes)
        Score of every code on every row of features.
    shared : ndarray of shape (q, n_shared)
        Weights of the features that do not depend on the input; none for most spaces.
    lengths : ndarray of shape (q,)
        Number of rows of each problem.
    """

    rows: np.ndarray
    shared: np.ndarray
    lengths: np.ndarray


@quiet
class OutputSpace(ABC, BaseEstimator):
    r"""Base class of spaces of structured outputs: codes, losses, features and inference.

    The joint representation of an input with rows :math:`x_1, \ldots, x_T` (one, unless it is a
    sequence) and an output :math:`y` is

    .. math:: \Phi(x, y) = \Bigl( \sum_t x_t \otimes \psi_t(y), \; g(y) \Bigr) ,

    with codes :math:`\psi_t(y)` and shared features :math:`g(y)` that the input has no part in,
    such as counts of transitions. Equations (26) and (27) of [1]_ are of this form.

    A new space is a subclass with the abstract methods below. All work on batches of q problems
    or outputs. An encoded output is one integer for each row of features; those of a batch are
    concatenated, so that arrays of outputs and of `Scores` have the same rows:

    - `y` and `z` are encoded outputs, ndarrays of shape (n_rows,);
    - `lengths`, ndarray of shape (q,), has the number of rows of each;
    - `scores` are the `Scores` of q problems of inference;
    - in steps over outputs many problems belong to one sample: `owner`, ndarray of shape (q,),
      says to which, and `totals` are the `Scores` of samples, sums over the problems of each.

    Attributes
    ----------
    sequential : bool
        Whether inputs are sequences of rows of features, and outputs sequences of as many labels.
    labels_ : ndarray of shape (n_labels,)
        What the integers of encoded outputs stand for, sorted.
    n_codes_, n_shared_ : int
        Lengths of :math:`\psi` and :math:`g`.

    See Also
    --------
    MulticlassOutputs : Classes, with the 0/1 loss.
    TreeOutputs : Leaves of a tree.
    ChainOutputs : Sequences of labels.

    References
    ----------
    .. [1] Du, "Semi-supervised learning of local structured output predictors", Neurocomputing
       2016, section 2.1.
    """

    sequential = False

    @abstractmethod
    def fit(self, y: ArrayLike | Sequence) -> Self:
        """Learn the labels from outputs, unless the parameters of the space say them.

        Parameters
        ----------
        y : array-like of shape (n_labelled,), or list of array-like of shape (T_i,)
            Outputs, none missing; sequences if the space is `sequential`.

        Returns
        -------
        self : OutputSpace
            With `labels_`, `n_codes_` and `n_shared_`.

        Raises
        ------
        ValueError
            If the parameters are not those of a space, or `y` does not hold outputs.
        """

    @abstractmethod
    def transform(self, y: ArrayLike | Sequence) -> np.ndarray:
        """Encode outputs.

        Returns
        -------
        ndarray of shape (n_rows,)
            One integer for each row.

        Raises
        ------
        ValueError
            If an output is not in the space.
        """

    @abstractmethod
    def inverse_transform(self, y: np.ndarray, lengths: np.ndarray) -> np.ndarray | list:
        """Decode outputs.

        Returns
        -------
        array or list of length q
            Outputs as `fit` takes them.
        """

    @abstractmethod
    def features(self, y: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r"""Codes and shared features of outputs.

        Returns
        -------
        codes : ndarray of shape (n_rows, n_codes)
            The :math:`\psi_t(y)`.
        shared : ndarray of shape (q, n_shared)
            The :math:`g(y)`.
        """

    @abstractmethod
    def losses(self, y: np.ndarray, z: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """The loss of predicting `z` where `y` is right, for each problem.

        Returns
        -------
        ndarray of shape (q,)
            Not negative, and zero where they agree.
        """

    @abstractmethod
    def decode(self, scores: Scores) -> np.ndarray:
        """The output of the highest score, equation (2).

        Returns
        -------
        ndarray of shape (n_rows,)
        """

    @abstractmethod
    def decode_augmented(self, scores: Scores, y: np.ndarray) -> np.ndarray:
        """The output of the highest sum of score and loss, measured from `y`: equation (7).

        Returns
        -------
        ndarray of shape (n_rows,)
        """

    @abstractmethod
    def literal_step(self, totals: Scores, z: np.ndarray, owner: np.ndarray) -> np.ndarray:
        """Minimise equation (16) for many samples, given the outputs `decode_augmented`.

        Returns
        -------
        ndarray
            One integer for each row of `totals`.
        """

    @abstractmethod
    def upper_bound_step(
        self, scores: Scores, totals: Scores, y: np.ndarray, owner: np.ndarray
    ) -> np.ndarray:
        """Lower the objective (9) over the outputs of many samples, `y` so far; never raise it.

        Returns
        -------
        ndarray
            One integer for each row of `totals`.
        """

    @abstractmethod
    def values(self, scores: Scores, y: np.ndarray) -> np.ndarray:
        r"""The scores :math:`w^\top \Phi(x, y)` of given outputs.

        Returns
        -------
        ndarray of shape (q,)
        """

    def hinge(self, scores: Scores, y: np.ndarray) -> np.ndarray:
        r"""The bound (6) on the loss, :math:`\max_z w^\top(\Phi(x,z)-\Phi(x,y)) + \Delta(y,z)`.

        Returns
        -------
        ndarray of shape (q,)
            Not negative.
        """
        return self.margin(scores, y, self.decode_augmented(scores, y))

    def margin(self, scores: Scores, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        r"""The term :math:`w^\top(\Phi(x,z)-\Phi(x,y)) + \Delta(y,z)` of the objective (9).

        Returns
        -------
        ndarray of shape (q,)
        """
        gain = self.values(scores, z) - self.values(scores, y)
        return gain + self.losses(y, z, scores.lengths)


def slack(values):
    """How far values may be apart and count as equal: more than rounding, less than anything else.

    Scores tie exactly more often than one would think, between labels that a neighbourhood has
    treated alike. Without this, rounding would decide, and results depend on the processor.
    """
    return 1e-10 * (1.0 + np.abs(values))


def first_best(values):
    """Index of the first of the largest values along the first axis, with `slack`."""
    return largest_and_first(np.ascontiguousarray(values))[1]


def largest_and_first(values):
    """The largest values along the first axis, and `first_best`."""
    largest, n = values.max(axis=0), len(values)
    near = values >= largest - slack(largest)
    # Maxima along the first axis are several times faster than finding the first one there.
    rank = np.arange(n, 0, -1, dtype=np.min_scalar_type(n)).reshape(-1, *[1] * (values.ndim - 1))
    return largest, n - (near * rank).max(axis=0).astype(np.intp)


def rows_of(lengths, which):
    """Rows of some of many parts, part after part; all parts lie one after the other."""
    first, sizes = (np.cumsum(lengths) - lengths)[which], lengths[which]
    return np.arange(sizes.sum()) + np.repeat(first - np.cumsum(sizes) + sizes, sizes)


def encode(labels, y):
    """Places of the entries of `y` among the sorted labels."""
    index, known = np.zeros(len(y), dtype=int), _comparable(labels, y)
    some = y[known]
    if labels.dtype.kind + some.dtype.kind in ("iu", "ui"):
        some = some.astype(labels.dtype)  # or NumPy would compare both as floats
    index[known] = np.searchsorted(labels, some).clip(max=len(labels) - 1)
    known[known] = labels[index[known]] == some
    if not known.all():
        shown = ", ".join(repr(label) for label in labels[:MOST_SHOWN].tolist())
        more = ", ..." if len(labels) > MOST_SHOWN else ""
        raise ValueError(f"y must have labels among {shown}{more}; got {y[~known].tolist()[0]!r}.")
    return index


def _comparable(labels, y):
    """Which entries of `y` may equal a label: NumPy compares numbers with strings as strings."""
    kinds = labels.dtype.kind + y.dtype.kind
    if number_like(labels.dtype) != number_like(y.dtype):
        return np.zeros(len(y), dtype=bool)
    bounds = {"iu": y <= np.iinfo(np.int64).max, "ui": y >= 0} if kinds in ("iu", "ui") else {}
    return bounds.get(kinds, np.ones(len(y), dtype=bool))
