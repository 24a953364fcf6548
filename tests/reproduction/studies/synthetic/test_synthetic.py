import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
)
from ofer.kernels import median_bandwidth
from ofer.metrics import arrmse, rrmse
from reproduction.datasets.generated.mixtures import make_d1, make_d2
from reproduction.statistics import repeated_splits
from reproduction.studies.synthetic import d2
from reproduction.studies.synthetic.d1 import PARAMETERS, assess

D1, D2 = make_d1(90, random_state=0), make_d2(90, random_state=0)
TRAIN, TEST = np.arange(30), np.arange(30, 80)  # ten samples are neither
X, Y = D1.X[TRAIN], D1.Y[TRAIN]


@pytest.fixture(autouse=True)
def _light(monkeypatch):
    """Few points for the slow search, and few choices: the methods are tested, not these."""
    monkeypatch.setitem(PARAMETERS, "n_descent", 8)
    monkeypatch.setitem(PARAMETERS, "n_calls", 1)
    monkeypatch.setitem(d2.PARAMETERS, "alphas", [1e-3, 1e-1])
    monkeypatch.setitem(d2.PARAMETERS, "width_factors", [1.0, 3.0])


def ridge(**options):
    return KernelRidgeCV(kernel="rbf", gamma=1 / (2 * median_bandwidth(X) ** 2), **options)


def test_reduced_gaussian_is_ridge_regression_on_centred_outputs():
    mean = Y.mean(axis=0)
    plain = ridge(fit_intercept=False).fit(X, Y - mean).predict(D1.X[TEST]) + mean
    metrics = assess(D1, "reduced", 1, TRAIN, TEST, seed=0)
    assert_allclose(metrics["rrmse"], rrmse(D1.Y[TEST], plain), rtol=1e-6)
    assert_allclose(metrics["arrmse"], arrmse(D1.Y[TEST], plain, y_train=Y), rtol=1e-6)


def test_full_embedding_and_what_it_gets_wrong():
    model = OutputFisherRegressor(
        FullFisherEmbedding(
            GaussianMixtureEmbedding(2, scaling="score", decoder="raw", random_state=0)
        ),
        ridge(fit_intercept=False),
        block_wise=False,
    ).fit(X, Y)
    metrics = assess(D1, "full", 2, TRAIN, TEST, seed=0)
    assert_allclose(metrics["rrmse"], rrmse(D1.Y[TEST], model.predict(D1.X[TEST])), rtol=1e-6)
    H = model.predict_embedding(D1.X[TEST])
    truth = model.embedding_.transform(D1.Y[TEST])
    assert_allclose(metrics["learning error"], rrmse(truth, H), rtol=1e-6)


@pytest.mark.parametrize("n_components", [1, 2])
def test_closed_form_of_the_full_embedding_is_the_reduced_one_with_its_ridge(n_components):
    """One linear smoother for all coordinates: what is learnt beside does not matter."""
    reduced = GaussianEmbedding()
    if n_components > 1:
        reduced = GaussianMixtureEmbedding(
            n_components, scaling="score", decoder="raw", random_state=0
        )
    options = {"fit_intercept": False}
    full = OutputFisherRegressor(FullFisherEmbedding(reduced), ridge(**options), block_wise=False)
    alpha = full.fit(X, Y).regressor_["all"].alpha_
    model = OutputFisherRegressor(reduced, ridge(alphas=[alpha], **options), block_wise=False)
    expected = rrmse(D1.Y[TEST], model.fit(X, Y).predict(D1.X[TEST]))
    metrics = assess(D1, "full, closed form", n_components, TRAIN, TEST, seed=0)
    assert_allclose(metrics["rrmse"], expected, rtol=1e-6)


@pytest.mark.parametrize("method", ["m-KRR centred", "OFER 2-GMM as printed", "OFER 2-GMM"])
def test_d2_sees_the_training_part_alone(method):
    split = repeated_splits(
        90, n_splits=1, train_fraction=0.5, train_sizes=[30], random_state=2018
    )[0]
    train = split.train(30)
    model = d2.select(method, D2.X[train], D2.Y[train], seed=0)
    metrics = d2.evaluate(D2, method, "30", 0)
    predicted = model.predict(D2.X[split.test])
    assert_allclose(metrics["rrmse"], rrmse(D2.Y[split.test], predicted))
    assert_allclose(metrics["arrmse"], arrmse(D2.Y[split.test], predicted, y_train=D2.Y[train]))
    if method != "OFER 2-GMM as printed":  # equation (10) nearly divides by zero
        assert metrics["rrmse"] < 0.9


def test_d2_with_one_component_is_ridge_regression():
    ours, ridge_alone = (
        d2.evaluate(D2, method, "30", 0)["rrmse"] for method in ("OFER 1-GMM", "m-KRR centred")
    )
    assert_allclose(ours, ridge_alone, rtol=1e-6)
