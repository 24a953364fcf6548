"""Small problems of every kind of output."""

from typing import NamedTuple

import numpy as np
import pytest

from ofer.companions import ChainOutputs, MulticlassOutputs, TreeOutputs
from ofer.companions.local_structured.inputs import Inputs

SPACES = {
    "multiclass": MulticlassOutputs([0, 1, 2]),
    "tree": TreeOutputs([-1, 0, 0, 1, 1, 2]),
    "chain": ChainOutputs([0, 1, 2]),
    "hamming": ChainOutputs([0, 1, 2], loss="hamming"),
}


class Problem(NamedTuple):
    """Samples, their outputs as users give them, and encoded."""

    space: object
    X: object
    y: object
    inputs: Inputs
    encoded: np.ndarray
    labelled: np.ndarray

    @property
    def partly(self):
        """The outputs, without those of unlabelled samples."""
        if self.space.sequential:
            return [y if known else None for y, known in zip(self.y, self.labelled, strict=True)]
        return np.where(self.labelled, self.y, -1)


def _make_problem(name, n=None, d=4, seed=0, equal_lengths=False):
    """A problem that can be learnt: the first coordinates say the label, noise is added."""
    rng = np.random.default_rng(seed)
    space = SPACES[name].fit([])
    n = n or (20 if space.sequential else 60)
    lengths = np.ones(n, int)
    if space.sequential:
        lengths = np.full(n, 3) if equal_lengths else rng.integers(1, 5, n)
    encoded = rng.integers(0, 3, lengths.sum())
    rows = 0.4 * rng.normal(size=(lengths.sum(), d))
    rows[np.arange(len(rows)), encoded] += 1.0
    y = space.inverse_transform(encoded, lengths)
    X = np.split(rows, np.cumsum(lengths)[:-1]) if space.sequential else rows
    labelled = rng.random(n) < 0.4
    labelled[0] = True
    return Problem(space, X, y, Inputs(rows, lengths), encoded, labelled)


@pytest.fixture
def make_problem():
    """Function that makes a problem with outputs of one kind."""
    return _make_problem


@pytest.fixture(params=SPACES)
def problem(request):
    """A problem with outputs of each kind in turn."""
    return _make_problem(request.param)
