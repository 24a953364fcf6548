"""Arrays as they are used, from the small ones that are stored."""

import numpy as np
from scipy.sparse import csr_matrix

__all__ = ["dequantised", "split_frames", "word_counts"]


def word_counts(arrays):
    """Sparse matrix of word counts, float64, from the three arrays of its rows and its shape."""
    parts = arrays["data"].astype(np.float64), arrays["indices"].astype(np.int32), arrays["indptr"]
    return csr_matrix(parts, shape=tuple(arrays["shape"].tolist()))


def dequantised(arrays):
    """Features, float32, from small integers and the size of a step in each column."""
    return arrays["features_q"] * arrays["scale"]


def split_frames(frames, lengths):
    """List of series, float64, from all their frames in a row and the number of each."""
    return np.split(frames.astype(np.float64), np.cumsum(lengths.astype(int))[:-1])
