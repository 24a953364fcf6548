"""Weak labels of molecules and digits: the mean of a component, or the outputs of a list."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils import Bunch

from ofer import (
    Candidates,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelSystem,
    OutputFisherRegressor,
)
from ofer.datasets import load_digits_reconstruction
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.splits import random_split
from reproduction.studies.drug_activity import molecules
from reproduction.studies.drug_activity.molecules import load_molecules

__all__ = [
    "COMPONENTS",
    "DISAMBIGUATED",
    "KNOWN",
    "LABELLED",
    "MEAN",
    "NEAREST",
    "PARAMETERS",
    "evaluate",
    "load_both",
]

PARAMETERS = {
    **molecules.PARAMETERS,
    "n_components": [2, 3, 4, 6, 8],
    "outputs_per_component": 5,
    "n_weak": 800,
    "n_candidates": 5,
    "gamma": 0.05,
}
LABELLED, COMPONENTS, KNOWN = "labelled only", "component means", "known"
MEAN, NEAREST = "one of five, mean", "one of five, nearest"
DISAMBIGUATED = "one of five, disambiguated"
ROUNDS = 50  # at most, of disambiguation


class _Part(NamedTuple):
    """One split: kernels of what is seen, labelled before weak, and outputs."""

    K: np.ndarray
    K_test: np.ndarray
    Y: np.ndarray
    Y_weak: np.ndarray
    Y_test: np.ndarray


def load_both():
    """Molecules and handwritten digits, each as a kernel matrix and outputs."""
    digits = load_digits_reconstruction()
    K = rbf_kernel(digits.X, gamma=PARAMETERS["gamma"])
    return Bunch(molecules=load_molecules(), digits=Bunch(K=K, Y=digits.Y))


def evaluate(data, method, setting, split):
    """Error of one method on one split with one training size."""
    name, n = setting.split()
    task, shares = _take(data[name], int(n), split), {}
    if method == NEAREST:
        predicted, shares["right"] = _nearest(task, split)
    elif method == LABELLED:
        model = squared_error_ridge(kernel="precomputed").fit(task.K[: int(n), : int(n)], task.Y)
        predicted = model.predict(task.K_test[:, : int(n)])
    else:
        if method == COMPONENTS:
            weak = _component_means(task, split)
        elif method == MEAN:
            weak = _lists(task, split).mean(axis=1)
        elif method == DISAMBIGUATED:
            weak, shares["right"] = _disambiguated(task, split)
        else:
            weak = task.Y_weak
        model = squared_error_ridge(kernel="precomputed").fit(task.K, np.vstack([task.Y, weak]))
        predicted = model.predict(task.K_test)
    return {"rrmse": rrmse(task.Y_test, predicted), **shares}


def _take(data, n, split):
    parts = random_split(len(data.Y), split, **molecules.PARAMETERS)
    train, weak, test = parts.train(n), parts.rest(n)[: PARAMETERS["n_weak"]], parts.test
    seen = np.concatenate([train, weak])
    kernels = data.K[np.ix_(seen, seen)], data.K[np.ix_(test, seen)]
    return _Part(*kernels, data.Y[train], data.Y[weak], data.Y[test])


def _lists(task, seed):
    """Five outputs for each weak sample, (n_weak, 5, d); the last one is its own."""
    n_weak = len(task.Y_weak)
    rng = np.random.default_rng([PARAMETERS["random_state"], seed])
    steps = rng.integers(1, n_weak, size=(n_weak, PARAMETERS["n_candidates"]))
    steps[:, -1] = 0
    return task.Y_weak[(np.arange(n_weak)[:, None] + steps) % n_weak]


def _nearest(task, seed):
    """Predictions, and how many weak samples in percent have got the true candidate."""
    n, listed = len(task.Y), _lists(task, seed)
    ridge = squared_error_ridge(kernel="precomputed")
    model = OutputFisherRegressor(GaussianEmbedding(), ridge)
    model.fit(task.K[:n, :n], task.Y, weak=Candidates(task.K[n:], listed))
    right = model.assignments_ == PARAMETERS["n_candidates"] - 1
    return model.predict(task.K_test), 100.0 * float(right.mean())


def _disambiguated(task, seed):
    """Listed outputs that suit neighbours (Cabannes, Bach and Rudi 2021), and how many are right.

    With the weights a_i(x) of ridge regression the outputs y_i, each from its list, and z_j without
    a list minimise the sum over i and j of a_i(x_j) |z_j - y_i|^2, in turns from the means of the
    lists. The ridge parameter has the least leave-one-out error of labelled outputs at this start.
    """
    n, listed = len(task.Y), _lists(task, seed)
    system = KernelSystem.from_kernel(task.K)
    Y, alphas = np.vstack([task.Y, listed.mean(axis=1)]), system.default_alphas()
    errors = [np.square(missed[:n]).mean() for missed in system.loo_residuals(Y, alphas)]
    weights = system.smoother(task.K, alphas[np.argmin(errors)])
    places = None
    for _ in range(ROUNDS):
        z = weights @ Y / weights.sum(axis=1, keepdims=True)
        cross = np.einsum("mcd,md->mc", listed, (weights.T @ z)[n:])
        sizes = weights.sum(axis=0)[n:, None] * np.square(listed).sum(axis=2)
        before, places = places, (sizes - 2 * cross).argmin(axis=1)
        if np.array_equal(before, places):
            break
        Y[n:] = listed[np.arange(len(listed)), places]
    return Y[n:], 100.0 * float((places == PARAMETERS["n_candidates"] - 1).mean())


def _component_means(task, seed):
    """Means of the components of weak outputs; size of the mixture by the error of labelled ones.

    The components are those of the paper's weak labels.
    """
    Y, system, best = task.Y, KernelSystem.from_kernel(task.K), None
    largest = len(Y) / PARAMETERS["outputs_per_component"]
    for size in (k for k in PARAMETERS["n_components"] if k <= largest):
        with warnings.catch_warnings():
            # Few outputs for many components: the leave-one-out error punishes a collapse.
            warnings.simplefilter("ignore", CollapsedComponentWarning)
            mixture = GaussianMixtureEmbedding(size, random_state=seed).fit(Y)
        weak = mixture.predict_proba(task.Y_weak) @ mixture.means_
        missed = system.loo_residuals(np.vstack([Y, weak]), system.default_alphas())
        error = min(np.square(one[: len(Y)]).mean() for one in missed)
        if best is None or error < best[0]:
            best = error, weak
    return best[1]
