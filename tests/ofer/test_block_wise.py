"""Whether each block of the embedding has its own regressor is chosen by leave-one-out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)

RBF = KernelRidgeCV(kernel="rbf")
UNITS = np.array([20.0, 1.0])
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def problem(seed):
    """Outputs in two groups, which the inputs tell apart more or less well."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    group = np.sign(X[:, :1] + 0.5 * rng.normal(size=(40, 1)))
    return X, (3.0 * group + X[:, :2] + 0.3 * rng.normal(size=(40, 2))) * UNITS, rng


def error(model, Y, weights=None):
    """Leave-one-out error of the decoded outputs, each in units of its variance."""
    squares = np.square(Y - model.loo_predict()).reshape(len(Y), -1) / Y.reshape(len(Y), -1).var(0)
    return np.average(np.nanmean(squares, axis=1), weights=weights)


def each_choice(X, Y, embedding=None, regressor=RBF, weights=None):
    if embedding is None:
        embedding = FrozenEstimator(GaussianMixtureEmbedding(2, random_state=0).fit(Y))
    return {
        choice: OutputFisherRegressor(embedding, regressor, block_wise=choice).fit(X, Y, weights)
        for choice in (True, False, "auto")
    }


@pytest.mark.parametrize("regressor", [RBF, make_pipeline(StandardScaler(), RBF)])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_better_of_two_fits_is_taken(seed, weighted, regressor):
    X, Y, rng = problem(seed)
    weights = rng.uniform(0.2, 3.0, size=40) if weighted else None
    models = each_choice(X, Y, regressor=regressor, weights=weights)
    errors = {choice: error(models[choice], Y, weights) for choice in (True, False)}
    chosen = models["auto"]
    best = chosen.block_wise_
    assert errors[best] <= min(errors.values()) * (1.0 + 1e-12)  # with one ridge they are one
    assert chosen.block_wise == "auto"
    queries = rng.normal(size=(9, 3))
    assert_allclose(chosen.predict(queries), models[best].predict(queries))
    assert_allclose(chosen.loo_predict(), models[best].loo_predict())
    assert chosen.loo_errors_ == pytest.approx(models[best].loo_errors_)
    assert list(chosen.blocks_) == list(models[best].regressor_)


def test_both_are_chosen_here():
    """Otherwise the test above would hold for a constant; and not for want of a difference."""
    chosen = set()
    for seed in range(6):
        X, Y, _ = problem(seed)
        models = each_choice(X, Y)
        errors = [error(models[choice], Y) for choice in (True, False)]
        if abs(np.log(errors[0] / errors[1])) > 0.004:
            chosen.add(models["auto"].block_wise_)
    assert chosen == {True, False}


def test_outputs_of_absent_samples_have_no_part():
    """Nor have their variances in the choice."""
    for seed in range(6):
        X, Y, _ = problem(seed)
        weights = np.where(np.arange(40) % 10 == 3, 0.0, 1.0)
        kept = weights > 0
        embedding = FrozenEstimator(GaussianMixtureEmbedding(2, random_state=0).fit(Y[kept]))
        far = np.where(kept[:, None], Y, Y + np.array([0.0, 1e4]))
        model = each_choice(X, far, embedding, weights=weights)["auto"]
        expected = each_choice(X[kept], Y[kept], embedding)["auto"]
        assert model.block_wise_ is expected.block_wise_
        assert_allclose(model.predict(X), expected.predict(X), atol=1e-8)


def test_blocks_of_one_ridge_are_kept():
    """Both layouts are one regression, and roundoff has no say in which of them it is called."""
    for seed in range(12):
        X, Y, _ = problem(seed)
        ridge = KernelRidgeCV([0.1 * (seed + 1)], kernel="rbf")
        assert each_choice(X, Y, regressor=ridge)["auto"].block_wise_ is True


