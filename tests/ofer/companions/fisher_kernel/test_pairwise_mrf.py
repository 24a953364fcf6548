"""Pairwise Markov random fields against enumeration, finite differences and hmmlearn."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from ofer.companions import PairwiseMRF
from ofer.companions.fisher_kernel.chains import Chains
from ofer.companions.fisher_kernel.emissions import GaussianEmission
from ofer.companions.fisher_kernel.objects import BATCH_CHAINS, check_objects, pack
from tests.ofer.samples import CHAINS, named

EMISSIONS = ["gaussian", "multinomial"]
CLOSE = {"rtol": 1e-10, "atol": 1e-10}


def assert_enumerated(model, objects, enumerate_states, **tolerance):
    scores, posteriors = model.score_vectors(objects), model.posteriors(objects)
    assert_allclose(posteriors.loglikelihoods, model.loglikelihood(objects), rtol=1e-9, atol=1e-12)
    for i, one in enumerate(objects):
        expected = enumerate_states(model, one)
        assert_allclose(posteriors.loglikelihoods[i], expected.loglikelihood, **tolerance)
        assert_allclose(posteriors.nodes[i], expected.nodes, **tolerance)
        assert posteriors.edges[i].shape == expected.edges.shape
        assert_allclose(posteriors.edges[i], expected.edges, **tolerance)
        assert_allclose(scores[i], expected.score, **tolerance)


def differences(model, objects, step=1e-5):
    """Central differences of the log-likelihoods, in the order of the score."""
    columns = []
    for name in model.blocks_:
        value = getattr(model, f"{name}_").copy()
        for place in np.ndindex(value.shape):
            places = {place}
            if name == "transition" and model.symmetric:
                if place[0] > place[1]:
                    continue
                places |= {place[::-1]}
            moved = []
            for sign in (1, -1):
                shifted = value.copy()
                for one in places:
                    shifted[one] += sign * step
                moved.append(model.set_parameters(**{name: shifted}).loglikelihood(objects))
            columns.append((moved[0] - moved[1]) / (2 * step))
        model.set_parameters(**{name: value})
    return np.column_stack(columns)


@pytest.mark.parametrize("emission", EMISSIONS)
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("kind", ["chains", "trees"])
def test_enumeration(
    emission, symmetric, kind, draw_model, draw_chains, draw_trees, enumerate_states
):
    objects = (draw_chains if kind == "chains" else draw_trees)(emission)
    model = draw_model(emission, symmetric=symmetric, strength=2.0)
    assert_enumerated(model, objects, enumerate_states, **CLOSE)


def test_enumeration_with_strong_potentials(draw_model, draw_chains, draw_trees, enumerate_states):
    """Weights that differ by more than the range of floating-point numbers."""
    model = draw_model(strength=50.0).set_parameters(log_scales=[-3.5, 0.0, 1.0])
    for objects in (draw_chains(), draw_trees()):
        assert_enumerated(model, objects, enumerate_states, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("emission", EMISSIONS)
def test_loops_are_exact_without_interaction(emission, draw_model, draw_loops, enumerate_states):
    model = draw_model(emission).set_parameters(transition=np.full((3, 3), 0.7))
    assert_enumerated(model, draw_loops(emission), enumerate_states, **CLOSE)


def test_loops_are_near_for_weak_interaction(draw_model, draw_loops, enumerate_states):
    """The Bethe approximation errs in a high order of the interaction, and does err."""
    errors = []
    for strength in (0.1, 0.2):
        model = draw_model(strength=strength, symmetric=True)
        objects = draw_loops()[:1]  # a ring of four: of fourth order
        exact = enumerate_states(model, objects[0]).loglikelihood
        errors.append(abs(model.loglikelihood(objects)[0] - exact))
    assert errors[0] < 1e-4
    assert 8 < errors[1] / errors[0] < 32


@pytest.mark.parametrize("emission", EMISSIONS)
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("kind", ["chains", "trees", "loops"])
def test_score_is_the_gradient(
    emission, symmetric, kind, draw_model, draw_chains, draw_trees, draw_loops
):
    """On loops of the Bethe log-likelihood, whatever that is worth."""
    objects = {"chains": draw_chains, "trees": draw_trees, "loops": draw_loops}[kind](emission)
    model = draw_model(emission, symmetric=symmetric, strength=0.5)
    assert_allclose(model.score_vectors(objects), differences(model, objects), atol=1e-6)
    blocks = list(model.blocks_.values())
    assert [block.start for block in blocks[1:]] == [block.stop for block in blocks[:-1]]
    assert_allclose(model.transform(objects), model.score_vectors(objects), rtol=1e-9, atol=1e-12)


def test_chain_as_a_graph(draw_model, draw_chains):
    """Propagation on a path is forward-backward, when no node has an initial potential."""
    model = draw_model(strength=2.0).set_parameters(initial=np.zeros(3))
    chains = draw_chains()
    graphs = [(x, [(t, t + 1) for t in range(len(x) - 1)]) for x in chains]
    inner = slice(3, None)  # initial potentials belong to other nodes
    assert_allclose(
        model.score_vectors(graphs)[:, inner], model.score_vectors(chains)[:, inner], atol=1e-10
    )
    assert_allclose(model.loglikelihood(graphs), model.loglikelihood(chains), rtol=1e-12)


def test_numbering_of_nodes_is_immaterial_to_symmetric_models(draw_model, draw_loops):
    model, rng = draw_model(symmetric=True), np.random.default_rng(0)
    objects, renamed = draw_loops(), []
    for nodes, edges in objects:
        places = rng.permutation(len(nodes))
        moved = np.empty_like(nodes)
        moved[places] = nodes
        renamed.append((moved, rng.permutation(places[edges][:, ::-1])))
    assert_allclose(model.score_vectors(renamed), model.score_vectors(objects), atol=1e-9)


def test_large_batches_of_graphs(draw_model, draw_nodes):
    """More nodes than one batch holds."""
    model, rng = draw_model("multinomial"), np.random.default_rng(0)
    line = np.column_stack([np.arange(29_999), np.arange(1, 30_000)])
    objects = [(draw_nodes("multinomial", 30_000, rng), line[:i]) for i in (5, 9, 0, 3, 7)]
    together = model.loglikelihood(objects)
    assert_allclose(together, [model.loglikelihood([one])[0] for one in objects], rtol=1e-12)


def padded(chains):
    """Places of all batches, those after a chain's end among them, and of the chains alone."""
    packed = pack(check_objects(chains, GaussianEmission), GaussianEmission(2, 2))
    sizes = [batch.structure.lengths for batch in packed.batches]
    return sum(len(one) * one[0] for one in sizes), sum(map(len, chains)), len(sizes)


