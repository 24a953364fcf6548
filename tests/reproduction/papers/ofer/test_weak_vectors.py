"""Weak labels as latent vectors: the step between components and predictions."""

import numpy as np
from numpy.testing import assert_allclose

from ofer import GaussianMixtureEmbedding, KernelSystem
from ofer.weak.latent_ridge import LatentRidge
from reproduction.papers.ofer.weak.latent_vectors import latent_vectors

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.tanh(X @ RNG.normal(size=(3, 2))) + 0.1 * RNG.normal(size=(60, 2))
MIXTURE = GaussianMixtureEmbedding(2, random_state=0).fit(Y[:20])
GAMMA = MIXTURE.predict_proba(Y[20:])
MEANS = GAMMA @ MIXTURE.means_


def infer(variance, max_iter):
    system = KernelSystem.from_features(X)
    model = LatentRidge(system, np.vstack([Y[:20], MEANS]), 20)
    return model, latent_vectors(model, 0.5, MIXTURE, GAMMA, variance, max_iter)


def test_a_prediction_that_says_nothing_leaves_the_means():
    model, steps = infer(1e12, 10)
    assert len(steps) == 1
    assert_allclose(model.weak, MEANS, atol=1e-6)


def test_a_round_takes_the_product_of_two_gaussians():
    model, _ = infer(0.3, 1)
    first = KernelSystem.from_features(X).solve(np.vstack([Y[:20], MEANS]), 0.5).predict(X)[20:]
    expected = np.zeros_like(first)
    for k in range(2):
        own, prediction = 1.0 / MIXTURE.covariances_[k], 1.0 / 0.3
        product = (own * MIXTURE.means_[k] + prediction * first) / (own + prediction)
        expected += GAMMA[:, [k]] * product
    assert_allclose(model.weak, expected)
