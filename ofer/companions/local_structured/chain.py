"""Sequences of labels as outputs."""

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ofer.companions._checks import join_labels
from ofer.companions.local_structured.space import OutputSpace, Scores, encode, rows_of, slack
from ofer.companions.local_structured.viterbi import best_other_path, best_path
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import StrOptions


@quiet
class ChainOutputs(OutputSpace):
    r"""Output space of label sequences, with one label for each step of an input sequence.

    The joint representation is the histogram of the transitions between labels that follow each
    other, and for each label the sum of the features of the steps that have it. All inference is
    by dynamic programming, O(T K^2) for T steps and K labels.

    Parameters
    ----------
    states : array-like of shape (K,), default=None
        The labels of a step; None takes those of the labelled sequences.
    loss : {"zero_one", "hamming"}, default="zero_one"
        Whether any step is wrong, as in the paper, or how many are.

    Attributes
    ----------
    states_, labels_ : ndarray of shape (K,)
        The labels of a step, sorted.
    n_codes_, n_shared_ : int
        K, a code for each label, and the number of pairs of labels.

    See Also
    --------
    OutputSpace : Describes the methods.

    Notes
    -----
    The 0/1 loss does not decompose over steps, but it is one for all sequences but `y`:
    `decode_augmented` is `y` or the best other sequence, which is exact. So are both steps over
    outputs: apart from the votes for or against a few sequences, one for each neighbourhood, the
    sum of scores decides, so that its best path and these sequences are all that can win. Under
    the Hamming loss the literal step is exact too; the upper-bound step takes the best of three
    outputs, the present one among them.

    References
    ----------
    .. [1] Du, "Semi-supervised learning of local structured output predictors", Neurocomputing
       2016, section 4.1, data set IV.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer.companions import ChainOutputs
    >>> space = ChainOutputs(loss="hamming").fit([["a", "b", "b"], ["a"]])
    >>> y = space.transform([["a", "b", "b"]])
    >>> z = space.transform([["b", "b", "a"]])
    >>> space.losses(y, z, np.array([3]))
    array([2.])
    """

    sequential = True

    _parameter_constraints: ClassVar[dict] = {
        "states": ["array-like", None],
        "loss": [StrOptions({"zero_one", "hamming"})],
    }

    def __init__(self, states: ArrayLike | None = None, *, loss: str = "zero_one"):
        self.states = states
        self.loss = loss

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, y: ArrayLike | Sequence) -> Self:
        self.states_ = np.unique(
            _joined(y) if self.states is None else join_labels("states", [self.states])
        )
        self.labels_, self.n_codes_ = self.states_, len(self.states_)
        self.n_shared_ = self.n_codes_**2  # pairs of labels
        return self

    def transform(self, y: ArrayLike | Sequence) -> NDArray:
        return encode(self.states_, _joined(y))

    def inverse_transform(self, y: NDArray, lengths: NDArray) -> list:
        return np.split(self.states_[y], np.cumsum(lengths)[:-1])

    def features(self, y: NDArray, lengths: NDArray) -> tuple[NDArray, NDArray]:
        chain, pair = self._pairs(y, lengths)
        q, size = len(lengths), self.n_shared_
        shared = np.bincount(chain * size + pair, minlength=q * size).reshape(q, size)
        return np.eye(self.n_codes_)[y], shared.astype(np.float64)

    def values(self, scores: Scores, y: NDArray) -> NDArray:
        chain, pair = self._pairs(y, scores.lengths)
        moves = np.bincount(chain, scores.shared[chain, pair], len(scores.lengths))
        starts = np.cumsum(scores.lengths) - scores.lengths
        return moves + np.add.reduceat(scores.rows[np.arange(len(y)), y], starts)

    def losses(self, y: NDArray, z: NDArray, lengths: NDArray) -> NDArray:
        starts = np.cumsum(lengths) - lengths
        wrong = np.add.reduceat((y != z).astype(np.float64), starts)
        return wrong if self.loss == "hamming" else (wrong > 0).astype(np.float64)

    def decode(self, scores: Scores) -> NDArray:
        return best_path(scores.rows, self._transitions(scores), scores.lengths)

    def decode_augmented(self, scores: Scores, y: NDArray) -> NDArray:
        if self.loss == "hamming":
            rows = scores.rows + 1.0
            rows[np.arange(len(y)), y] -= 1.0
            return self.decode(scores._replace(rows=rows))
        other = self._best_other(scores, y)
        challenge = self.values(scores, other) + 1.0
        stay = self.values(scores, y) >= challenge - slack(challenge)
        return np.where(np.repeat(stay, scores.lengths), y, other)

    def literal_step(self, totals: Scores, z: NDArray, owner: NDArray) -> NDArray:
        if self.loss == "hamming":
            cells = rows_of(totals.lengths, owner) * self.n_codes_ + z
            agree = np.bincount(cells, minlength=totals.rows.size).reshape(totals.rows.shape)
            return self.decode(totals._replace(rows=totals.rows + agree))
        return self._elect(totals, z, np.ones(len(owner)), owner)

    def upper_bound_step(
        self, scores: Scores, totals: Scores, y: NDArray, owner: NDArray
    ) -> NDArray:
        if self.loss == "hamming":
            return self._best_of_three(scores, totals, y, owner)
        # The bound is 1 + max_z w'Phi(x, z) for all outputs but the best one, where it is lower.
        best = self.decode(scores)
        other = self._best_other(scores, best)
        gap = self.values(scores, best) - self.values(scores, other)
        differ = self.losses(best, other, scores.lengths) > 0
        return self._elect(totals, best, np.where(differ, gap, 1.0).clip(0.0, 1.0), owner)

    def _pairs(self, y, lengths):
        """Transitions of all chains: the chain of each, and the number of its pair of labels."""
        chain = np.repeat(np.arange(len(lengths)), lengths)
        same = np.flatnonzero(chain[1:] == chain[:-1])
        return chain[same], y[same] * self.n_codes_ + y[same + 1]

    def _transitions(self, scores):
        return scores.shared.reshape(-1, self.n_codes_, self.n_codes_)

    def _best_other(self, scores, y):
        """The best sequence but `y`; `y` itself where there is no other."""
        if self.n_codes_ == 1:
            return y
        return best_other_path(scores.rows, self._transitions(scores), scores.lengths, y)

    def _elect(self, totals, proposals, votes, owner):
        """Maximise the total score of each sample plus the votes for the sequences proposed."""
        lengths = totals.lengths[owner]
        candidates = Scores(
            totals.rows[rows_of(totals.lengths, owner)], totals.shared[owner], lengths
        )
        padded = np.full((len(owner), lengths.max() + 1), -1)
        padded[:, 0] = owner
        padded[:, 1:][np.arange(lengths.max()) < lengths[:, None]] = proposals
        same = np.unique(padded, axis=0, return_inverse=True)[1].ravel()
        value = self.values(candidates, proposals) + np.bincount(same, votes)[same]

        elected = self.decode(totals)
        best = np.full(len(totals.lengths), -np.inf)
        np.maximum.at(best, owner, value)
        wins = best > self.values(totals, elected) + slack(best)
        near = np.flatnonzero(wins[owner] & (value >= (best - slack(best))[owner]))
        better = near[np.unique(owner[near], return_index=True)[1]]
        elected[rows_of(totals.lengths, owner[better])] = proposals[rows_of(lengths, better)]
        return elected

    def _best_of_three(self, scores, totals, y, owner):
        """The least objective of `y`, the best path, and the literal step."""
        rows = rows_of(totals.lengths, owner)
        z = self.decode_augmented(scores, y[rows])
        n_samples = len(totals.lengths)
        best, least = y, np.bincount(owner, self.hinge(scores, y[rows]), n_samples)
        for candidate in (self.decode(totals), self.literal_step(totals, z, owner)):
            cost = np.bincount(owner, self.hinge(scores, candidate[rows]), n_samples)
            best = np.where(np.repeat(cost < least, totals.lengths), candidate, best)
            least = np.minimum(cost, least)
        return best


def _joined(y):
    """Sequences of labels as one array."""
    for i, sequence in enumerate(y):
        shape = np.shape(sequence)
        if len(shape) != 1 or not shape[0]:
            raise ValueError(f"y[{i}] must be a sequence of at least one label; got shape {shape}.")
    return join_labels("y", y)
