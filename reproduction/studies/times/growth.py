"""How the time of each step grows with the sizes of a problem, on generated data."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel

from ofer import GaussianMixtureEmbedding, StateSpaceEmbedding
from ofer.embeddings import CollapsedComponentWarning
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.timing import shortest_time

__all__ = ["PARAMETERS", "TIMINGS", "evaluate"]

PARAMETERS = {
    "base": {"n": 500, "d": 40, "C": 8, "T": 25},
    "n_features": 20,
    "n_states": 2,
    "n_iterations": 20,
    "random_state": 0,
}
TIMINGS = ("EM", "kernel and ridge", "prediction", "decoding")


def evaluate(data, method, setting, split):
    """Times of the steps of one fit and of as many predictions as there are training samples."""
    sizes = {**PARAMETERS["base"], method: int(setting) * PARAMETERS["base"][method]}
    n = sizes["n"]
    rng = np.random.default_rng([PARAMETERS["random_state"], split])
    X = rng.normal(size=(n, PARAMETERS["n_features"]))
    options = {"max_iter": PARAMETERS["n_iterations"], "tol": 1e-12, "random_state": split}
    if method == "T":
        Y = rng.normal(size=(n, sizes["T"], 1)).cumsum(axis=1)
        embedding = StateSpaceEmbedding(PARAMETERS["n_states"], **options)
    else:
        Y = rng.normal(size=(n, sizes["d"]))  # no clusters: EM goes on and on
        embedding = GaussianMixtureEmbedding(sizes["C"], **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is fixed
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        _, em = shortest_time(lambda: embedding.fit(Y))
    H = embedding.transform(Y)
    ridge = squared_error_ridge(kernel="precomputed")
    _, fit = shortest_time(lambda: ridge.fit(rbf_kernel(X), H))
    predicted, prediction = shortest_time(lambda: ridge.predict(rbf_kernel(X)))
    _, decoding = shortest_time(lambda: embedding.inverse_transform(predicted))
    return dict(zip(TIMINGS, (em, fit, prediction, decoding), strict=True))
