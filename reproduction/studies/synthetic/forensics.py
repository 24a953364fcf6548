"""What the generated data of Tables 1 to 5 may have been: errors over a grid of open choices.

A search after the fact, with the printed errors as its target: it shows which choices could
explain them, proves none, and decides no verdict.
"""

import warnings
from itertools import product

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    OutputFisherRegressor,
)
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from ofer.metrics import rrmse
from reproduction.datasets.generated.mixtures import make_d1, make_d2
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.methods.squared_error_ridge import squared_error_ridge

__all__ = ["EMBEDDINGS", "LEARNERS", "LEVEL", "MAKERS", "PARAMETERS", "SIZES", "evaluate"]

SIZES = {
    "D1": [10, 50, 100],
    "D2": [12, 30, 60, 120, 300],
    "series": [100, 200, 500, 1000],
}
# Choices of the data. Separations are those of cluster means, in standard deviations within a
# cluster; scikit-learn's make_blobs puts its centres into a cube, of half width ten of these.
_N_OUTPUTS = {"D1": 10, "D2": 5}
_CLUSTERS = {"one": 0.5, "overlap": 2.0, "apart": 6.0, "blobs": None}
_PROJECTIONS = {"median": {}, "default": {"gamma": None}, "linear": {"kernel": "linear"}}
_NOISES = {"clean": 0.0, "noisy": 1.0}
# Choices that we vary alone, from ours: what the paper does say, and the unit.
_ALONE = {
    "2 inputs": {"n_inputs": 2},
    "1 cluster": {"n_clusters": 1},
    "40 clusters": {"n_clusters": 40},
    "40 outputs": {"n_outputs": 40},
    "unit 5": {"cluster_std": 0.2},
    "unit 1/5": {"cluster_std": 5.0},
}


def _mixtures(data):
    """Arguments of the generator by setting: all combinations of choices, and one at a time."""
    d, arguments = _N_OUTPUTS[data], {}
    for clusters, projection, noise in product(_CLUSTERS, _PROJECTIONS, _NOISES):
        given = {"separation": _CLUSTERS[clusters], "input_noise": _NOISES[noise]}
        if clusters == "blobs":  # the root mean squared distance of two points of the cube
            given["separation"] = 10 * np.sqrt(2 * d / 3)
        given |= _PROJECTIONS[projection]
        if projection == "default":  # scikit-learn's
            given["gamma"] = 1 / d
        arguments[f"{data} {clusters} {projection} {noise}"] = given
    return arguments | {f"{data} {name}": given for name, given in _ALONE.items()}


PARAMETERS = {
    "n_test": 200,
    "sizes": SIZES,
    "data": {
        **_mixtures("D1"),
        **_mixtures("D2"),
        **{
            f"series {p} seen noise {noise:g}": {"n_observed": p, "noise": noise}
            for p, noise in product((3, 1), (0.5, 2.0, 8.0))
        },
    },
}
_KERNELS, _RIDGES = ("median", "default", "linear"), ("chosen", "1")
LEARNERS = tuple(f"{kernel} {ridge}" for kernel, ridge in product(_KERNELS, _RIDGES))
EMBEDDINGS = ("full 1-GMM", "reduced 2-GMM", "reduced 4-GMM", "reduced 10-GMM")
LEVEL = "test mean"
MAKERS = {"D1": make_d1, "D2": make_d2, "series": make_state_space_series}


def evaluate(data, method, setting, split):
    """Errors of one method at all training sizes, on one draw."""
    name = setting.split()[0]
    sizes, n_test = SIZES[name], PARAMETERS["n_test"]
    drawn = MAKERS[name](max(sizes) + n_test, random_state=split, **PARAMETERS["data"][setting])
    X, Y = (values.reshape(len(values), -1) for values in (drawn.X, drawn.Y))
    X_test, Y_test = X[-n_test:], Y[-n_test:]
    if method == LEVEL:
        return {"rrmse": rrmse(Y_test, np.broadcast_to(Y_test.mean(axis=0), Y_test.shape))}
    errors = {}
    for n in sizes:
        ridge = _ridge(X[:n], *(method if method in LEARNERS else LEARNERS[0]).split())
        if name != "D1":
            predicted = ridge.fit(X[:n], Y[:n]).predict(X_test)
        else:
            model = OutputFisherRegressor(_embedding(method, split), ridge, block_wise=False)
            with warnings.catch_warnings():
                # As in Table 3: as many components as outputs, or clusters that overlap.
                warnings.simplefilter("ignore", CollapsedComponentWarning)
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(X[:n], Y[:n])
            predicted = _decode(model, X_test)
        errors[f"rrmse {n}"] = rrmse(Y_test, predicted)
    return errors


def _embedding(method, seed):
    """As printed: score scaling, and the closed form (7) or (10) as it is."""
    if method in LEARNERS:
        return GaussianEmbedding()
    kind, size = method.removesuffix("-GMM").split()
    if kind == "full":
        return FullFisherEmbedding(GaussianEmbedding())
    return GaussianMixtureEmbedding(int(size), scaling="score", decoder="raw", random_state=seed)


def _decode(model, X):
    if isinstance(model.embedding_, FullFisherEmbedding):
        return model.embedding_.pre_images(model.predict_embedding(X)).outputs
    return model.predict(X)


def _ridge(X, kernel, ridge):
    """Without an intercept, as printed; "default" and 1 are what scikit-learn takes."""
    gamma = {"median": 1 / (2 * median_bandwidth(X) ** 2), "default": 1 / X.shape[1]}.get(kernel)
    return squared_error_ridge(
        "fixed" if ridge == "chosen" else [float(ridge)],
        kernel="linear" if kernel == "linear" else "rbf",
        gamma=gamma,
        fit_intercept=False,
    )
