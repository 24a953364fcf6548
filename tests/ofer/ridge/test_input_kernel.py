"""Widths by rule, and kernels that say nothing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.metrics.pairwise import (
    additive_chi2_kernel,
    euclidean_distances,
    manhattan_distances,
)
from sklearn.svm import SVC

from ofer import KernelRidgeCV, NystroemRidgeCV
from ofer.kernels import median_gamma
from ofer.ridge.input_kernel import InputKernel
from tests.ofer.estimators import KERNEL_MACHINES

RNG = np.random.default_rng(0)
X = RNG.uniform(1.0, 3.0, size=(40, 3))
Y = np.column_stack([np.sin(3 * X[:, 0]), X[:, 1] + 5])
MACHINES = [*KERNEL_MACHINES, NystroemRidgeCV]
KERNELS = ["rbf", "laplacian", "chi2", "poly", "sigmoid"]


def test_a_kernel_is_the_same_with_the_same_parameters():
    """The values of which are compared, also where they are arrays."""
    ours = {"kernel": min, "gamma": 0.5, "kernel_params": {"scales": np.ones(2), "power": 2}}
    others = [
        *({"kernel": max}, {"gamma": 0.6}, {"degree": 2}, {"coef0": 0}, {"kernel_params": None}),
        {"kernel_params": {"scales": np.ones(2)}},
        {"kernel_params": {"scales": np.array([1.0, 2.0]), "power": 2}},
    ]
    assert InputKernel(**ours).same_as(InputKernel(**ours))
    assert InputKernel("rbf").same_as(InputKernel("rbf", kernel_params={}))
    for other in others:
        assert not InputKernel(**ours).same_as(InputKernel(**ours | other))


def test_the_rule_is_the_mean_of_what_is_exponentiated():
    model = KernelRidgeCV(kernel="rbf").fit(X, Y)
    assert model.gamma_ == pytest.approx(1 / euclidean_distances(X, squared=True).mean())
    centred = X - X.mean(axis=0)  # half the width of support vector machines, which see no pairs
    assert model.gamma_ == pytest.approx(SVC().fit(centred, Y[:, 0] > 0)._gamma / 2)
    for kernel, distances in {
        "laplacian": manhattan_distances(X),
        "chi2": -additive_chi2_kernel(X),
        "poly": np.diag(X @ X.T),
    }.items():
        gamma = InputKernel(kernel, "mean").width(X)
        assert gamma * distances.mean() == pytest.approx(1.0, rel=0.25), kernel
    assert KernelRidgeCV(kernel="rbf", gamma="median").fit(X, Y).gamma_ == median_gamma(X)
    with pytest.raises(ValueError, match="'gamma' parameter of"):
        KernelRidgeCV(gamma="scale").fit(X, Y)
    with pytest.raises(ValueError, match="gamma must not be 'median' for the kernel 'laplacian'"):
        KernelRidgeCV(kernel="laplacian", gamma="median").fit(X, Y)


def test_none_is_the_width_of_others():
    assert KernelRidgeCV(kernel="rbf", gamma=None).fit(X, Y).gamma_ is None  # scikit-learn's own
    assert KernelRidgeCV().fit(X, Y).gamma_ is None  # the linear kernel has none


@pytest.mark.filterwarnings("ignore:the kernel is not positive", "ignore:alphas should have")
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("make", MACHINES)
def test_the_unit_of_the_inputs_changes_nothing(make, kernel):
    if make.__name__ == "InputOutputKernelRegressor" and kernel in ("poly", "sigmoid"):
        pytest.skip("it has no constant and no degree")
    expected = make(kernel=kernel).fit(X, Y).predict(X[:5])
    for unit in (1e-6, 1e6):
        found = make(kernel=kernel).fit(unit * X, Y).predict(unit * X[:5])
        assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


@pytest.mark.filterwarnings("ignore:alphas should have")
@pytest.mark.parametrize("rule", ["mean", "median"])
@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
def test_samples_of_weight_zero_have_no_part_in_widths(make, rule, convert):
    far, weights = np.vstack([X, X[:30] + 1e3]), np.repeat([1.0, 0.0], [40, 30])
    outputs = np.vstack([Y, Y[:30] - 1e3])
    alone = make(kernel="rbf", gamma=rule).fit(convert(X), Y)
    found = make(kernel="rbf", gamma=rule).fit(convert(far), outputs, sample_weight=weights)
    assert found.gamma_ == pytest.approx(alone.gamma_)
    expected = alone.predict(convert(X[:5]))
    # Far rows move the origin of the distances by roundoff.
    atol = 1e-7 * np.abs(expected).max()
    assert_allclose(found.predict(convert(X[:5])), expected, rtol=0, atol=atol)


def test_integer_weights_are_repetitions_in_widths():
    weights = RNG.integers(1, 4, size=len(X))
    repeated = KernelRidgeCV([1.0], kernel="rbf")
    repeated.fit(np.repeat(X, weights, axis=0), Y.repeat(weights, 0))
    weighted = KernelRidgeCV([1.0], kernel="rbf").fit(X, Y, weights)
    assert weighted.gamma_ == pytest.approx(repeated.gamma_)


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize(("unit", "found"), [(1e6, "identity"), (1e-6, "all ones")])
def test_a_kernel_that_says_nothing_warns(make, unit, found):
    with pytest.warns(UserWarning, match=f"kernel matrix is.*{found}.*Standardise X"):
        make([1.0], kernel="rbf", gamma=1.0).fit(unit * X, Y)


@pytest.mark.parametrize("make", MACHINES)
def test_columns_that_a_kernel_hardly_sees_warn(make):
    with pytest.warns(UserWarning, match=r"most columns of X are less than .* Standardise X"):
        make([1.0], kernel="rbf").fit(X * [1000.0, 1.0, 1.0], Y)
    make([1.0], kernel="rbf").fit(X * [1000.0, 1.0, 500.0], Y)
