"""Samples of weight zero are covered, whatever they hold."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel

from ofer import (
    InputOutputKernelRegressor,
    KernelRidgeCV,
    NystroemRidgeCV,
    OutputFisherRegressor,
    SemanticClassifier,
)
from ofer.kernels import median_bandwidth, median_gamma
from ofer.utils.absent import cover_absent, stack_rows, take
from ofer.utils.medians import column_medians, weighted_median

RNG = np.random.default_rng(0)
X, W = RNG.normal(size=(30, 2)), np.repeat([0.0, 1.0, 2.0], 10)
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2])
SEEN = W > 0


def frames(data):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    columns = {"a": data[:, 0], "b": data[:, 1]}
    return [pd.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)]


def test_a_copy_of_a_present_sample_covers_an_absent_one():
    expected = X.copy()
    expected[:10] = X[10]
    matrices = [sparse.coo_array(X), sparse.csc_matrix(X), sparse.dia_array(X)]
    for rows in (X, X.tolist(), *matrices, *frames(X)):
        _, covered, groups, nothing = cover_absent(W, rows, np.arange(30), None)
        dense = covered.toarray() if sparse.issparse(covered) else np.asarray(covered)
        assert_array_equal(dense, expected)
        assert_array_equal(groups, [10] * 10 + [*range(10, 30)])
        assert nothing is None
        assert type(covered) is type(rows) or sparse.issparse(rows)
    K = rbf_kernel(X)
    assert_array_equal(cover_absent(W, K, pairwise=True)[1], rbf_kernel(expected))
    assert cover_absent(None, X, Y)[1:] == (X, Y)


def test_rows_of_several_things():
    for parts in ([X[:3], X[3:]], [sparse.csr_array(X[:3]), sparse.coo_array(X[3:])]):
        whole = stack_rows(parts)
        assert_array_equal(whole.toarray() if sparse.issparse(whole) else whole, X)
    for frame in frames(X):
        assert_array_equal(np.asarray(stack_rows([take(frame, [0, 1]), take(frame, [2])])), X[:3])


@pytest.mark.parametrize("far", [0.0, 1e6, 1e12, 1e100, np.nan])
@pytest.mark.parametrize(
    "make",
    [
        lambda: NystroemRidgeCV([0.1], gamma=0.5, components=X[10:]),
        lambda: KernelRidgeCV([0.1], kernel="rbf", gamma="median"),
        lambda: InputOutputKernelRegressor([0.1], kernel="rbf", output_kernel="linear"),
        lambda: InputOutputKernelRegressor([0.1], kernel="rbf", preimage="gradient"),
        OutputFisherRegressor,
    ],
)
def test_no_output_of_an_absent_sample_matters(make, far):
    outputs, inputs = np.where(SEEN[:, None], Y, far), np.where(SEEN[:, None], X, far)
    expected = make().fit(X[SEEN], Y[SEEN], W[SEEN]).predict(X)
    assert_allclose(make().fit(inputs, outputs, W).predict(X), expected, rtol=1e-7, atol=1e-9)


def test_batches_of_absent_samples():
    whole = NystroemRidgeCV([0.1], gamma=0.5, components=X[10:20])
    found = NystroemRidgeCV([0.1], gamma=0.5, components=X[10:20])
    for rows in (slice(0, 10), slice(10, 30), slice(0, 10)):
        outputs = np.where(SEEN[rows, None], Y[rows], 1e100)
        assert found.partial_fit(X[rows], outputs, W[rows]) is found
    assert found.n_samples_seen_ == 20
    expected = whole.partial_fit(X[SEEN], Y[SEEN], W[SEEN]).predict(X)
    assert_allclose(found.predict(X), expected, rtol=1e-9)
    model = OutputFisherRegressor(regressor=NystroemRidgeCV([0.1], random_state=0))
    for rows in (slice(0, 10), slice(10, 30)):
        model.partial_fit(X[rows], Y[rows], W[rows])
    assert np.isfinite(model.predict(X)).all()


def test_classes_of_absent_samples_move_no_origin():
    """One far absent input changed three of fifty classes."""
    y = (X[:, 0] > 0).astype(int)
    far = np.where(SEEN[:, None], X, 1e9)
    found = SemanticClassifier(KernelRidgeCV(kernel="rbf")).fit(far, y, W)
    expected = SemanticClassifier(KernelRidgeCV(kernel="rbf")).fit(X[SEEN], y[SEEN], W[SEEN])
    assert_allclose(found.decision_function(X), expected.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("unit", [1e-20, 1.0, 1e20])
def test_medians_see_weights_as_repetitions(unit):
    counts = RNG.integers(0, 5, size=20)
    counts[3] = 7
    rows = np.repeat(X[:20], counts, axis=0)
    expected = median_bandwidth(rows)
    assert median_bandwidth(X[:20], sample_weight=unit * counts) == pytest.approx(expected)
    assert median_gamma(X[:20], sample_weight=unit * counts) == pytest.approx(median_gamma(rows))
    medians = column_medians(X[:20], unit * counts)
    assert_allclose(medians, np.median(rows, axis=0), rtol=1e-12)


def test_a_median_between_two_values():
    assert weighted_median(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0])) == 2.0
    assert weighted_median(np.array([1.0, 3.0]), np.array([1.0, 1.0])) == 2.0
    assert weighted_median(np.array([1.0, 3.0]), np.array([1.0, 1.1])) == 3.0


def test_copies_are_counted_among_present_samples():
    """Twenty copies of weight zero are no copies, and one ridge of the same kind is chosen."""
    inputs, outputs = np.vstack([X, np.tile(X[:1], (20, 1))]), np.append(Y[:, 0], [Y[0, 0]] * 20)
    weights = np.append(np.ones(30), np.zeros(20))
    found = KernelRidgeCV(kernel="rbf").fit(inputs, outputs, weights)  # warnings are errors
    assert found.alpha_ == pytest.approx(KernelRidgeCV(kernel="rbf").fit(X, Y[:, 0]).alpha_)
