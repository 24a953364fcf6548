"""The tasks of twin Gaussian processes: two toys, two sets of digits, and body poses."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import KFold

from ofer.datasets import load_digits_reconstruction
from reproduction.datasets.generated.toy_curves import (
    branch_error,
    make_toy1,
    make_toy2,
    toy_branches,
)
from reproduction.datasets.images.poser import fetch_poser
from reproduction.datasets.images.usps import fetch_usps
from reproduction.statistics.splits import repeated_splits
from reproduction.studies.second_volume.twin_processes.structured_errors import (
    limb_angle_error,
    mean_point_distance,
)

__all__ = [
    "DATASETS_OF",
    "DIGITS",
    "N_BLOCK",
    "N_FOLDS",
    "N_SELECT",
    "N_STRETCH",
    "ORIGIN",
    "POINTS",
    "SETTINGS",
    "TOYS",
    "Task",
    "load_part",
    "load_poser",
    "load_tasks",
    "take_task",
]

TOYS = {"toy 1": make_toy1, "toy 2": make_toy2}
SETTINGS = ("toy 1", "toy 2", "USPS", "Poser", "digits")
ORIGIN = {**dict.fromkeys(TOYS, "generated"), "digits": "substitute"}
DATASETS_OF = {**dict.fromkeys(ORIGIN, ()), "USPS": ("usps",), "Poser": ("poser",)}
DIGITS = "digits of scikit-learn, which the paper does not have"
POINTS = "points in the place of joint angles of Poser"
N_SELECT = 1800  # USPS: pictures that hyper-parameters are chosen on
N_BLOCK = 40  # Poser: successive frames that are held out together
N_STRETCH = 38  # Poser: successive frames that are tested together after the first split
N_BETWEEN = 3  # Poser: of the frames held out every third one judges
N_FOLDS = 5


class Task(NamedTuple):
    """One split of one task."""

    X: np.ndarray
    """Training inputs."""
    Y: np.ndarray
    """Training outputs."""
    X_test: np.ndarray
    """Test inputs."""
    folds: list[tuple[np.ndarray, np.ndarray]]
    """Pairs of training rows that fit and that judge hyper-parameters; there may be only one."""
    measure: Callable[[np.ndarray], dict[str, float]]
    """Errors of test predictions; "error" is the one that the paper prints."""
    distances: Callable[[np.ndarray], np.ndarray]
    """Error of each test prediction."""
    n_coordinates: int = 1
    """Coordinates of a point of the outputs."""
    seed: int = 0

    def validate(self, fit):
        """Mean distance of predictions from outputs that were held out."""
        errors = [
            mean_point_distance(
                self.Y[held],
                fit(self.X[kept], self.Y[kept]).predict(self.X[held]).reshape(len(held), -1),
                n_coordinates=self.n_coordinates,
            )
            for kept, held in self.folds
        ]
        return float(np.mean(errors))


def load_tasks():
    """Data that are not drawn anew in each split."""
    return {"USPS": fetch_usps(), "Poser": fetch_poser(), "digits": load_digits_reconstruction()}


def load_poser():
    """The poses alone, by the name of their task."""
    return {"Poser": fetch_poser()}


def load_part():
    """The first toy with fewer samples, to check the code with."""
    return {"toy 1": partial(make_toy1, n_samples=60, n_test=60)}


def take_task(data, setting, split):
    """Draw one split of a task."""
    if setting in TOYS:
        return _take_toy(data.get(setting, TOYS[setting]), split)
    if setting == "Poser":
        return _take_poser(data["Poser"], split)
    take = {"USPS": _take_usps, "digits": _take_digits}[setting]
    return take(data[setting], split)


def _take_toy(make, split):
    toy = make(random_state=split)
    folds = list(KFold(N_FOLDS, shuffle=True, random_state=split).split(toy.X))

    def measure(Y):
        return {"error": branch_error(toy.X_test, Y)}

    def distances(Y):
        return np.nanmin(np.abs(toy_branches(toy.X_test) - Y.reshape(-1, 1)), axis=1)

    return Task(toy.X, toy.Y, toy.X_test, folds, measure, distances, seed=split)


def _take_usps(data, split):
    rng, train, test = np.random.default_rng(split), data.train, data.test
    if split > 0:
        order = rng.permutation(len(data.Y))
        train, test = np.sort(order[: len(train)]), order[len(train) :]
    kept = rng.permutation(len(train))[:N_SELECT]
    folds = [(kept[N_SELECT // 3 :], kept[: N_SELECT // 3])]
    return _take_pictures(data, train, test, folds, split)


def _take_digits(data, split):
    parts = repeated_splits(
        len(data.Y), n_splits=split + 1, train_fraction=0.5, train_sizes=[], random_state=0
    )[split]
    folds = list(KFold(N_FOLDS).split(parts.train_pool))[:1]  # they are in random order
    return _take_pictures(data, parts.train_pool, parts.test, folds, split)


def _take_pictures(data, train, test, folds, split):
    true = data.Y[test]

    def measure(Y):
        return {
            "error": mean_point_distance(true, Y, n_coordinates=true.shape[1]),
            "rmse per pixel": float(np.sqrt(np.mean((true - Y) ** 2))),
        }

    return Task(
        data.X[train],
        data.Y[train],
        data.X[test],
        folds,
        measure,
        lambda Y: np.linalg.norm(true - Y, axis=1),
        n_coordinates=true.shape[1],
        seed=split,
    )


def _take_poser(data, split):
    X, Y = np.concatenate([data.X, data.X_test]), np.concatenate([data.Y, data.Y_test])
    tested = _tested_frames(len(data.Y), len(Y), split)
    held = np.arange(len(data.Y)) // N_BLOCK % N_FOLDS == N_FOLDS // 2
    true = Y[tested]
    angle = partial(limb_angle_error, true, limbs=data.limbs)

    def distances(Y):
        gaps = (true - Y).reshape(len(Y), -1, 3)
        return np.linalg.norm(gaps, axis=-1).mean(axis=1)

    return Task(
        X[~tested],
        Y[~tested],
        X[tested],
        [(np.flatnonzero(~held), np.flatnonzero(held)[::N_BETWEEN])],
        lambda Y: {"error": mean_point_distance(true, Y), "limb angle": angle(Y)},
        distances,
        n_coordinates=3,
        seed=split,
    )


def _tested_frames(n_train, n, split):
    """Mask of the authors' test frames; later, of as many in stretches of all n frames."""
    if split == 0:
        return np.arange(n) >= n_train
    number = (n - n_train) // N_STRETCH
    order = np.random.default_rng(0).permutation(n // N_STRETCH)
    return np.isin(np.arange(n) // N_STRETCH, order[(split - 1) * number : split * number])
