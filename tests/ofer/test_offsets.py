"""Inputs and outputs far from zero, huge, and of different scales."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from ofer import KernelRidgeCV

RNG = np.random.default_rng(0)
OFFSETS = [0.0, 1e2, 1e3, 1e4, 1e5, 1e7, 1e8, 1e9]
KERNELS = ["linear", "rbf", "laplacian", "poly", "sigmoid", "cosine", "chi2", "additive_chi2"]


def gap_of_refits(model, X, Y, rows=range(0, 20, 4)):
    """Largest difference of leave-one-out predictions and honest ones, in spreads of the target."""
    promised, gaps = Y - model.loo_residuals_, []
    for i in rows:
        others = np.arange(len(X)) != i
        again = clone(model).set_params(alphas=[model.alpha_]).fit(X[others], Y[others])
        gaps.append(np.abs(again.predict(X[[i]])[0] - promised[i]) / Y.std(axis=0))
    return np.max(gaps)


@pytest.mark.parametrize("d", [3, 40])  # fewer features than samples, and more
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_leave_one_out_is_what_refits_do_or_there_is_a_warning(offset, kernel, fit_intercept, d):
    rng = np.random.default_rng(1)
    X = offset + rng.uniform(size=(20, d))
    Y = np.column_stack([np.sin(3 * (X[:, 0] - offset)), X[:, 1] - offset])
    options = {"kernel": kernel, "fit_intercept": fit_intercept, "gamma": 0.5}
    exact = kernel in ("rbf", "laplacian") or (kernel == "linear" and fit_intercept)
    for alphas in (None, [1e-3]):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = KernelRidgeCV(alphas, **options).fit(X, Y)
            gap = gap_of_refits(model, X, Y)
        assert not (exact and caught)
        assert caught or gap < 1e-4
