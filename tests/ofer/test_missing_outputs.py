"""Outputs that are observed in part: a sample takes part in what is observed of it."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import r2_score

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
)

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(60, 2))
CLUSTER = np.where(X[:, :1] > 0, 3.0, -3.0)
Y = np.column_stack([CLUSTER + X, CLUSTER[:, 0] - X[:, 0]]) + 0.3 * RNG.normal(size=(60, 3))
QUERIES = RNG.uniform(-2, 2, size=(10, 2))
RBF = KernelRidgeCV(kernel="rbf", gamma=0.3)
TYPES = ["spherical", "diag", "tied", "full"]


def without(Y, share, seed=0):
    """Entries missing completely at random, but never a whole row."""
    rng = np.random.default_rng(seed)
    holes = rng.random(Y.shape) < share
    holes[np.arange(len(Y)), rng.integers(0, Y.shape[1], len(Y))] = False
    return np.where(holes, np.nan, Y)


PARTLY = without(Y, 0.3)


def full_covariances(mixture):
    C, d = mixture.means_.shape
    S = mixture.covariances_
    return {
        "spherical": lambda: S[:, None, None] * np.eye(d),
        "diag": lambda: S[:, :, None] * np.eye(d),
        "tied": lambda: np.broadcast_to(S, (C, d, d)),
        "full": lambda: S,
    }[mixture.covariance_type]()


@pytest.mark.parametrize("covariance_type", TYPES)
def test_densities_and_responsibilities_are_marginal(covariance_type):
    mixture = GaussianMixtureEmbedding(2, covariance_type=covariance_type, random_state=0).fit(Y)
    logs = np.empty((60, 2))
    for i, y in enumerate(PARTLY):
        o = np.flatnonzero(~np.isnan(y))
        for j, S in enumerate(full_covariances(mixture)):
            logs[i, j] = np.log(mixture.weights_[j]) + multivariate_normal.logpdf(
                y[o], mixture.means_[j, o], S[np.ix_(o, o)]
            )
    assert_allclose(mixture.posterior(PARTLY), softmax(logs, axis=1), atol=1e-12)
    assert_allclose(mixture.score_samples(PARTLY), np.log(np.exp(logs).sum(axis=1)), atol=1e-10)


def test_gaussian_has_the_greatest_likelihood():
    """Against a general optimiser of the likelihood of what is observed."""
    options = {"covariance_type": "full", "reg_covar": 0, "tol": 1e-9, "max_iter": 5000}
    gaussian = GaussianMixtureEmbedding(**options).fit(PARTLY)
    lower = np.tril_indices(3)

    def loss(parameters):
        root = np.zeros((3, 3))
        root[lower] = parameters[3:]
        total, S = 0.0, root @ root.T
        for y in PARTLY:
            o = np.flatnonzero(~np.isnan(y))
            total -= multivariate_normal.logpdf(y[o], parameters[o], S[np.ix_(o, o)])
        return total

    start = np.r_[np.nanmean(PARTLY, axis=0), np.diag(np.nanstd(PARTLY, axis=0))[lower]]
    best = minimize(loss, start, options={"gtol": 1e-6})
    assert -gaussian.score_samples(PARTLY).sum() <= best.fun + 1e-6
    assert_allclose(gaussian.means_[0], best.x[:3], atol=1e-3)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_the_likelihood_never_falls(covariance_type):
    bounds = []
    for n_iter in range(1, 12):
        mixture = GaussianMixtureEmbedding(
            2, covariance_type=covariance_type, max_iter=n_iter, random_state=0, reg_covar=0
        )
        with pytest.warns(UserWarning, match="EM stopped after max_iter"):
            bounds.append(mixture.fit(PARTLY).score_samples(PARTLY).mean())
    assert (np.diff(bounds) > -1e-9).all()


@pytest.mark.parametrize("scaling", ["natural", "score"])
def test_embedding_of_what_is_observed(scaling):
    mixture = GaussianMixtureEmbedding(2, covariance_type="diag", scaling=scaling, random_state=0)
    H = mixture.fit(PARTLY).transform(PARTLY)
    assert not np.isnan(H[:, :2]).any()
    assert (np.isnan(H[:, 2:]) == np.isnan(PARTLY)).all()


@pytest.mark.parametrize("kernel", ["rbf", "linear", "precomputed"])
@pytest.mark.parametrize("weighted", [False, True])
def test_ridge_is_one_for_each_target(kernel, weighted):
    """With its own ridge, a target is what a ridge of it alone makes of the rows observed."""
    ridge = KernelRidgeCV(kernel=kernel, gamma=0.3, alpha_per_target=True)
    weights = RNG.uniform(0.5, 2, size=60) if weighted else np.ones(60)
    inputs, queries = (X @ X.T, QUERIES @ X.T) if kernel == "precomputed" else (X, QUERIES)
    found = clone(ridge).fit(inputs, PARTLY, weights)
    for j, target in enumerate(PARTLY.T):
        rows = np.flatnonzero(~np.isnan(target))
        part = inputs[np.ix_(rows, rows)] if kernel == "precomputed" else inputs[rows]
        asked = queries[:, rows] if kernel == "precomputed" else queries
        alone = clone(ridge).set_params(alphas=found.alphas_)
        alone.fit(part, target[rows], weights[rows])
        assert_allclose(found.predict(queries)[:, j], alone.predict(asked), atol=1e-8)
        assert_allclose(found.loo_residuals_[rows, j], alone.loo_residuals_, atol=1e-8)
        assert found.alpha_[j] == alone.alpha_
    assert (np.isnan(found.loo_residuals_) == np.isnan(PARTLY)).all()


def test_default_ridges_are_the_means_of_those_of_each_target():
    holes = np.where(np.arange(60)[:, None] < [20, 0, 0], np.nan, Y)
    alone = [clone(RBF).fit(X[~np.isnan(y)], y[~np.isnan(y)]).alphas_ for y in holes.T]
    assert not np.allclose(alone[0], alone[1])
    assert_allclose(clone(RBF).fit(X, holes).alphas_, np.mean(alone, axis=0))


def test_shared_ridge_has_the_least_mean_error():
    found = clone(RBF).fit(X, PARTLY)
    errors = []
    for alpha in found.alphas_:
        missed = clone(RBF).set_params(alphas=[alpha]).fit(X, PARTLY).loo_residuals_
        errors.append((np.nanmean(np.square(missed), axis=0) / np.nanvar(PARTLY, axis=0)).mean())
    assert_allclose(found.loo_scores_, -np.array(errors), rtol=1e-9)
    path = clone(RBF).loo_predictions(X, PARTLY)
    best = found.loo_scores_.argmax()
    assert_allclose(path[best], PARTLY - found.loo_residuals_, atol=1e-10)


def test_one_component_is_the_ridge():
    model = OutputFisherRegressor(GaussianMixtureEmbedding(), RBF).fit(X, PARTLY)
    ridge = clone(RBF).fit(X, PARTLY)
    assert_allclose(model.predict(QUERIES), ridge.predict(QUERIES), atol=1e-8)
    seen = ~np.isnan(PARTLY)
    expected = np.where(seen, PARTLY - ridge.loo_residuals_, ridge.predict(X))
    assert_allclose(model.loo_predict(), expected, atol=1e-8)
    squares = np.square(model.regressor_["mean"].loo_residuals_)
    assert model.loo_errors_["mean"] == pytest.approx(np.nanmean(squares, axis=0).mean())


def test_weak_labels_with_missing_outputs():
    model = OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), RBF)
    labels = {"weak": Memberships(QUERIES, np.arange(10) % 2)}
    expected = model.fit(X, Y, **labels).predict(QUERIES)
    one = Y.copy()
    one[3, 0] = np.nan
    model.fit(X, one, **labels)
    assert np.isfinite(model.loo_predict()).all()
    assert_allclose(model.predict(QUERIES), expected, atol=0.3)


def test_what_is_refused():
    empty = PARTLY.copy()
    empty[4] = np.nan
    for model in (OutputFisherRegressor(), KernelRidgeCV()):
        with pytest.raises(ValueError, match=r"y must have an observed output in each row.*\[4\]"):
            model.fit(X, empty)
    tied = GaussianMixtureEmbedding(scaling="score", covariance_type="tied")
    with pytest.raises(ValueError, match="Input y contains NaN"):
        OutputFisherRegressor(tied).fit(X, PARTLY)
    with pytest.raises(ValueError, match="contains NaN"):
        OutputFisherRegressor(regressor=RandomForestRegressor()).fit(X, PARTLY)
    with pytest.raises(ValueError, match="Input y contains NaN"):
        OutputFisherRegressor().fit(X, PARTLY[:, 0])


@pytest.mark.parametrize(
    "model",
    [
        RBF,
        OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0), RBF),
    ],
    ids=lambda one: type(one).__name__,
)
def test_scores_are_those_of_observed_outputs(model):
    """An average over outputs, each scored where it is known; scikit-learn's if all are."""
    model, weights = clone(model).fit(X, Y), RNG.uniform(0.5, 2.0, size=60)
    predicted, scores = model.predict(X), []
    for k, seen in enumerate(~np.isnan(PARTLY.T)):
        known = Y[seen, k], predicted[seen, k]
        scores.append(r2_score(*known, sample_weight=weights[seen]))
    assert model.score(X, PARTLY, weights) == pytest.approx(np.mean(scores), rel=1e-12)
    assert model.score(X, Y, weights) == r2_score(Y, predicted, sample_weight=weights)
    none = np.where(np.arange(3) == 1, np.nan, Y)
    assert model.score(X, none) == pytest.approx(r2_score(Y[:, [0, 2]], predicted[:, [0, 2]]))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.score(X, PARTLY[1:])


def test_filling_in_means_is_told():
    """One component without correlations knows nothing of what is missing; others do."""
    with pytest.warns(UserWarning, match="means of the columns.*covariance_type='full'"):
        filled = GaussianMixtureEmbedding().fit(PARTLY).impute(PARTLY)
    holes = np.isnan(PARTLY)
    means = np.broadcast_to(np.nanmean(PARTLY, axis=0), Y.shape)
    assert_allclose(filled[holes], means[holes])
    error = np.square(filled - Y)[holes].mean()
    for params in ({"covariance_type": "full"}, {"n_components": 2, "random_state": 0}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            other = GaussianMixtureEmbedding(**params).fit(PARTLY).impute(PARTLY)
        assert np.square(other - Y)[holes].mean() < 0.5 * error
