"""Weak samples whose output is one of a list."""

import linecache
import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel

from ofer import (
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    KernelSystem,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)
from ofer.weak.alternation import PRIOR_SHARE

RNG = np.random.default_rng(0)
N, N_WEAK, P, D, K = 20, 60, 4, 3, 4
COEF = RNG.normal(size=(P, D))


def draw(n):
    X = RNG.normal(size=(n, P))
    return X, np.tanh(X @ COEF) + 0.1 * RNG.normal(size=(n, D))


(X, Y), (X_WEAK, Y_WEAK), (X_TEST, Y_TEST) = draw(N), draw(N_WEAK), draw(200)
TRUE = RNG.integers(K, size=N_WEAK)
OPEN = draw(N_WEAK * K)[1].reshape(N_WEAK, K, D)
OPEN[np.arange(N_WEAK), TRUE] = Y_WEAK
OPEN[:20, -1] = np.where((TRUE[:20] == K - 1)[:, None], OPEN[:20, -1], np.nan)
MIXTURE = FrozenEstimator(GaussianMixtureEmbedding(2, random_state=0).fit(Y))
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def fit(regressor=None, embedding=MIXTURE, max_iter=30, block_wise=True, **told):
    options = {"max_iter": max_iter, "block_wise": block_wise}
    model = OutputFisherRegressor(embedding, regressor or KernelRidgeCV(), **options)
    return model.fit(**{"X": X, "y": Y, "X_weak": X_WEAK, "candidates_weak": OPEN, **told})


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("block_wise", [True, False])
@pytest.mark.parametrize("weak_weight", [1.0, 0.3])
def test_the_objective_never_rises(kernel, block_wise, weak_weight):
    ridge = KernelRidgeCV([0.1], kernel=kernel, gamma=0.2)
    model = fit(ridge, block_wise=block_wise, weak_weight=weak_weight)
    assert model.n_iter_ == len(model.objectives_) >= 1
    assert (np.diff(model.objectives_) <= 1e-9 * model.objectives_[:-1]).all()
    assert model.converged_


def objective(assignment, features, candidates, y, alpha):
    """Least penalised squares of one block, for given candidates (n_weak,), term by term."""
    shares = np.full(candidates.shape[:2], 0.25 / candidates.shape[1])
    shares[np.arange(len(candidates)), assignment] += 0.75
    targets = np.vstack([y, (shares[:, :, None] * candidates).sum(axis=1)])
    solution = KernelSystem.from_features(features).solve(targets, alpha)
    fitted = solution.predict(features)
    squares = np.square(y - fitted[: len(y)]).sum() + alpha * np.square(solution.coef).sum()
    distances = np.square(candidates - fitted[len(y) :, None]).sum(axis=2)
    return squares + (shares * distances).sum()


def test_brute_force_over_all_assignments_finds_nothing_better():
    few, alpha = slice(0, 6), 0.5
    candidates = OPEN[30:36, :3]
    model = fit(
        KernelRidgeCV([alpha]), GaussianEmbedding(), X_weak=X_WEAK[30:36],
        candidates_weak=candidates,
    )  # fmt: skip
    embedding, y = model.embedding_, model.embedding_.transform(Y)
    places = embedding.transform(candidates.reshape(-1, D)).reshape(6, 3, -1)
    features = np.vstack([X, X_WEAK[30:36]])
    found = {
        assignment: objective(np.array(assignment), features, places, y, alpha)
        for assignment in product(range(3), repeat=6)
    }
    best = min(found, key=found.get)
    assert_array_equal(model.assignments_[few], best)
    start = fit(
        KernelRidgeCV([alpha]), GaussianEmbedding(), X_weak=X_WEAK[30:36],
        candidates_weak=candidates, max_iter=0,
    )  # fmt: skip
    unit = start.loo_errors_["mean"] if "mean" in start.loo_errors_ else start.loo_errors_["all"]
    assert_allclose(model.objectives_[-1] * unit, found[best])


