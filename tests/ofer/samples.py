"""Data and helpers that several tests share."""

import warnings

import numpy as np
import pandas as pd
import pytest

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor

quiet = pytest.mark.filterwarnings(
    "ignore:alphas should have",
    "ignore::sklearn.exceptions.ConvergenceWarning",
    "ignore::ofer.embeddings.CollapsedComponentWarning",
)
RNG = np.random.default_rng(0)
N = 24
X = RNG.normal(size=(N, 3))
Y = np.column_stack([X[:, 0], X[:, 1] - X[:, 2]]) + RNG.normal(scale=0.3, size=(N, 2))
LABELS = np.arange(N) % 3
SERIES = RNG.normal(size=(N, 5, 2)).cumsum(axis=1)
CHAINS = list(RNG.normal(size=(N, 4, 3)))
TAGS = [[0, 1, int(chain.sum() > 0), 1] for chain in CHAINS[:16]] + [None] * 8
VECTORS = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
MIXTURE = GaussianMixtureEmbedding(2, random_state=0)
WEAK = OutputFisherRegressor(MIXTURE, KernelRidgeCV([0.1, 1.0]))
BAD_KERNELS = {
    r"shape \(\d+, \d+\); got shape \(3,\)": lambda A, B: np.ones(3),
    r"shape \(\d+, \d+\); got shape \(\) of float64": lambda A, B: 1.0,
    r"got shape \(\) of object": lambda A, B: None,
    r"got shape \(\) of <U1": lambda A, B: "x",
    "with NaN or infinity": lambda A, B: np.full((len(A), len(B)), np.nan),
}


def linear(A, B):
    """A kernel of arrays of any shape."""
    A, B = (np.reshape(part, (len(part), -1)) for part in (A, B))
    return A @ B.T


def named(data, names="abc"):
    """As frames, whose columns have names."""
    if isinstance(data, list):
        return [named(one, names) for one in data]
    return pd.DataFrame(data, columns=list(names))


def caught(category, action):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        action()
    return [one for one in found if issubclass(one.category, category)]
