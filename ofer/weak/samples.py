"""Labelled and weak samples together, and checks of weak labels."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import check_array, check_consistent_length

from ofer.utils.entries import check_unmasked
from ofer.utils.sklearn_private import get_feature_names
from ofer.utils.typing import Matrix, MatrixLike
from ofer.utils.validation import check_columns, check_even


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
    X_weak = check_array(X_weak, input_name="X_weak", accept_sparse=("csr", "csc"))
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
    gamma = _check_membership("membership_weak", membership_weak, model.n_components_)
    check_consistent_length(X_weak, gamma)
    return model.encode_membership(gamma)


def _check_membership(name: str, membership: ArrayLike, n_components: int) -> NDArray:
    """Weak labels as responsibilities (n_weak, C)."""
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
