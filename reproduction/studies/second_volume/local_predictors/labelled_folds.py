"""Cross-validation on few labels."""

from itertools import islice

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold

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

    def __init__(self, n_splits=5, *, n_used=None, random_state=None):
        self.n_splits = n_splits
        self.n_used = n_used
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """Number of folds."""
        return self.n_splits if self.n_used is None else min(self.n_used, self.n_splits)

    def split(self, X, y, groups=None):
        """Training and test parts."""
        labelled = _is_labelled(y)
        known = np.flatnonzero(labelled)
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
