"""The choice of a kernel and its width by exact leave-one-out, and who takes it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import linear_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    CrossConformalClassifier,
    FullConformalRegressor,
    GaussianEmbedding,
    JackknifePlus,
    KernelRidgeCV,
    OutputFisherRegressor,
    OutputFisherRegressorCV,
    SemanticClassifier,
    TunedThresholdMultilabelClassifier,
)
from ofer.kernels import median_gamma

RNG = np.random.default_rng(0)
N = 24
X = RNG.normal(size=(N, 3))
Y = np.column_stack([np.sin(2 * X[:, 0]), X[:, 1] ** 2]) + 0.1 * RNG.normal(size=(N, 2))
HOLES = np.where(RNG.uniform(size=Y.shape) < 0.2, np.nan, Y)
HOLES[np.isnan(HOLES).all(axis=1), 0] = 0.0
CHOICE = KernelRidgeCV(gamma="loo")


def refitted(kernel, gamma, alpha, targets, weights, groups):
    """The score of a kernel by as many fits, each without a sample or its group."""
    labels = np.arange(N) if groups is None else groups
    missed = np.full(targets.shape, np.nan)
    ridge = KernelRidgeCV([alpha], kernel=kernel, gamma=gamma)
    for label in np.unique(labels):
        gone, kept = labels == label, labels != label
        seen = None if weights is None else weights[kept]
        missed[gone] = targets[gone] - ridge.fit(X[kept], targets[kept], seen).predict(X[gone])
    w = np.ones(N) if weights is None else weights
    errors = []
    for y, r in zip(targets.T, missed.T, strict=True):
        s = ~np.isnan(y)
        centred = y[s] - np.average(y[s], weights=w[s])
        errors.append(np.average(r[s] ** 2, weights=w[s]) / np.average(centred**2, weights=w[s]))
    return -np.mean(errors)


@pytest.mark.parametrize("targets", [Y, HOLES], ids=["complete", "missing"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_score_of_each_kernel_is_that_of_refits(targets, weighted, grouped):
    weights = RNG.uniform(0.5, 2.0, size=N) if weighted else None
    groups = np.arange(N) // 3 if grouped else None
    model = clone(CHOICE).fit(X, targets, weights, groups)
    names = "kernel", "gamma", "alpha", "score"
    rows = list(zip(*(model.cv_results_[name] for name in names), strict=True))
    assert [kernel for kernel, *_ in rows] == ["linear", *["rbf"] * 6]
    for kernel, gamma, alpha, score in rows:
        gamma = None if kernel == "linear" else gamma
        again = refitted(kernel, gamma, alpha, targets, weights, groups)
        assert score == pytest.approx(again, rel=1e-8)
    best = model.cv_results_["score"].argmax()
    assert (model.kernel_, model.gamma_, model.alpha_) == rows[best][:3]
    assert model.best_score_ == model.cv_results_["score"].max()
    chosen = KernelRidgeCV(kernel=model.kernel_, gamma=model.gamma_).fit(
        X, targets, weights, groups
    )
    assert_allclose(model.predict(X), chosen.predict(X), rtol=1e-10)
    assert_allclose(model.loo_residuals_, chosen.loo_residuals_, rtol=1e-10)


def test_widths_lie_around_the_median_distance():
    model = clone(CHOICE).fit(X, Y)
    assert_allclose(model.cv_results_["gamma"][1:], median_gamma(X) * 4.0 ** np.arange(2, -4, -1))
    of_sparse = clone(CHOICE).fit(sparse.csr_matrix(X), Y)
    assert_allclose(of_sparse.predict(sparse.csr_matrix(X)), model.predict(X), rtol=1e-8)


def test_a_linear_truth_gets_the_linear_kernel():
    model = clone(CHOICE).fit(X, X @ RNG.normal(size=(3, 2)))
    assert (model.kernel_, model.gamma_, model.X_fit_) == ("linear", None, None)
    assert model.coef_.shape == (2, 3)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_units_do_not_change_the_choice(factor):
    model, other = clone(CHOICE).fit(X, Y), clone(CHOICE).fit(factor * X, Y / factor)
    assert_allclose(other.cv_results_["score"], model.cv_results_["score"], rtol=1e-6)
    assert_allclose(factor * other.predict(factor * X), model.predict(X), rtol=1e-6, atol=1e-9)


@pytest.mark.filterwarnings("ignore:alphas should have")
def test_orders_and_repetitions_do_not_change_the_choice():
    order, columns = RNG.permutation(N), [2, 0, 1]
    model = clone(CHOICE).fit(X, Y)
    other = clone(CHOICE).fit(X[order][:, columns], Y[order][:, ::-1])
    assert_allclose(other.cv_results_["score"], model.cv_results_["score"], rtol=1e-7)
    assert_allclose(other.predict(X[:, columns])[:, ::-1], model.predict(X), rtol=1e-6, atol=1e-9)
    weights = RNG.integers(0, 3, size=N)
    times = np.repeat(np.arange(N), weights)
    given = KernelRidgeCV(np.logspace(-3, 2, 11), gamma="loo")  # default ones follow the kernel
    weighted = clone(given).fit(X, Y, weights)
    repeated = clone(given).fit(X[times], Y[times], groups=times)
    for name in ("gamma", "alpha", "score"):
        assert_allclose(weighted.cv_results_[name], repeated.cv_results_[name], rtol=1e-6)
    assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kernel", ["laplacian", "poly", "chi2"])
def test_other_kernels_choose_their_width(kernel):
    model = KernelRidgeCV(kernel=kernel, gamma="loo").fit(abs(X), Y)
    ruled = KernelRidgeCV(kernel=kernel).fit(abs(X), Y)
    path = model.cv_results_
    assert path["kernel"].tolist() == [kernel] * 6
    (place,) = np.flatnonzero(np.isclose(path["gamma"], ruled.gamma_))
    assert path["score"][place] == pytest.approx(ruled.best_score_)
    assert model.best_score_ >= ruled.best_score_


def test_widths_may_be_given():
    model = KernelRidgeCV(kernel="rbf", gamma=[0.01, 0.2, 5.0]).fit(X, Y)
    fits = [KernelRidgeCV(kernel="rbf", gamma=gamma).fit(X, Y) for gamma in (0.01, 0.2, 5.0)]
    assert_allclose(model.cv_results_["score"], [fit.best_score_ for fit in fits])
    assert model.best_score_ == max(fit.best_score_ for fit in fits)


@pytest.mark.parametrize("kernel", ["cosine", "precomputed", linear_kernel])
def test_a_kernel_without_a_width_is_taken_as_it_is(kernel):
    inputs = X @ X.T if kernel == "precomputed" else X
    model = KernelRidgeCV(kernel=kernel, gamma="loo").fit(inputs, Y)
    assert len(model.cv_results_["score"]) == 1
    assert_allclose(
        model.predict(inputs), KernelRidgeCV(kernel=kernel).fit(inputs, Y).predict(inputs)
    )


def test_blocks_share_one_kernel():
    fitted = clone(CHOICE).fit_blocks(X, {"first": Y[:, 0], "both": Y})
    path = fitted["first"].cv_results_
    alone, both = clone(CHOICE).fit(X, Y[:, 0]), clone(CHOICE).fit(X, Y)
    expected = (alone.cv_results_["score"] + 2 * both.cv_results_["score"]) / 3
    assert_allclose(path["score"], expected)
    assert fitted["first"].gamma_ == fitted["both"].gamma_
    assert fitted["first"].alpha_ == path["alpha"][path["score"].argmax()]
    predicted = fitted["both"].predict_blocks(X, fitted)
    assert_allclose(predicted["first"], fitted["first"].predict(X))


@pytest.mark.parametrize("targets", [Y, HOLES], ids=["complete", "missing"])
def test_it_is_the_choice_of_the_search(targets):
    search = OutputFisherRegressorCV(n_components=1, cv=None).fit(X, targets)
    ridge = make_pipeline(StandardScaler(), clone(CHOICE)).fit(X, targets)[-1]
    assert (ridge.kernel_, ridge.gamma_) == (
        search.best_params_["kernel"],
        pytest.approx(search.best_params_["gamma"]),
    )


def test_a_wide_column_is_named():
    with pytest.warns(UserWarning, match="hardly sees these columns"):
        clone(CHOICE).fit(np.column_stack([1e4 * X[:, :1], X[:, 1:]]), Y)


@pytest.mark.parametrize("ask", ["kernel_system", "loo_predictions"])
def test_what_needs_one_kernel_says_so(ask):
    arguments = (X, Y) if ask == "loo_predictions" else (X,)
    with pytest.raises(ValueError, match=r"gamma must stand for one width .*; got 'loo'"):
        getattr(clone(CHOICE), ask)(*arguments)


@pytest.mark.parametrize("gamma", [[], [[1.0]], [0.0], [-1.0], [np.inf], ["mean"]])
def test_bad_widths_are_named(gamma):
    with pytest.raises(ValueError, match="gamma must be"):
        KernelRidgeCV(kernel="rbf", gamma=gamma).fit(X, Y)


REGIONS = [JackknifePlus, FullConformalRegressor]


@pytest.mark.parametrize("regions", REGIONS)
def test_regions_are_those_of_the_chosen_kernel(regions):
    found = regions(clone(CHOICE), confidence_level=0.8).fit(X, Y)
    ridge = clone(CHOICE).fit(X, Y)
    chosen = KernelRidgeCV([ridge.alpha_], kernel=ridge.kernel_, gamma=ridge.gamma_)
    expected = regions(chosen, confidence_level=0.8).fit(X, Y)
    assert_allclose(found.predict_interval(X), expected.predict_interval(X), rtol=1e-9)


def test_a_choice_on_other_samples_leaves_the_level_proved():
    model = FullConformalRegressor().fit(X[12:], Y[12:], X_tune=X[:12], y_tune=Y[:12])
    assert model.reservations_ == []
    once = FullConformalRegressor(clone(CHOICE)).fit(X, Y).reservations_
    assert "the kernel was chosen once from all samples" in once


def test_a_choice_inside_leaves_the_level_proved():
    """Each of several widths is a candidate, as in a grid."""
    widths = [0.1, 1.0]
    ridge = KernelRidgeCV([0.1, 1.0], kernel="rbf", gamma=widths)
    model = FullConformalRegressor(ridge, confidence_level=0.8, selection="inside").fit(X, Y)
    assert model.reservations_ == []
    grid = GridSearchCV(KernelRidgeCV([0.1, 1.0], kernel="rbf"), {"gamma": widths})
    other = FullConformalRegressor(grid, confidence_level=0.8, selection="inside").fit(X, Y)
    assert_allclose(model.predict_interval(X), other.predict_interval(X))
    once = FullConformalRegressor(clone(CHOICE), selection="inside").fit(X, Y).reservations_
    assert "the kernel was chosen once from all samples" not in once
    assert any("gamma='loo'" in reason for reason in once)


def test_classifiers_take_the_choice():
    inputs, labels = load_iris(return_X_y=True)
    inputs, labels = inputs[::3], labels[::3]
    indicators = np.eye(3)[labels]
    scaled = StandardScaler().fit(inputs)
    expected = clone(CHOICE).fit(scaled.transform(inputs), indicators)
    tags = TunedThresholdMultilabelClassifier().fit(inputs, indicators.astype(int))
    for model in (SemanticClassifier().fit(inputs, labels), tags):
        ridge = model.regressor_[-1]
        assert (ridge.kernel_, ridge.alpha_) == (expected.kernel_, pytest.approx(expected.alpha_))
    for selection in ("fixed", "inside"):
        model = CrossConformalClassifier(selection=selection).fit(inputs, labels)
        held = model.predict_set(inputs)[np.arange(len(labels)), labels]
        assert held.mean() >= 0.9


def test_an_embedding_takes_the_choice():
    model = OutputFisherRegressor(GaussianEmbedding(), clone(CHOICE)).fit(X, Y)
    assert_allclose(model.predict(X), clone(CHOICE).fit(X, Y).predict(X), rtol=1e-6, atol=1e-9)
