"""Table 9 in the readings that the paper leaves open: the kernel, and an intercept.

The text says: "In all the experiments we directly used a representation of the training data as a
Gram matrix with Tanimoto kernel". The caption says: "Comparison of (Gaussian) m-KRR, RF, IOKR and
OFER-GMM". Equation (13) has no intercept, and no sentence says whether outputs were centred. So
there are four readings of one table. `reproduction.papers.ofer.drug_activity` has the first, the
Tanimoto kernel without an intercept; here each method has all four, by one protocol.
"""

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
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.papers.ofer.decomposed_ridge import DecomposedRidge
from reproduction.papers.ofer.drug_activity import OVERLAP, SETTINGS, load_molecules
from reproduction.statistics.splits import repeated_splits

__all__ = [
    "EXPERIMENT",
    "INTERCEPTS",
    "KERNELS",
    "METHODS",
    "READINGS",
    "evaluate",
    "gaussian",
    "label",
]

PARAMETERS = {
    "train_fraction": 0.6,
    "random_state": 2018,
    "n_folds": 5,
    "n_components": [1, 2, 3, 4, 6, 8],
    "outputs_per_component": 5,
    "alphas": np.logspace(-6, 3, 10).tolist(),
    "widths": [0.25, 0.5, 1, 2, 4, 8, 16, 32],  # in units of the median distance
}
KERNELS = ("Tanimoto", "Gaussian")
INTERCEPTS = ("no intercept", "intercept")
METHODS = ("m-KRR", "IOKR", "OFER-GMM as printed", "OFER-GMM")
MEAN = "training mean"
READINGS = Readings(
    of="ofer-table-09",
    dimensions=(
        Dimension(
            name="kernel",
            words="“a Gram matrix with Tanimoto kernel” (text); “(Gaussian) m-KRR” (caption)",
            options=KERNELS,
            why="The text speaks of all experiments, the caption of one method.",
        ),
        Dimension(
            name="intercept",
            words="Equation (13) has none; no sentence says whether outputs were centred.",
            options=INTERCEPTS,
            why="The equation is what is printed.",
        ),
    ),
    choices=tuple(product(KERNELS, INTERCEPTS)),
    labels={method: f"{method}, {{kernel}}, {{intercept}}" for method in METHODS},
)


def label(method, kernel, intercept):
    """Name of a method in a reading, such as "m-KRR, Gaussian, no intercept"."""
    return f"{method}, {kernel}, {intercept}"


_READINGS = {label(*reading): reading for reading in product(METHODS, KERNELS, INTERCEPTS)}


class Choice(NamedTuple):
    """Hyper-parameters; None where a method or a kernel has no such."""

    width: float | None
    n_components: int | None
    alpha: float | None


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


def evaluate(data, method, setting, split):
    """Error of a method in a reading on one split, and what was chosen.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_molecules`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of training molecules.
    split : int
        Number of the split.

    Returns
    -------
    dict of str to float
        The metric "rrmse"; "width" with the Gaussian kernel, "n_components" of mixtures, and
        "alpha" where folds choose the ridge parameter.
    """
    n_train = int(setting)
    parts = repeated_splits(
        len(data.Y),
        n_splits=split + 1,
        train_fraction=PARAMETERS["train_fraction"],
        train_sizes=[n_train],
        random_state=PARAMETERS["random_state"],
    )[split]
    train, test = parts.train(n_train), parts.test
    Y, Y_test = data.Y[train], data.Y[test]
    if method == MEAN:
        return {"rrmse": rrmse(Y_test, np.tile(Y.mean(axis=0), (len(test), 1)))}
    method, kernel, intercept = _READINGS[method]
    K, K_test = data.K[np.ix_(train, train)], data.K[np.ix_(test, train)]
    choice = select(method, kernel, intercept, K, Y, seed=split)
    K_test, K = _inputs(K_test, K, choice.width)
    system = KernelSystem.from_kernel(K, fit_intercept=intercept == "intercept")
    embedding = _embed(method, choice.n_components, Y, split)
    if method == "IOKR":
        model = InputOutputKernelRegressor(
            [choice.alpha],
            kernel="precomputed",
            fit_intercept=intercept == "intercept",
            output_kernel="linear",
            preimage="gradient",
        )
        predicted = model.fit(K, Y).predict(K_test)
    else:
        predicted = _predict(method, system, embedding, choice.alpha, K, Y, K_test)
    chosen = {name: float(value) for name, value in choice._asdict().items() if value is not None}
    return {"rrmse": rrmse(Y_test, predicted)} | chosen


def select(method, kernel, intercept, K, Y, *, seed):
    """Hyper-parameters of the least mean error over five folds of the training part.

    Parameters
    ----------
    method, kernel, intercept : str
        A method in a reading.
    K : ndarray of shape (n, n)
        The Tanimoto kernel matrix of the training part.
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
    widths = PARAMETERS["widths"] if kernel == "Gaussian" else [None]
    counts = _components(len(Y)) if method.startswith("OFER") else [None]
    alphas = [None] if method == "OFER-GMM" else PARAMETERS["alphas"]
    errors = {Choice(*choice): [] for choice in product(widths, counts, alphas)}
    folds = KFold(PARAMETERS["n_folds"], shuffle=True, random_state=seed)
    for train, test in folds.split(Y):
        embeddings = {count: _embed(method, count, Y[train], seed) for count in counts}
        for width in widths:
            inputs = K[np.ix_(test, train)], K[np.ix_(train, train)]
            K_test, K_train = _inputs(*inputs, width)
            system = KernelSystem.from_kernel(K_train, fit_intercept=intercept == "intercept")
            for count, alpha in product(counts, alphas):
                predicted = _predict(
                    method, system, embeddings[count], alpha, K_train, Y[train], K_test
                )
                errors[Choice(width, count, alpha)].append(rrmse(Y[test], predicted))
    return min(errors, key=lambda choice: np.mean(errors[choice]))


def _inputs(K_test, K, width):
    """Kernel matrices of a reading: as they are, or the Gaussian of their distances."""
    if width is None:
        return K_test, K
    return gaussian(K_test, K, width), gaussian(K, K, width)


def _embed(method, n_components, Y, seed):
    """Fit the output model of a method; None where it has none."""
    if n_components is None:
        return None
    printed = {"scaling": "score", "decoder": "raw"} if method.endswith("as printed") else {}
    with warnings.catch_warnings():
        # Ten molecules for two components: a collapse is what the folds are there to punish.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        return GaussianMixtureEmbedding(n_components, random_state=seed, **printed).fit(Y)


def _predict(method, system, embedding, alpha, K, Y, K_test):
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


def _components(n_train):
    """Numbers of components that leave each enough outputs on average."""
    largest = n_train / PARAMETERS["outputs_per_component"]
    return [count for count in PARAMETERS["n_components"] if count <= largest]


EXPERIMENT = Experiment(
    id="ofer-readings-drugs",
    title="Table 9 in four readings: kernel and intercept",
    load=load_molecules,
    evaluate=evaluate,
    methods=(*_READINGS, MEAN),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("nci60",),
    check=Check(settings=("10",)),
    facts=Facts(test_train_ratio=OVERLAP, readings=(READINGS,)),
)
