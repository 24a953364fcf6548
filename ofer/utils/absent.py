"""Rows of samples; those of weight zero are absent, and nothing that they hold may matter."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import validate_data

from ofer.utils.sklearn_private import check_feature_names, num_samples, safe_indexing
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_entries, check_even, check_weights


def cover_absent(
    sample_weight: ArrayLike | None, X: MatrixLike, *others: Any, pairwise: bool = False
) -> tuple[Any, ...]:
    """Checked weights, and data in which a copy of a present sample covers each absent one.

    So no number of an absent sample gets into a sum, and all arrays keep their rows. It is done
    before anything else looks at the data: an absent sample may hold what no sample may, as NaN.

    What is not None in `others` has a row for each sample. If `pairwise`, X is a kernel matrix, of
    which columns are covered, too. Returns the weights (n_samples,) or None, X and the others: the
    same objects where no sample is absent; but rows of sparse inputs can be taken. Raises
    ValueError if a weight is negative or not finite, or no sample is present.
    """
    weights, X = check_weights(sample_weight, X), indexable(X)
    places = stand_ins(weights)
    if places is None:
        return weights, X, *others
    n, X = len(places), take(X, places)
    if pairwise and np.shape(X)[1:] == (n,):
        X = take_columns(X, places)
    # Other lengths are left for others to check.
    return weights, X, *(take(one, places) if _length(one) == n else one for one in others)


def all_absent(sample_weight: ArrayLike | None, X: MatrixLike) -> bool:
    """Whether a batch has no sample, since all weights are zero."""
    if sample_weight is None or np.ndim(sample_weight) == 0:
        return False
    check_entries("sample_weight", sample_weight)
    check_consistent_length(X, sample_weight)
    return not np.any(np.asarray(sample_weight, dtype=np.float64))


def stand_ins(weights: NDArray | None) -> NDArray | None:
    """For each sample the place of one that is present: its own, if it is; None if all are."""
    if weights is None or weights.all():
        return None
    if not weights.any():
        raise ValueError("sample_weight must be positive for at least one sample; got only zeros.")
    return np.where(weights > 0, np.arange(len(weights)), np.flatnonzero(weights)[0])


def present(sample_weight: NDArray | None) -> NDArray | slice:
    """Places of the samples of positive weight."""
    return slice(None) if sample_weight is None else np.flatnonzero(sample_weight)


def indexable(rows: Any) -> Any:
    """Inputs of which rows can be taken: sparse ones as CSR or CSC, with one part of each entry.

    A sparse matrix may hold an entry in several parts, which add up; few functions know.
    """
    if not sparse.issparse(rows):
        return rows
    rows = rows if rows.format in ("csr", "csc") else rows.tocsr()
    # A view that the caller has never seen: it has no flags that say what was true before.
    view = type(rows)((rows.data, rows.indices, rows.indptr), shape=rows.shape)
    if not view.has_canonical_format:
        rows = view.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    return rows


def look_at(estimator: BaseEstimator, X: MatrixLike, *y: Any) -> MatrixLike:
    """Inputs for an estimator inside, which checks their values: with names, and of numbers.

    With outputs y it is a fit, which remembers the names; without, these are compared.
    """
    if y:
        validate_data(estimator, X, *y, skip_check_array=True)
    else:
        check_feature_names(estimator, X, reset=False)
    check_even("X", X)
    shape = X.shape if hasattr(X, "shape") else (len(X),) if hasattr(X, "__len__") else ()
    if shape[:1] == (0,):
        raise ValueError(
            f"X must have a row: Found array with 0 sample(s) (shape={shape}) while a minimum of 1 "
            "is required."
        )
    return indexable(X)


def take(rows: Any, places: NDArray) -> Any:
    """Rows of an array, a frame, a list or a sparse matrix, as a thing of the same kind."""
    return safe_indexing(indexable(rows), places)


def take_columns(rows: MatrixLike, places: NDArray) -> MatrixLike:
    """Columns of a kernel matrix."""
    return rows[:, places] if sparse.issparse(rows) else np.asarray(rows)[:, places]


def of_order_one(weights: NDArray | None) -> NDArray | None:
    """Weights over their mean, if that is large or small.

    A factor on all weights means nothing. But scikit-learn's scaler takes their sum for a number of
    samples, and columns for constant if it is 1e15.
    """
    if weights is None or 1e-6 < (mean := weights.mean()) < 1e6:
        return weights
    return weights / mean


def stack_rows(parts: Sequence) -> Any:
    """Rows of several arrays, or frames, or sparse matrices; of an array and a frame, an array."""
    if any(map(sparse.issparse, parts)):
        return sparse.vstack(parts, format="csr")
    packages = {type(part).__module__.partition(".")[0] for part in parts}
    package = packages.pop() if len(packages) == 1 else "numpy"
    if package == "pandas":
        import pandas as pd

        return pd.concat(parts, ignore_index=True)
    if package == "polars":
        import polars as pl

        return pl.concat(parts)
    if package == "pyarrow":
        import pyarrow as pa

        return pa.concat_tables(parts)
    return np.concatenate([np.asarray(part) for part in parts])


def _length(rows: Any) -> int | None:
    """Number of rows, or None of what has none."""
    return num_samples(rows) if hasattr(rows, "__len__") or hasattr(rows, "shape") else None