@pytest.mark.parametrize("block_wise", [True, False])
@pytest.mark.parametrize("repeated", [1, 3])
def test_one_candidate_is_a_label_however_often_it_is_said(block_wise, repeated):
    known = np.repeat(Y_WEAK[:, None], repeated, axis=1)
    ridge = KernelRidgeCV([0.5])
    model = fit(ridge, block_wise=block_wise, candidates_weak=known, weak_weight=0.5)
    weights = np.repeat([1.0, 0.5], [N, N_WEAK])
    expected = OutputFisherRegressor(MIXTURE, ridge, block_wise=block_wise)
    expected.fit(np.vstack([X, X_WEAK]), np.vstack([Y, Y_WEAK]), weights)
    assert_allclose(model.predict(X_TEST), expected.predict(X_TEST))
    assert model.converged_
    assert_allclose(model.loo_predict(), expected.loo_predict()[:N])


def test_neither_samples_nor_candidates_have_an_order():
    model, order = fit(), RNG.permutation(N_WEAK)
    columns = np.array([RNG.permutation(K) for _ in range(N_WEAK)])
    told = np.take_along_axis(OPEN, columns[:, :, None], axis=1)[order]
    other = fit(X_weak=X_WEAK[order], candidates_weak=told)
    assert_allclose(other.predict(X_TEST), model.predict(X_TEST))
    chosen = columns[order, :][np.arange(N_WEAK), other.assignments_]
    assert_array_equal(chosen, model.assignments_[order])


def test_candidates_that_fill_up_are_never_chosen():
    wider = np.concatenate([np.full((N_WEAK, 2, D), np.nan), OPEN], axis=1)
    model, other = fit(), fit(candidates_weak=wider)
    assert_allclose(other.predict(X_TEST), model.predict(X_TEST))
    assert_array_equal(other.assignments_, model.assignments_ + 2)


def test_inferred_outputs_beat_the_means_of_candidates():
    error = {n: np.mean(np.square(fit(max_iter=n).predict(X_TEST) - Y_TEST)) for n in (0, 30)}
    alone = OutputFisherRegressor(MIXTURE, KernelRidgeCV()).fit(X, Y).predict(X_TEST)
    assert error[30] < min(error[0], np.mean(np.square(alone - Y_TEST)))
    assert (fit().assignments_ == TRUE).mean() > 0.6


def test_without_rounds_the_means_are_learnt():
    model = fit(KernelRidgeCV([0.5]), GaussianEmbedding(), max_iter=0)
    embedding = model.embedding_
    places = [embedding.transform(c[~np.isnan(c[:, 0])]).mean(axis=0) for c in OPEN]
    targets = np.vstack([embedding.transform(Y), places])
    expected = KernelRidgeCV([0.5]).fit(np.vstack([X, X_WEAK]), targets)
    assert_allclose(model.predict_embedding(X_TEST), expected.predict(X_TEST))
    assert (model.n_iter_, len(model.objectives_), model.converged_) == (0, 0, False)


def test_the_first_round_follows_predictions_without_the_sample():
    model = fit(KernelRidgeCV([0.5]), GaussianEmbedding(), max_iter=1)
    H = model.embedding_.transform(Y)
    places = np.full((N_WEAK, K, H.shape[1]), np.nan)
    there = ~np.isnan(OPEN[:, :, 0])
    places[there] = model.embedding_.transform(OPEN[there])
    means, inputs = np.nanmean(places, axis=1), np.vstack([X, X_WEAK])

    def nearest(found):
        return np.nanargmin(np.square(places - found[:, None]).sum(axis=2), axis=1)

    first = KernelRidgeCV([0.5]).fit(inputs, np.vstack([H, means]))
    chosen = places[np.arange(N_WEAK), nearest(first.predict(X_WEAK))]
    targets = np.vstack([H, PRIOR_SHARE * means + (1.0 - PRIOR_SHARE) * chosen])
    second = KernelRidgeCV([0.5]).fit(inputs, targets)
    expected = nearest((targets - second.loo_residuals_)[N:])
    assert_array_equal(model.assignments_, expected)
    assert (expected != nearest(second.predict(X_WEAK))).any()
    ridge = model.regressor_["mean"]
    assert_allclose(ridge.loo_scores_, [-np.square(ridge.loo_residuals_[:N]).mean()])


