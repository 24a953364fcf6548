"""Output spaces that are small enough to be enumerated."""
# ruff: noqa: D102 - the methods are described by OutputSpace

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ofer.companions.local_structured.space import OutputSpace, Scores, encode, first_best

__all__ = ["FiniteOutputs"]


class FiniteOutputs(OutputSpace):
    """Outputs that are listed: a table of codes, and one of losses.

    A subclass sets, in `fit`, `classes_` (sorted labels), `codes_` of shape (n_outputs, n_codes)
    and `loss_matrix_` of shape (n_outputs, n_outputs). Inference takes O(n_outputs * n_codes) for
    each problem, the upper-bound step O(n_outputs**2). Ties go to the first label.
    """

    @property
    def labels_(self) -> NDArray:
        """The outputs."""
        return self.classes_

    @property
    def n_codes_(self) -> int:
        """Length of a code."""
        return self.codes_.shape[1]

    @property
    def n_shared_(self) -> int:
        """Number of shared features: none."""
        return 0

    def transform(self, y: ArrayLike | Sequence) -> NDArray:
        return encode(self.classes_, np.asarray(y))

    def inverse_transform(self, y: NDArray, lengths: NDArray) -> NDArray:
        return self.classes_[y]

    def features(self, y: NDArray, lengths: NDArray) -> tuple[NDArray, NDArray]:
        return self.codes_[y], np.zeros((len(y), 0))

    def losses(self, y: NDArray, z: NDArray, lengths: NDArray) -> NDArray:
        return self.loss_matrix_[y, z]

    def decode(self, scores: Scores) -> NDArray:
        return first_best(self._all_scores(scores).T)

    def decode_augmented(self, scores: Scores, y: NDArray) -> NDArray:
        return first_best(self._all_scores(scores).T + self.loss_matrix_.T[:, y])

    def values(self, scores: Scores, y: NDArray) -> NDArray:
        return np.take_along_axis(self._all_scores(scores), y[:, None], axis=1)[:, 0]

    def literal_step(self, totals: Scores, z: NDArray, owner: NDArray) -> NDArray:
        m, n_outputs = len(totals.lengths), len(self.classes_)
        votes = np.bincount(owner * n_outputs + z, minlength=m * n_outputs)
        cost = votes.reshape(m, n_outputs) @ self.loss_matrix_.T
        return first_best((self._all_scores(totals) - cost).T)

    def upper_bound_step(
        self, scores: Scores, totals: Scores, y: NDArray, owner: NDArray
    ) -> NDArray:
        values = np.ascontiguousarray(self._all_scores(scores).T)
        cost = -self._all_scores(totals).T
        for label, losses in enumerate(self.loss_matrix_):
            worst = (values + losses[:, None]).max(axis=0)
            cost[label] += np.bincount(owner, worst, minlength=cost.shape[1])
        return first_best(-cost)

    def _all_scores(self, scores):
        """Scores of all outputs (q, n_outputs)."""
        return scores.rows @ self.codes_.T
