"""Not in the paper: twenty regressions, each class at its defaults beside what users would take."""

import warnings
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from ofer import (
    FullConformalRegressor,
    JackknifePlus,
    KernelRidgeCV,
    NystroemRidgeCV,
    OutputFisherRegressor,
    OutputFisherRegressorCV,
)
from reproduction.studies.defaults.real_sets import LOADERS, squared_errors, take_part

__all__ = [
    "JOBS", "METHODS", "PARAMETERS", "REAL", "REGIONS", "SIMULATED", "SplitConformalForest",
    "evaluate", "load_jobs",
]  # fmt: skip

PARAMETERS = {
    "n_train": 150,
    "n_test": 250,
    "n_simulated": 400,
    "ridges": np.logspace(-3, 3, 13).tolist(),
    "grid": {"alpha": [1e-3, 1e-2, 1e-1, 1.0], "gamma": [0.25, 0.5, 1.0, 2.0]},
    "n_trees": 100,
    "confidence_level": 0.9,  # the default of ours
    "random_state": 2026,
}
REAL = (
    "diabetes", "linnerud", "andro", "edm", "enb", "scpf", "sf1", "atp7d", "oes97", "osales", "wq",
    "middles of digits", "poser",
)  # fmt: skip


def curves(rng, n, *, n_steps, noise):
    """Smooth curves with a noise that wanders."""
    X, t = rng.uniform(-1, 1, size=(n, 3)), np.linspace(0, 1, n_steps)
    Y = np.sin(4 * X[:, :1] + 6 * t) * (1 + X[:, 1:2]) + X[:, 2:] * t
    return X, Y + noise * rng.normal(size=Y.shape).cumsum(axis=1) / np.sqrt(n_steps)


def linear(rng, n):
    """Twelve linear outputs, with noise of heavy tails."""
    X = rng.normal(size=(n, 6))
    return X, X @ rng.normal(size=(6, 12)) + rng.standard_t(4, size=(n, 12))


def steps(rng, n):
    """Six outputs in four clusters."""
    X = rng.uniform(-1, 1, size=(n, 2))
    corner = 2 * (X[:, 0] > 0) + (X[:, 1] > 0)
    return X, 3 * rng.normal(size=(4, 6))[corner] + rng.normal(size=(n, 6))


def arm(rng, n):
    """Places of the joints of an arm, from its angles."""
    X = rng.uniform(-1.5, 1.5, size=(n, 4))
    angles = X.cumsum(axis=1)
    places = np.hstack([np.cos(angles).cumsum(axis=1), np.sin(angles).cumsum(axis=1)])
    return X, places + 0.05 * rng.normal(size=places.shape)


def oscillations(rng, n):
    """Series of twenty steps of one damped rotation, whose start the inputs tell."""
    X = rng.normal(size=(n, 3))
    state, series = np.tanh(X @ rng.normal(size=(3, 2))), []
    turn = 0.97 * np.array([[np.cos(0.4), -np.sin(0.4)], [np.sin(0.4), np.cos(0.4)]])
    for _ in range(20):
        state = state @ turn.T + 0.15 * rng.normal(size=state.shape)
        series.append(state[:, 0] + 0.2 * rng.normal(size=n))
    return X, np.stack(series, axis=1)


def friedman(rng, n):
    """Friedman's function of five of ten inputs."""
    X, y = make_friedman1(n, noise=1.0, random_state=rng.integers(2**31))
    return X, y[:, None]


SIMULATED = {
    "curves": partial(curves, n_steps=24, noise=0.3),
    "noisy curves": partial(curves, n_steps=12, noise=1.0),
    "linear": linear,
    "steps": steps,
    "arm": arm,
    "oscillations": oscillations,
    "Friedman": friedman,
}
JOBS = (*REAL, *SIMULATED)


def load_jobs():
    """Inputs and outputs of all jobs."""
    drawn = {}
    for i, (name, draw) in enumerate(SIMULATED.items()):
        rng = np.random.default_rng([PARAMETERS["random_state"], i])
        drawn[name] = Bunch(**dict(zip("XY", draw(rng, PARAMETERS["n_simulated"]), strict=True)))
    return {name: LOADERS[name]() for name in REAL} | drawn


def _scaled(model):
    return make_pipeline(StandardScaler(), model)


def _grid_search(n_features):
    """A search over an rbf kernel's ridge and width, around one over the number of columns."""
    grid = PARAMETERS["grid"]
    params = {"alpha": grid["alpha"], "gamma": [factor / n_features for factor in grid["gamma"]]}
    search = GridSearchCV(KernelRidge(kernel="rbf"), params, scoring="r2")
    return TransformedTargetRegressor(search, transformer=StandardScaler())


