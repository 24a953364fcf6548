"""Not in the paper: what it costs the coverage to choose the ridge parameter once."""

import warnings

import numpy as np

from ofer import FullConformalRegressor, JackknifePlus, KernelRidgeCV

__all__ = ["METHODS", "PARAMETERS", "evaluate"]

PARAMETERS = {
    "levels": [0.8, 0.9, 0.95],
    "alphas": np.logspace(-3, 2, 11).tolist(),
    "fixed": 0.1,
    "gamma": 1.0,
    "n_inputs": 2,
    "noise": 0.5,
    "degrees": 4,  # of freedom of the noise, whose tails are heavy
    "n_draws": {"20": 50, "30": 50, "100": 50, "1000": 10},  # in a split
    "n_queries": {"20": 40, "30": 20, "100": 20, "1000": 20},
    "n_outputs": {"20": 2, "30": 1, "100": 1, "1000": 1},
}
METHODS = {
    "fixed beforehand": lambda: _ellipsoids([PARAMETERS["fixed"]]),
    "chosen once": lambda: _ellipsoids(PARAMETERS["alphas"]),
    "chosen inside": lambda: _ellipsoids(PARAMETERS["alphas"], selection="inside"),
    "jackknife+, chosen once": lambda: JackknifePlus(
        _ridge(PARAMETERS["alphas"], scoring="neg_mean_squared_error"), shape="ellipsoid"
    ),
}


def evaluate(data, method, setting, split):
    """Coverage of one method on one set of draws."""
    n, m = int(setting), PARAMETERS["n_queries"][setting]
    held = {level: [] for level in PARAMETERS["levels"]}
    for draw in range(PARAMETERS["n_draws"][setting]):
        rng = np.random.default_rng([split, draw, n])
        X, Y = _draw(rng, n + m, PARAMETERS["n_outputs"][setting])
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "alphas should have")  # at an end, now and then
            model = METHODS[method]().fit(X[:n], Y[:n])
        for level in held:
            model.set_params(confidence_level=level)
            held[level].append(model.contains(X[n:], Y[n:]).mean())
    return {f"coverage {level}": float(np.mean(shares)) for level, shares in held.items()}


def _draw(rng, n, d):
    X = rng.uniform(-2.0, 2.0, size=(n, PARAMETERS["n_inputs"]))
    noise = PARAMETERS["noise"] * rng.standard_t(PARAMETERS["degrees"], size=(n, d))
    return X, np.sin(2.0 * X[:, :1] + np.arange(d)) * np.cos(X[:, 1:2]) + noise


def _ellipsoids(alphas, **options):
    """Full conformal regions of the ridge regression."""
    return FullConformalRegressor(_ridge(alphas), shape="ellipsoid", **options)


def _ridge(alphas, **options):
    return KernelRidgeCV(alphas, kernel="rbf", gamma=PARAMETERS["gamma"], **options)
