"""Weak samples whose output is one of a list."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    Candidates,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)

RNG = np.random.default_rng(0)
N, N_WEAK, P, D, K = 20, 60, 4, 3, 4
COEF = RNG.normal(size=(P, D))


def draw(n):
    X = RNG.normal(size=(n, P))
    return X, np.tanh(X @ COEF) + 0.1 * RNG.normal(size=(n, D))


(X, Y), (X_WEAK, Y_WEAK), (X_TEST, Y_TEST) = draw(N), draw(N_WEAK), draw(200)
UNITS = np.array([1.0, 100.0, 0.01])
TRUE = RNG.integers(K, size=N_WEAK)
OPEN = draw(N_WEAK * K)[1].reshape(N_WEAK, K, D)
OPEN[np.arange(N_WEAK), TRUE] = Y_WEAK
OPEN[:20, -1] = np.where((TRUE[:20] == K - 1)[:, None], OPEN[:20, -1], np.nan)
MIXTURE = FrozenEstimator(GaussianMixtureEmbedding(2, random_state=0).fit(Y))
RBF = KernelRidgeCV(kernel="rbf", gamma=0.2)
each_layout = pytest.mark.parametrize("block_wise", [True, False, "auto"])
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def fit(
    regressor=RBF, embedding=MIXTURE, block_wise="auto",
    *, X=X, y=Y, X_weak=X_WEAK, outputs=OPEN, weight="auto", **told,
):  # fmt: skip
    model = OutputFisherRegressor(embedding, regressor, block_wise=block_wise)
    return model.fit(X, y, weak=Candidates(X_weak, outputs, weight=weight), **told)


def nearest(predicted, candidates, y):
    """Row by row, over the candidates that are there."""
    chosen = []
    for found, row in zip(predicted, candidates, strict=True):
        squares = [np.sum(((one - found) / y.std(axis=0)) ** 2) for one in row]
        chosen.append(min((s, k) for k, s in enumerate(squares) if not np.isnan(s))[1])
    return np.array(chosen)


@each_layout
@pytest.mark.parametrize("regressor", [RBF, make_pipeline(StandardScaler(), KernelRidgeCV())])
@pytest.mark.parametrize("embedding", [MIXTURE, GaussianEmbedding()], ids=["mixture", "Gaussian"])
def test_the_nearest_candidate_to_the_labelled_prediction_is_taken(
    embedding, regressor, block_wise
):
    """In units of standard deviations, whatever the units; the regressors see it as an output."""
    model = fit(regressor, embedding, block_wise, y=Y * UNITS, outputs=OPEN * UNITS)
    alone = OutputFisherRegressor(embedding, regressor, block_wise=block_wise).fit(X, Y * UNITS)
    expected = nearest(alone.predict(X_WEAK), OPEN * UNITS, Y * UNITS)
    assert_array_equal(model.assignments_, expected)
    naive = np.nanargmin(
        np.square(OPEN * UNITS - alone.predict(X_WEAK)[:, None]).sum(axis=2), axis=1
    )
    assert (naive != expected).any()  # units tell here
    assert (model.block_wise_, model.weak_weight_) == (alone.block_wise_, 1.0)


@pytest.mark.parametrize("regressor", [RBF, KernelRidgeCV(), Ridge(0.3)])
def test_the_last_fit_is_one_to_the_chosen_outputs(regressor):
    """Appended by hand; the output model has seen the labelled ones alone."""
    model = fit(regressor, GaussianEmbedding())
    chosen = OPEN[np.arange(N_WEAK), model.assignments_]
    embedding = FrozenEstimator(GaussianEmbedding().fit(Y))
    expected = OutputFisherRegressor(embedding, regressor)
    expected.fit(np.vstack([X, X_WEAK]), np.vstack([Y, chosen]))
    assert_allclose(model.predict(X_TEST), expected.predict(X_TEST), atol=1e-10)
    plain = clone(regressor).fit(np.vstack([X, X_WEAK]), np.vstack([Y, chosen]))
    if isinstance(regressor, Ridge):  # with an intercept the unit of outputs has no part
        assert_allclose(model.predict(X_TEST), plain.predict(X_TEST), atol=1e-10)
    else:
        assert_allclose(model.loo_predict(), expected.loo_predict()[:N], atol=1e-10)
        assert model.loo_errors_ == pytest.approx(expected.loo_errors_)


@each_layout
def test_weights_of_samples_are_those_of_the_fit(block_wise):
    weights = RNG.uniform(0.5, 2.0, size=N)
    model = fit(block_wise=block_wise, sample_weight=weights, weight=0.3)
    chosen = OPEN[np.arange(N_WEAK), model.assignments_]
    expected = OutputFisherRegressor(MIXTURE, RBF, block_wise=model.block_wise_)
    both, of_all = np.vstack([X, X_WEAK]), np.append(weights, np.full(N_WEAK, 0.3))
    expected.fit(both, np.vstack([Y, chosen]), of_all)
    assert_allclose(model.predict(X_TEST), expected.predict(X_TEST), atol=1e-10)
    assert model.weak_weight_ == 0.3
    alone = OutputFisherRegressor(MIXTURE, RBF, block_wise=block_wise).fit(X, Y, weights)
    assert model.block_wise_ == alone.block_wise_


def test_auto_is_a_weight_of_one():
    model = fit(weight="auto")
    assert model.weak_weight_ == 1.0
    assert_array_equal(model.predict(X_TEST), fit(weight=1.0).predict(X_TEST))
    assert not np.allclose(model.predict(X_TEST), fit(weight=0.1).predict(X_TEST))


@pytest.mark.parametrize("block_wise", [True, False])
@pytest.mark.parametrize("repeated", [1, 3])
def test_one_candidate_is_a_label_however_often_it_is_said(block_wise, repeated):
    known = np.repeat(Y_WEAK[:, None], repeated, axis=1)
    ridge = KernelRidgeCV([0.5])
    model = fit(ridge, block_wise=block_wise, outputs=known, weight=0.5)
    weights = np.repeat([1.0, 0.5], [N, N_WEAK])
    expected = OutputFisherRegressor(MIXTURE, ridge, block_wise=block_wise)
    expected.fit(np.vstack([X, X_WEAK]), np.vstack([Y, Y_WEAK]), weights)
    assert_allclose(model.predict(X_TEST), expected.predict(X_TEST))
    assert_array_equal(model.assignments_, np.zeros(N_WEAK))
    assert_allclose(model.loo_predict(), expected.loo_predict()[:N])


def test_neither_samples_nor_candidates_have_an_order():
    model, order = fit(), RNG.permutation(N_WEAK)
    columns = np.array([RNG.permutation(K) for _ in range(N_WEAK)])
    told = np.take_along_axis(OPEN, columns[:, :, None], axis=1)[order]
    other = fit(X_weak=X_WEAK[order], outputs=told)
    assert_allclose(other.predict(X_TEST), model.predict(X_TEST))
    chosen = columns[order, :][np.arange(N_WEAK), other.assignments_]
    assert_array_equal(chosen, model.assignments_[order])


def test_candidates_that_fill_up_are_never_chosen():
    wider = np.concatenate([np.full((N_WEAK, 2, D), np.nan), OPEN], axis=1)
    model, other = fit(), fit(outputs=wider)
    assert_allclose(other.predict(X_TEST), model.predict(X_TEST))
    assert_array_equal(other.assignments_, model.assignments_ + 2)


def test_an_output_that_does_not_vary_has_its_own_unit():
    """It has no part where candidates agree, and tells where they do not."""
    y, told = Y.copy(), np.where(np.isnan(OPEN), OPEN[:, :1], OPEN)
    y[:, 2] = told[:, :, 2] = 5.0
    embedding = GaussianEmbedding()
    model = fit(y=y, outputs=told, embedding=embedding)
    two = fit(y=y[:, :2], outputs=told[:, :, :2], embedding=embedding)
    assert_array_equal(model.assignments_, two.assignments_)
    told[:, :, 2] = 15.0
    told[:, 1, 2] = 5.0
    assert_array_equal(fit(y=y, outputs=told, embedding=embedding).assignments_, 1)


def test_missing_labelled_outputs():
    """What is missing has no part in spreads, nor in the fits."""
    holes = Y.copy()
    holes[3, 1] = holes[8, 0] = np.nan
    model = fit(y=holes, block_wise=True)
    alone = OutputFisherRegressor(MIXTURE, RBF, block_wise=True).fit(X, holes)
    spreads = np.nanstd(holes, axis=0)
    squares = np.square((OPEN - alone.predict(X_WEAK)[:, None]) / spreads).sum(axis=2)
    assert_array_equal(model.assignments_, np.nanargmin(squares, axis=1))
    chosen = OPEN[np.arange(N_WEAK), model.assignments_]
    expected = OutputFisherRegressor(MIXTURE, RBF, block_wise=True)
    expected.fit(np.vstack([X, X_WEAK]), np.vstack([holes, chosen]))
    assert_allclose(model.predict(X_TEST), expected.predict(X_TEST))
    assert_allclose(model.loo_predict(), expected.loo_predict()[:N])


def test_candidates_help():
    error = np.mean(np.square(fit().predict(X_TEST) - Y_TEST))
    alone = OutputFisherRegressor(MIXTURE, RBF).fit(X, Y).predict(X_TEST)
    known = fit(outputs=Y_WEAK[:, None]).predict(X_TEST)
    assert error < 0.9 * np.mean(np.square(alone - Y_TEST))
    assert error > np.mean(np.square(known - Y_TEST))
    assert (fit().assignments_ == TRUE).mean() > 0.6


@each_layout
def test_a_kernel_matrix_serves_as_well_as_the_kernel(block_wise):
    both = np.vstack([X, X_WEAK])
    gram = rbf_kernel(both, gamma=0.2)
    weights = np.where(np.arange(N) == 4, 0.0, 1.0)
    model = fit(block_wise=block_wise, sample_weight=weights)
    ridge = KernelRidgeCV(kernel="precomputed")
    told = {"X": gram[:N, :N], "X_weak": gram[N:], "sample_weight": weights}
    other = fit(ridge, block_wise=block_wise, **told)
    assert_array_equal(other.assignments_, model.assignments_)
    assert_allclose(other.predict(rbf_kernel(X_TEST, both, gamma=0.2)), model.predict(X_TEST))
    assert_allclose(other.loo_predict(), model.loo_predict())
    assert other.n_features_in_ == N + N_WEAK


def test_sparse_inputs_are_as_good():
    model = fit(KernelRidgeCV())
    thin = fit(KernelRidgeCV(), X=sparse.csr_array(X), X_weak=sparse.csc_array(X_WEAK))
    assert_array_equal(thin.assignments_, model.assignments_)
    assert_allclose(thin.predict(sparse.csr_array(X_TEST)), model.predict(X_TEST), atol=1e-8)


@pytest.mark.parametrize("regressor", [Ridge(0.3), KNeighborsRegressor(3)])
def test_any_regressor_serves(regressor):
    model = fit(regressor)
    assert model.block_wise_
    assert model.weak_weight_ == 1.0
    alone = OutputFisherRegressor(MIXTURE, regressor).fit(X, Y)
    assert_array_equal(model.assignments_, nearest(alone.predict(X_WEAK), OPEN, Y))
    chosen = OPEN[np.arange(N_WEAK), model.assignments_]
    expected = OutputFisherRegressor(MIXTURE, regressor)
    expected.fit(np.vstack([X, X_WEAK]), np.vstack([Y, chosen]))
    assert_allclose(model.predict(X_TEST), expected.predict(X_TEST))


def test_single_outputs_series_and_frames_have_candidates():
    told = {"y": Y[:, 0], "outputs": OPEN[:, :, 0], "embedding": GaussianEmbedding()}
    flat = fit(**told)
    assert flat.predict(X_TEST).shape == (200,)
    one = {"y": Y[:, :1], "outputs": OPEN[:, :, :1]}
    assert_array_equal(flat.assignments_, fit(**told | one).assignments_)
    series, told = RNG.normal(size=(N, 5, 2)), RNG.normal(size=(N_WEAK, 3, 5, 2))
    embedding = StateSpaceEmbedding(1, max_iter=5)
    model = fit(y=series, outputs=told, embedding=embedding)
    assert model.predict(X_TEST).shape == (200, 5, 2)
    alone = OutputFisherRegressor(embedding, RBF).fit(X, series).predict(X_WEAK)
    squares = np.square((told - alone[:, None]) / series.std(axis=0)).sum(axis=(2, 3))
    assert_array_equal(model.assignments_, squares.argmin(axis=1))
    frame = pd.DataFrame(Y, columns=["a", "b", "c"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        named = fit(y=frame, embedding=GaussianEmbedding())
    assert_allclose(named.predict(X_TEST), fit(embedding=GaussianEmbedding()).predict(X_TEST))


def test_frames_of_inputs_have_candidates():
    names = list("abcd")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        frames = {
            "X": pd.DataFrame(X, columns=names),
            "X_weak": pd.DataFrame(X_WEAK, columns=names),
        }
        model = fit(**frames)
        found = model.predict(pd.DataFrame(X_TEST, columns=names))
    assert_allclose(found, fit().predict(X_TEST))


def test_weight_zero_is_an_absent_sample():
    weights = np.ones(N)
    weights[[3, 7]] = 0.0
    kept = weights > 0
    moved = np.where(kept[:, None], X, X + 50.0)
    ridge = KernelRidgeCV([0.5])
    model, other = fit(ridge, X=moved, sample_weight=weights), fit(ridge, X=X[kept], y=Y[kept])
    assert_array_equal(model.assignments_, other.assignments_)
    assert_allclose(model.predict(X_TEST), other.predict(X_TEST))
    assert_allclose(model.loo_predict()[kept], other.loo_predict())


def test_outputs_of_absent_samples_have_no_part():
    """Not in the unit of distances."""
    weights = np.ones(N)
    weights[[3, 7]] = 0.0
    kept = weights > 0
    far = np.where(kept[:, None], Y, Y + np.array([1e3, 0.0, 0.0]))
    model, other = fit(y=far, sample_weight=weights), fit(y=Y[kept], X=X[kept])
    assert_array_equal(model.assignments_, other.assignments_)
    assert_allclose(model.predict(X_TEST), other.predict(X_TEST))


@pytest.mark.parametrize("embedding", [GaussianEmbedding(), MIXTURE], ids=["Gaussian", "mixture"])
def test_whole_weights_are_repetitions(embedding):
    """Also in the unit of distances."""
    times, ridge = np.arange(N) % 3 + 1, KernelRidgeCV([0.5], kernel="rbf", gamma=0.2)
    model = fit(ridge, embedding, True, sample_weight=times)
    twice = {"X": np.repeat(X, times, axis=0), "y": np.repeat(Y, times, axis=0)}
    other = fit(ridge, embedding, True, **twice)
    assert_array_equal(model.assignments_, other.assignments_)
    assert_allclose(model.predict(X_TEST), other.predict(X_TEST))


def test_a_fit_without_candidates_has_no_assignments():
    model = fit()
    model.fit(X, Y)
    assert model.assignments_ is None
    assert model.weak_weight_ is None


PART, NONE, ENDLESS = OPEN.copy(), OPEN.copy(), OPEN.copy()
PART[4, 0, 1], NONE[[3, 5]], ENDLESS[30, 1, 1] = np.nan, np.nan, np.inf


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"outputs": OPEN[:, :, :2]}, r"outputs must have the shape .* \(3,\)"),
        ({"outputs": OPEN[:, 0]}, r"outputs must have the shape .* \(3,\)"),
        ({"outputs": OPEN[:-1]}, "inconsistent numbers of samples"),
        ({"outputs": PART}, r"outputs must have candidates of numbers.* \[4\]"),
        ({"outputs": NONE}, r"outputs must have a candidate .* \[3, 5\]"),
        ({"outputs": ENDLESS}, "outputs contains infinity"),
        ({"X_weak": None}, "X must be the inputs of weak samples; got None"),
        ({"weight": 0.0}, "weight must be greater than 0; got 0.0"),
        (
            {"weight": 0.5, "regressor": KNeighborsRegressor()},
            "weak.weight must be 1 for KNeighborsRegressor, which takes no sample_weight; got 0.5",
        ),
        ({"X_weak": X_WEAK[:, :-1]}, "weak.X must have 4 columns"),
    ],
)
def test_what_cannot_be_inferred_is_refused(told, message):
    with pytest.raises(ValueError, match=message):
        fit(**told)
