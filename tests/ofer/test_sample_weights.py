"""Integer weights are repetitions, and a weight of zero is an absent sample."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.decomposition import PCA
from sklearn.frozen import FrozenEstimator
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    Bounds,
    Candidates,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
)
from tests.ofer.weighted import ONE_RIDGE, QUERIES, RIDGES, RNG, W, X, Y, kept, repeated

TYPES = ["spherical", "diag", "tied", "full"]


@pytest.mark.parametrize("n_init", [1, 3])
@pytest.mark.parametrize("covariance_type", TYPES)
def test_mixture(covariance_type, n_init):
    mixture = GaussianMixtureEmbedding(
        3, covariance_type=covariance_type, n_init=n_init, random_state=0
    )
    expected = mixture.fit(*repeated(Y))
    names = "weights_", "means_", "covariances_", "precisions_"
    expected = {name: getattr(expected, name) for name in names} | {"H": expected.transform(Y)}
    found = mixture.fit(Y, sample_weight=W)
    for name in names:
        assert_allclose(getattr(found, name), expected[name], rtol=1e-8, atol=1e-10)
    assert_allclose(found.transform(Y), expected["H"], atol=1e-8)


@pytest.mark.parametrize("block_wise", [True, "auto"])
@pytest.mark.parametrize(
    "weak", [None, Memberships(QUERIES, np.arange(15) % 2), Bounds(QUERIES, 0.0, np.inf)]
)
def test_zero_weight_is_removal_also_in_leave_one_out(weak, block_wise):
    weights = (W > 0) * RNG.uniform(0.5, 2, size=40)
    mixture = GaussianMixtureEmbedding(2, random_state=0)
    model = OutputFisherRegressor(mixture, RIDGES, block_wise=block_wise)
    model.fit(*kept(X, Y, weights), weak=weak)
    chosen = model.block_wise_, model.weak_weight_
    expected, errors, unseen = model.loo_predict(), model.loo_errors_, model.predict(X[W == 0])
    model.fit(X, Y, weights, weak=weak)
    assert_allclose(model.loo_predict()[W > 0], expected, atol=1e-8)
    assert_allclose(model.loo_predict()[W == 0], unseen, atol=1e-8)
    assert model.loo_errors_ == pytest.approx(errors, rel=1e-8)
    assert (model.block_wise_, model.weak_weight_) == chosen


def test_leave_one_out_is_that_of_refits():
    weights = RNG.uniform(0.5, 2, size=40)
    mixture = FrozenEstimator(GaussianMixtureEmbedding(2, random_state=0).fit(Y))
    model = OutputFisherRegressor(mixture, ONE_RIDGE).fit(X, Y, weights)
    found = model.loo_predict()
    for i in range(0, 40, 7):
        rest = np.delete(np.arange(40), i)
        alone = OutputFisherRegressor(mixture, ONE_RIDGE).fit(X[rest], Y[rest], weights[rest])
        assert_allclose(found[[i]], alone.predict(X[[i]]), atol=1e-8)


def test_precomputed_kernels_take_weights():
    K, queries = rbf_kernel(X, gamma=0.2), rbf_kernel(QUERIES, X, gamma=0.2)
    mixture = GaussianMixtureEmbedding(2, random_state=0)
    expected = OutputFisherRegressor(mixture, RIDGES).fit(X, Y, W)
    given = OutputFisherRegressor(mixture, KernelRidgeCV(kernel="precomputed")).fit(K, Y, W)
    assert_allclose(given.predict(queries), expected.predict(QUERIES), atol=1e-8)
    assert_allclose(given.loo_predict(), expected.loo_predict(), atol=1e-8)


def test_parts_that_take_no_weights():
    with pytest.raises(ValueError, match="sample_weight must be None for KNeighborsRegressor"):
        OutputFisherRegressor(regressor=KNeighborsRegressor()).fit(X, Y, W)
    with pytest.raises(ValueError, match="sample_weight must be None for PCA"):
        OutputFisherRegressor(PCA(1)).fit(X, Y, W)
    frozen = FrozenEstimator(PCA(1).fit(Y))
    assert OutputFisherRegressor(frozen).fit(X, Y, W).predict(X).shape == Y.shape
    with pytest.raises(ValueError, match="sample_weight must not be negative; got -1"):
        OutputFisherRegressor().fit(X, Y, W - 1.0)


SCALED = make_pipeline(StandardScaler(), ONE_RIDGE)
UNITS = np.array([1.0, 100.0, 0.01])
OFER = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), SCALED)


@pytest.mark.parametrize("weak", [False, True])
def test_weights_are_repetitions_for_a_scaler_too(weak):
    told = Memberships(QUERIES * UNITS, np.arange(15) % 2, weight=0.5) if weak else None
    model = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), SCALED)
    expected = model.fit(*repeated(X * UNITS, Y), weak=told).predict(X * UNITS)
    found = model.fit(X * UNITS, Y, W, weak=told).predict(X * UNITS)
    assert_allclose(found, expected, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("candidates", [False, True])
def test_transformers_do_not_see_samples_of_weight_zero(candidates):
    outputs = np.stack([QUERIES[:, :2], -QUERIES[:, :2]], axis=1)
    labels = {"weak": Candidates(QUERIES, outputs)} if candidates else {}
    pipeline = make_pipeline(StandardScaler(), PCA(2, whiten=True), RIDGES)
    model = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), pipeline)
    weights = (W > 0) * np.linspace(0.5, 2.0, 40)
    model.fit(*kept(X, Y, weights), **labels)
    expected, predicted = model.loo_predict(), model.predict(QUERIES)
    model.fit(np.where(W[:, None] > 0, X, X + 50.0), Y, weights, **labels)
    assert_allclose(model.loo_predict()[W > 0], expected, atol=1e-8)
    assert_allclose(model.predict(QUERIES), predicted, atol=1e-8)


@pytest.mark.parametrize("block_wise", [False, True])
def test_candidates_are_those_of_scaled_inputs(block_wise):
    """Labelled and weak inputs are scaled together."""
    outputs = np.stack([QUERIES[:, :2], -QUERIES[:, :2]], axis=1)
    model = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), SCALED)
    model.set_params(block_wise=block_wise)
    model.fit(X * UNITS, Y, W, weak=Candidates(QUERIES * UNITS, outputs, weight=0.5))
    scaler = StandardScaler().fit(np.vstack([X, QUERIES]), sample_weight=np.append(W, [0.5] * 15))
    alone = clone(model).set_params(regressor=ONE_RIDGE)
    scaled = Candidates(scaler.transform(QUERIES), outputs, weight=0.5)
    alone.fit(scaler.transform(X), Y, W, weak=scaled)
    assert_array_equal(model.assignments_, alone.assignments_)
    assert_allclose(model.loo_predict(), alone.loo_predict(), atol=1e-8)
    found, expected = model.predict(X * UNITS), alone.predict(scaler.transform(X))
    assert_allclose(found, expected, atol=1e-8)


@pytest.mark.parametrize(
    "weak",
    [None, Memberships(QUERIES, np.arange(15) % 2), Candidates(QUERIES, QUERIES[:, None, :2])],
)
def test_frames_between_the_steps_of_a_pipeline(weak):
    """As transformers give them, if they are told to, and as they are given."""
    expected = clone(OFER).fit(X, Y, W, weak=weak).predict(X)
    frames = pd.DataFrame(X, index=np.arange(100, 140)).add_prefix("x")
    with config_context(transform_output="pandas"):
        for inputs in (X, frames):
            found = clone(OFER).fit(inputs, Y, W, weak=weak).predict(inputs)
            assert_allclose(found, expected, atol=1e-8)


def requested(estimator):
    return estimator.set_fit_request(sample_weight=True)


def scored(estimator):
    return requested(estimator).set_score_request(sample_weight=True)


def test_weights_are_routed_to_and_through_it():
    """What asks for weights gets them, from whatever hands them on, and gives them to its parts."""
    weights = np.linspace(0.1, 3.0, 40)
    expected = clone(OFER).fit(X, Y, weights).predict(QUERIES)
    with config_context(enable_metadata_routing=True):
        for outer in (
            clone(OFER),
            GridSearchCV(scored(clone(OFER)), {"block_wise": [True]}, cv=2, error_score="raise"),
            make_pipeline("passthrough", requested(clone(OFER))),
            TransformedTargetRegressor(requested(clone(OFER)), check_inverse=False),
        ):
            found = outer.fit(X, Y, sample_weight=weights).predict(QUERIES)
            assert_allclose(found, expected, atol=1e-8)
            assert not np.allclose(clone(outer).fit(X, Y).predict(QUERIES), expected)


def test_weights_are_routed_to_what_a_search_in_it_asks_for():
    weights = np.linspace(0.1, 3.0, 40)
    with config_context(enable_metadata_routing=True):
        search = GridSearchCV(scored(clone(ONE_RIDGE)), {"gamma": [0.2]}, cv=2)
        model = clone(OFER).set_params(regressor=search).fit(X, Y, weights)
    expected = clone(OFER).set_params(regressor=ONE_RIDGE).fit(X, Y, weights)
    assert_allclose(model.predict(QUERIES), expected.predict(QUERIES), atol=1e-8)
