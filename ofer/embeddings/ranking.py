"""Embeddings of rankings, with solved pre-images."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import csr_array

from ofer.embeddings.base import OutputModel
from ofer.utils.absent import cover_absent
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import StrOptions


@quiet
class RankingEmbedding(OutputModel):
    r"""Embedding of rankings of K labels by pairs, by positions or by their Lehmer code [1]_.

    An output has a number for each label, and the label of the least number is ranked first. So
    ranks are outputs, and so are costs. Predictions are decoded to the ranks 1 to K.

    With r the ranks of a ranking, its embedding is one of

    .. math::

        \phi_{ij}(r) = \operatorname{sign}(r_j - r_i), \; i < j, \qquad
        \phi_{kp}(r) = 1[r_k = p], \qquad
        \phi_j(r) = \#\{i < j : r_i > r_j\}, \; j > 1 .

    Squared distances of the first ("kemeny") are four times the number of pairs in another order,
    of the second ("hamming") twice the number of labels at another rank. The third ("lehmer") has
    the number of inversions at each label. The pre-image is the ranking of the nearest embedding.

    Parameters
    ----------
    kind : {"kemeny", "hamming", "lehmer"}, default="kemeny"
        Which embedding.

    Attributes
    ----------
    blocks_ : dict of slice
        The block "pairs", "positions" or "code" of the embedding's columns, of width
        :math:`K (K - 1) / 2`, :math:`K^2` or :math:`K - 1`.
    n_features_in_ : int
        Number of labels K.

    See Also
    --------
    ofer.OutputFisherRegressor : Learns to predict embeddings.

    Notes
    -----
    Labels with equal numbers are tied. The embedding of ties is the mean over all orders of the
    tied labels. Thus a list of the first few labels is an output in which all others are tied
    behind them. Decoded rankings have no ties.

    Decoding n rows takes O(n K^2) for "lehmer", which rounds each entry to a possible one. It takes
    n assignments, O(n K^3), for "hamming". For "kemeny" it takes O(n K^2) where the signs of a row
    are those of a ranking. Any other row is an integer program in K (K - 1) / 2 variables, solved
    exactly by `scipy.optimize.milp`: milliseconds for ten labels, and far too long for a hundred.

    References
    ----------
    .. [1] Korba, Garcia, d'Alché-Buc, "A structured prediction approach for label ranking",
       NeurIPS 2018.

    Examples
    --------
    >>> from ofer import RankingEmbedding
    >>> embedding = RankingEmbedding().fit([[1, 2, 3], [2, 1, 3]])
    >>> embedding.transform([[2, 1, 3]])
    array([[-1.,  1.,  1.]])
    >>> embedding.inverse_transform([[-0.2, 0.1, 0.9]])
    array([[2., 1., 3.]])
    """

    _parameter_constraints: ClassVar = {"kind": [StrOptions({"kemeny", "hamming", "lehmer"})]}

    def __init__(self, kind: str = "kemeny"):
        self.kind = kind

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, Y: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the number of labels.

        Parameters
        ----------
        Y : array-like of shape (n_samples, K)
            Ranks, or other numbers of which the least is ranked first.
        y : None
            Ignored; here for scikit-learn's pipelines.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative. Nothing depends on them: zero is an absent sample.

        Returns
        -------
        self : RankingEmbedding
        """
        _, Y = cover_absent(sample_weight, Y)
        K = self._check_outputs(Y, reset=True, ensure_min_features=2).shape[1]
        widths = {"kemeny": ("pairs", K * (K - 1) // 2), "hamming": ("positions", K * K)}
        block, width = widths.get(self.kind, ("code", K - 1))
        self._set_blocks(**{block: width})
        return self

    def transform(self, Y: ArrayLike) -> NDArray:
        Y = self._check_outputs(Y)
        # What stands at i, j: 1 if label i comes before label j, and 1/2 if they are tied.
        before = 0.5 * (1.0 + np.sign(Y[:, None, :] - Y[:, :, None]))
        first, second = np.triu_indices(Y.shape[1], k=1)
        if self.kind == "kemeny":
            return 2.0 * before[:, first, second] - 1.0
        if self.kind == "lehmer":
            return np.triu(1.0 - before, k=1).sum(axis=1)[:, 1:]
        tied = before == 0.5
        ahead = (before == 1.0).sum(axis=1)[:, :, None]
        n_tied = tied.sum(axis=1)[:, :, None]  # with the label itself
        places = np.arange(Y.shape[1])
        positions = (ahead <= places) & (places < ahead + n_tied)
        return (positions / n_tied).reshape(len(Y), -1)

    def inverse_transform(self, H: ArrayLike) -> NDArray:
        H = self.check_embeddings(H)
        decode = {"kemeny": _ranks_of_pairs, "hamming": _ranks_of_positions}
        return decode.get(self.kind, _ranks_of_code)(H, self.n_features_in_).astype(float)

    def _labels(self, block: str, columns: slice, outputs: Sequence[str]) -> list[str]:
        if self.kind == "kemeny":
            return [f"_{first}_{second}" for first, second in combinations(outputs, 2)]
        if self.kind == "lehmer":
            return [f"_{output}" for output in outputs[1:]]
        return [f"_{output}_{place + 1}" for output in outputs for place in range(len(outputs))]


def _ranks_of_pairs(H: NDArray, K: int) -> NDArray:
    """Rankings of the greatest inner product with predicted signs of pairs."""
    first, second = np.triu_indices(K, k=1)
    before = np.zeros((len(H), K, K), dtype=bool)
    before[:, first, second], before[:, second, first] = H > 0, H < 0
    # Signs are those of a ranking if and only if the labels lose against 0, 1, ..., K - 1 others.
    ranks = 1 + before.sum(axis=1)
    for row in np.flatnonzero((np.sort(ranks, axis=1) != 1 + np.arange(K)).any(axis=1)):
        size = np.abs(H[row]).max() or 1.0  # the solver's tolerances are absolute
        solved = milp(
            -H[row] / size,
            integrality=np.ones(len(first)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(_triangles(K), 0, 1),
        )
        x = np.rint(solved.x).astype(int)
        ranks[row] = 1 + np.bincount(second, x, K) + np.bincount(first, 1 - x, K)
    return ranks


@cache
def _triangles(K: int) -> csr_array:
    """For i < j < k the variables "i before j" and "j before k" minus "i before k", in rows."""
    column = np.zeros((K, K), dtype=int)
    column[np.triu_indices(K, k=1)] = np.arange(K * (K - 1) // 2)
    i, j, k = np.array([*combinations(range(K), 3)], dtype=int).reshape(-1, 3).T
    columns = np.column_stack([column[i, j], column[j, k], column[i, k]])
    rows = np.repeat(np.arange(len(i)), 3)
    signs = np.tile([1.0, 1.0, -1.0], len(i))
    return csr_array((signs, (rows, columns.ravel())), shape=(len(i), K * (K - 1) // 2))


def _ranks_of_positions(H: NDArray, K: int) -> NDArray:
    """Rankings of the greatest sum of predicted entries, one at each label and at each place."""
    assigned = [linear_sum_assignment(one, maximize=True)[1] for one in H.reshape(-1, K, K)]
    return 1 + np.array(assigned)


def _ranks_of_code(H: NDArray, K: int) -> NDArray:
    """Rankings of the nearest codes: label after label is put among those before it."""
    code = np.clip(np.rint(H), 0, np.arange(1, K)).astype(int)
    ranks = np.ones((len(H), K), dtype=int)
    for label in range(1, K):
        place = label + 1 - code[:, [label - 1]]
        ranks[:, :label] += ranks[:, :label] >= place
        ranks[:, [label]] = place
    return ranks
