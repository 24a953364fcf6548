"""Checks of parameters and arrays, with one wording for all errors."""

import math
from collections.abc import Collection, Iterable, Sized
from contextlib import suppress
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, check_consistent_length, column_or_1d, get_tags

from ofer.utils.entries import check_no_times, check_numbers, check_unmasked, hides
from ofer.utils.labels import check_labels
from ofer.utils.sklearn_private import check_feature_names, check_n_features, check_sample_weight
from ofer.utils.typing import ListLike, Matrix, MatrixLike
from ofer.utils.warning import warn


def check_batches(batches: Iterable[ListLike]) -> ListLike:
    """The first of batches of data; ValueError unless they can be gone through again."""
    if iter(batches) is batches:
        raise ValueError(
            "batches must be a list, or what can be gone through again and again; "
            f"got {type(batches).__name__}."
        )
    for first in batches:
        return first
    raise ValueError("batches must hold at least one batch; got none.")


def check_alphas(alphas: ArrayLike | None, name: str = "alphas") -> None:
    """Raise ValueError unless candidates are None or positive numbers in one axis.

    The constraints of an estimator say whether they may be "fixed", too.
    """
    if alphas is None or isinstance(alphas, str):
        return
    check_even(name, alphas)
    values = np.asarray(alphas)
    if values.ndim != 1 or values.size == 0 or values.dtype.kind not in "fiu":
        raise ValueError(f"{name} must be numbers, at least one, in a 1-D array; got {alphas!r}.")
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError(f"{name} must be positive and finite; got {alphas!r}.")


def check_option(name: str, value: object, options: Collection) -> None:
    """Raise ValueError unless `value` is one of `options`."""
    if value not in options:
        listed = ", ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be one of {listed}; got {value!r}.")


def check_real(name, value, *, above=None, at_least=None, integer=False):
    """Raise TypeError or ValueError unless `value` is a finite number in range.

    `above` and `at_least` are the open and the closed lower end; `integer` asks for an integer.
    """
    kind, noun = (Integral, "an integer") if integer else (Real, "a real number")
    if isinstance(value, bool | np.bool_) or not isinstance(value, kind):
        raise TypeError(f"{name} must be {noun}; got {value!r}.")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite; got {value!r}.")
    if above is not None and value <= above:
        raise ValueError(f"{name} must be greater than {above}; got {value!r}.")
    if at_least is not None and value < at_least:
        raise ValueError(f"{name} must be at least {at_least}; got {value!r}.")


def check_weights(sample_weight: ArrayLike | None, X: MatrixLike) -> NDArray | None:
    """Weights (n_samples,) of the rows of X, float64; None for None."""
    if sample_weight is None:
        return None
    check_entries("sample_weight", sample_weight)
    weights = check_sample_weight(sample_weight, X, dtype=np.float64)
    if (weights < 0).any():
        raise ValueError(f"sample_weight must not be negative; got {weights.min()}.")
    return weights


def check_values(
    name: str,
    y: Any,
    *,
    missing: bool = False,
    advice: str = "KernelRidgeCV takes outputs of which some are missing.",
) -> Any:
    """Outputs as they are given, but with NaN for masked entries and for the NA of pandas.

    Raises an error for sparse outputs, for rows of different shapes, for labels, and for NaN unless
    entries may be `missing`; then it ends in some `advice`. Whatever else is wrong is left for
    others to check.
    """
    if sparse.issparse(y):
        raise TypeError(f"{name} must be dense; got a sparse matrix. Take {name}.toarray().")
    y = reveal(y)
    check_entries(name, y)
    values = np.asarray(y)
    if not missing and values.dtype.kind == "f" and (count := np.isnan(values).sum()):
        raise ValueError(
            f"Input {name} contains NaN, in {count} of {values.size} entries; it must be complete. "
            f"Fill or drop them; {advice}"
        )
    return y


def listed(rows: Any) -> Any:
    """Rows or series; those in an array of objects in one axis, as a list."""
    if isinstance(rows, np.ndarray) and rows.dtype == object and rows.ndim == 1:
        return rows.tolist()
    return rows


