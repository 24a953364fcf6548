import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp

from ofer.companions import PairwiseMRF
from reproduction.studies.second_volume.fisher_kernels.derivatives import (
    central_differences,
    enumerate_states,
    held_scores,
)


@pytest.fixture
def gaussian():
    rng = np.random.default_rng(0)
    return PairwiseMRF(2).set_parameters(
        initial=rng.normal(size=2),
        transition=rng.normal(size=(2, 2)),
        means=rng.normal(size=(2, 3)),
        log_scales=rng.normal(size=2) / 3,
    )


@pytest.fixture
def chains():
    rng = np.random.default_rng(1)
    return [rng.normal(size=(n, 3)) for n in (1, 4, 6)]


def test_sums_over_states_are_the_likelihood_of_chains(gaussian, chains):
    for chain in chains:
        joint, prior = enumerate_states(gaussian, chain)
        found = logsumexp(joint) - logsumexp(prior)
        assert_allclose(found, gaussian.loglikelihood([chain])[0])


def test_sums_over_states_are_the_likelihood_of_trees():
    rng = np.random.default_rng(0)
    model = PairwiseMRF(3, emission="multinomial", symmetric=True).set_parameters(
        initial=rng.normal(size=3),
        transition=np.diag(rng.normal(size=3)),
        logits=np.log(rng.dirichlet(np.ones(2), size=3)),
    )
    tree = (np.array([0, 1, 1, 0]), [(0, 1), (0, 2), (0, 3)])
    joint, prior = enumerate_states(model, tree)
    assert_allclose(logsumexp(joint) - logsumexp(prior), model.loglikelihood([tree])[0])


def test_differences_of_likelihoods_are_scores(gaussian, chains):
    found = central_differences(lambda model: model.loglikelihood(chains), gaussian)
    assert_allclose(found.T, gaussian.score_vectors(chains), atol=1e-7)


def test_scores_with_the_model_s_marginals_are_its_scores(gaussian, chains):
    found = held_scores(gaussian, chains, gaussian.posteriors(chains))
    assert_allclose(found, gaussian.score_vectors(chains))


def test_with_all_marginals_held_no_score_depends_on_transitions(gaussian, chains):
    held = gaussian.posteriors(chains)
    found = central_differences(lambda m: held_scores(m, chains, held, own=gaussian), gaussian)
    assert_allclose(found[gaussian.blocks_["transition"]], 0, atol=1e-9)