def test_a_kernel_matrix_serves_as_well_as_the_kernel():
    both = np.vstack([X, X_WEAK])
    gram = rbf_kernel(both, gamma=0.2)
    model = fit(KernelRidgeCV(kernel="rbf", gamma=0.2))
    other = fit(KernelRidgeCV(kernel="precomputed"), X=gram[:N, :N], X_weak=gram[N:])
    assert_allclose(other.predict(rbf_kernel(X_TEST, both, gamma=0.2)), model.predict(X_TEST))
    assert other.n_features_in_ == N + N_WEAK


def test_single_outputs_series_and_frames_have_candidates():
    flat = fit(y=Y[:, 0], candidates_weak=OPEN[:, :, 0], embedding=GaussianEmbedding())
    assert flat.predict(X_TEST).shape == (200,)
    series, told = RNG.normal(size=(N, 5, 2)), RNG.normal(size=(N_WEAK, 3, 5, 2))
    embedding = StateSpaceEmbedding(1, max_iter=5)
    model = fit(y=series, candidates_weak=told, embedding=embedding)
    assert model.predict(X_TEST).shape == (200, 5, 2)
    frame = pd.DataFrame(Y, columns=["a", "b", "c"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        named = fit(y=frame, embedding=GaussianEmbedding())
    assert_allclose(named.predict(X_TEST), fit(embedding=GaussianEmbedding()).predict(X_TEST))


def test_weight_zero_is_an_absent_sample():
    weights = np.ones(N)
    weights[[3, 7]] = 0.0
    kept = weights > 0
    ridge = KernelRidgeCV([0.5])
    model, other = fit(ridge, sample_weight=weights), fit(ridge, X=X[kept], y=Y[kept])
    assert_allclose(model.predict(X_TEST), other.predict(X_TEST))
    assert_allclose(model.loo_predict()[kept], other.loo_predict())


def test_it_says_when_outputs_still_change():
    with pytest.warns(
        ConvergenceWarning, match=r"max_iter .* 60 weak samples .* their output"
    ) as said:
        model = fit(max_iter=1)
    assert ".fit(" in linecache.getline(__file__, said[0].lineno)
    assert not model.converged_


PART, NONE, ENDLESS = OPEN.copy(), OPEN.copy(), OPEN.copy()
PART[4, 0, 1], NONE[[3, 5]], ENDLESS[30, 1, 1] = np.nan, np.nan, np.inf
MISSING = np.where(np.arange(N * D).reshape(N, D) == 4, np.nan, Y)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"candidates_weak": OPEN[:, :, :2]}, r"candidates_weak must have the shape .* \(3,\)"),
        ({"candidates_weak": OPEN[:, 0]}, r"candidates_weak must have the shape .* \(3,\)"),
        ({"candidates_weak": OPEN[:-1]}, "inconsistent numbers of samples"),
        ({"candidates_weak": PART}, r"candidates_weak must have candidates of numbers.* \[4\]"),
        ({"candidates_weak": NONE}, r"candidates_weak must have a candidate .* \[3, 5\]"),
        ({"candidates_weak": ENDLESS}, "candidates_weak contains infinity"),
        ({"X_weak": None}, "X_weak and candidates_weak go together; X_weak is None"),
        ({"membership_weak": TRUE % 2}, "membership_weak and candidates_weak exclude each other"),
        ({"weak_weight": 0.0}, "weak_weight must be greater than 0; got 0.0"),
        ({"regressor": Ridge()}, "candidates_weak needs a KernelRidgeCV with one ridge"),
        ({"y": MISSING}, "y must be complete with candidates_weak; got NaN"),
        ({"X_weak": X_WEAK[:, :-1]}, "X_weak must have 4 columns"),
    ],
)
def test_what_cannot_be_inferred_is_refused(told, message):
    with pytest.raises(ValueError, match=message):
        fit(**told)
