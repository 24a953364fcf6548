"""Cross-validation on few labels."""

from itertools import islice
from numbers import Integral
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold

from ofer.utils.sklearn_private import Interval, validate_parameter_constraints

__all__ = ["LabelledKFold"]


class LabelledKFold(BaseEstimator):
    """Cross-validation folds of the labelled samples; the unlabelled ones are always trained on.

    Examples
    --------
    >>> for train, test in LabelledKFold(2, random_state=0).split([[0.0]] * 5, [0, -1, 1, -1, 0]):
    ...     print(train, test)
    [0 1 3] [2 4]
    [1 2 3 4] [0]
    """

    _parameter_constraints: ClassVar[dict] = {
        "n_splits": [Interval(Integral, 2, None, closed="left")],
        "n_used": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(self, n_splits=5, *, n_used=None, random_state=None):
        self.n_splits = n_splits
        self.n_used = n_used
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """Number of folds."""
        return self.n_splits if self.n_used is None else min(self.n_used, self.n_splits)

    def split(self, X, y, groups=None):
        """Training and test parts."""
        validate_parameter_constraints(
            self._parameter_constraints, self.get_params(), type(self).__name__
        )
        labelled = _is_labelled(y)
        known = np.flatnonzero(labelled)
        if len(known) < self.n_splits:
            raise ValueError(
                f"n_splits must be at most the number of labelled samples, {len(known)}; "
                f"got {self.n_splits}."
            )
        folds = KFold(self.n_splits, shuffle=True, random_state=self.random_state)
        for _, test in islice(folds.split(known), self.n_used):
            kept = np.ones(len(labelled), dtype=bool)
            kept[known[test]] = False
            yield np.flatnonzero(kept), known[test]


def _is_labelled(y):
    """Which outputs are neither None nor the number -1."""
    return np.array(
        [not (output is None or (np.isscalar(output) and output == -1)) for output in y]
    )
