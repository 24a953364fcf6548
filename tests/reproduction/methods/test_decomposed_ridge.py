import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.frozen import FrozenEstimator

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    KernelSystem,
    Memberships,
    OutputFisherRegressor,
)
from reproduction.methods.decomposed_ridge import DecomposedRidge


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    return X, X[:, :3] + 0.3 * rng.normal(size=(30, 3)), rng.uniform(0.2, 2.0, size=30)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("pairwise", [False, True])
@pytest.mark.parametrize("one_target", [False, True])
def test_it_is_kernel_ridge_regression(weighted, pairwise, one_target, data):
    X, Y, weights = data
    y, weights = Y[:, 0] if one_target else Y, weights if weighted else None
    K = X @ X.T
    make = KernelSystem.from_kernel if pairwise else KernelSystem.from_features
    inputs, query = (K, K[:3]) if pairwise else (X, X[:3])
    ridge = DecomposedRidge([make(inputs, weights)], pairwise=pairwise)
    ridge.fit(inputs, y, sample_weight=weights)
    expected = KernelRidgeCV(kernel="precomputed").fit(K, y, sample_weight=weights)
    assert ridge.alpha_ == pytest.approx(expected.alpha_)
    assert_allclose(ridge.loo_residuals_, expected.loo_residuals_, atol=1e-9)
    assert_allclose(ridge.predict(query), expected.predict(K[:3]), atol=1e-9)


def test_residuals_are_those_of_fits_without_the_sample(data):
    X, Y, weights = data
    ridge = DecomposedRidge([KernelSystem.from_features(X, weights)], [[0.3]])
    ridge.fit(X, Y, sample_weight=weights)
    for i in (0, 7, 29):
        kept = np.delete(np.arange(30), i)
        without = KernelRidgeCV([0.3]).fit(X[kept], Y[kept], sample_weight=weights[kept])
        assert_allclose(ridge.loo_residuals_[i], Y[i] - without.predict(X[[i]])[0], atol=1e-10)


@pytest.mark.parametrize("pairwise", [False, True])
def test_each_set_of_samples_has_its_ridge(pairwise, data):
    """Labelled samples one, labelled and weak samples another: two estimators for one."""
    X, Y, _ = data
    mixture = GaussianMixtureEmbedding(2, random_state=0).fit(Y[:20])
    weights = np.repeat([1.0, 0.4], [20, 10])
    make, inputs, kernel = KernelSystem.from_features, X, "linear"
    if pairwise:
        make, inputs, kernel = KernelSystem.from_kernel, X @ X.T, "precomputed"
    labelled = inputs[:20, :20]
    systems = [make(labelled), make(inputs, weights)]
    weak = {"weak": Memberships(inputs[20:], mixture.predict_proba(Y[20:]), weight=0.4)}

    def embedding(regressor):
        model = OutputFisherRegressor(FrozenEstimator(mixture), regressor)
        return model.fit(labelled, Y[:20], **weak).predict_embedding(inputs)

    found = embedding(DecomposedRidge(systems, [[0.1], [5.0]], pairwise=pairwise))
    columns = mixture.blocks_
    for name, alpha in (("mean", 0.1), ("membership", 5.0)):
        expected = embedding(KernelRidgeCV([alpha], kernel=kernel))[:, columns[name]]
        assert_allclose(found[:, columns[name]], expected, atol=1e-10)