def test_a_long_chain_does_not_lengthen_the_short_ones():
    chains = [np.random.default_rng(i).normal(size=(10, 2)) for i in range(600)]
    long = np.random.default_rng(0).normal(size=(5000, 2))
    mixed = [*chains[:300], long, *chains[300:]]
    places, nodes, n_batches = padded(mixed)
    assert places <= 1.01 * nodes
    assert n_batches == 1 + -(-600 // BATCH_CHAINS)
    alike = [np.zeros((8 + i % 5, 2)) + i for i in range(600)]
    assert padded(alike)[2] == -(-600 // BATCH_CHAINS)
    model = PairwiseMRF(2, random_state=0, max_iter=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(chains[:50])
    apart = [*model.loglikelihood(chains), *model.loglikelihood([long])]
    together = model.loglikelihood([*chains, long])
    assert_allclose(together, apart, rtol=1e-12)


def test_hidden_markov_model(draw_chains):
    """hmmlearn's values, of Gaussian and of categorical emissions."""
    path = Path(__file__).parents[3] / "oracles" / "hmmlearn.json"
    theirs = json.loads(path.read_text())
    potentials = {
        "initial": np.log(theirs["start"]) + 1.7,  # a constant changes nothing
        "transition": np.log(theirs["transition"]) - 0.4,
    }
    gaussian = PairwiseMRF(3).set_parameters(
        means=theirs["means"], log_scales=np.log(theirs["scales"]), **potentials
    )
    categorical = PairwiseMRF(3, emission="multinomial").set_parameters(
        logits=np.log(theirs["probabilities"]), **potentials
    )
    points = [np.array(x) for x in theirs["points"]]
    symbols = [np.array(x) for x in theirs["symbols"]]
    for name, model, objects in (
        ("gaussian", gaussian, points),
        ("categorical", categorical, symbols),
    ):
        ours = model.posteriors(objects)
        assert_allclose(ours.loglikelihoods, theirs[name]["loglikelihoods"], rtol=1e-10)
        for mine, peers in zip(ours.nodes, theirs[name]["posteriors"], strict=True):
            assert_allclose(mine, peers, atol=1e-10)


def test_posteriors_report_convergence(draw_model, draw_chains, draw_trees, draw_loops):
    model = draw_model()
    on_chains, on_trees, on_loops = (
        model.posteriors(draw()) for draw in (draw_chains, draw_trees, draw_loops)
    )
    assert on_chains.converged.all()
    assert (on_chains.residuals == 0).all()
    assert on_trees.converged.all()
    assert_array_equal(on_trees.n_sweeps, [2, 0, 2, 2])  # the second one sees that it is done
    assert on_loops.converged.all()
    assert (on_loops.n_sweeps > 2).all()
    assert (on_loops.residuals <= 1e-12).all()


def test_no_convergence_is_said(draw_model, monkeypatch, draw_loops):
    monkeypatch.setattr("ofer.companions.fisher_kernel.graphs.STAGES", ((3, 0.0), (2, 0.5)))
    model = draw_model()
    assert not model.posteriors(draw_loops()).converged.any()
    assert_array_equal(model.posteriors(draw_loops()).n_sweeps, 5)
    with pytest.warns(ConvergenceWarning, match=r"not converged on 3 of 3 objects, objects\[0\]"):
        model.score_vectors(draw_loops())


def test_damping_reaches_the_fixed_point(draw_model, monkeypatch, draw_loops):
    model = draw_model()
    expected = model.score_vectors(draw_loops())
    monkeypatch.setattr("ofer.companions.fisher_kernel.graphs.STAGES", ((3, 0.0), (400, 0.5)))
    assert_allclose(model.score_vectors(draw_loops()), expected, atol=1e-9)


# Fitting


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("init", ["mixture", "random"])
@pytest.mark.parametrize("emission", EMISSIONS)
def test_fit_is_monotone(emission, init, symmetric, draw_chains):
    objects = draw_chains(emission, lengths=(5, 9, 9, 14, 14, 14, 20))
    options = {"emission": emission, "symmetric": symmetric, "init": init, "tol": 0}
    model = PairwiseMRF(2, max_iter=40, random_state=0, **options)
    with pytest.warns(ConvergenceWarning):
        model.fit(objects)
    assert len(model.loglikelihoods_) == model.n_iter_ + 1 == 41
    assert np.diff(model.loglikelihoods_).min() > -1e-8
    assert_allclose(model.loglikelihoods_[-1], model.loglikelihood(objects).sum(), rtol=1e-10)


@pytest.mark.parametrize("emission", EMISSIONS)
def test_fit_of_graphs_is_monotone(emission, draw_trees, draw_loops):
    objects = draw_trees(emission) + draw_loops(emission) + draw_loops(emission, seed=3)
    model = PairwiseMRF(
        2, emission=emission, symmetric=True, max_iter=30, min_scale=0.3, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(objects)
    assert model.n_iter_ > 3
    assert np.diff(model.loglikelihoods_).min() >= 0
    assert_allclose(model.loglikelihoods_[-1], model.loglikelihood(objects).sum(), rtol=1e-8)
    assert_array_equal(model.transition_, model.transition_.T)


def test_fit_warns_when_it_stops_early(draw_chains):
    model = PairwiseMRF(2, max_iter=1, tol=0, random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_iter=1 iterations.*Raise max_iter or tol"):
        model.fit(draw_chains())
    assert not model.converged_
    assert model.n_iter_ == 1


def test_no_iterations_keep_the_start(draw_chains):
    model = PairwiseMRF(2, max_iter=0, init="random", random_state=0).fit(draw_chains())
    assert_array_equal(model.transition_, 0)
    assert model.n_iter_ == 0


def test_new_symbols_are_possible_when_announced(draw_chains):
    model = PairwiseMRF(2, emission="multinomial", n_symbols=6, random_state=0)
    model.fit(draw_chains("multinomial"))
    assert model.logits_.shape == (2, 6)
    assert np.isfinite(model.loglikelihood([np.array([5, 0, 5])])).all()


# Bad input

X = np.zeros((3, 2))
RING = np.array([[0, 1], [1, 2], [2, 0]])


@pytest.mark.parametrize(
    ("objects", "error", "message"),
    [
        ([], ValueError, "objects must hold at least one object; got none"),
        (3, TypeError, "objects must be a list of arrays or of graphs; got <class 'int'>"),
        ("abc", TypeError, "objects must be a list"),
        ([X, np.zeros((0, 2))], ValueError, r"objects\[1\] must have at least one node; got none"),
        ([X, X[:, :1]], ValueError, r"objects\[1\] must have 2 columns; got shape \(3, 1\)"),
        ([X, np.zeros(3)], ValueError, r"objects\[1\] must have nodes of shape \(n_nodes, n_feat"),
        ([X, [["a", "b"]]], ValueError, r"objects\[1\] must have nodes .* real numbers"),
        ([X, [[0, 0], [0, np.nan], [0, 0]]], ValueError, r"objects\[1\] must hold finite.*1"),
        ([X, X + np.inf], ValueError, r"objects\[1\] must hold finite numbers; got .* at node 0"),
        ([X, (X, RING)], TypeError, r"objects\[0\] is a chain, objects\[1\] is not"),
        ([(X, RING), X], TypeError, r"objects\[0\] is a graph, objects\[1\] is not"),
        ([(X, RING), (X,)], ValueError, r"objects\[1\] must be a pair .* a tuple of 1"),
        (
            [(X, RING), (X, RING + 1)],
            ValueError,
            r"objects\[1\] .* nodes that it has; got \(2, 3\)",
        ),
        ([(X, RING - 1)], ValueError, r"objects\[0\] .* nodes that it has; got \(-1, 0\)"),
        (
            [(X, RING), (X, [[1, 1]])],
            ValueError,
            r"objects\[1\] .* two different nodes; .*\(1, 1\)",
        ),
        ([(X, [[0, 1], [1, 0]])], ValueError, r"objects\[0\] .* each pair .* once; got \(1, 0\)"),
        ([(X, [[0.0, 1.0]])], ValueError, r"objects\[0\] must have edges of shape .*integers"),
        ([(X, [0, 1, 2])], ValueError, r"objects\[0\] must have edges of shape \(n_edges, 2\)"),
    ],
)
def test_bad_objects(objects, error, message, draw_model):
    for call in (draw_model().score_vectors, PairwiseMRF(2).fit):
        with pytest.raises(error, match=message):
            call(objects)


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ([[0, 1], [1, 4]], r"objects\[1\] must hold symbols from 0 to 3; got 4 at node 1"),
        ([[0, 1], [-1]], r"objects\[1\] must hold symbols .*; got -1 at node 0"),
        ([[0, 1], []], r"objects\[1\] must have at least one node"),
        ([[0, 1], [0.5]], r"objects\[1\] must have nodes of shape \(n_nodes,\), integers"),
        ([[0, 1], [[1]]], r"objects\[1\] must have nodes of shape \(n_nodes,\), integers"),
    ],
)
def test_bad_symbols(objects, message, draw_model):
    model = PairwiseMRF(2, emission="multinomial", n_symbols=4)
    for call in (draw_model("multinomial").score_vectors, model.fit):
        with pytest.raises(ValueError, match=message):
            call(objects)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"n_symbols": 3}, ValueError, "n_symbols must be None, for gaussian emissions; got 3"),
        ({"n_states": 4}, ValueError, "n_states must be at most the number of nodes, 3; got 4"),
    ],
)
def test_bad_parameters(parameters, error, message):
    with pytest.raises(error, match=message):
        PairwiseMRF(**{"n_states": 2, **parameters}).fit(
            [np.random.default_rng(0).normal(size=(3, 2))]
        )


