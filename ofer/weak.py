"""Weak samples: their inputs beside labelled ones, and what their labels say of the outputs."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import erfcx, ndtr
from sklearn.utils import check_array, check_consistent_length

from ofer.utils.absent import indexable
from ofer.utils.entries import check_unmasked
from ofer.utils.sklearn_private import get_feature_names, num_samples
from ofer.utils.typing import Matrix, MatrixLike
from ofer.utils.validation import check_columns, check_even, check_range, reveal

SQRT2 = np.sqrt(2.0)


def check_weak_labels(X_weak: MatrixLike | None, **labels: Any) -> None:
    """Raise ValueError unless weak samples have labels of one kind, and labels samples."""
    names = [name for name, value in labels.items() if value is not None]
    if len(names) > 1:
        raise ValueError(f"{names[0]} and {names[1]} exclude each other; got both.")
    if (X_weak is None) != (not names):
        label = names[0] if names else "membership_weak"
        missing = "X_weak" if X_weak is None else label
        raise ValueError(f"X_weak and {label} go together; {missing} is None.")


def stack_inputs(
    X: MatrixLike,
    X_weak: MatrixLike,
    names: NDArray | None,
    pairwise: bool,
    ensure_min_samples: int = 1,
) -> tuple[Matrix, Matrix]:
    """Labelled inputs, and the weak ones below them; of a kernel, the matrix of all of them.

    Raises ValueError unless X_weak has the features of X, and their `names`, if both have some;
    with a kernel, its values with the labelled and then the weak inputs.
    """
    weak_names = get_feature_names(X_weak)
    if not (pairwise or names is None or weak_names is None) and [*names] != [*weak_names]:
        raise ValueError(
            f"X_weak must have the feature names of X, {[*names]}; got {[*weak_names]}."
        )
    X = check_array(
        X, input_name="X", accept_sparse=("csr", "csc"), ensure_min_samples=ensure_min_samples,
        ensure_min_features=ensure_min_samples if pairwise else 1,
    )  # fmt: skip
    check_even("X_weak", X_weak)
    X_weak = check_array(indexable(X_weak), input_name="X_weak", accept_sparse=("csr", "csc"))
    n = X.shape[0]
    if pairwise:
        check_columns("X_weak", X_weak, n + X_weak.shape[0], "labelled and weak inputs")
        return X, np.block([[X, X_weak[:, :n].T], [X_weak[:, :n], X_weak[:, n:]]])
    check_columns("X_weak", X_weak, X.shape[1], "the features of X")
    if sparse.issparse(X) or sparse.issparse(X_weak):
        return X, sparse.vstack([X, X_weak], format="csr")
    return X, np.vstack([X, X_weak])


def stack_weights(
    weights: NDArray | None, n: int, n_weak: int, weak_weight: float
) -> NDArray | None:
    """Weights of labelled and then weak samples, or None if all are one."""
    if weights is None and weak_weight == 1:
        return None
    labelled = np.ones(n) if weights is None else weights
    return np.append(labelled, np.full(n_weak, float(weak_weight)))


def encode_weak_memberships(model, X_weak, membership_weak):
    """Membership block of weak samples, checked, under an output model."""
    gamma = _check_membership(membership_weak, model.n_components_)
    check_consistent_length(X_weak, gamma)
    return model.encode_membership(gamma)


def _check_membership(membership: ArrayLike, n_components: int) -> NDArray:
    """Weak labels as responsibilities (n_weak, C)."""
    name = "membership_weak"
    if n_components < 2:
        raise ValueError(
            f"{name} must be labels among at least 2 components, as those of a single one say "
            f"nothing; got n_components={n_components}. Raise it, or drop the weak samples."
        )
    check_unmasked(name, membership)
    gamma = check_array(membership, ensure_2d=False, dtype=None, input_name=name)
    if gamma.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be numeric; got dtype {gamma.dtype}.")
    if gamma.ndim == 1:
        wrong = (gamma < 0) | (gamma >= n_components) | (gamma != np.floor(gamma))
        if wrong.any():
            raise ValueError(
                f"{name} must hold component indices from 0 to {n_components - 1}; "
                f"got {gamma[wrong][0]}."
            )
        return np.eye(n_components)[gamma.astype(np.intp)]
    check_columns(name, gamma, n_components, "one per component")
    sums = gamma.sum(axis=1)
    if (gamma < 0).any() or not np.allclose(sums, 1.0, atol=1e-6):
        raise ValueError(
            f"{name} must hold responsibilities: rows that are not negative and sum to "
            f"1; got a row with minimum {gamma.min():.3g}, or a sum of "
            f"{sums[np.abs(sums - 1).argmax()]:.6g}."
        )
    return gamma.astype(np.float64)


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
    if (partly := missing.any(axis=2) != missing.all(axis=2)).any():
        raise ValueError(
            "candidates_weak must have candidates of numbers, or of NaN alone to fill up; got some "
            f"that are missing in part in row(s) {_rows_with(partly)}."
        )
    if (empty := missing.all(axis=(1, 2))).any():
        raise ValueError(
            "candidates_weak must have a candidate in each row; got none in row(s) "
            f"{_rows_with(empty)}. Drop them."
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


def nearest_candidates(predicted: NDArray, outputs: NDArray, spreads: NDArray) -> NDArray:
    """Which of the candidates (n_weak, k, ...) is nearest to the prediction (n_weak, ...).

    Distances are in units of the `spreads` of the outputs.
    """
    squares = np.square((outputs - predicted[:, None]) / spreads)
    return np.nanargmin(squares.reshape(*outputs.shape[:2], -1).sum(axis=2), axis=1)
