"""The rank of the true class, by which choices are made where images are few."""

import numpy as np

__all__ = ["mean_rank"]


def mean_rank(scores, y):
    """Mean rank of the true class, from 0; classes of the same score share theirs."""
    true = np.take_along_axis(scores, y[:, None], axis=1)
    return float(((scores > true).sum(axis=1) + ((scores == true).sum(axis=1) - 1) / 2).mean())
