"""Errors over the number of samples, which are made block after block."""

import numpy as np
from sklearn.linear_model import SGDRegressor
from sklearn.multioutput import MultiOutputRegressor
from sklearn.preprocessing import StandardScaler

from ofer import KernelRidgeCV, NystroemRidgeCV

__all__ = ["CENTRES", "PARAMETERS", "evaluate", "make_block"]

PARAMETERS = {
    "n_features": 20,
    "n_targets": 65,
    "noise": 0.5,
    "gamma": 0.025,
    "block": 10_000,
    "n_test": 5_000,
    "n_exact": 2_000,
}
CENTRES = {f"{m} centres": m for m in (100, 300, 1000)}


def make_block(number, n_rows):
    """Samples of a smooth function of twenty inputs, with noise: the block of a given number."""
    d, p = PARAMETERS["n_features"], PARAMETERS["n_targets"]
    fixed, rng = np.random.default_rng(2018), np.random.default_rng([2018, number])
    directions = fixed.normal(size=(d, p)) / np.sqrt(d)
    pairs = fixed.integers(d, size=(2, p))
    X = rng.normal(size=(n_rows, d))
    truth = np.sin(X @ directions) + 0.3 * X[:, pairs[0]] * X[:, pairs[1]]
    return X, truth + PARAMETERS["noise"] * rng.normal(size=truth.shape), truth


def evaluate(data, method, setting, split):
    """Mean squared error against the function without noise."""
    n, size = int(setting), PARAMETERS["block"]
    blocks = (make_block(1 + i, min(size, n - i * size)) for i in range(-(-n // size)))
    X_test, _, truth = make_block(0, PARAMETERS["n_test"])
    if method == "all samples as centres":
        X, Y, _ = next(blocks)
        model = KernelRidgeCV("fixed", kernel="rbf", gamma=PARAMETERS["gamma"]).fit(X, Y)
    elif method == "gradient descent, linear":
        X, Y, _ = next(blocks)
        scaler = StandardScaler().fit(Y)
        model = MultiOutputRegressor(SGDRegressor(random_state=0))
        model.partial_fit(X, scaler.transform(Y))
        for X, Y, _ in blocks:
            model.partial_fit(X, scaler.transform(Y))
        predicted = scaler.inverse_transform(model.predict(X_test))
        return {"mse": float(np.mean(np.square(predicted - truth)))}
    else:
        model = NystroemRidgeCV(
            np.logspace(-2, 4, 19),
            gamma=PARAMETERS["gamma"],
            n_components=CENTRES[method],
            random_state=0,
        )
        for X, Y, _ in blocks:
            model.partial_fit(X, Y)
    error = float(np.mean(np.square(model.predict(X_test) - truth)))
    return {"mse": error, "alpha": model.alpha_}
