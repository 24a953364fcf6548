"""Jackknife+: the identity against refits, and what the method promises."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import binom
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.covariance import ledoit_wolf
from sklearn.decomposition import PCA
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    JackknifePlus,
    KernelRidgeCV,
    Memberships,
    NystroemRidgeCV,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)

RNG = np.random.default_rng(0)
N = 20
X = RNG.normal(size=(N, 3))
Y = np.sin(X @ RNG.normal(size=(3, 2))) + 0.2 * RNG.normal(size=(N, 2))
QUERIES = RNG.normal(size=(8, 3))
WEIGHTS = RNG.uniform(0.5, 2.0, size=N)
SERIES = RNG.normal(size=(N, 5, 2)).cumsum(axis=1) + X[:, :1, None]
NOISY = Y + RNG.normal(size=Y.shape)
WIDE = RNG.normal(size=(N, 50)) * (RNG.uniform(size=(N, 50)) < 0.3)
MIXED = np.column_stack([Y[:, 0], NOISY[:, 1]])
GRID = [0.01, 0.1, 1.0, 10.0]
quiet = pytest.mark.filterwarnings("ignore:alphas should have")


class Plain(RegressorMixin, BaseEstimator):
    """A regressor of which nothing is known, so that it is fitted anew."""

    def __init__(self, inner):
        self.inner = inner

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.inner.__sklearn_tags__().input_tags.pairwise
        return tags

    def fit(self, X, y, sample_weight=None):
        self.model_ = clone(self.inner).fit(X, y, sample_weight=sample_weight)
        return self

    def predict(self, X):
        return self.model_.predict(X)


def agree(estimator, X, Y, queries, *, refitted=None, weights=None, **options):
    """Whether regions are those of n refits."""
    for shape in ("box", "ellipsoid"):
        exact = JackknifePlus(estimator, shape=shape, **options).fit(X, Y, weights)
        slow = JackknifePlus(Plain(estimator if refitted is None else refitted), shape=shape)
        slow.fit(X, Y, weights)
        assert_allclose(exact.loo_residuals_, slow.loo_residuals_, atol=1e-8)
        assert_allclose(exact.predict_interval(queries), slow.predict_interval(queries), atol=1e-8)
        assert_allclose(exact.volume(queries), slow.volume(queries), atol=1e-8)


def unit_rows(X):
    return np.abs(X) / np.abs(X).sum(axis=1, keepdims=True)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
@pytest.mark.parametrize(
    "kernel", ["linear", "rbf", "laplacian", "polynomial", "cosine", "chi2", "additive_chi2"]
)
@pytest.mark.filterwarnings("ignore:the kernel is not positive semi-definite")
def test_equals_refits(kernel, weights, fit_intercept):
    inputs = [unit_rows(one) if "chi2" in kernel else one for one in (X, QUERIES)]
    ridge = KernelRidgeCV([0.3], kernel=kernel, gamma=0.5, fit_intercept=fit_intercept)
    if kernel == "additive_chi2":  # only conditionally definite
        inputs, ridge = (X, QUERIES), ridge.set_params(kernel=lambda A, B: A @ B.T + 1.0)
    few = slice(10)
    weights = None if weights is None else weights[few]
    agree(ridge, inputs[0][few], Y[few], inputs[1], weights=weights)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
def test_equals_refits_of_a_given_kernel(weights):
    ridge = KernelRidgeCV([0.3], kernel="precomputed")
    agree(ridge, rbf_kernel(X), Y, rbf_kernel(QUERIES, X), weights=weights)


def test_equals_refits_of_sparse_inputs_and_of_many_features():
    queries = 2.0 * WIDE[:4] + 1.0
    agree(KernelRidgeCV([2.0]), sparse.csr_array(WIDE), Y, sparse.csr_array(queries))
    agree(KernelRidgeCV([2.0]), WIDE, Y, queries)


@quiet
def test_equals_refits_with_a_ridge_for_each_target():
    chosen = KernelRidgeCV(GRID, kernel="rbf", gamma=0.5, alpha_per_target=True).fit(X, MIXED)
    assert len(set(chosen.alpha_)) == 2
    model = JackknifePlus(clone(chosen), simultaneous=False).fit(X, MIXED)
    for k, alpha in enumerate(chosen.alpha_):
        one = KernelRidgeCV([alpha], kernel="rbf", gamma=0.5)
        alone = JackknifePlus(Plain(one)).fit(X, MIXED[:, k])
        assert_allclose(
            model.predict_interval(QUERIES)[:, k], alone.predict_interval(QUERIES), atol=1e-8
        )


def test_a_frozen_output_model_and_each_block():
    """The embedding of each refit is the frozen one, the ridges are the given one."""
    mixture = GaussianMixtureEmbedding(2, random_state=0).fit(Y)
    ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.5)
    model = OutputFisherRegressor(FrozenEstimator(mixture), ridge)
    exact = JackknifePlus(model, simultaneous=False).fit(X, Y)
    slow = JackknifePlus(model, simultaneous=False, strict=True).fit(X, Y)
    assert_allclose(exact.loo_residuals_, slow.loo_residuals_, atol=1e-8)
    # the mixture gives units that follow x, so those are taken out
    plain = [one.set_params(simultaneous=False) for one in (exact, slow)]
    queries = [np.concatenate([p for _, p in one._fits.predict_at(QUERIES)]) for one in plain]
    assert_allclose(queries[0], queries[1], atol=1e-8)


def test_one_component_is_the_ridge():
    ridge = KernelRidgeCV(kernel="rbf")
    embedded = OutputFisherRegressor(GaussianEmbedding(), ridge)
    for shape in ("box", "ellipsoid"):
        of_both = [JackknifePlus(one, shape=shape).fit(X, Y) for one in (ridge, embedded)]
        assert_allclose(*(one.predict_interval(QUERIES) for one in of_both), atol=1e-8)


def weak_inputs():
    rng = np.random.default_rng(5)
    return rng.normal(size=(12, 3)), rng.integers(2, size=12)


@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
def test_weak_samples_are_in_every_fit(kernel):
    X_weak, membership = weak_inputs()
    mixture = FrozenEstimator(GaussianMixtureEmbedding(2, random_state=0).fit(Y))
    model = OutputFisherRegressor(mixture, KernelRidgeCV([0.3], kernel=kernel, gamma=0.5))
    everything, queries = np.vstack([X, X_weak]), QUERIES

    def inputs(kept):
        labelled = np.flatnonzero(np.isin(np.arange(N), kept))
        if kernel == "rbf":
            return X[labelled], Y[labelled], Memberships(X_weak, membership, weight=0.7), queries
        seen = np.append(labelled, np.arange(N, len(everything)))
        K = rbf_kernel(everything[seen], gamma=0.5)
        n = len(labelled)
        of_queries = rbf_kernel(queries, everything[seen], gamma=0.5)
        return K[:n, :n], Y[labelled], Memberships(K[n:], membership, weight=0.7), of_queries

    inputs_of_all, outputs, weak, asked = inputs(np.arange(N))
    exact = JackknifePlus(model).fit(inputs_of_all, outputs, weak=weak)
    found = np.concatenate([part for _, part in exact._fits.predict_at(asked)], axis=0)
    for i in (0, 7, N - 1):
        inner, others, weak, asked = inputs(np.delete(np.arange(N), i))
        refitted = clone(model).fit(inner, others, weak=weak)
        assert_allclose(found[:, i], refitted.predict(asked), atol=1e-8)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("simultaneous", [True, False])
def test_bands_of_series(simultaneous):
    """Steps of a series have bands, wider if they are to hold together."""
    model = OutputFisherRegressor(StateSpaceEmbedding(1, max_iter=5), KernelRidgeCV([1.0]))
    bands = JackknifePlus(model, simultaneous=simultaneous).fit(X, SERIES)
    found = bands.predict_interval(X)
    assert found.shape == (*SERIES.shape, 2)
    inside = bands.contains(X, SERIES)
    assert inside.shape == ((N,) if simultaneous else SERIES.shape)
    between = ((found[..., 0] <= SERIES) & (found[..., 1] >= SERIES)).reshape(N, -1)
    assert_array_equal(
        inside.reshape(N, -1), between.all(axis=1)[:, None] if simultaneous else between
    )
    other = JackknifePlus(model, simultaneous=not simultaneous).fit(X, SERIES)
    wider = np.log(bands.volume(X) / other.volume(X))
    assert (wider > 0).all() if simultaneous else (wider < 0).all()


def test_any_regressor_is_fitted_without_each_sample():
    """By hand, from the definition."""
    y = Y[:, 0]
    model = JackknifePlus(LinearRegression(), confidence_level=0.8).fit(X, y)
    kept = [np.delete(np.arange(N), i) for i in range(N)]
    fits = [LinearRegression().fit(X[rows], y[rows]) for rows in kept]
    missed = [abs(y[i] - fit.predict(X[[i]])[0]) for i, fit in enumerate(fits)]
    upper = np.sort([fit.predict(QUERIES) + r for fit, r in zip(fits, missed, strict=True)], axis=0)
    lower = np.sort([fit.predict(QUERIES) - r for fit, r in zip(fits, missed, strict=True)], axis=0)
    rank = int(np.ceil(0.8 * (N + 1)))
    expected = np.column_stack([lower[N - rank], upper[rank - 1]])
    assert_allclose(model.predict_interval(QUERIES), expected)


def test_a_strict_pipeline_scales_without_each_sample():
    pipeline = make_pipeline(StandardScaler(), KernelRidgeCV([1.0]))
    model = JackknifePlus(pipeline, strict=True).fit(X * [1, 10, 100], Y)
    i = 3
    rows = np.delete(np.arange(N), i)
    alone = clone(pipeline).fit((X * [1, 10, 100])[rows], Y[rows])
    assert_allclose(model.loo_residuals_[i], Y[i] - alone.predict(X[[i]] * [1, 10, 100])[0])


@quiet
@pytest.mark.parametrize(
    "options",
    [{}, {"shape": "ellipsoid"}, {"simultaneous": False}],
    ids=["box", "ellipsoid", "each"],
)
def test_coverage_is_within_binomial_bands(options):
    """Of one new output in each of 60 problems, whose noise has heavy tails and grows."""
    levels, found = np.array([0.5, 0.8, 0.9]), np.zeros(3)
    rng, n = np.random.default_rng(1), 20
    ridge = KernelRidgeCV([0.1, 1.0, 10.0], kernel="rbf")
    for _ in range(60):
        inputs = rng.uniform(-2, 2, size=(n + 1, 2))
        noise = rng.standard_t(3, size=(n + 1, 3)) * (0.2 + np.abs(inputs[:, :1]))
        outputs = np.sin(2 * inputs[:, :1] + np.arange(3)) + 0.3 * noise
        model = JackknifePlus(ridge, **options).fit(inputs[:n], outputs[:n])
        found += [
            model.set_params(confidence_level=level).contains(inputs[n:], outputs[n:]).mean()
            for level in levels
        ]
    low, high = binom.ppf([[0.001], [0.999]], 60, levels)
    assert (low <= found).all()
    assert (found <= high).all()


@pytest.mark.parametrize("options", [{}, {"shape": "ellipsoid"}, {"simultaneous": False}], ids=str)
def test_few_samples_have_infinite_regions(options):
    """Nine samples know nothing of one error in twenty, and nineteen just enough."""
    for n, finite in ((18, False), (19, True)):
        model = JackknifePlus(KernelRidgeCV([1.0]), confidence_level=0.95, **options)
        model.fit(X[:n], Y[:n])
        intervals = model.predict_interval(QUERIES)
        assert np.isfinite(intervals).all() == finite
        assert np.isfinite(model.volume(QUERIES)).all() == finite
        if not finite:
            assert (intervals[..., 0] == -np.inf).all()
            assert (intervals[..., 1] == np.inf).all()
            assert np.all(model.contains(QUERIES, 1e9 * np.ones((8, 2))))


def test_ties_and_outputs_that_never_change():
    """Equal residuals share a rank; a constant output has an interval of no length."""
    rounded = np.column_stack([np.round(Y[:, 0]), np.full(N, 3.0)])
    for shape in ("box", "ellipsoid"):
        model = JackknifePlus(KernelRidgeCV([1.0]), shape=shape).fit(X, rounded)
        intervals = model.predict_interval(X)
        assert np.isfinite(intervals).all()
        assert_allclose(intervals[:, 1], 3.0, atol=1e-6)
        assert model.contains(X, rounded).mean() >= 0.9
    repeated = JackknifePlus(KernelRidgeCV([1.0])).fit(np.ones((20, 1)), np.arange(20) % 2)
    assert_allclose(np.ptp(repeated.predict_interval([[1.0]])), 1.0 + 2 / 19)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("shape", ["box", "ellipsoid"])
@pytest.mark.parametrize("constant", [7.0, 0.1, 0.0, 1e-9, 1e9])
def test_a_constant_output_changes_no_other(constant, shape, strict, weighted):
    rng = np.random.default_rng(5)
    inputs = rng.normal(size=(40, 2))
    outputs = inputs + 0.3 * rng.normal(size=(40, 2))
    weights = rng.uniform(0.5, 2.0, 40) if weighted else None
    ridge = KernelRidgeCV([0.5], kernel="rbf", gamma=0.4)
    model = JackknifePlus(ridge, shape=shape, strict=strict, confidence_level=0.8)
    with_it = np.insert(outputs, 1, constant, axis=1)
    expected = clone(model).fit(inputs, outputs, weights)
    twin = clone(model).fit(inputs, with_it, weights)
    # Half of the outputs are drawn apart, so that many are outside.
    queries = np.vstack([inputs, inputs[::-1]])
    tried = np.vstack([outputs, outputs])
    inside = expected.contains(queries, tried)
    assert 0.3 < inside.mean() < 0.9
    candidates = np.insert(tried, 1, constant, axis=1)
    assert_array_equal(twin.contains(queries, candidates), inside)
    ends = twin.predict_interval(queries)
    assert_allclose(
        np.delete(ends, 1, axis=1), expected.predict_interval(queries), rtol=1e-9, atol=1e-9
    )
    assert_allclose(ends[:, 1], constant, rtol=1e-11, atol=1e-150)
    lower, upper = np.moveaxis(ends, -1, 0)
    assert ((lower <= candidates) & (upper >= candidates))[inside].all()
    candidates[:, 1] = constant * 1.001 + 1e-15
    assert not twin.contains(queries, candidates).any()
    shrunk = 1e-11 * constant + 1e-150
    assert (twin.volume(queries) <= shrunk * expected.volume(queries)).all()


@pytest.mark.parametrize("shape", ["box", "ellipsoid"])
@pytest.mark.parametrize("constant", [7.0, 0.1, 0.0, 1e-9, 1e9])
def test_outputs_that_are_all_constant_have_points(constant, shape):
    outputs = np.full((N, 2), constant)
    model = JackknifePlus(KernelRidgeCV([1.0]), shape=shape).fit(X, outputs)
    assert model.contains(QUERIES, np.full((8, 2), constant)).all()
    assert not model.contains(QUERIES, np.full((8, 2), constant * 1.001 + 1e-15)).any()
    assert_allclose(model.predict_interval(QUERIES), constant, rtol=1e-11, atol=1e-150)
    assert (model.volume(QUERIES) <= (1e-11 * constant + 1e-150) ** 2).all()


@pytest.mark.parametrize("options", [{}, {"shape": "ellipsoid"}, {"simultaneous": False}], ids=str)
def test_one_output_is_the_same_in_all_forms(options):
    column = Y[:, :1]
    expected = JackknifePlus(KernelRidgeCV([1.0]), simultaneous=False).fit(X, column[:, 0])
    found = JackknifePlus(KernelRidgeCV([1.0]), **options).fit(X, column)
    assert found.predict_interval(QUERIES).shape == (8, 1, 2)
    assert expected.predict_interval(QUERIES).shape == (8, 2)
    if options != {"shape": "ellipsoid"}:
        assert_allclose(
            found.predict_interval(QUERIES)[:, 0], expected.predict_interval(QUERIES), rtol=1e-9
        )
    assert_allclose(found.volume(QUERIES), np.ptp(found.predict_interval(QUERIES), axis=2)[:, 0])


def test_an_ellipsoid_holds_what_the_rule_of_the_jackknife_keeps():
    """Each fit judges a point in the metric without its sample. And it lies in the box around."""
    rng, n, d = np.random.default_rng(7), 12, 2
    prior = d + 1.0
    for _ in range(20):
        inputs, outputs = rng.normal(size=(n, 2)), rng.standard_t(3, size=(n, d))
        query = rng.normal(size=(1, 2))
        model = JackknifePlus(KernelRidgeCV([0.3], kernel="rbf"), shape="ellipsoid")
        model.set_params(confidence_level=0.6).fit(inputs, outputs)
        missed = model.loo_residuals_
        units = np.sqrt(np.square(missed).mean(axis=0))
        pooled, shrinkage = ledoit_wolf(missed / units, assume_centered=True)
        pooled *= np.outer(units, units)
        total = missed.T @ missed + prior * pooled
        own = 1.0 + (1.0 - shrinkage) * prior / n
        points = model.predict(query) + 2.0 * rng.normal(size=(300, d))
        ((_, predictions),) = model._fits.predict_at(query)
        odd = np.zeros(300)
        for r, at in zip(missed, predictions[0], strict=True):
            metric = np.linalg.inv(total - own * np.outer(r, r))
            gaps = points - at
            odd += np.einsum("ij,jk,ik->i", gaps, metric, gaps) > r @ metric @ r
        kept = odd < 0.6 * (n + 1)
        inside = model.contains(np.tile(query, (300, 1)), points)
        lower, upper = model.predict_interval(query)[0].T
        boxed = ((lower <= points) & (points <= upper)).all(axis=1)
        assert kept.any()
        assert not (kept & ~inside).any()
        assert not (inside & ~boxed).any()


def test_scores_leave_out_their_own_sample():
    """The units of a residual are those of the others."""
    ridge = KernelRidgeCV([0.3], kernel="rbf")
    box, ellipsoid = (JackknifePlus(ridge, shape=s).fit(X, Y) for s in ("box", "ellipsoid"))
    missed, i = box.loo_residuals_, 4
    others = np.delete(missed, i, axis=0)
    expected = np.max(np.abs(missed[i]) / np.sqrt(np.square(others).mean(axis=0)))
    assert_allclose(box._shape.scores[i, 0], expected)
    covariance = ellipsoid._shape.covariances[0]
    in_all = np.sqrt(missed[i] @ np.linalg.solve(covariance, missed[i]))
    assert 1.0 < ellipsoid._shape.scores[i] / in_all < 1.5


@quiet
def test_regions_shrink_where_the_cluster_is_tight():
    rng = np.random.default_rng(0)
    side = rng.integers(2, size=200)
    inputs = (2.0 * side - 1.0 + 0.2 * rng.normal(size=200))[:, None]
    outputs = np.where(side[:, None] == 1, 5.0, -5.0) + rng.normal(size=(200, 2)) * np.where(
        side[:, None] == 1, 1.0, 0.1
    )
    ridge = KernelRidgeCV(kernel="rbf")
    mixture = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), ridge)
    for shape in ("box", "ellipsoid"):
        tight, wide = (
            JackknifePlus(mixture, shape=shape).fit(inputs, outputs).volume([[-1.0], [1.0]])
        )
        same = JackknifePlus(ridge, shape=shape).fit(inputs, outputs).volume([[-1.0], [1.0]])
        assert tight < 0.1 * wide
        assert tight < 0.1 * same[0]
        assert_allclose(*same, rtol=0.2)


def test_queries_are_answered_in_blocks(monkeypatch):
    model = JackknifePlus(KernelRidgeCV(kernel="rbf")).fit(X, Y)
    expected = model.predict_interval(QUERIES)
    monkeypatch.setattr("ofer.regions._fits.BATCH", 3 * N * 2)
    assert len([*model._fits.predict_at(QUERIES)]) == 3
    assert_allclose(model.predict_interval(QUERIES), expected, rtol=1e-12)


def test_errors_are_named():
    model = JackknifePlus(KernelRidgeCV([1.0]))
    with pytest.raises(ValueError, match="simultaneous must be True for shape='ellipsoid'"):
        JackknifePlus(shape="ellipsoid", simultaneous=False).fit(X, Y)
    with pytest.raises(ValueError, match="sample_weight must be None for Lasso, which takes none"):
        JackknifePlus(named("Lasso")).fit(X, Y, WEIGHTS)
    with pytest.raises(ValueError, match="weak must not be given for KernelRidgeCV"):
        model.fit(X, Y, weak=Memberships(X, np.zeros(N, dtype=int)))
    with pytest.raises(ValueError, match="Input y contains NaN"):
        model.fit(X, np.where(Y > 1, np.nan, Y))
    with pytest.raises(ValueError, match=r"y must have rows of shape \(2,\); got \(3,\)"):
        model.fit(X, Y).contains(QUERIES, np.ones((8, 3)))
    with pytest.raises(ValueError, match="'confidence_level' parameter"):
        JackknifePlus(confidence_level=1.0).fit(X, Y)


def named(name):
    """A regressor of that name whose fit takes no weights."""

    def fit(self, X, y):
        return self

    members = {"fit": fit, "predict": lambda self, X: np.zeros((len(X), 2))}
    return type(name, (RegressorMixin, BaseEstimator), members)()


def test_sums_over_blocks_make_no_refit(monkeypatch):
    """Exact leave-one-out given the centres, against refits with the same centres and ridge."""
    calls, fit = [], NystroemRidgeCV.fit
    monkeypatch.setattr(
        NystroemRidgeCV, "fit", lambda self, *args, **kw: calls.append(1) or fit(self, *args, **kw)
    )
    options = {"components": X[:8], "gamma": 0.3}
    ours = JackknifePlus(NystroemRidgeCV(**options)).fit(X, Y)
    assert len(calls) == 1
    alone = NystroemRidgeCV([ours.estimator_.alpha_], **options)
    refitted = JackknifePlus(alone, strict=True).fit(X, Y)
    assert len(calls) == N + 2
    assert_allclose(
        ours.predict_interval(QUERIES), refitted.predict_interval(QUERIES), rtol=1e-6, atol=1e-8
    )


def test_what_a_subclass_of_the_fisher_regressor_overrides_counts():
    class Clipped(OutputFisherRegressor):
        def predict(self, X):
            return np.clip(super().predict(X), 0.0, 1.0)

    ours = JackknifePlus(Clipped(GaussianEmbedding(), KernelRidgeCV([1.0]))).fit(X, Y)
    inside = Y - ours.loo_residuals_
    assert ((inside >= 0) & (inside <= 1)).all()


UNITS = np.array([1.0, 10.0, 100.0])


@pytest.mark.parametrize("embedded", [False, True])
def test_weights_reach_the_scaler_and_the_last_step(embedded):
    """No fit is repeated: regions are those of the last step on what its scaler makes of inputs."""
    last = KernelRidgeCV([0.3], kernel="rbf", gamma=0.5)
    if embedded:
        mixture = FrozenEstimator(GaussianMixtureEmbedding(2, random_state=0).fit(Y))
        last = OutputFisherRegressor(mixture, last)
    scaler = StandardScaler().fit(X * UNITS, sample_weight=WEIGHTS)
    model = JackknifePlus(make_pipeline(StandardScaler(), last)).fit(X * UNITS, Y, WEIGHTS)
    alone = JackknifePlus(last).fit(scaler.transform(X * UNITS), Y, WEIGHTS)
    assert_allclose(model.loo_residuals_, alone.loo_residuals_, atol=1e-10)
    expected = alone.predict_interval(scaler.transform(QUERIES * UNITS))
    assert_allclose(model.predict_interval(QUERIES * UNITS), expected, atol=1e-10)
    for i in (0, 7):  # and so those of refits of the last step
        rest = np.delete(np.arange(N), i)
        refitted = clone(last).fit(scaler.transform((X * UNITS)[rest]), Y[rest], WEIGHTS[rest])
        missed = Y[i] - refitted.predict(scaler.transform((X * UNITS)[[i]]))[0]
        assert_allclose(model.loo_residuals_[i], missed, atol=1e-8)


def test_samples_of_weight_zero_are_absent_for_transformers_too():
    weights = np.where(np.arange(N) < 5, 0.0, WEIGHTS)
    moved = np.where(weights[:, None] > 0, X, 50.0 + X)
    for last in (KernelRidgeCV([0.3], kernel="rbf"), Plain(KernelRidgeCV([0.3], kernel="rbf"))):
        model = JackknifePlus(make_pipeline(StandardScaler(), PCA(2, whiten=True), last))
        expected = clone(model).fit(X[5:], Y[5:], weights[5:]).predict_interval(QUERIES)
        found = model.fit(moved, Y, weights).predict_interval(QUERIES)
        assert_allclose(found, expected, atol=1e-8)


@quiet
def test_one_decomposition_is_kept_for_all_ridges():
    rng = np.random.default_rng(2)
    inputs, n = rng.normal(size=(120, 2)), 120
    noise = np.geomspace(0.01, 3.0, 12) * rng.normal(size=(n, 12))
    outputs = np.sin(inputs @ rng.normal(size=(2, 12))) + noise
    model = JackknifePlus(KernelRidgeCV(kernel="rbf", alpha_per_target=True))
    model.fit(inputs, outputs)
    assert len(np.unique(model.estimator_.alpha_)) > 4
    assert len(pickle.dumps(model)) < 8 * n * n + 100_000


def test_parameters_are_checked_where_they_are_used():
    """The level may change after the fit; what decided the fit may not."""
    model = JackknifePlus(KernelRidgeCV([1.0]), confidence_level=0.5).fit(X, Y)
    expected = JackknifePlus(KernelRidgeCV([1.0]), confidence_level=0.8).fit(X, Y)
    model.set_params(confidence_level=0.8)
    assert_array_equal(model.predict_interval(QUERIES), expected.predict_interval(QUERIES))
    changes = {"shape": "ellipsoid", "simultaneous": False, "strict": True}
    for ask in (model.predict_interval, model.volume, lambda Z: model.contains(Z, Y[: len(Z)])):
        for level in (90, -1):
            model.set_params(confidence_level=level)
            with pytest.raises(ValueError, match="'confidence_level' parameter"):
                ask(QUERIES)
        model.set_params(confidence_level=0.8)
        for name, value in changes.items():
            fitted = getattr(model, name)
            model.set_params(**{name: value})
            with pytest.raises(ValueError, match=f"{name} must be that of the fit, {fitted!r}"):
                ask(QUERIES)
            model.set_params(**{name: fitted})
        assert len(ask(QUERIES)) == len(QUERIES)


@pytest.mark.parametrize("kind", [str, object])
def test_labels_are_no_outputs(kind):
    labels = np.where(Y[:, 0] > 0, "1", "0").astype(kind)
    with pytest.raises(ValueError, match=r"y must hold numbers; got labels, such as '[01]'"):
        JackknifePlus().fit(X, labels)


@pytest.mark.parametrize("weights", [None, WEIGHTS, np.where(np.arange(N) == 3, 0.0, WEIGHTS)])
@pytest.mark.parametrize(
    "estimator",
    [
        KernelRidgeCV([0.1], kernel="rbf", gamma=0.3),
        KernelRidgeCV([0.1]),
        make_pipeline("passthrough", KernelRidgeCV([0.1], kernel="rbf", gamma=0.3)),
        OutputFisherRegressor(FrozenEstimator(GaussianEmbedding().fit(Y)), KernelRidgeCV([0.1])),
    ],
    ids=["dual", "primal", "pipeline", "embedded"],
)
def test_groups_leave_together(estimator, weights):
    """The identity against refits without the group."""
    labels = np.arange(N) // 3
    ours = JackknifePlus(estimator).fit(X, Y, weights, groups=labels)
    refitted = JackknifePlus(estimator, strict=True).fit(X, Y, weights, groups=labels)
    assert_allclose(ours.loo_residuals_, refitted.loo_residuals_, atol=1e-9)
    found, expected = ours.predict_interval(QUERIES), refitted.predict_interval(QUERIES)
    assert_allclose(found, expected, atol=1e-8)
    alone = JackknifePlus(estimator).fit(X, Y, weights)
    assert not np.allclose(alone.predict_interval(QUERIES), expected)
    plain = JackknifePlus(Plain(KernelRidgeCV([0.1]))).fit(X, Y, groups=labels)
    assert len(plain._fits._fits) == len(np.unique(labels))


def test_batches_of_queries_keep_their_own_memberships(monkeypatch):
    """Ellipsoids take units from the memberships of their query, in whatever batch it is."""
    mixture = GaussianMixtureEmbedding(2, random_state=0)
    regressor = OutputFisherRegressor(mixture, KernelRidgeCV([0.1], kernel="rbf"))
    model = JackknifePlus(regressor, shape="ellipsoid", confidence_level=0.8).fit(X, Y)
    whole = model.volume(QUERIES)
    assert len({*whole.round(12)}) == len(QUERIES)
    monkeypatch.setattr("ofer.regions._fits.BATCH", 2 * N * Y.shape[1])
    assert_allclose(model.volume(QUERIES), whole, rtol=1e-10)
