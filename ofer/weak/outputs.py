"""Weak samples whose output is one of several candidates: one step beyond equation (14)."""

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_consistent_length

from ofer.utils.validation import check_range, reveal


def check_candidate_outputs(y, X_weak, candidates_weak):
    """Candidate outputs (n_weak, k, ...) of weak samples; those that fill up are NaN."""
    options = {"allow_nd": True, "ensure_all_finite": "allow-nan", "dtype": np.float64}
    outputs = check_array(reveal(candidates_weak), input_name="candidates_weak", **options)
    check_range("candidates_weak", outputs)
    if outputs.shape[2:] != y.shape[1:]:
        raise ValueError(
            "candidates_weak must have the shape (n_weak, k) and then that of an output, "
            f"{y.shape[1:]}; got shape {outputs.shape}."
        )
    check_consistent_length(X_weak, outputs)
    missing = np.isnan(outputs.reshape(*outputs.shape[:2], -1))
    if (part := missing.any(axis=2) != missing.all(axis=2)).any():
        raise ValueError(
            "candidates_weak must have candidates of numbers, or of NaN alone to fill up; got some "
            f"that are missing in part in row(s) {np.flatnonzero(part.any(axis=1))[:10].tolist()}."
        )
    if (empty := missing.all(axis=(1, 2))).any():
        raise ValueError(
            "candidates_weak must have a candidate in each row; got none in row(s) "
            f"{np.flatnonzero(empty)[:10].tolist()}. Drop them."
        )
    return outputs


def spreads_of(y: NDArray, weights: NDArray | None) -> NDArray:
    """Standard deviations of outputs, in the shape of one; 1 where an output does not vary."""
    masked = np.ma.masked_invalid(y.reshape(len(y), -1))
    centred = masked - np.ma.average(masked, axis=0, weights=weights)
    spreads = np.sqrt(np.ma.filled(np.ma.average(np.square(centred), axis=0, weights=weights), 0.0))
    return np.where(spreads > 0, spreads, 1.0).reshape(y.shape[1:])


def nearest_candidates(predicted: NDArray, outputs: NDArray, spreads: NDArray) -> NDArray:
    """Which of the candidates (n_weak, k, ...) is nearest to the prediction (n_weak, ...).

    Distances are in units of the `spreads` of the outputs.
    """
    squares = np.square((outputs - predicted[:, None]) / spreads)
    return np.nanargmin(squares.reshape(*outputs.shape[:2], -1).sum(axis=2), axis=1)