@pytest.mark.parametrize("seed", [8, 9])
def test_weights_have_a_say_in_the_choice(seed):
    """Each sample's error counts as its weight says; here even errors would choose the other."""
    X, Y, rng = problem(seed)
    weights = rng.integers(0, 2, size=40) * 10.0 + 0.01
    models = each_choice(X, Y, weights=weights)
    assert error(models[True], Y, weights) < 0.98 * error(models[False], Y, weights)
    assert error(models[True], Y) > 1.02 * error(models[False], Y)
    assert models["auto"].block_wise_ is True


def test_a_choice_with_missing_outputs():
    for seed in range(4):
        X, Y, _ = problem(seed)
        holes = Y.copy()
        holes[3, 0] = holes[8, 1] = np.nan
        embedding = FrozenEstimator(GaussianMixtureEmbedding(2, random_state=0).fit(holes))
        models, errors = each_choice(X, holes, embedding), {}
        for choice in (True, False):
            squares = np.square(holes - models[choice].loo_predict()) / np.nanvar(holes, axis=0)
            errors[choice] = np.nanmean(squares, axis=1).mean()
        assert errors[models["auto"].block_wise_] <= min(errors.values()) * (1.0 + 1e-9)


def test_a_choice_with_a_kernel_matrix():
    for seed in range(3):
        X, Y, rng = problem(seed)
        queries = rng.normal(size=(5, 3))
        ridge = KernelRidgeCV(kernel="rbf", gamma=0.2)
        expected = each_choice(X, Y, regressor=ridge)["auto"]
        matrix = KernelRidgeCV(kernel="precomputed")
        model = each_choice(rbf_kernel(X, gamma=0.2), Y, regressor=matrix)["auto"]
        assert model.block_wise_ is expected.block_wise_
        found = model.predict(rbf_kernel(queries, X, gamma=0.2))
        assert_allclose(found, expected.predict(queries))


def test_single_outputs():
    found = set()
    for seed in range(6):
        X, Y, _ = problem(seed)
        models = each_choice(X, Y[:, 0], GaussianMixtureEmbedding(2, random_state=0))
        assert models["auto"].predict(X).shape == (40,)
        errors = {choice: error(models[choice], Y[:, 0]) for choice in (True, False)}
        assert errors[models["auto"].block_wise_] <= min(errors.values()) * (1.0 + 1e-9)
        found.add(models["auto"].block_wise_)
    assert found == {True, False}


@pytest.mark.parametrize("regressor", [Ridge(), KNeighborsRegressor(3)])
def test_blocks_are_kept_where_nothing_can_be_left_out(regressor):
    X, Y, _ = problem(0)
    model = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), regressor)
    model.fit(X, Y)
    assert model.block_wise_ is True
    assert list(model.regressor_) == ["membership", "mean"]
    expected = clone(model).set_params(block_wise=True).fit(X, Y)
    assert_allclose(model.predict(X), expected.predict(X), atol=1e-8)


def growing(seed, growth):
    """Series of waves and lines, whose errors add up, the faster the larger they are."""
    rng, t = np.random.default_rng(seed), np.arange(20)
    X = rng.normal(size=(40, 3))
    starts, slopes = X @ [1.0, -1.0, 0.5], X @ [0.05, 0.03, 0.02] + growth
    errors = 0.1 * rng.normal(size=(40, 20)).cumsum(axis=1) * (1.0 + growth * t)
    return X, (starts[:, None] * np.cos(0.3 * t) + slopes[:, None] * t + errors)[:, :, None]


@pytest.mark.parametrize(
    ("seed", "growth", "n_states", "harm"),
    [(1, 0.0, 1, True), (2, 0.15, 1, True), (0, 0.0, 2, False), (2, 0.0, 2, False)],
)
def test_blocks_of_series_do_no_harm(seed, growth, n_states, harm):
    """Blocks are worse where a model has too few states for the series, and better with enough."""
    X, Y = growing(seed, growth)
    models = each_choice(X, Y, StateSpaceEmbedding(n_states, max_iter=20))
    errors = {choice: error(model, Y) for choice, model in models.items()}
    assert (errors[True] > 1.05 * errors[False]) == harm
    assert (errors[True] < 0.95 * errors[False]) != harm
    assert errors["auto"] == min(errors.values())
    assert models["auto"].block_wise_ is not harm
