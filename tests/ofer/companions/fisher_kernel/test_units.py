"""What no other object, and no unit of the data, may change; and what convergence means."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning

from ofer.companions import FisherKernelLearner, PairwiseMRF
from ofer.companions.fisher_kernel.emissions import GaussianEmission

UNITS = [1e-12, 1e-9, 1e-6, 1e-2, 1e3, 1e9, 1e12]


def quietly(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return function(*args)


def walks(n=30, length=10):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    signs = [np.cumprod(np.where(rng.random(length) < (0.8 if c else 0.2), -1, 1)) for c in y]
    return [s[:, None] + 0.3 * rng.normal(size=(length, 1)) for s in signs], y


def rings():
    """Nodes of three kinds, on rings and on lines."""
    rng, objects = np.random.default_rng(0), []
    for i in range(12):
        n = rng.integers(4, 8)
        line = [(t, t + 1) for t in range(n - 1)]
        nodes = 3 * np.eye(3)[rng.integers(3, size=n)][:, :2] + rng.normal(size=(n, 2))
        objects.append((nodes, [*line, (n - 1, 0)] if i % 2 else line))
    return objects


def in_unit(objects, unit):
    return [(unit * one[0], one[1]) if isinstance(one, tuple) else unit * one for one in objects]


def score_by_hand(model, chain):
    """Log-likelihood and its gradient in means and log scales, of a chain under independence.

    All differences are those of a node from a mean.
    """
    x, mu, s = chain, model.means_, model.log_scales_
    differences = x[:, None] - mu
    squares = np.square(differences).sum(axis=2) * np.exp(-2 * s)
    d = x.shape[1]
    logs = -0.5 * squares - d * (s + 0.5 * np.log(2 * np.pi))
    shares = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
    value = (logsumexp(logs, axis=1) - np.log(len(mu))).sum()
    means = np.einsum("ik,ikd->kd", shares, differences) * np.exp(-2 * s)[:, None]
    return value, means, (shares * (squares - d)).sum(axis=0)


@pytest.mark.parametrize("kind", ["chains", "trees", "loops"])
@pytest.mark.parametrize("far", [1e3, 1e6, 1e9, -1e12, 1e100])
def test_an_object_alone_equals_it_in_company(
    kind, far, draw_model, draw_chains, draw_trees, draw_loops
):
    objects = {"chains": draw_chains, "trees": draw_trees, "loops": draw_loops}[kind]()
    model, strange = draw_model(strength=0.5), np.full((1, 2), far)
    company = [*objects, strange if kind == "chains" else (strange, [])]
    alone = [model.posteriors([one]) for one in objects]
    together = model.posteriors(company)
    for i, (one, object_) in enumerate(zip(alone, objects, strict=True)):
        assert_allclose(together.nodes[i], one.nodes[0], rtol=1e-12, atol=1e-14)
        assert_allclose(together.edges[i], one.edges[0], rtol=1e-12, atol=1e-14)
        assert_allclose(model.loglikelihood(company)[i], one.loglikelihoods[0], rtol=1e-12)
        scores = model.score_vectors([object_])[0]
        assert_allclose(model.score_vectors(company)[i], scores, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("gap", [1e3, 1e7, 1e10])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_states_that_are_far_from_each_other(gap, offset):
    """Independent nodes near either of two states: each keeps its digits."""
    rng = np.random.default_rng(0)
    means = offset + np.array([[0.0, 0.0], [gap, -gap], [gap + 1, -gap]])
    model = PairwiseMRF(3).set_parameters(means=means, log_scales=[0.0, 0.5, -0.5])
    chain = means[[0, 1, 2, 1, 0]] + rng.normal(size=(5, 2))
    value, of_means, of_scales = score_by_hand(model, chain)
    assert_allclose(model.loglikelihood([chain])[0], value, rtol=1e-12)
    score = model.score_vectors([chain])[0]
    assert_allclose(score[model.blocks_["means"]], of_means.ravel(), rtol=1e-10, atol=1e-12)
    assert_allclose(score[model.blocks_["log_scales"]], of_scales, rtol=1e-10, atol=1e-12)


def test_neighbours_of_a_far_node_keep_their_beliefs(draw_model):
    """The far node has a state of its own, so that its neighbour is as by hand."""
    model = draw_model(n_states=2)
    model.set_parameters(means=[[0.0, 0.0], [5.0, 0.0]], log_scales=[0.0, 0.3])
    near = np.array([0.4, 0.1])
    for far in (1e3, 1e9):
        found = model.posteriors([([near, [far, 0.0]], [(0, 1)])])
        logs = -0.5 * np.square(near - model.means_).sum(axis=1) * np.exp(-2 * model.log_scales_)
        logs += model.initial_ - 2 * model.log_scales_ + model.transition_[:, 1]
        assert_allclose(found.nodes[0][1], [0.0, 1.0], atol=1e-12)
        assert_allclose(found.nodes[0][0], np.exp(logs - logsumexp(logs)), rtol=1e-9)
        assert_allclose(found.edges[0][0].sum(axis=1), found.nodes[0][0], rtol=1e-9)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("init", ["mixture", "random"])
@pytest.mark.parametrize("kind", ["chains", "graphs"])
def test_fit_in_another_unit(kind, init, unit):
    objects = walks(12, 8)[0] if kind == "chains" else rings()
    model = PairwiseMRF(2, init=init, random_state=0, max_iter=30, symmetric=kind == "graphs")
    ours = quietly(model.fit, objects).parameters_
    history, converged = model.loglikelihoods_, model.converged_
    other = quietly(model.fit, in_unit(objects, unit))
    n_entries = sum(one[0].size if kind == "graphs" else one.size for one in objects)
    assert_allclose(other.loglikelihoods_ + n_entries * np.log(unit), history, rtol=1e-6)
    assert other.converged_ == converged
    assert_allclose(other.means_ / unit, ours["means"], rtol=1e-4, atol=1e-6)
    assert_allclose(other.log_scales_ - np.log(unit), ours["log_scales"], atol=1e-4)
    assert_allclose(other.transition_, ours["transition"], atol=1e-3)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("optimizer", ["lbfgs", "alternating"])
def test_learning_in_another_unit(optimizer, unit):
    objects, y = walks()
    learner = FisherKernelLearner(
        PairwiseMRF(2, random_state=0, max_iter=20), optimizer=optimizer, max_iter=8
    )
    history = quietly(learner.fit, objects, y).objectives_
    ours, norm = learner.transform(objects), learner.gradient_norm_
    other = quietly(learner.fit, in_unit(objects, unit), y)
    assert_allclose(other.objectives_, history, rtol=1e-5)
    assert_allclose(other.gradient_norm_, norm, rtol=1e-3)
    assert_allclose(other.transform(in_unit(objects, unit)), ours, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("unit", [1e-12, 0.0254, 7.0, 1e12])
def test_start_is_the_paper_s_in_any_unit(unit):
    objects, y = walks()
    objects = in_unit(objects, unit)
    scores = PairwiseMRF(2, random_state=0, max_iter=9).fit(objects).score_vectors(objects)
    G = scores / np.sqrt(np.mean(scores**2, axis=0))
    D = np.square(G[:, None] - G).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    p = np.exp(D.min(axis=1, keepdims=True) - D)
    p /= p.sum(axis=1, keepdims=True)
    learner = FisherKernelLearner(PairwiseMRF(2, random_state=0, max_iter=9), max_iter=1)
    quietly(learner.fit, objects, y)
    assert_allclose(learner.objectives_[0], p[y[:, None] == y].sum() / len(y), rtol=1e-8)


def test_nodes_of_scale_one_stay_as_they_are():
    """To the last bit, so that stored results stay."""
    emission = GaussianEmission(2, 1)
    nodes = np.random.default_rng(0).normal(size=(50, 1))
    for spread in (0.4, 1.0, 3.0):
        assert emission.frame(spread * nodes / nodes.std())[1] == 1.0
    for unit in UNITS:
        assert_allclose(emission.frame(unit * nodes)[1], unit, rtol=1e-15)


def test_stopping_short_of_a_maximum_is_no_convergence(monkeypatch):
    """Iterations that gain nothing do not make a maximum."""
    module = "ofer.companions.fisher_kernel.pairwise_mrf.fit_by_ascent"
    objects = rings()

    def no_step(packed, layout, vector, *, floor, tol, max_iter):
        return vector, [0.0, 0.0], 0.0

    model = PairwiseMRF(2, symmetric=True, random_state=0)
    assert quietly(model.fit, objects).converged_
    monkeypatch.setattr(module, no_step)
    with pytest.warns(ConvergenceWarning, match=r"after 1 iterations, where the gradient .* Lower"):
        model.fit(objects)
    assert not model.converged_


def test_graphs_cut_short_have_not_converged():
    model = PairwiseMRF(2, symmetric=True, random_state=0, max_iter=0)
    assert not model.fit(rings()).converged_
    with pytest.warns(ConvergenceWarning, match="after max_iter=2 iterations, the last"):
        model.set_params(max_iter=2).fit(rings())
    assert not model.converged_


def test_stalled_learning_has_not_converged():
    """From a random model the alternation comes to rest where the gradient is not small."""
    objects, _ = walks(20, 6)
    y = np.random.default_rng(3).integers(2, size=20)
    start = PairwiseMRF(2, init="random", max_iter=0, random_state=0)
    learner = FisherKernelLearner(start, optimizer="alternating", tol=1.0)
    with pytest.warns(ConvergenceWarning, match=r"still has a gradient of length .* Lower tol"):
        learner.fit(objects, y)
    assert not learner.converged_
    assert learner.gradient_norm_ > 0.01


def test_permuted_objects_have_permuted_scores(draw_model, draw_chains, draw_loops):
    model, order = draw_model(), np.array([3, 0, 5, 1, 4, 2])
    objects = draw_chains()
    shuffled = [objects[i] for i in order]
    assert_allclose(model.score_vectors(shuffled), model.score_vectors(objects)[order], rtol=1e-11)
    loops = draw_loops()
    assert_allclose(
        model.score_vectors(loops[::-1]), model.score_vectors(loops)[::-1], rtol=1e-9, atol=1e-10
    )


def test_failed_learning_leaves_what_was_learned(monkeypatch):
    objects, y = walks(12, 6)
    learner = FisherKernelLearner(PairwiseMRF(2, random_state=0, max_iter=3), max_iter=2)
    before = quietly(learner.fit, objects, y).transform(objects)

    def interrupt(*args):
        raise KeyboardInterrupt

    optimizers = "ofer.companions.fisher_kernel.learner.OPTIMIZERS"
    with monkeypatch.context() as patched:
        patched.setattr(optimizers, {"lbfgs": interrupt})
        with pytest.raises(KeyboardInterrupt):
            learner.fit([one * 2 for one in objects], np.array(["a", "b"])[y])
    assert_array_equal(learner.transform(objects), before)
    assert_array_equal(learner.classes_, [0, 1])
