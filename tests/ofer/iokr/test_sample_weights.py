"""Integer weights are repetitions, and a weight of zero is an absent sample."""

import numpy as np
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


def test_weights_of_one_change_nothing():
    model = InputOutputKernelRegressor(kernel="rbf", gamma=0.2)
    expected = model.fit(X, Y).predict(QUERIES)
    assert_allclose(model.fit(X, Y, np.ones(40)).predict(QUERIES), expected, atol=1e-10)
    with pytest.raises(ValueError, match="sample_weight must not be negative; got -1"):
        model.fit(X, Y, W - 1.0)
