"""The conditional autoencoder against differences, densities and its limits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad_vec
from scipy.stats import multivariate_normal, norm
from sklearn.utils.estimator_checks import parametrize_with_checks

from reproduction.studies.images import conditional_autoencoder as module
from reproduction.studies.images.conditional_autoencoder import ConditionalAutoencoder


def draw(n=5, d=3, D=2, k=2, h=4, seed=0):
    rng = np.random.default_rng(seed)
    sizes = (d, h, 2 * k), (d + D, h, 2 * k), (d + k, h, D)
    networks = module.Networks(
        *[
            module.Layers(*[0.7 * rng.normal(size=part.shape) for part in module._start(rng, *one)])
            for one in sizes
        ]
    )
    return networks, rng.normal(size=(n, d)), rng.normal(size=(n, D)), rng.normal(size=(n, k))


def test_gradients_are_differences():
    networks, *data = draw()
    _, gradients = module.minus_bound(networks, *data)
    for part, slopes in zip(networks, gradients, strict=True):
        for array, slope in zip(part, slopes, strict=True):
            for place in np.ndindex(array.shape):
                kept, values = array[place], []
                for shift in (1e-6, -1e-6):
                    array[place] = kept + shift
                    values.append(module.minus_bound(networks, *data)[0])
                array[place] = kept
                assert_allclose(slope[place], np.subtract(*values) / 2e-6, rtol=1e-6, atol=1e-8)


def test_the_bound_is_below_the_likelihood_and_is_made_of_densities():
    """With one latent dimension the likelihood is an integral; the bound, a mean over noise."""
    networks, X, Y, _ = draw(n=1, k=1)
    mean_p, log_p = module._run(networks.prior, X)[1][0]
    mean_q, log_q = module._run(networks.recognition, np.hstack([X, Y]))[1][0]

    def density(z):
        found = module._run(networks.decoder, np.hstack([X, [[z]]]))[1][0]
        return multivariate_normal.pdf(Y[0], found)

    def inside(z):
        q = norm.pdf(z, mean_q, np.exp(log_q / 2))
        p = norm.pdf(z, mean_p, np.exp(log_p / 2))
        return np.array([q * (np.log(density(z)) + np.log(p) - np.log(q)), p * density(z)])

    ends = mean_q + 8 * np.array([-1, 1]) * np.exp(log_q / 2)
    bound = quad_vec(lambda z: inside(z)[0], *ends)[0]
    ends = mean_p + 8 * np.array([-1, 1]) * np.exp(log_p / 2)
    likelihood = quad_vec(lambda z: inside(z)[1], *ends)[0]
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    values = [module.minus_bound(networks, X, Y, np.array([[node]]))[0] for node in nodes]
    constant = 0.5 * Y.shape[1] * np.log(2 * np.pi)
    found = -np.dot(weights, values) / np.sqrt(2 * np.pi) - constant
    assert_allclose(found, bound, rtol=1e-3)  # a rectifier has kinks
    assert found < np.log(likelihood)


def test_without_a_latent_variable_it_is_least_squares():
    networks, X, Y, _ = draw(k=0)
    gap = module._run(networks.decoder, X)[1] - Y
    value, gradients = module.minus_bound(networks, X, Y, np.zeros((len(X), 0)))
    assert_allclose(value, 0.5 * np.square(gap).sum(axis=1).mean())
    assert all(not slope.any() for slope in gradients.recognition)


def test_it_ends_when_the_loss_rests_and_says_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    Y = X @ rng.normal(size=(2, 3))
    model = ConditionalAutoencoder(2, n_hidden=16, random_state=0).fit(X, Y)
    assert model.converged_
    assert model.n_iter_ == len(model.loss_curve_) < model.max_iter
    short = ConditionalAutoencoder(2, n_hidden=16, max_iter=5, random_state=0).fit(X, Y)
    assert not short.converged_
    assert_allclose(short.loss_curve_, model.loss_curve_[:5])


@pytest.mark.parametrize("transform", [lambda Y: 7.0 * Y, lambda Y: Y + 3.0])
def test_units_and_origin_of_outputs_change_nothing(transform):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 2)), rng.normal(size=(40, 3))
    model = ConditionalAutoencoder(2, n_hidden=8, max_iter=20, random_state=0)
    expected = transform(model.fit(X, Y).predict(X))
    assert_allclose(model.fit(X, transform(Y)).predict(X), expected, rtol=1e-6, atol=1e-9)


@parametrize_with_checks([ConditionalAutoencoder(2, n_hidden=8, max_iter=100)])
def test_estimator_checks(estimator, check):
    check(estimator)