def test_constant_nodes():
    with pytest.raises(ValueError, match="objects must hold nodes that differ; all are equal"):
        PairwiseMRF(2).fit([np.ones((3, 2)), np.ones((2, 2))])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"initial": [0.0]}, r"initial must have shape \(n_states,\) with n_states=3; got .*\(1,"),
        ({"transition": np.zeros((3, 2))}, r"transition must have shape \(n_states, n_states\)"),
        ({"means": np.zeros((2, 2))}, r"means must have shape \(n_states, n_features\)"),
        ({"log_scales": np.zeros((3, 1))}, r"log_scales must have shape \(n_states,\)"),
        ({"log_scales": [0, 0, np.nan]}, "log_scales must be finite"),
        ({"transition": 301 * np.eye(3)}, "transition must have entries within 300 .* of 301"),
        (
            {"logits": np.zeros((3, 2))},
            "parameters must be among .*, for gaussian emissions; got logits",
        ),
    ],
)
def test_bad_settings(arguments, message, draw_model):
    with pytest.raises(ValueError, match=message):
        draw_model().set_parameters(**arguments)


def test_settings_that_do_not_fit_the_model(draw_model):
    with pytest.raises(ValueError, match="transition must be symmetric"):
        draw_model(symmetric=True).set_parameters(transition=np.triu(np.ones((3, 3))))
    with pytest.raises(ValueError, match="means must be given, for gaussian emissions; got None"):
        PairwiseMRF(3).set_parameters(initial=np.zeros(3))
    model = PairwiseMRF(3, emission="multinomial", n_symbols=5)
    with pytest.raises(ValueError, match=r"logits must have 5 columns \(n_symbols\)"):
        model.set_parameters(logits=np.zeros((3, 4)))