def reveal(array: Any) -> Any:
    """An array, frame or list of rows, with NaN for what a mask hides and for the NA of pandas."""
    array = listed(array)
    if hides(array):
        array = np.ma.stack(array) if isinstance(array, list | tuple) else array
        return np.ma.filled(array.astype(np.float64), np.nan)
    if hasattr(array, "isna") and np.asarray(array).dtype == object:
        with suppress(TypeError, ValueError):  # of labels
            values = array.to_numpy(dtype=object, na_value=np.nan)
            return values if any(isinstance(v, str) for v in values.flat) else values.astype(float)
    return array


def fill_missing(y: MatrixLike) -> tuple[MatrixLike, NDArray | None]:
    """Outputs with zeros for NaN, and where that is (n_samples, d), or None if none is missing.

    Whatever has not two axes of numbers is returned as it is, for others to check.
    """
    if sparse.issparse(y):
        return y, None
    try:
        values = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        return y, None
    missing = np.isnan(values)
    if values.ndim != 2 or not missing.any():
        return y, None
    if (empty := missing.all(axis=1)).any():
        raise ValueError(
            "y must have an observed output in each row; got none in row(s) "
            f"{np.flatnonzero(empty)[:10].tolist()}. Drop them."
        )
    if (few := (~missing).sum(axis=0) < 2).any():
        raise ValueError(
            "y must have two observed outputs in each column; got fewer in column(s) "
            f"{np.flatnonzero(few)[:10].tolist()}."
        )
    return np.where(missing, 0.0, values), missing


def check_range(name: str, array: Matrix, limit: float = 1e140) -> None:
    """Raise ValueError if squares of an array, dense or sparse, may overflow; NaN is left alone."""
    values = array.data if sparse.issparse(array) else array
    largest = float(max(np.nanmax(values, initial=0.0), -np.nanmin(values, initial=0.0)))
    if largest > limit:
        raise ValueError(
            f"{name} must be at most {limit:g} in absolute value, so that squares are finite; "
            f"got {largest:.3g}. Divide it by a constant."
        )


def check_spread(name: str, array: Matrix, least: float = 1e-150) -> None:
    """Raise ValueError if rows differ, but by so little that squares of differences are zero."""
    spread = (array.max(axis=0) - array.min(axis=0)).max()
    if 0 < spread < least:
        raise ValueError(
            f"{name} must have rows that are equal or differ by {least:g} or more, so that squares "
            f"of differences are not zero; got {spread:.3g}. Multiply it by a constant."
        )


def check_rows(
    estimator: BaseEstimator, name: str, rows: ArrayLike, *, reset: bool, **options: Any
) -> NDArray:
    """Rows (n, d), float64: what `validate_data` does for X, of an argument called `name`.

    Values whose squares would overflow are refused, too.
    """
    check_feature_names(estimator, rows, reset=reset)
    rows = reveal(rows)
    check_even(name, rows)
    checked = check_array(rows, dtype=np.float64, input_name=name, **options)
    try:
        check_n_features(estimator, checked, reset=reset)
    except ValueError as error:  # scikit-learn's words, which its own checks look for, call it X
        raise ValueError(
            f"{name} must have the columns of the fit; got shape {checked.shape}. {error}"
        ) from error
    check_range(name, checked)
    return checked


def warn_of_scales(y: NDArray, what: str) -> None:
    """Warn if `what` compares outputs by distances in which the largest column counts alone."""
    Y = y.reshape(len(y), -1)
    spreads = np.nanstd(Y, axis=0)
    spreads = spreads[spreads > 1e-10 * np.nanmax(np.abs(Y), axis=0)]
    if spreads.size and (ratio := spreads.max() / spreads.min()) > 1e3:
        warn(
            f"the standard deviations of the outputs y differ by a factor of {ratio:.3g}: {what} "
            "sees the largest alone. Standardise y.",
            UserWarning,
        )


def check_outputs(y: ArrayLike, embedding: BaseEstimator) -> NDArray:
    """Outputs of one to three axes, float64; NaN may stand for entries that an embedding allows."""
    allowed = get_tags(embedding).input_tags.allow_nan
    advice = "GaussianMixtureEmbedding with KernelRidgeCV takes outputs with missing entries."
    if getattr(y, "ndim", 2) > 2:
        advice = "a LinearGaussianSSM, which takes series with gaps, predicts what is missing."
    y = check_values("y", y, missing=allowed, advice=advice)
    partly = allowed and fill_missing(y)[1] is not None
    options = {"ensure_2d": False, "allow_nd": True, "ensure_min_samples": 2, "input_name": "y"}
    finite = "allow-nan" if partly else True
    return check_array(y, dtype=np.float64, ensure_all_finite=finite, **options)


