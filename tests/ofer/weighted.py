"""Weighted samples, and how to repeat or remove them."""

import numpy as np

from ofer import KernelRidgeCV

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = np.where(X[:, :1] > 0, 3.0, -3.0) + X[:, :2] + 0.3 * RNG.normal(size=(40, 2))
W = RNG.integers(0, 4, size=40)
QUERIES = RNG.normal(size=(15, 3))
# A choice by leave-one-out would differ: it leaves out a sample whatever its weight.
ONE_RIDGE = KernelRidgeCV([0.3], kernel="rbf", gamma=0.2)
RIDGES = KernelRidgeCV(kernel="rbf", gamma=0.2)


def repeated(*arrays):
    return (np.repeat(array, W, axis=0) for array in arrays)


def kept(*arrays):
    return (array[W > 0] for array in arrays)
