"""What a space of structured outputs has to know, for learning and for prediction."""

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

__all__ = ["OutputSpace", "Scores", "first_best", "largest_and_first", "listed", "ranges", "slack"]


class Scores(NamedTuple):
    """How well codes fit inputs, for a batch of q problems of inference.

    A problem is one input under one predictor. An input has one row of features or, for
    sequences, one a step; the rows of all problems are concatenated.

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


class OutputSpace(BaseEstimator):
    r"""What learning and prediction need to know of structured outputs.

    The joint representation of an input with rows :math:`x_1, \ldots, x_T` (one, unless it is a
    sequence) and an output :math:`y` is

    .. math:: \Phi(x, y) = \Bigl( \sum_t x_t \otimes \psi_t(y), \; g(y) \Bigr) ,

    with codes :math:`\psi_t(y)` and shared features :math:`g(y)` that the input has no part in,
    such as counts of transitions. Equations (26) and (27) of [1]_ are of this form.

    A new space is a subclass with the methods below. All work on batches. Outputs are encoded as
    one integer a row of features, concatenated, so that arrays of outputs and of `Scores` have
    the same rows.

    Attributes
    ----------
    sequential : bool
        Whether inputs are sequences of rows of features, and outputs sequences of as many labels.

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

    def fit(self, y):
        r"""Learn the labels.

        Parameters
        ----------
        y : array-like or list of length n_labelled
            Outputs, none missing.

        Returns
        -------
        self : OutputSpace
            With `n_codes_` and `n_shared_`, the lengths of :math:`\psi` and :math:`g`, and
            `n_labels_`: encoded outputs are less than that.
        """
        raise NotImplementedError

    def transform(self, y):
        """Encode outputs.

        Parameters
        ----------
        y : array-like or list of length q
            Outputs.

        Returns
        -------
        ndarray of shape (n_rows,)
            One integer a row.

        Raises
        ------
        ValueError
            If an output is not in the space.
        """
        raise NotImplementedError

    def inverse_transform(self, y, lengths):
        """Decode outputs.

        Parameters
        ----------
        y : ndarray of shape (n_rows,)
            Encoded outputs.
        lengths : ndarray of shape (q,)
            Number of rows of each.

        Returns
        -------
        array or list of length q
            Outputs as `fit` takes them.
        """
        raise NotImplementedError

    def features(self, y, lengths):
        r"""Codes and shared features of outputs.

        Parameters
        ----------
        y : ndarray of shape (n_rows,)
            Encoded outputs.
        lengths : ndarray of shape (q,)
            Number of rows of each.

        Returns
        -------
        codes : ndarray of shape (n_rows, n_codes)
            The :math:`\psi_t(y)`.
        shared : ndarray of shape (q, n_shared)
            The :math:`g(y)`.
        """
        raise NotImplementedError

    def losses(self, y, z, lengths):
        """The loss of predicting `z` where `y` is right, for each problem.

        Parameters
        ----------
        y, z : ndarray of shape (n_rows,)
            Encoded outputs.
        lengths : ndarray of shape (q,)
            Number of rows of each.

        Returns
        -------
        ndarray of shape (q,)
            Not negative, and zero where they agree.
        """
        raise NotImplementedError

    def decode(self, scores):
        """The output of the highest score, equation (2).

        Parameters
        ----------
        scores : Scores
            The problems.

        Returns
        -------
        ndarray of shape (n_rows,)
            Encoded outputs.
        """
        raise NotImplementedError

    def decode_augmented(self, scores, y):
        """The output of the highest sum of score and loss, equation (7).

        Parameters
        ----------
        scores : Scores
            The problems.
        y : ndarray of shape (n_rows,)
            Outputs that the loss is measured from.

        Returns
        -------
        ndarray of shape (n_rows,)
            Encoded outputs.
        """
        raise NotImplementedError

    def literal_step(self, totals, z, owner):
        """Minimise equation (16) for many samples: outputs, given those of the loss `z`.

        Parameters
        ----------
        totals : Scores
            For each sample, the sum of the scores of all predictors that have it as a neighbour.
        z : ndarray of shape (n_rows,)
            Outputs `decode_augmented`, of each predictor and sample.
        owner : ndarray of shape (q,)
            Which sample each of them belongs to.

        Returns
        -------
        ndarray
            Encoded outputs, one row for each of `totals`.
        """
        raise NotImplementedError

    def upper_bound_step(self, scores, totals, y, owner):
        """Lower the objective (9) over the outputs of many samples, never raising it.

        Parameters
        ----------
        scores : Scores
            The problems: each sample under each predictor that has it as a neighbour.
        totals : Scores
            Their sums for each sample.
        y : ndarray
            Outputs so far, one row for each of `totals`.
        owner : ndarray of shape (q,)
            Which sample each problem belongs to.

        Returns
        -------
        ndarray
            Encoded outputs, one row for each of `totals`.
        """
        raise NotImplementedError

    def values(self, scores, y):
        r"""The scores :math:`w^\top \Phi(x, y)` of given outputs.

        Parameters
        ----------
        scores : Scores
            The problems.
        y : ndarray of shape (n_rows,)
            Encoded outputs.

        Returns
        -------
        ndarray of shape (q,)
        """
        codes, shared = self.features(y, scores.lengths)
        rows = np.einsum("rc,rc->r", scores.rows, codes)
        starts = np.cumsum(scores.lengths) - scores.lengths
        return np.add.reduceat(rows, starts) + np.einsum("qs,qs->q", scores.shared, shared)

    def hinge(self, scores, y):
        r"""The bound (6) on the loss, :math:`\max_z w^\top(\Phi(x,z)-\Phi(x,y)) + \Delta(y,z)`.

        Parameters
        ----------
        scores : Scores
            The problems.
        y : ndarray of shape (n_rows,)
            Encoded outputs.

        Returns
        -------
        ndarray of shape (q,)
            Not negative.
        """
        return self.margin(scores, y, self.decode_augmented(scores, y))

    def margin(self, scores, y, z):
        r"""The term :math:`w^\top(\Phi(x,z)-\Phi(x,y)) + \Delta(y,z)` of the objective (9).

        Parameters
        ----------
        scores : Scores
            The problems.
        y, z : ndarray of shape (n_rows,)
            Encoded outputs.

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


def ranges(starts, lengths):
    """The ranges ``starts[i], ..., starts[i] + lengths[i] - 1``, concatenated."""
    starts, lengths = np.asarray(starts), np.asarray(lengths)
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + lengths, lengths)


def listed(labels, most=10):
    """The labels, or the first of them, for a message."""
    shown = ", ".join(repr(label) for label in labels[:most].tolist())
    return shown + (", ..." if len(labels) > most else "")