def check_columns(name: str, array: Matrix, n_columns: int, meaning: str) -> None:
    """Raise ValueError unless the 2-D `array` has `n_columns` columns."""
    if array.shape[1] != n_columns:
        raise ValueError(
            f"{name} must have {n_columns} columns ({meaning}); got shape {array.shape}."
        )


def check_even(name: str, rows: MatrixLike | ListLike, *, advice: str = "") -> None:
    """Raise ValueError for what NumPy does not name: masked entries, dates, and rows of different
    shapes, with some `advice`.
    """
    check_unmasked(name, rows)
    check_no_times(name, rows)
    try:
        array = np.asarray(rows if isinstance(rows, list | tuple | np.ndarray) else 0)
        if array.dtype == object:
            array.astype(np.float64)
    except (TypeError, ValueError) as error:
        if "sequence" not in str(error):
            return  # left to checks of the values
        lengths = [len(row) if isinstance(row, Sized) else 1 for row in rows]
        raise ValueError(
            f"{name} must have rows of one shape; got rows of {min(lengths)} to {max(lengths)} "
            f"entries, or ragged ones.{advice}"
        ) from error


def check_entries(name: str, values: Any) -> None:
    """Raise ValueError for masked entries, dates, complex numbers, labels and ragged rows."""
    check_even(name, values)
    check_numbers(name, values)


def as_numbers(name: str, values: ArrayLike, **options: Any) -> NDArray:
    """Numbers, float64, of an argument that is not the X or y of an estimator.

    The options are those of scikit-learn's `check_array`.
    """
    check_entries(name, values)
    return check_array(values, dtype=np.float64, input_name=name, **options)


def as_targets(Y: ArrayLike, shape: tuple[int, ...]) -> NDArray:
    """Training targets, which were fitted in this shape, float64; NaN where missing."""
    options = {"ensure_2d": False, "allow_nd": True, "ensure_all_finite": "allow-nan"}
    targets = as_numbers("Y", reveal(Y), **options)
    if len(targets) != shape[0] or targets.size != math.prod(shape):
        raise ValueError(
            f"Y must have the shape {shape} of the training targets; got {targets.shape}."
        )
    return targets


def check_names(estimator: BaseEstimator, objects: ListLike, *, reset: bool) -> None:
    """Feature names of a list of frames, as scikit-learn's `validate_data` checks those of one."""
    if isinstance(objects, list | tuple):
        for i, item in enumerate(objects):
            if not isinstance(item, np.ndarray | list | tuple):
                check_feature_names(estimator, item, reset=reset and i == 0)


def columns_of(values: Any) -> list:
    """Names of the columns of a frame; none of other arrays."""
    names = getattr(values, "column_names", None)  # of pyarrow, whose `columns` are the values
    return [*(getattr(values, "columns", []) if names is None else names)]


def check_order(name: str, values: Any, expected: Iterable) -> None:
    """Raise ValueError if a frame has columns of the expected names in another order."""
    names, expected = columns_of(values), [*expected]
    if names != expected and {*names} == {*expected}:
        raise ValueError(f"{name} must have its columns in the order {expected}; got {names}.")


def check_kernel_values(name: str, values: MatrixLike, shape: tuple[int, int]) -> NDArray:
    """Kernel values from the function `name`, float64; ValueError unless finite and of `shape`."""
    K = values.toarray() if sparse.issparse(values) else np.asarray(values)
    wrong = K.shape != shape or K.dtype.kind not in "biuf"
    if wrong or not np.isfinite(K).all():
        raise ValueError(
            f"{name} must return finite values of shape {shape}; got shape {K.shape} of {K.dtype}"
            + ("." if wrong else ", with NaN or infinity.")
        )
    return K.astype(np.float64, copy=False)


def check_groups(groups: ArrayLike | None, X: MatrixLike) -> NDArray | None:
    """Labels of groups of the rows of X, at least two different ones, or None."""
    if groups is None:
        return None
    check_unmasked("groups", groups)
    if isinstance(groups, list | tuple):  # NumPy would make words of numbers beside them
        groups = np.array([*groups, None], dtype=object)[:-1]
    labels = check_labels("groups", column_or_1d(groups))
    check_consistent_length(X, labels)
    if (count := len(np.unique(labels))) < 2:
        raise ValueError(f"groups must have at least 2 different labels; got {count}.")
    return labels
