"""Graphs on which messages go round in circles."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ofer.companions import FisherKernelLearner, PairwiseMRF, nca_objective
from ofer.companions.fisher_kernel.graphs import Graphs

CLIQUE, PATH = list(combinations(range(5), 2)), [(0, 1), (1, 2), (2, 3), (3, 4)]


@pytest.fixture(scope="module")
def transition():
    """Potentials so strong that messages do not settle in a clique."""
    T = 4 * np.random.default_rng(9).normal(size=(4, 4))
    return T + T.T


def test_beliefs_that_do_not_settle_are_held(transition):
    """Their derivatives would grow without bound; those of other graphs stay what they are."""
    rng = np.random.default_rng(0)
    both = Graphs(np.array([5, 5]), np.array(CLIQUE + [(5 + i, 5 + j) for i, j in PATH]))
    alone = Graphs(np.array([5]), np.array(PATH))
    potentials, node_moves = rng.normal(size=(2, 10, 4))
    moves = rng.normal(size=(2, 4, 4))
    settled = both.infer(potentials, transition)
    assert settled.residuals[0] > 1e-3 > 1e-9 > settled.residuals[1]
    nodes, pairs = both.tangent(settled, transition, node_moves.copy(), moves)
    assert_array_equal(nodes[:5], 0)
    expected = alone.tangent(
        alone.infer(potentials[5:], transition), transition, node_moves[5:].copy(), moves[1:]
    )
    assert_allclose(nodes[5:], expected[0], atol=1e-9)
    assert_allclose(pairs, expected[1], atol=1e-9)


@pytest.mark.filterwarnings("ignore:fit stopped after", "ignore:Belief propagation")
@pytest.mark.parametrize("optimizer", ["lbfgs", "alternating"])
def test_learning_goes_on_beside_them(optimizer, transition):
    rng = np.random.default_rng(0)
    objects = [(rng.integers(3, size=5), CLIQUE if i < 2 else PATH) for i in range(24)]
    y = [symbols[0] == symbols[1] for symbols, _ in objects]
    model = PairwiseMRF(4, emission="multinomial", symmetric=True)
    model.set_parameters(initial=np.zeros(4), transition=transition, logits=rng.normal(size=(4, 3)))
    learner = FisherKernelLearner(model, prefit=True, optimizer=optimizer, max_iter=3)
    features = learner.fit(objects, y).transform(objects)
    start = learner.objectives_[0]
    assert learner.objectives_.max() > start + 0.02
    assert nca_objective(features, np.ones(features.shape[1]), y)[0] / len(objects) > start + 0.02
