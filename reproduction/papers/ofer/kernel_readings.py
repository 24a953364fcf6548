"""Regressions in readings of a table: any kernel and any intercept, by one protocol."""

import warnings
from itertools import product
from typing import NamedTuple

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import KFold

from ofer import (
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelSystem,
    OutputFisherRegressor,
)
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.papers.ofer.decomposed_ridge import DecomposedRidge

__all__ = ["METHODS", "Choice", "Grid", "embed", "gaussian", "inputs", "predict", "select"]

METHODS = ("m-KRR", "IOKR", "OFER-GMM as printed", "OFER-GMM")


class Choice(NamedTuple):
    """Hyper-parameters; None where a method or a kernel has no such."""

    width: float | None
    n_components: int | None
    alpha: float | None


class Grid(NamedTuple):
    """Candidates of a reading, and how they are judged."""

    widths: list[float | None]
    """Of the Gaussian kernel in units of the median distance; [None] is the given kernel."""
    n_components: list[int]
    """Sizes of a mixture."""
    alphas: list[float]
    """Ridges, where folds choose them."""
    n_folds: int
    """Of the cross-validation."""
    em: dict
    """Further parameters of a mixture."""


def gaussian(K, K_train, width):
    r"""Gaussian kernel of the distances that belong to a normalised kernel.

    With :math:`k(x, x) = 1` the distance in feature space is :math:`d^2 = 2 - 2 k(x, x')`, and the
    result is :math:`\exp(-d^2 / (2 w^2 m))` with m the median of d^2 over training samples.

    Parameters
    ----------
    K : ndarray of shape (n_queries, n)
        Values of the given kernel.
    K_train : ndarray of shape (n, n)
        Those of the training samples with each other.
    width : float
        w.

    Returns
    -------
    ndarray of the shape of K
    """
    apart = 2.0 - 2.0 * K_train[np.triu_indices(len(K_train), 1)]
    return np.exp(-(1.0 - K) / (width**2 * np.median(apart[apart > 0])))


def inputs(K_test, K, width):
    """Kernel matrices of a reading: as they are, or the Gaussian of their distances."""
    if width is None:
        return K_test, K
    return gaussian(K_test, K, width), gaussian(K, K, width)


def select(method, grid, fit_intercept, K, Y, *, seed):
    """Hyper-parameters of the least mean error over folds of the training part.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    grid : Grid
        Candidates.
    fit_intercept : bool
        Whether there is an intercept.
    K : ndarray of shape (n, n)
        The given kernel matrix of the training part.
    Y : ndarray of shape (n, n_outputs)
        Its outputs.
    seed : int
        Seeds folds and EM.

    Returns
    -------
    Choice
        Our form of OFER chooses ridge parameters by leave-one-out. IOKR with a linear output kernel
        predicts what m-KRR does, and takes what m-KRR would choose.
    """
    counts = grid.n_components if method.startswith("OFER") else [None]
    alphas = [None] if method == "OFER-GMM" else grid.alphas
    errors = {Choice(*choice): [] for choice in product(grid.widths, counts, alphas)}
    folds = KFold(grid.n_folds, shuffle=True, random_state=seed)
    for train, test in folds.split(Y):
        embeddings = {count: embed(method, count, Y[train], seed, grid.em) for count in counts}
        for width in grid.widths:
            K_test, K_train = inputs(K[np.ix_(test, train)], K[np.ix_(train, train)], width)
            system = KernelSystem.from_kernel(K_train, fit_intercept=fit_intercept)
            for count, alpha in product(counts, alphas):
                predicted = _predict(system, embeddings[count], alpha, K_train, Y[train], K_test)
                errors[Choice(width, count, alpha)].append(rrmse(Y[test], predicted))
    return min(errors, key=lambda choice: np.mean(errors[choice]))


def predict(method, choice, fit_intercept, K, Y, K_test, *, seed, em):
    """Fit a method with chosen hyper-parameters, and predict.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    choice : Choice
        As from `select`.
    fit_intercept : bool
        Whether there is an intercept.
    K, Y : ndarray
        The training part, as in `select`.
    K_test : ndarray of shape (n_test, n)
        Values of the given kernel with the training part.
    seed : int
        Seeds EM.
    em : dict
        As in `Grid`.

    Returns
    -------
    ndarray of shape (n_test, n_outputs)
    """
    K_test, K = inputs(K_test, K, choice.width)
    if method == "IOKR":
        model = InputOutputKernelRegressor(
            [choice.alpha],
            kernel="precomputed",
            fit_intercept=fit_intercept,
            output_kernel="linear",
            preimage="gradient",
        )
        return model.fit(K, Y).predict(K_test)
    system = KernelSystem.from_kernel(K, fit_intercept=fit_intercept)
    embedding = embed(method, choice.n_components, Y, seed, em)
    return _predict(system, embedding, choice.alpha, K, Y, K_test)


def embed(method, n_components, Y, seed, em):
    """Fit the output model of a method; None where it has none."""
    if n_components is None:
        return None
    printed = {"scaling": "score", "decoder": "raw"} if method.endswith("as printed") else {}
    mixture = GaussianMixtureEmbedding(n_components, random_state=seed, **printed, **em)
    with warnings.catch_warnings():
        # Few outputs for many components: a collapse is what the folds are there to punish.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        return mixture.fit(Y)


def _predict(system, embedding, alpha, K, Y, K_test):
    """Outputs predicted from decomposed inputs."""
    if embedding is None:
        return system.solve(Y, alpha).predict(K_test)
    if alpha is not None:
        return embedding.inverse_transform(
            system.solve(embedding.transform(Y), alpha).predict(K_test)
        )
    ridge = DecomposedRidge([system], pairwise=True)
    model = OutputFisherRegressor(FrozenEstimator(embedding), ridge, block_wise=True)
    return model.fit(K, Y).predict(K_test)
