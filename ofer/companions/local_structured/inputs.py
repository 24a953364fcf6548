"""Inputs as rows of features: one per sample, or one per step of each sequence."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack, issparse, vstack
from sklearn.base import clone
from sklearn.utils import check_array
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from ofer.companions._checks import check_unmasked, join_labels
from ofer.companions.local_structured.space import rows_of
from ofer.ridge.input_kernel import named_kernel
from ofer.utils.absent import indexable
from ofer.utils.labels import plain
from ofer.utils.series import check_series
from ofer.utils.validation import check_even, check_kernel_values, check_names, check_range
from ofer.utils.warning import warn


class Inputs(NamedTuple):
    """Samples as rows of features, concatenated."""

    rows: Any  # ndarray or csr_matrix (n_rows, d)
    lengths: np.ndarray  # rows of each sample

    def descriptors(self):
        """One vector a sample, for distances: the mean of its rows."""
        if (self.lengths == 1).all():
            return self.rows
        n_rows = self.rows.shape[0]
        ends = np.concatenate([[0], np.cumsum(self.lengths)])
        weights = np.repeat(1.0 / self.lengths, self.lengths)
        mean = csr_matrix((weights, np.arange(n_rows), ends), shape=(len(self.lengths), n_rows))
        return mean @ self.rows

    def take(self, samples):
        """Some of the samples."""
        index = rows_of(self.lengths, samples)
        return Inputs(self.rows[index], self.lengths[samples])


class Kernel(NamedTuple):
    """A kernel between rows, with or without a constant feature for an intercept."""

    name: Any = "linear"  # as `sklearn.metrics.pairwise.pairwise_kernels` takes it
    params: dict | None = None
    intercept: bool = True

    def __call__(self, A, B):
        """Kernel matrix between the rows of A and of B."""
        if self.name == "linear":
            K = safe_sparse_dot(A, B.T, dense_output=True)
        else:
            K = named_kernel(self.name, A, B, **(self.params or {}))
            K = check_kernel_values("kernel", K, (A.shape[0], B.shape[0]))
        return K + 1.0 if self.intercept else K


def decimal_unit(square):
    """The power of ten next to the length of rows, of this mean square.

    Rows of unit length stay as they are, to the last bit, and in another decimal unit they become
    the same.
    """
    return float(10.0 ** np.round(0.5 * np.log10(square))) if square > 0 else 1.0


def with_constant(rows, wanted):
    """Rows with a last feature that is one, if that is wanted."""
    if not wanted:
        return rows
    ones = np.ones((rows.shape[0], 1))
    return hstack([rows, ones], "csr") if issparse(rows) else np.hstack([rows, ones])


def check_inputs(estimator, X, *, sequential, reset):
    """Inputs of an estimator as `Inputs`, checked; `fit` resets its number of features.

    `X` is a matrix, or a list of sequences (T_i, d) if `sequential`, sparse or not.
    """
    if not sequential:
        check_even("X", X)
        options = {"accept_sparse": "csr", "dtype": np.float64, "copy": reset}
        X = validate_data(estimator, indexable(X), reset=reset, **options)
        check_range("X", X)
        return Inputs(X, np.ones(X.shape[0], dtype=int))
    check_unmasked(X=X)
    check_names(estimator, X, reset=reset)
    d = None if reset else estimator.n_features_in_
    if isinstance(X, list | tuple) and any(map(issparse, X)):
        arrays = [_check_sparse(f"X[{i}]", x) for i, x in enumerate(X)]
        d = arrays[0].shape[1] if d is None else d
        for i, array in enumerate(arrays):
            if array.shape[1] != d:
                raise ValueError(f"X[{i}] must have {d} columns; got shape {array.shape}.")
        rows = csr_matrix(vstack(arrays, format="csr"))
    else:
        arrays = check_series("X", X, d, allow_missing=False)
        rows = np.concatenate(arrays)
    if reset:
        estimator.n_features_in_ = rows.shape[1]
    return Inputs(rows, np.array([array.shape[0] for array in arrays]))


def _check_sparse(name, x):
    if not issparse(x) or x.shape[0] == 0:
        raise ValueError(f"{name} must be a sparse matrix with rows, like others; got {x!r}.")
    checked = check_array(indexable(x), accept_sparse="csr", dtype=np.float64, input_name=name)
    check_range(name, checked)
    return checked


def check_outputs(estimator, y, inputs, *, sequential):
    """Which samples (n_samples,) are labelled, and the outputs of these.

    In `y`, -1 or None marks a sample without an output, for sequences None alone.
    """
    n_samples = len(inputs.lengths)
    check_unmasked(y=y)
    if not sequential:
        y = _with_marks(plain(y))
        y = validate_data(clone(estimator), y=y)  # without X it forgets the features' names
    elif not isinstance(y, list | tuple | np.ndarray):
        raise TypeError(f"y must be a list of sequences of labels, or None; got {y!r}.")
    if len(y) != n_samples:
        raise ValueError(
            f"y must have an output, or a mark for none, for each of n_samples={n_samples} "
            f"inputs; got {len(y)}."
        )
    if sequential:
        labelled = np.array([sequence is not None for sequence in y])
        check_steps(y, inputs.lengths, np.flatnonzero(labelled))
        for i in np.flatnonzero(labelled):
            if any(label is None or label != label for label in y[i]):
                raise ValueError(
                    f"y[{i}] must have a label at each step, or be None as a whole; got a step "
                    "without one."
                )
        outputs: list | np.ndarray = [y[i] for i in np.flatnonzero(labelled)]
        join_labels("y", outputs)
    elif y.dtype == object:
        labelled = np.array([value is not None and value != -1 for value in y])
        outputs = join_labels("y", [y[labelled]])
    else:
        labelled = y != -1 if y.dtype.kind in "iuf" else np.ones(n_samples, dtype=bool)
        outputs = y[labelled]
    if not labelled.any():
        mark = "None" if sequential else "-1 or None"
        raise ValueError(f"y must have an output for at least one sample; got only {mark}.")
    if not sequential:
        check_classification_targets(outputs)
    return labelled, outputs


def check_steps(y, lengths, which):
    """Raise ValueError unless some of the sequences have a label for each row of their input."""
    for i in which:
        if len(y[i]) != lengths[i]:
            raise ValueError(
                f"y[{i}] must have {lengths[i]} labels, one for each row of X[{i}]; "
                f"got {len(y[i])}."
            )


def _with_marks(y):
    """Outputs as they are given; a list of several types, such as of marks, as an array of objects.

    NumPy would make strings of -1, and floats of integers.
    """
    if not isinstance(y, list | tuple) or len(set(map(type, y))) < 2:
        return y
    array = np.empty(len(y), dtype=object)
    for i, label in enumerate(y):
        array[i] = label
    return array


def warn_of_mark(space, y):
    """Warn where -1 in `y` seems to be meant otherwise than it is taken, by a fitted space."""
    labels = space.labels_.tolist()
    if space.sequential:
        if -1 in labels and space.get_params().get("states") is None:
            warn(
                "y has the label -1 in sequences, where it is a label like others: None in place "
                "of a sequence marks one without an output. If -1 is meant, give states to "
                "ChainOutputs."
            )
    elif (len(labels) == 1 or -1 in labels) and any(value == -1 for value in y):
        warn(
            "y has -1, which marks samples without an output and is no class; the classes are "
            f"{labels}. If -1 is meant for a class, name it otherwise, such as 0."
        )


def warn_of_units(points):
    """Warn where neighbours are near in few columns of dense points alone."""
    if issparse(points):
        return
    spreads = points.std(axis=0)
    small = spreads[spreads > 0] < 0.01 * spreads.max()
    if small.any() and 2 * small.sum() >= len(small):
        warn(
            "half or more of the columns of X have less than a hundredth of the largest standard "
            "deviation: neighbours hardly see them. Standardise X, as "
            "make_pipeline(StandardScaler(), ...) does."
        )
