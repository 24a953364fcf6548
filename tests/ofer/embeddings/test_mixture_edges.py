"""Mixtures in other units, with absent samples, far components and components of no width."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp, softmax
from sklearn.exceptions import NotFittedError

from ofer import GaussianEmbedding, GaussianMixtureEmbedding
from ofer.embeddings import CollapsedComponentWarning
from ofer.embeddings.covariances import full_precisions

RNG = np.random.default_rng(0)
CENTRES = np.array([[0.0, 0.0], [6.0, 1.0], [0.0, 7.0]])
Y = CENTRES[RNG.integers(0, 3, size=90)] + RNG.normal(size=(90, 2))
W = RNG.integers(0, 4, size=90).astype(float)
TYPES = ["spherical", "diag", "tied", "full"]
SCALINGS = ["natural", "score"]
each_type = pytest.mark.parametrize("covariance_type", TYPES)


def mixture(covariance_type="spherical", n_components=3, **options):
    options = {"covariance_type": covariance_type, "random_state": 0} | options
    return GaussianMixtureEmbedding(n_components, **options)


def densities(embedding, rows):
    """Log-densities of rows under each component, times its weight, by differences."""
    means, d = embedding.means_, rows.shape[1]
    P = full_precisions(embedding.precisions_, embedding.covariance_type, *means.shape)
    residuals = rows[:, None] - means
    squares = np.einsum("ncd,cde,nce->nc", residuals, P, residuals)
    scales = np.linalg.slogdet(P)[1] - d * np.log(2 * np.pi)
    return np.log(embedding.weights_) + 0.5 * (scales - squares)


# Units


@pytest.mark.parametrize("unit", [1e-12, 1e-9, 1e9, 1e12])
@pytest.mark.parametrize("scaling", SCALINGS)
@each_type
def test_units(covariance_type, scaling, unit):
    one = mixture(covariance_type, scaling=scaling).fit(Y)
    other = mixture(covariance_type, scaling=scaling).fit(unit * Y)
    assert_allclose(other.means_ / unit, one.means_, rtol=1e-9)
    assert_allclose(other.covariances_ / unit**2, one.covariances_, rtol=1e-9)
    assert_allclose(other.posterior(unit * Y), one.posterior(Y), rtol=1e-9, atol=1e-12)
    assert_allclose(other.score_samples(unit * Y) + 2 * np.log(unit), one.score_samples(Y))
    H, membership = one.transform(Y), one.blocks_["membership"]
    H[:, membership] += 0.1 * np.sin(np.arange(270.0)).reshape(90, 3)
    G = other.transform(unit * Y)
    G[:, membership] = H[:, membership]
    assert_allclose(other.inverse_transform(G) / unit, one.inverse_transform(H), atol=1e-9)


@pytest.mark.parametrize("unit", [1e-9, 1e-6, 1e6, 1e9])
@pytest.mark.parametrize("covariance_type", ["diag", "full"])
def test_units_of_one_column_without_a_floor(covariance_type, unit):
    units, options = np.array([1.0, unit]), {"covariance_type": covariance_type, "reg_covar": 0}
    one, other = GaussianEmbedding(**options).fit(Y), GaussianEmbedding(**options).fit(units * Y)
    assert_allclose(other.transform(units * Y) * units, one.transform(Y), rtol=1e-9, atol=1e-9)


# Weights


@each_type
def test_an_absent_output_may_hold_anything(covariance_type):
    expected = mixture(covariance_type).fit(Y[W > 0], sample_weight=W[W > 0])
    for far in (1e12, 1e100, np.nan):
        partly = np.where(W[:, None] > 0, Y, far)
        found = mixture(covariance_type).fit(partly, sample_weight=W)
        assert_array_equal(found.means_, expected.means_)
        assert_array_equal(found.covariances_, expected.covariances_)


@pytest.mark.parametrize("factor", [1e-20, 1e-10, 1e10, 1e20])
@each_type
def test_a_factor_of_all_weights_changes_nothing(covariance_type, factor):
    one = mixture(covariance_type).fit(Y, sample_weight=W)
    other = mixture(covariance_type).fit(Y, sample_weight=factor * W)
    assert_allclose(other.means_, one.means_, rtol=1e-9, atol=1e-12)
    assert_allclose(other.weights_, one.weights_, rtol=1e-9)


@pytest.mark.parametrize("weight", [1e-20, 1.0, 3.0])
@each_type
def test_equal_weights_are_no_weights(covariance_type, weight):
    expected = mixture(covariance_type).fit(Y)
    found = mixture(covariance_type).fit(Y, sample_weight=np.full(90, weight))
    assert_array_equal(found.means_, expected.means_)
    assert_array_equal(found.covariances_, expected.covariances_)


@pytest.mark.parametrize("model", [GaussianEmbedding(), mixture(n_components=1)])
def test_two_outputs_must_be_there(model):
    with pytest.raises(ValueError, match=r"sample_weight must be positive for at least 2.*; got 1"):
        model.fit(Y, sample_weight=np.arange(90) == 3)


# No floor

SMALL = RNG.normal(size=(12, 3))
HOLES = SMALL.copy()
HOLES[0, 0] = np.nan
FITS = {
    "complete": lambda model: model.fit(SMALL),
    "weights of one": lambda model: model.fit(SMALL, sample_weight=np.ones(12)),
    "weights": lambda model: model.fit(SMALL, sample_weight=np.linspace(1.0, 2.0, 12)),
    "NaN": lambda model: model.fit(HOLES),
    "batches": lambda model: model.fit_in_batches([SMALL, SMALL + 0.1]),
}


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS.keys())
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("covariance_type", ["spherical", "diag", "full"])
def test_a_collapse_without_a_floor_is_named(covariance_type, seed, fit):
    model = mixture(covariance_type, 6, reg_covar=0, random_state=seed)
    with pytest.raises(ValueError, match=r"reg_covar must be positive .* components collapsed"):
        fit(model)


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS.keys())
@pytest.mark.parametrize("covariance_type", ["spherical", "diag", "full"])
@pytest.mark.filterwarnings("ignore:EM stopped")
def test_a_floor_holds_what_collapses(covariance_type, fit):
    model = mixture(covariance_type, 9, reg_covar=1e-9)
    with pytest.warns(CollapsedComponentWarning, match="collapsed"):
        fit(model)
    assert np.isfinite(model.means_).all()
    assert np.isfinite(model.transform(SMALL)).all()


@each_type
def test_no_floor_is_needed_where_nothing_collapses(covariance_type):
    bare = mixture(covariance_type, reg_covar=0).fit(Y)
    assert_allclose(bare.means_, mixture(covariance_type, reg_covar=1e-12).fit(Y).means_, rtol=1e-6)


# Failed fits


def test_a_fit_that_fails_leaves_the_model_alone():
    model = mixture().fit(Y)
    before, names = model.transform(Y), {*vars(model)}
    partly = np.where(np.arange(90)[:, None] == 3, np.nan, 5 * Y)
    for refused in (
        lambda model: model.fit_in_batches([7 * Y, partly]),
        lambda model: model.fit_in_batches([7 * Y, Y[:, :1]]),
        lambda model: model.fit(np.full((90, 3), 2.0)),
        lambda model: model.fit(7 * Y, sample_weight=np.zeros(90)),
    ):
        for one in (model, mixture()):
            with pytest.raises(ValueError, match=r"."):
                refused(one)
        with pytest.raises(NotFittedError):
            one.transform(Y)
    assert_array_equal(model.transform(Y), before)
    assert {*vars(model)} == names


# Far components


@pytest.mark.parametrize("distance", [1e3, 1e6, 1e9])
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("covariance_type", ["spherical", "diag", "full"])
def test_a_far_component_takes_no_digits_of_the_others(covariance_type, scaling, distance):
    rows = np.vstack([Y, RNG.normal(size=(40, 2)) + distance])
    model = mixture(covariance_type, 2, scaling=scaling, reg_covar=0).fit(rows)
    logs = densities(model, rows)
    assert_allclose(model.posterior(rows), softmax(logs, axis=1), atol=1e-7)
    assert_allclose(model.score_samples(rows), logsumexp(logs, axis=1), rtol=1e-7)
    assert_allclose(model.inverse_transform(model.transform(rows))[:90], Y, atol=1e-9)


@pytest.mark.parametrize("far", [1e9, -1e12])
@pytest.mark.parametrize("scaling", SCALINGS)
@each_type
def test_an_output_alone_is_what_it_is_in_company(covariance_type, scaling, far):
    model = mixture(covariance_type, scaling=scaling).fit(Y)
    company = [np.full((1, 2), far)]
    if scaling == "natural" or covariance_type in ("spherical", "diag"):
        company.append([[np.nan, 1.0]])
    together = np.vstack([Y, *company])
    H = model.transform(Y)
    assert_allclose(model.transform(together)[:90], H, rtol=1e-12, atol=1e-12)
    assert_allclose(np.vstack([model.transform(y[None]) for y in Y]), H, rtol=1e-12, atol=1e-12)
    assert_allclose(model.score_samples(together)[:90], model.score_samples(Y), rtol=1e-12)
    far_too = np.vstack([H, far * H[:1]])
    decoded = model.inverse_transform(H)
    assert_allclose(model.inverse_transform(far_too)[:90], decoded, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("covariance_type", "n_components", "is_blind"),
    [("spherical", 1, True), ("diag", 1, True), ("full", 1, False), ("spherical", 2, False)],
)
def test_one_component_without_correlations_warns_where_it_fills_in(
    covariance_type, n_components, is_blind
):
    rows = np.random.default_rng(0).normal(size=(30, 2))
    embedding = GaussianMixtureEmbedding(n_components, covariance_type=covariance_type).fit(rows)
    gap = [[np.nan, 1.0]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        embedding.impute(rows)  # nothing is missing
        if not is_blind:
            embedding.impute(gap)
    if is_blind:
        with pytest.warns(UserWarning, match="Take covariance_type='full', or more components"):
            filled = embedding.impute(gap)
        np.testing.assert_allclose(filled, [[rows[:, 0].mean(), 1.0]])
