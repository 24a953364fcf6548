"""Weak samples whose output is one of several candidates, or has bounds."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, ndtr
from sklearn.utils import check_array, check_consistent_length

from ofer.utils.sklearn_private import num_samples
from ofer.utils.validation import check_range, reveal

SQRT2 = np.sqrt(2.0)


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


def check_bounds(y, X_weak, bounds_weak):
    """Least and greatest outputs (n_weak, ...) of weak samples, infinite where none is known."""
    if not isinstance(bounds_weak, tuple | list) or len(bounds_weak) != 2:
        raise ValueError(
            "bounds_weak must be a pair (low, high) of least and greatest outputs; got "
            f"{type(bounds_weak).__name__}."
        )
    low, high = (_check_bound(bound, y, X_weak) for bound in bounds_weak)
    for wrong, rule in (
        (low > high, "least outputs that are at most the greatest"),
        (np.isposinf(low) | np.isneginf(high), "infinite entries only where there is no bound"),
    ):
        if wrong.any():
            raise ValueError(
                f"bounds_weak must have {rule}; got others in row(s) {_rows_with(wrong)}."
            )
    silent = (np.isinf(low) & np.isinf(high)).reshape(len(low), -1).all(axis=1)
    if silent.any():
        raise ValueError(
            f"bounds_weak must have a bound in each row; got none in row(s) {_rows_with(silent)}. "
            "Drop them."
        )
    return low, high


def expected_within(low: NDArray, high: NDArray, centre: NDArray, spread: NDArray) -> NDArray:
    """Means of Gaussians of some centres and standard deviations, given their bounds.

    Where the deviation is zero, the centre is clipped. Bounds may be infinite, far or equal.
    """
    clipped = np.clip(centre, low, high)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        a, b = (low - centre) / spread, (high - centre) / spread
        flipped = a + b < 0  # a mean is minus that of the mirrored interval: b is far from zero
        a, b = np.where(flipped, -b, a), np.where(flipped, -a, b)
        width, drop = b - a, np.exp(-0.5 * (b - a) * (b + a))
        # Both are mean = (pdf(a) - pdf(b)) / (cdf(b) - cdf(a)), in the tail without its powers.
        tail = (1 - drop) / (erfcx(a / SQRT2) - drop * erfcx(b / SQRT2)) * np.sqrt(2 / np.pi)
        body = np.exp(-0.5 * a**2) * (1 - drop) / (ndtr(b) - ndtr(a)) / np.sqrt(2 * np.pi)
        narrow = 0.5 * (a + b) * (1 - width**2 / 12)
        mean = np.where(width < 1e-4, narrow, np.where(a > 0, tail, body))
        expected = centre + spread * np.where(flipped, -mean, mean)
    return np.clip(np.where(np.isfinite(expected), expected, clipped), low, high)


def _check_bound(bound, y, X_weak):
    """One side of the bounds in the shape of the weak samples' outputs, float64."""
    bound = np.asarray(reveal(bound), dtype=np.float64)
    if np.isnan(bound).any():
        raise ValueError(
            "bounds_weak must have no missing entries; got some. Where there is no bound, low is "
            "-inf and high is inf."
        )
    check_range("bounds_weak", np.where(np.isinf(bound), 0.0, bound))
    shape = (num_samples(X_weak), *y.shape[1:])
    try:
        return np.broadcast_to(bound, shape)
    except ValueError:
        raise ValueError(
            f"bounds_weak must have the shape of the weak samples' outputs, {shape}, or one that "
            f"numpy broadcasts to it; got shape {bound.shape}."
        ) from None


def _rows_with(wrong):
    """The first rows that have a wrong entry."""
    return np.flatnonzero(wrong.reshape(len(wrong), -1).any(axis=1))[:10].tolist()


def spreads_of(y: NDArray, weights: NDArray | None) -> NDArray:
    """Standard deviations of outputs, in the shape of one; 1 where an output does not vary."""
    Y = y.reshape(len(y), -1)
    shares = np.where(np.isnan(Y), 0.0, 1.0 if weights is None else weights[:, None])
    shares /= shares.sum(axis=0)
    Y = np.nan_to_num(Y)
    spreads = np.sqrt((shares * np.square(Y - (shares * Y).sum(axis=0))).sum(axis=0))
    return np.where(spreads > 0, spreads, 1.0).reshape(y.shape[1:])


def nearest_candidates(predicted: NDArray, outputs: NDArray, spreads: NDArray) -> NDArray:
    """Which of the candidates (n_weak, k, ...) is nearest to the prediction (n_weak, ...).

    Distances are in units of the `spreads` of the outputs.
    """
    squares = np.square((outputs - predicted[:, None]) / spreads)
    return np.nanargmin(squares.reshape(*outputs.shape[:2], -1).sum(axis=2), axis=1)
