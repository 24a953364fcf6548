from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from ofer import GaussianMixtureEmbedding
from ofer.embeddings import CollapsedComponentWarning
from ofer.embeddings.covariances import full_precisions
from ofer.embeddings.preimage import search_from_starts

RNG = np.random.default_rng(0)
CENTRES = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 1.0], [0.0, 5.0, -2.0]])
LABELS = RNG.integers(0, 3, size=240)
Y = CENTRES[LABELS] + RNG.normal(size=(240, 3)) * [1.0, 1.4, 0.7]
TYPES = ["spherical", "diag", "tied", "full"]
SCALINGS = ["natural", "score"]
STEP = 1e-6


def fitted(n_components=3, **params):
    return GaussianMixtureEmbedding(n_components, random_state=0, **params).fit(Y)


def log_density(Y, weights, means, covariances):
    """Log-density of a mixture whose weights and matrices are any arrays."""
    terms = []
    for w, m, S in zip(weights, means, covariances, strict=True):
        r = Y - m
        quadratic = np.einsum("ni,ni->n", r, np.linalg.solve(S, r.T).T)
        log_det = np.linalg.slogdet(S)[1]
        terms.append(np.log(w) - 0.5 * (len(m) * np.log(2 * np.pi) + log_det + quadratic))
    return logsumexp(terms, axis=0)


def parameters(embedding):
    """Weights, means and covariance matrices (C, d, d)."""
    P = full_precisions(embedding.precisions_, embedding.covariance_type, 3, 3)
    return embedding.weights_.copy(), embedding.means_.copy(), np.linalg.inv(P)


