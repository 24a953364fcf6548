"""Not in the paper: the next frame of speech, from a quarter of a million of them."""

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeCV
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from ofer import KernelRidgeCV, NystroemRidgeCV
from reproduction.datasets.series.spoken_arabic_digits import fetch_spoken_arabic_digits

__all__ = ["METHODS", "PARAMETERS", "evaluate", "load_frames"]

PARAMETERS = {
    "n_past": 5,
    "gamma": 1 / 130,
    "alphas": np.logspace(-3, 3, 13).tolist(),
    "n_exact": 2_000,
    "n_exact_at_most": 10_000,
    "n_forest": 10_000,
    "n_trees": 20,
    "min_samples_leaf": 5,
}
CENTRES = {f"{m} centres": m for m in (100, 300, 1000)}


def load_frames():
    """Five frames and the one that follows, standardised by the training part."""
    frames, past = {}, PARAMETERS["n_past"]
    for subset in ("train", "test"):
        series = fetch_spoken_arabic_digits(subset).sequences
        windows = [
            np.lib.stride_tricks.sliding_window_view(one, past + 1, axis=0)
            for one in series
            if len(one) > past
        ]
        frames[subset] = np.concatenate(windows).transpose(0, 2, 1)
    train = np.random.default_rng(0).permutation(frames["train"])
    scaler = StandardScaler().fit(train[:, -1])
    parts = [
        scaler.transform(part.reshape(-1, part.shape[2])).reshape(part.shape)
        for part in (train, frames["test"])
    ]
    (X, Y), (X_test, Y_test) = (
        (part[:, :-1].reshape(len(part), -1), part[:, -1]) for part in parts
    )
    return Bunch(X=X, Y=Y, X_test=X_test, Y_test=Y_test)


def evaluate(data, method, setting, split):
    """Mean squared error of the next frame, relative to its variance."""
    model, n = METHODS[method]
    model.fit(data.X[:n], data.Y[:n])
    missed = np.square(model.predict(data.X_test) - data.Y_test).mean()
    return {"error": float(missed / data.Y_test.var(axis=0).mean()), "n": float(len(data.X[:n]))}


_GAUSSIAN = {"alphas": PARAMETERS["alphas"], "gamma": PARAMETERS["gamma"]}
METHODS = {
    "linear ridge": (RidgeCV(PARAMETERS["alphas"]), None),
    "forest, 10000 frames": (
        RandomForestRegressor(
            PARAMETERS["n_trees"],
            min_samples_leaf=PARAMETERS["min_samples_leaf"],
            max_features=1 / 3,
            random_state=0,
        ),
        PARAMETERS["n_forest"],
    ),
    "kernel ridge, 2000 frames": (
        KernelRidgeCV(kernel="rbf", **_GAUSSIAN),
        PARAMETERS["n_exact"],
    ),
    "kernel ridge, 10000 frames": (
        KernelRidgeCV(kernel="rbf", **_GAUSSIAN),
        PARAMETERS["n_exact_at_most"],
    ),
    **{
        name: (
            NystroemRidgeCV(n_components=m, selection="gcv", random_state=0, **_GAUSSIAN),
            None,
        )
        for name, m in CENTRES.items()
    },
}