_TREES = RandomForestRegressor(PARAMETERS["n_trees"])


class SplitConformalForest(BaseEstimator):
    """Intervals around a forest on half of the samples, by absolute residuals of the other half.

    Each output has intervals of its own, as MAPIE's `SplitConformalRegressor` gives them, or all
    have them `together`, by their largest residual in standard deviations.
    """

    def __init__(self, *, together=False, random_state=None):
        self.together = together
        self.random_state = random_state

    def fit(self, X, Y):
        """Fit the forest, and find half the sides of the intervals."""
        Y = Y.reshape(len(X), -1)
        seen, held, Y_seen, Y_held = train_test_split(
            X, Y, test_size=0.5, random_state=self.random_state
        )
        self.forest_ = clone(_TREES).set_params(random_state=self.random_state)
        self.forest_.fit(seen, Y_seen if Y.shape[1] > 1 else Y_seen.ravel())
        residuals = np.abs(Y_held - self.predict(held))
        units = np.ones(Y.shape[1])
        if self.together:
            units = np.where((spread := Y_seen.std(axis=0)) > 0, spread, 1.0)
            residuals = (residuals / units).max(axis=1, keepdims=True)
        rank = int(np.ceil(PARAMETERS["confidence_level"] * (len(held) + 1)))
        rank = min(rank, len(held))  # of too few samples the largest: MAPIE refuses them
        self.half_sides_ = np.sort(residuals, axis=0)[rank - 1] * units
        return self

    def predict(self, X):
        """Means (n, d)."""
        return self.forest_.predict(X).reshape(len(X), -1)

    def predict_interval(self, X):
        """Ends (n, d, 2)."""
        return self.predict(X)[..., None] + self.half_sides_[:, None] * [-1.0, 1.0]


REGIONS = {
    "FullConformalRegressor": FullConformalRegressor(),
    "full conformal, rbf box": FullConformalRegressor(_scaled(KernelRidgeCV(kernel="rbf"))),
    "full conformal, linear box": FullConformalRegressor(_scaled(KernelRidgeCV())),
    "full conformal, ellipsoid": FullConformalRegressor(shape="ellipsoid"),
    "JackknifePlus": JackknifePlus(),
    "split conformal forest": SplitConformalForest(together=True),
    "split conformal forest, each output": SplitConformalForest(),
}
METHODS = {
    "RidgeCV": _scaled(RidgeCV(PARAMETERS["ridges"])),
    "grid search, rbf": None,  # its widths follow the number of columns
    "random forest": _TREES,
    "boosting": MultiOutputRegressor(HistGradientBoostingRegressor()),
    "KernelRidgeCV, linear": _scaled(KernelRidgeCV()),
    "KernelRidgeCV, rbf": _scaled(KernelRidgeCV(kernel="rbf")),
    "KernelRidgeCV, loo": _scaled(KernelRidgeCV(gamma="loo")),
    "NystroemRidgeCV, rbf": _scaled(NystroemRidgeCV(kernel="rbf")),
    "OutputFisherRegressor": OutputFisherRegressor(),
    "OutputFisherRegressorCV": OutputFisherRegressorCV(),
    **REGIONS,
}


def evaluate(data, method, setting, split):
    """How well a method predicts a job; of regions, what they hold and how wide they are."""
    sizes = {"n_train": PARAMETERS["n_train"], "n_test": PARAMETERS["n_test"]}
    task = take_part(data[setting], "raw", split, **sizes)
    model = METHODS[method]
    if model is None:
        model = _scaled(_grid_search(task.X.shape[1]))
    model = clone(model)
    seeds = [key for key in model.get_params() if key.endswith("random_state")]
    Y = task.Y[:, 0] if task.Y.shape[1] == 1 else task.Y
    if isinstance(model, MultiOutputRegressor):
        Y = task.Y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model.set_params(**dict.fromkeys(seeds, split)).fit(task.X, Y)
    predicted = model.predict(task.X_test).reshape(task.Y_test.shape)
    scores = {"r2": float(1.0 - squared_errors(task, predicted).mean())}
    if method in REGIONS:
        ends = model.predict_interval(task.X_test).reshape(*task.Y_test.shape, 2)
        inside = (ends[..., 0] <= task.Y_test) & (task.Y_test <= ends[..., 1])
        units = task.Y.std(axis=0)
        width = np.ptp(ends, axis=2)[:, units > 0] / units[units > 0]
        scores["held together"] = float(inside.all(axis=1).mean())
        scores["held each"] = float(inside.mean())
        scores["width"] = float(np.median(width))
    return scores
