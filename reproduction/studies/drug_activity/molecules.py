"""Drug activity on the NCI-60 cell lines (section 6.4.2): molecules and splits."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import Bunch

from ofer.kernels import tanimoto_kernel
from reproduction.datasets.tables.nci60 import fetch_nci60
from reproduction.engine.table import Task
from reproduction.methods.weak_samples import WeakSamples
from reproduction.statistics.splits import random_split

__all__ = [
    "OVERLAP",
    "PARAMETERS",
    "SETTINGS",
    "Molecules",
    "bits",
    "draw",
    "draw_weak",
    "kernel",
    "load_molecules",
]

PARAMETERS = {"train_fraction": 0.6, "random_state": 2018}
SETTINGS = ("10", "20", "100", "300", "500")
N_TEST = 891  # of 2228 molecules
N_WEAK = 800
OVERLAP = {setting: N_TEST / int(setting) for setting in SETTINGS}


class Molecules(NamedTuple):
    """Inputs of a task."""

    K: np.ndarray
    """Tanimoto kernel with the training molecules, (n, n_train)."""
    bits: np.ndarray
    """Fingerprints as 0/1 float32, (n, 1024)."""


def load_molecules():
    """Molecules as a Gram matrix and as bits, and their activities."""
    molecules = fetch_nci60()
    return Bunch(
        K=tanimoto_kernel(molecules.fingerprints, packed=True),
        bits=np.unpackbits(molecules.fingerprints, axis=1).astype(np.float32),
        Y=molecules.Y,
    )


def draw(data, setting, split):
    """Draw training molecules, as many as the setting says, and test molecules."""
    train, _, test = _divide(data, setting, split)
    X, X_test = (Molecules(data.K[np.ix_(rows, train)], data.bits[rows]) for rows in (train, test))
    return Task(X, data.Y[train], X_test, data.Y[test], split, objects=test)


def draw_weak(data, setting, split):
    """Draw the same, with the kernel for inputs, and weak molecules from those that are left."""
    train, rest, test = _divide(data, setting, split)
    weak = rest[:N_WEAK]
    seen = np.concatenate([train, weak])
    known = WeakSamples(data.K[np.ix_(seen, seen)], data.K[np.ix_(test, seen)], data.Y[weak])
    return kernel(draw(data, setting, split))._replace(weak=known)


def _divide(data, setting, split):
    n_train = int(setting)
    parts = random_split(len(data.Y), split, **PARAMETERS)
    return parts.train(n_train), parts.rest(n_train), parts.test


def kernel(task):
    """A task with the kernel for inputs."""
    return task._replace(X=task.X.K, X_test=task.X_test.K)


def bits(task):
    """A task with the bits for inputs."""
    return task._replace(X=task.X.bits, X_test=task.X_test.bits)
