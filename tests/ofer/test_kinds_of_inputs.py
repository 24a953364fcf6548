"""Inputs that scikit-learn takes, in other clothes: each gives what plain arrays give."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer, StandardScaler

from ofer import (
    FullConformalRegressor,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    JackknifePlus,
    KernelRidgeCV,
    KernelSystem,
    Memberships,
    NystroemRidgeCV,
    OutputFisherRegressor,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = X[:, 0] + 0.1 * RNG.normal(size=40)
W = np.repeat([0.0, 1.0], [4, 36])


@pytest.mark.parametrize("kind", ["coo", "bsr", "dia", "lil", "csc"])
@pytest.mark.parametrize(
    "model",
    [JackknifePlus(Ridge()), JackknifePlus(KernelRidgeCV([0.1])), OutputFisherRegressor()],
    ids=["refits", "ridge", "OFER"],
)
def test_sparse_inputs_of_any_format(kind, model):
    rows = sparse.coo_array(X).asformat(kind)
    expected = model.fit(X, Y, W).predict(X)
    assert_allclose(model.fit(rows, Y, W).predict(rows), expected, rtol=1e-6)


def test_boolean_targets_are_zeros_and_ones():
    for model in (NystroemRidgeCV(n_components=9, random_state=0), KernelRidgeCV()):
        expected = model.fit(X, 1.0 * (Y > 0)).predict(X)
        assert_allclose(model.fit(X, Y > 0).predict(X), expected)


def test_a_meta_regressor_hands_on_weights():
    model = TransformedTargetRegressor(Ridge(), transformer=StandardScaler())
    found = JackknifePlus(model).fit(X, Y, W)
    expected = JackknifePlus(model).fit(X[W > 0], Y[W > 0], W[W > 0])
    assert_allclose(found.predict_interval(X), expected.predict_interval(X))


def test_frames_of_polars_for_tuning():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    columns = make_column_transformer((StandardScaler(), ["a", "b"]))
    piped = make_pipeline(columns, KernelRidgeCV(kernel="rbf"))
    found = FullConformalRegressor(piped).fit(frame[20:], Y[20:], X_tune=frame[:20], y_tune=Y[:20])
    plain = make_pipeline(StandardScaler(), KernelRidgeCV(kernel="rbf"))
    expected = FullConformalRegressor(plain).fit(X[20:], Y[20:], X_tune=X[:20], y_tune=Y[:20])
    assert_allclose(found.predict_interval(frame), expected.predict_interval(X))


def test_a_transformed_kernel_has_no_absent_samples():
    centred = make_pipeline(KernelCenterer(), KernelRidgeCV(kernel="precomputed"))
    with pytest.raises(ValueError, match=r"sample_weight must be positive for .* KernelCenterer"):
        OutputFisherRegressor(regressor=centred).fit(rbf_kernel(X), Y, W)


def test_a_kernel_of_single_precision_is_symmetric():
    """Centred in float32 its halves differ by 1e-7; what differs by more is an error."""
    rows = RNG.normal(size=(60, 500)).astype(np.float32)
    centring = np.eye(60, dtype=np.float32) - np.float32(1 / 60)
    K, y = centring @ (rows @ rows.copy().T) @ centring, RNG.normal(size=60)
    exact = 0.5 * (K + K.T).astype(np.float64)
    ridge = KernelRidgeCV([0.1], kernel="precomputed", fit_intercept=False)
    expected = KernelSystem.from_kernel(exact, fit_intercept=False).solve(y, 0.1).predict(exact)
    assert_allclose(ridge.fit(K, y).predict(exact), expected, rtol=1e-3, atol=1e-3)
    K[0, 1] *= 1.01
    with pytest.raises(ValueError, match=r"must be a symmetric kernel matrix .* its halves differ"):
        ridge.fit(K, y)


def test_a_small_first_batch_is_said_once():
    model = NystroemRidgeCV([0.1], n_components=30, random_state=0).partial_fit(X[:5], Y[:5])
    with pytest.warns(UserWarning, match="first batch had 5 samples for n_components=30"):
        model.partial_fit(X[5:20], Y[5:20])
    model.partial_fit(X[20:], Y[20:])  # warnings are errors
    alone = NystroemRidgeCV([0.1], components=X[:5]).partial_fit(X[:5], Y[:5])
    assert_allclose(model.predict(X), alone.partial_fit(X[5:], Y[5:]).predict(X), rtol=1e-6)


@pytest.mark.parametrize("place", [2, 4, 5])
def test_an_interrupted_batch_is_not_counted(place):
    calls = [0, None]

    def kernel(A, B):
        calls[0] += 1
        if calls[0] == calls[1]:
            raise KeyboardInterrupt
        return rbf_kernel(A, B, gamma=0.5)

    def new():
        return NystroemRidgeCV([1.0], kernel=kernel, components=X[:5], batch_size=5)

    expected = new().partial_fit(X[:20], Y[:20]).partial_fit(X[20:], Y[20:]).predict(X)
    model = new().partial_fit(X[:20], Y[:20])
    calls[1] = calls[0] + place - 1
    with pytest.raises(KeyboardInterrupt):
        model.partial_fit(X[20:], Y[20:])
    assert model.n_samples_seen_ == 20
    assert_allclose(model.partial_fit(X[20:], Y[20:]).predict(X), expected)
    first = new()
    calls[1] = calls[0] + 1
    with pytest.raises(KeyboardInterrupt):
        first.partial_fit(X[:20], Y[:20])
    assert_allclose(
        first.partial_fit(X[:20], Y[:20]).partial_fit(X[20:], Y[20:]).predict(X), expected
    )


def in_parts(A):
    """Halves of each entry, in columns that are not in order."""
    whole = sparse.csr_array(A)
    parts = np.repeat(whole.data, 2) / 2, np.repeat(whole.indices, 2)[::-1].copy()
    return sparse.csr_array((*parts, 2 * whole.indptr), shape=A.shape)


@pytest.mark.parametrize(
    "model",
    [
        NystroemRidgeCV([0.1], kernel="laplacian", components=X[:9]),
        OutputFisherRegressor(GaussianEmbedding(), NystroemRidgeCV([0.1], components=X[:9])),
    ],
    ids=["sums", "OFER"],
)
def test_batches_whose_entries_come_in_parts(model):
    ones = np.abs(X[:, [0, 0]])  # so that an order of columns makes no difference
    rows = in_parts(ones)
    before = [part.copy() for part in (rows.data, rows.indices, rows.indptr)]
    assert_allclose(rows.toarray(), ones)
    found = clone(model).partial_fit(rows[:20], Y[:20]).partial_fit(rows[20:], Y[20:])
    expected = clone(model).partial_fit(ones[:20], Y[:20]).partial_fit(ones[20:], Y[20:])
    assert_allclose(found.predict(rows), expected.predict(ones), rtol=1e-6)
    for part, now in zip(before, (rows.data, rows.indices, rows.indptr), strict=True):
        assert (part == now).all()  # the caller's matrix stays as it is


def test_weak_inputs_and_functions_whose_entries_come_in_parts():
    rows, dense = in_parts(np.abs(X[:, [0, 0]])), np.abs(X[:, [0, 0]])
    labels = [0, 1] * 20
    model = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), KernelRidgeCV([0.1]))
    expected = model.fit(dense, Y, weak=Memberships(dense, labels)).predict(dense)
    assert_allclose(
        model.fit(rows, Y, weak=Memberships(rows, labels)).predict(rows), expected, rtol=1e-6
    )
    system = KernelSystem.from_features(rows)
    assert_allclose(system.eigenvalues, KernelSystem.from_features(dense).eigenvalues, atol=1e-9)
