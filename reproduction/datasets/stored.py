"""Arrays as they are used, from the small ones that are stored."""

import numpy as np
from scipy.sparse import csr_matrix

__all__ = ["dequantised", "split_frames", "word_counts"]


def word_counts(arrays):
    """Sparse matrix of word counts (float64), from the parts and the shape of its rows."""
    parts = arrays["data"].astype(np.float64), arrays["indices"].astype(np.int32), arrays["indptr"]
    return csr_matrix(parts, shape=tuple(arrays["shape"].tolist()))


def dequantised(arrays):
    """Features (float32) from small integers and the size of a step in each column."""
    return arrays["features_q"] * arrays["scale"]


def split_frames(frames, lengths):
    """Series (float64) of these lengths, from all their frames in a row."""
    return np.split(frames.astype(np.float64), np.cumsum(lengths.astype(int))[:-1])