def difference(embedding, place, index):
    """Central difference of the log-density in one free entry of one parameter."""
    values = []
    for sign in (1, -1):
        moved = parameters(embedding)
        moved[place][index] += sign * STEP
        values.append(log_density(Y, *moved))
    return (values[0] - values[1]) / (2 * STEP)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_density_and_responsibilities(covariance_type):
    embedding = fitted(covariance_type=covariance_type)
    weights, means, covariances = parameters(embedding)
    assert_allclose(embedding.score_samples(Y), log_density(Y, weights, means, covariances))
    single = [
        log_density(Y, [w], [m], [S]) for w, m, S in zip(weights, means, covariances, strict=True)
    ]
    expected = np.exp(np.transpose(single) - embedding.score_samples(Y)[:, None])
    assert_allclose(embedding.predict_proba(Y), expected, atol=1e-12)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_every_entry_of_the_score_by_finite_differences(covariance_type):
    embedding = fitted(covariance_type=covariance_type)
    columns = [difference(embedding, 0, j) for j in range(3)]
    columns += [difference(embedding, 1, (j, i)) for j in range(3) for i in range(3)]
    columns += [
        difference(embedding, 2, (j, a, b)) for j in range(3) for a in range(3) for b in range(3)
    ]
    scores = embedding.fisher_vector(Y)
    assert scores.shape == (240, 3 + 9 + 27)
    assert_allclose(scores, np.column_stack(columns), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_score_in_the_covariance_types_own_parameters(covariance_type):
    embedding = fitted(covariance_type=covariance_type)
    blocks = embedding.fisher_vector(Y)[:, 12:].reshape(240, 3, 3, 3)
    contractions = {
        "spherical": np.einsum("njaa->nj", blocks),
        "diag": np.einsum("njaa->nja", blocks),
        "tied": blocks.sum(axis=1),
        "full": blocks,
    }
    index = {"spherical": (1,), "diag": (1, 2), "tied": (0, 2), "full": (1, 0, 2)}[covariance_type]
    values = []
    for sign in (1, -1):
        own = embedding.covariances_.copy()
        own[index] += sign * STEP
        matrices = {
            "spherical": lambda own: own[:, None, None] * np.eye(3),
            "diag": lambda own: own[:, :, None] * np.eye(3),
            "tied": lambda own: np.stack([own] * 3),
            "full": lambda own: own,
        }[covariance_type](own)
        values.append(log_density(Y, embedding.weights_, embedding.means_, matrices))
    expected = (values[0] - values[1]) / (2 * STEP)
    actual = contractions[covariance_type][(slice(None), *index)]
    assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_mean_score_of_the_training_outputs(covariance_type):
    embedding = fitted(covariance_type=covariance_type, reg_covar=0)
    mean = embedding.fisher_vector(Y).mean(axis=0)
    # The weights' constraint has the multiplier 1; everything else is stationary.
    assert_allclose(mean[:3], 1.0, atol=1e-4)
    assert_allclose(mean[3:12], 0.0, atol=1e-4)
    blocks = mean[12:].reshape(3, 3, 3)
    own = {
        "spherical": np.einsum("jaa->j", blocks),
        "diag": np.einsum("jaa->ja", blocks),
        "tied": blocks.sum(axis=0),
        "full": blocks,
    }[covariance_type]
    assert_allclose(own, 0.0, atol=1e-4)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_embeddings_are_linear_maps_of_the_score(covariance_type):
    natural = fitted(covariance_type=covariance_type)
    printed = fitted(covariance_type=covariance_type, scaling="score")
    weights, _, covariances = parameters(natural)
    scores = natural.fisher_vector(Y)
    by_component = scores[:, 3:12].reshape(240, 3, 3)
    assert_allclose(printed.transform(Y)[:, :3], scores[:, :3])
    assert_allclose(printed.transform(Y)[:, 3:], by_component.sum(axis=1), atol=1e-10)
    assert_allclose(natural.transform(Y)[:, :3], scores[:, :3] * weights)
    mean = np.einsum("jab,njb->na", covariances, by_component)
    assert_allclose(natural.transform(Y)[:, 3:], mean, atol=1e-10)


@pytest.mark.parametrize("decoder", ["simplex", "raw", "exact"])
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("covariance_type", TYPES)
def test_pre_image_inverts_the_embedding(covariance_type, scaling, decoder):
    embedding = fitted(covariance_type=covariance_type, scaling=scaling, decoder=decoder)
    assert_allclose(embedding.inverse_transform(embedding.transform(Y)), Y, atol=1e-8)


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("covariance_type", TYPES)
def test_closed_form_as_printed(covariance_type, scaling):
    """Equation (10), row by row with plain matrices."""
    embedding = fitted(covariance_type=covariance_type, scaling=scaling, decoder="raw")
    weights, means, covariances = parameters(embedding)
    P = np.linalg.inv(covariances)
    H = embedding.transform(Y[:20]) + 0.05 * RNG.normal(size=(20, 6))
    for h, y in zip(H, embedding.inverse_transform(H), strict=True):
        if scaling == "natural":
            expected = h[3:] + h[:3] @ means
        else:
            A = np.einsum("j,jab->ab", weights * h[:3], P)
            b = h[3:] + np.einsum("j,jab,jb->a", weights * h[:3], P, means)
            expected = np.linalg.solve(A, b)
        assert_allclose(y, expected, rtol=1e-8)


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("covariance_type", TYPES)
def test_jacobian_by_finite_differences(covariance_type, scaling):
    embedding = fitted(covariance_type=covariance_type, scaling=scaling)
    H, jacobian = embedding._embed(Y)
    assert_allclose(H, embedding.transform(Y))
    for i in range(3):
        e = STEP * np.eye(3)[i]
        expected = (embedding.transform(Y + e) - embedding.transform(Y - e)) / (2 * STEP)
        assert_allclose(jacobian[:, :, i], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_exact_decoder_is_a_local_minimum_no_worse_than_the_closed_form(scaling):
    embedding = fitted(scaling=scaling, decoder="exact")
    closed = fitted(scaling=scaling)
    H = embedding.transform(Y[:40]) + 0.3 * RNG.normal(size=(40, 6))

    def loss(y):
        return np.square(embedding.transform(y) - H).sum(axis=1)

    found = embedding.inverse_transform(H)
    assert (loss(found) <= loss(closed.inverse_transform(H)) + 1e-12).all()
    residual, jacobian = embedding._embed(found)
    gradient = np.einsum("npd,np->nd", jacobian, residual - H)
    assert_allclose(gradient, 0.0, atol=1e-3)


def test_exact_decoder_says_when_it_stops_early(monkeypatch):
    short = partial(search_from_starts, max_iter=1)
    monkeypatch.setattr("ofer.embeddings.mixture_blocks.search_from_starts", short)
    embedding = fitted(decoder="exact")
    H = embedding.transform(Y[:5]) + 0.3 * np.random.default_rng(0).normal(size=(5, 6))
    with pytest.warns(ConvergenceWarning, match=r"exact pre-image of [1-5] of 5 rows .*'simplex'"):
        embedding.inverse_transform(H)


def test_likelihood_never_falls():
    embedding = fitted(n_components=5, covariance_type="full")
    bounds = np.array(embedding.mixture_.lower_bounds_)
    assert len(bounds) == embedding.n_iter_
    assert (np.diff(bounds) > -1e-12).all()
    assert_allclose(bounds[-1], embedding.score_samples(Y).mean(), atol=1e-6)
    assert_allclose(embedding.mixture_.lower_bound_, bounds[-1])


@given(
    H=arrays(np.float64, (5, 6), elements=st.floats(-1e8, 1e8)),
    covariance_type=st.sampled_from(TYPES),
)
def test_default_prediction_is_the_residual_plus_a_point_of_the_hull(H, covariance_type):
    embedding = fitted(covariance_type=covariance_type)
    found = embedding.inverse_transform(H)
    assert np.isfinite(found).all()
    # A point of the hull is, along every direction, between the extreme component means.
    directions = np.random.default_rng(0).normal(size=(3, 50))
    shadows = (found - H[:, 3:]) @ directions
    extent = embedding.means_ @ directions
    slack = 1e-6 + 1e-9 * np.abs(H).max() * np.abs(directions).sum(axis=0)
    assert (shadows <= extent.max(axis=0) + slack).all()
    assert (shadows >= extent.min(axis=0) - slack).all()


@pytest.mark.parametrize("covariance_type", TYPES)
def test_singular_closed_form_warns_and_gives_the_models_mean(covariance_type):
    embedding = fitted(covariance_type=covariance_type, scaling="score", decoder="raw")
    H = embedding.transform(Y[:4])
    H[1] = 0.0
    with pytest.warns(UserWarning, match=r"singular for 1 of 4 rows.*decoder='simplex'"):
        found = embedding.inverse_transform(H)
    assert_allclose(found[1], embedding.weights_ @ embedding.means_)
    assert_allclose(found[[0, 2, 3]], Y[[0, 2, 3]], atol=1e-8)


def test_collapsed_component_warns():
    outputs = np.vstack([Y, np.full((3, 3), 40.0)])
    outputs[-2:] += 1e-9
    with pytest.warns(CollapsedComponentWarning, match=r"holding \[3\.0\] of 243 outputs"):
        GaussianMixtureEmbedding(4, random_state=0).fit(outputs)


def test_constant_column_of_a_full_covariance_warns_and_is_predicted():
    outputs = np.column_stack([Y, np.full(240, 7.0)])
    model = GaussianMixtureEmbedding(2, covariance_type="full", random_state=0)
    with pytest.warns(CollapsedComponentWarning, match="drop constant targets"):
        model.fit(outputs)
    assert_allclose(model.inverse_transform(model.transform(outputs))[:, 3], 7.0)


def test_stopping_early_warns():
    with pytest.warns(ConvergenceWarning, match=r"max_iter=2 .*Raise max_iter or tol"):
        embedding = GaussianMixtureEmbedding(3, max_iter=2, random_state=0).fit(Y)
    assert not embedding.converged_
    assert np.isfinite(embedding.transform(Y)).all()


def test_bad_data():
    embedding = GaussianMixtureEmbedding(2, random_state=0)
    for bad, message in [(np.nan, "contains NaN"), (np.inf, "contains infinity")]:
        broken = Y.copy()
        broken[0, 0] = bad
        with pytest.raises(ValueError, match=message):
            clone(embedding).set_params(scaling="score", covariance_type="tied").fit(broken)
    with pytest.raises(ValueError, match="at most the number of outputs, n_samples=240"):
        GaussianMixtureEmbedding(241).fit(Y)
    with pytest.raises(ValueError, match="constant targets"):
        embedding.fit(np.full((10, 2), 3.3))
    with pytest.raises(ValueError, match="number of different outputs, 2; got 3"):
        GaussianMixtureEmbedding(3).fit(np.repeat([[0.0], [1.0]], 5, axis=0))
    embedding.fit(Y)
    with pytest.raises(ValueError, match=r"H must have 5 columns \(blocks membership, mean\)"):
        embedding.inverse_transform(np.ones((2, 3)))
    with pytest.raises(ValueError, match="Y contains NaN"):
        embedding.fisher_vector(np.where(Y > 4.0, np.nan, Y))
    with pytest.raises(ValueError, match="H contains NaN"):
        embedding.inverse_transform(np.full((2, 5), np.nan))


def holes(Y, share=0.4):
    """A copy with missing entries, a whole row among them."""
    partly = np.where(np.random.default_rng(1).uniform(size=Y.shape) < share, np.nan, Y)
    partly[5] = np.nan
    return partly


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("covariance_type", TYPES)
def test_imputed_outputs_are_conditional_means(covariance_type, scaling):
    """By brute force: each component's own, shared by how likely it makes what is observed."""
    embedding, partly = fitted(covariance_type=covariance_type, scaling=scaling), holes(Y)
    imputed = embedding.impute(partly)
    assert_array_equal(imputed[~np.isnan(partly)], partly[~np.isnan(partly)])
    for y, ours in zip(partly, imputed, strict=True):
        seen, logs, means = ~np.isnan(y), [], []
        for w, m, S in zip(*parameters(embedding), strict=True):
            here = S[np.ix_(seen, seen)]
            logs.append(log_density(y[None, seen], [w], [m[seen]], [here])[0])
            gain = np.linalg.solve(here, S[np.ix_(seen, ~seen)]).T
            means.append(m[~seen] + gain @ (y - m)[seen])
        shares = np.exp(np.array(logs) - logsumexp(logs))
        assert_allclose(ours[~seen], shares @ np.array(means), rtol=1e-9)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_samples_are_those_of_the_mixture(covariance_type):
    embedding = fitted(covariance_type=covariance_type)
    drawn, labels = embedding.sample(20000)
    assert_array_equal(drawn, embedding.sample(20000)[0])  # the model has an integer seed
    shares = np.bincount(labels, minlength=3) / 20000
    assert np.abs(shares - embedding.weights_).max() < 5 * np.sqrt(0.25 / 20000)
    for j, (_, m, S) in enumerate(zip(*parameters(embedding), strict=True)):
        one = drawn[labels == j]
        assert np.abs((one.mean(axis=0) - m) / np.sqrt(np.diag(S) / len(one))).max() < 5
        assert_allclose(np.cov(one.T), S, atol=0.1 * S.max())


def test_seeds_of_samples():
    embedding = fitted()
    state = np.random.RandomState(3)
    assert_array_equal(embedding.sample(5, 3)[0], embedding.sample(5, state)[0])
    assert np.abs(embedding.sample(5, state)[0] - embedding.sample(5, 3)[0]).max() > 0
    assert embedding.mixture_.random_state == embedding.random_state == 0
    assert embedding.sample()[0].shape == (1, 3)
    with pytest.raises(ValueError, match="n_samples must be at least 1; got 0"):
        embedding.sample(0)
    with pytest.raises(TypeError, match=r"n_samples must be an integer; got 2\.5"):
        embedding.sample(2.5)


def test_bad_outputs_to_impute():
    with pytest.raises(ValueError, match="contains infinity"):
        fitted().impute([[np.inf, 0.0, np.nan]])
    with pytest.raises(ValueError, match="Y must have the columns of the fit; got shape"):
        fitted().impute([[0.0, np.nan]])


def test_outputs_of_other_scales_warn():
    Y = np.random.default_rng(0).normal(size=(40, 2)) * [1.0, 1e4]
    with pytest.warns(UserWarning, match=r"outputs y differ by .*: the mixture sees the largest"):
        GaussianMixtureEmbedding(2, random_state=0).fit(Y)
    GaussianMixtureEmbedding().fit(Y)
