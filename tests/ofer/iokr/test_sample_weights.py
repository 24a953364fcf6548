"""Integer weights are repetitions, and a weight of zero is an absent sample."""

import pytest
from numpy.testing import assert_allclose

from ofer import InputOutputKernelRegressor
from tests.ofer.weighted import QUERIES, RNG, W, X, Y, kept, repeated


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"fit_intercept": False},
        {"preimage": "gradient"},
        {"output_kernel": "linear", "preimage": "gradient"},
        {"kernel": "linear", "gamma": None},
    ],
)
def test_input_output_kernel_regressor(params):
    options = {"kernel": "rbf", "gamma": 0.2, "output_gamma": 0.3} | params
    model = InputOutputKernelRegressor([0.3], **options)
    expected = model.fit(*repeated(X, Y)).predict(QUERIES)
    assert_allclose(model.fit(X, Y, W).predict(QUERIES), expected, rtol=1e-6, atol=1e-6)

    model.set_params(alphas=None, output_gamma=None)
    weights = (W > 0) * RNG.uniform(0.5, 2, size=40)
    removed = model.fit(*kept(X, Y, weights))
    expected, scores, gamma = removed.predict(QUERIES), removed.loo_scores_, removed.output_gamma_
    model.fit(X, Y, weights)
    assert model.output_gamma_ == gamma
    assert_allclose(model.loo_scores_, scores, rtol=1e-8)
    assert_allclose(model.predict(QUERIES), expected, rtol=1e-6, atol=1e-6)


def test_absent_samples_are_no_candidates():
    model = InputOutputKernelRegressor([1e-6], kernel="rbf", gamma=0.2)
    chosen = model.fit(X, Y, W).predict(X)
    assert {tuple(y) for y in chosen} <= {tuple(y) for y in Y[W > 0]}
