"""Arrays as they are used, from the small ones that are stored."""

import numpy as np
from scipy.sparse import csr_matrix

__all__ = ["dequantised", "split_frames", "word_counts"]


def word_counts(arrays):
    """Sparse matrix of word counts.

    Parameters
    ----------
    arrays : dict of str to ndarray
        `data`, `indices` and `indptr` of its rows, and its `shape`.

    Returns
    -------
    csr_matrix of shape (n_texts, n_words)
        Counts, float64.
    """
    parts = arrays["data"].astype(np.float64), arrays["indices"].astype(np.int32), arrays["indptr"]
    return csr_matrix(parts, shape=tuple(arrays["shape"].tolist()))


def dequantised(arrays):
    """Features from small integers and the size of a step in each column.

    Parameters
    ----------
    arrays : dict of str to ndarray
        `features_q` of shape (n, d) and `scale` of shape (d,).

    Returns
    -------
    ndarray of shape (n, d)
        Features, float32.
    """
    return arrays["features_q"] * arrays["scale"]


def split_frames(frames, lengths):
    """Series, from all their frames in a row.

    Parameters
    ----------
    frames : ndarray of shape (n_frames, d)
        All frames.
    lengths : ndarray of shape (n_series,)
        Number of frames of each series.

    Returns
    -------
    list of ndarray of shape (n_frames_i, d)
        The series, float64.
    """
    return np.split(frames.astype(np.float64), np.cumsum(lengths.astype(int))[:-1])