def test_names_of_the_entries(draw_model):
    names = draw_model(symmetric=True, n_states=2).get_feature_names_out()
    assert names.tolist() == [
        "initial_0", "initial_1", "transition_0_0", "transition_0_1", "transition_1_1",
        "means_0_0", "means_0_1", "means_1_0", "means_1_1", "log_scales_0", "log_scales_1",
    ]  # fmt: skip


@pytest.mark.parametrize("spread", [0.5, 3.0, 100.0])
def test_chains_without_nodes_seen_settle_where_the_recursion_leads(spread):
    """The shortcut for what no node depends on, against the recursion node by node."""
    rng = np.random.default_rng(0)
    for longest in (1, 2, 50, 1500):
        lengths = np.sort(np.append(rng.integers(1, longest + 1, size=4), longest))[::-1]
        chains = Chains(lengths)
        initial = spread * rng.normal(size=3)
        transition = spread * rng.uniform(-1, 1, size=(3, 3))
        potentials = np.zeros((lengths.sum(), 3))
        potentials[chains.start_rows] += initial
        expected = chains.infer(potentials, transition)
        starts, pair_sums, log_partitions, *_ = chains.infer_unseen(initial, transition)
        assert_allclose(starts, chains.sum_starts(expected.nodes), atol=1e-11)
        assert_allclose(pair_sums, expected.pair_sums, rtol=1e-10, atol=1e-10)
        assert_allclose(log_partitions, expected.log_partitions, rtol=1e-12)


def walks(rng, n=30):
    signs = rng.choice([-1.0, 1.0], size=(n, 8, 1))
    return [one * [1.0, 0.5] + 0.3 * rng.normal(size=(8, 2)) for one in signs]


def test_columns_of_different_units_are_told():
    chains = walks(np.random.default_rng(0))
    with pytest.warns(UserWarning, match="half or more of the columns of objects.*Divide"):
        PairwiseMRF(2, random_state=0).fit([one * [1.0, 1e4] for one in chains])


def test_nodes_have_columns_in_one_order():
    graphs = [(named(chain), [[0, 1]]) for chain in CHAINS]
    field = PairwiseMRF(1, max_iter=0).fit(graphs)
    with pytest.raises(ValueError, match="feature names should match"):
        field.transform([(nodes[list("cba")], edges) for nodes, edges in graphs])
