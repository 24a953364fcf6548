import importlib.util
from pathlib import Path

import numpy as np
import pytest

from ofer.companions import PairwiseMRF


@pytest.fixture(scope="session")
def enumerate_states():
    """The function of enumeration.py, which lies beside this file."""
    path = Path(__file__).with_name("enumeration.py")
    spec = importlib.util.spec_from_file_location("enumeration", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.enumerate_states


@pytest.fixture(scope="session")
def draw_model():
    """Function that returns a model with random parameters."""

    def draw(emission="gaussian", *, symmetric=False, n_states=3, strength=1.0, seed=0):
        rng = np.random.default_rng(seed)
        transition = strength * rng.normal(size=(n_states, n_states))
        if symmetric:
            transition = transition + transition.T
        emissions = (
            {
                "means": rng.normal(size=(n_states, 2)),
                "log_scales": 0.3 * rng.normal(size=n_states),
            }
            if emission == "gaussian"
            else {"logits": rng.normal(size=(n_states, 4))}
        )
        model = PairwiseMRF(n_states, emission=emission, symmetric=symmetric)
        return model.set_parameters(
            initial=rng.normal(size=n_states), transition=transition, **emissions
        )

    return draw


@pytest.fixture(scope="session")
def draw_nodes():
    """Function that returns nodes for such a model."""

    def draw(emission, size, rng):
        if emission == "gaussian":
            return 3 + rng.normal(size=(size, 2))
        return rng.integers(4, size=size)

    return draw


@pytest.fixture(scope="session")
def draw_chains(draw_nodes):
    def draw(emission="gaussian", lengths=(3, 1, 5, 4, 5, 2), seed=1):
        rng = np.random.default_rng(seed)
        return [draw_nodes(emission, length, rng) for length in lengths]

    return draw


TREES = [
    (5, [(0, 1), (3, 1), (1, 2), (4, 3)]),
    (1, []),
    (4, [(2, 1)]),
    (6, [(5, 0), (5, 1), (5, 2), (3, 4)]),
]
LOOPS = [
    (4, [(0, 1), (1, 2), (2, 3), (3, 0)]),
    (5, [(0, 1), (2, 1), (2, 0), (3, 4)]),
    (5, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4)]),
]


def _draw_graphs(kinds, draw_nodes):
    def draw(emission="gaussian", seed=2):
        rng = np.random.default_rng(seed)
        return [
            (draw_nodes(emission, size, rng), np.array(edges, dtype=int).reshape(-1, 2))
            for size, edges in kinds
        ]

    return draw


@pytest.fixture(scope="session")
def draw_trees(draw_nodes):
    """Forests: trees, some with isolated nodes."""
    return _draw_graphs(TREES, draw_nodes)


@pytest.fixture(scope="session")
def draw_loops(draw_nodes):
    return _draw_graphs(LOOPS, draw_nodes)
