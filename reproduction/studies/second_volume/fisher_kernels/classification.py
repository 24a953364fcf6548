"""Fisher kernel learning: Tables 1 to 4 of van der Maaten (2011)."""

import time
from functools import partial

import numpy as np
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.utils import Bunch

from reproduction.datasets.graphs.mutagenicity import fetch_mutagenicity
from reproduction.datasets.series.character_trajectories import fetch_character_trajectories
from reproduction.datasets.series.japanese_vowels import fetch_japanese_vowels
from reproduction.datasets.series.spoken_arabic_digits import fetch_spoken_arabic_digits
from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.fisher_kernels import representations
from reproduction.studies.second_volume.fisher_kernels.node_scaler import NodeScaler
from reproduction.studies.second_volume.fisher_kernels.representations import (
    REPRESENTATIONS,
    classify,
    represent,
    share,
)

__all__ = [
    "ERRORS",
    "LEARNED",
    "NOT_RECORDED",
    "PARAMETERS",
    "RATIO",
    "SEARCHED",
    "SIZES",
    "declare",
    "evaluate",
    "load",
    "load_part",
]

PARAMETERS = {
    **representations.PARAMETERS,
    "random_state": 2011,
    "n_folds": 10,
    "n_starts": 3,  # where the paper has one division
}

SIZES = ("2", "5", "10")


def load(name):
    """Objects, classes and divisions of a data set."""
    return _LOADERS[name]()


def _load_characters():
    data = fetch_character_trajectories()
    return Bunch(objects=data.sequences, y=data.y, splits=_folds(data.y), model={})


def _load_vowels():
    parts = [fetch_japanese_vowels(subset) for subset in ("train", "test")]
    y = np.concatenate([part.y for part in parts])
    objects = [one for part in parts for one in part.sequences]
    return Bunch(objects=objects, y=y, splits=_folds(y), model={})


def _load_spoken_digits():
    """The training and test speakers are those of the authors of the data."""
    seen, unseen = (fetch_spoken_arabic_digits(subset) for subset in ("train", "test"))
    objects = [*seen.sequences, *unseen.sequences]
    y = np.concatenate([seen.y, unseen.y])
    division = np.split(np.arange(len(y)), [len(seen.y)])
    return Bunch(objects=objects, y=y, splits=_starts(division), model={})


def _load_molecules():
    data = fetch_mutagenicity()
    train, test = train_test_split(
        np.arange(len(data.y)),
        test_size=0.1,
        stratify=data.y,
        random_state=PARAMETERS["random_state"],
    )
    model = {"emission": "multinomial", "symmetric": True, "n_symbols": len(data.atom_names)}
    return Bunch(objects=data.graphs, y=data.y, splits=_starts((train, test)), model=model)


def _folds(y):
    folds = StratifiedKFold(
        PARAMETERS["n_folds"], shuffle=True, random_state=PARAMETERS["random_state"]
    )
    return list(folds.split(y, y))


def _starts(division):
    """The same division several times: the number of a split seeds the start of learning."""
    return [division] * PARAMETERS["n_starts"]


def load_part(name):
    """Objects of at most five classes of a data set's first division, to check the code with."""
    data = load(name)
    classes = np.unique(data.y)[:5]
    few = [
        np.concatenate([part[data.y[part] == label][: n // len(classes)] for label in classes])
        for part, n in zip(data.splits[0], (100, 200), strict=True)
    ]
    return Bunch(**{**data, "splits": [few]})


_LOADERS = {
    "characters": _load_characters,
    "spoken digits": _load_spoken_digits,
    "vowels": _load_vowels,
    "molecules": _load_molecules,
}


def evaluate(data, method, setting, split):
    """Errors of all classifiers on one representation with so many hidden states."""
    train, test = data.splits[split]
    parts = [[data.objects[i] for i in part] for part in (train, test)]
    if not data.model:
        scaler = NodeScaler().fit(parts[0])
        parts = [scaler.transform(part) for part in parts]
    start = time.thread_time()
    vectors = represent(
        method,
        int(setting),
        parts[0],
        data.y[train],
        parts[1],
        model=data.model,
        seed=split,
    )
    seconds = time.thread_time() - start
    answers, training = classify(vectors, data.y[train], seed=split)
    metrics = {name: 100.0 * np.mean(answer != data.y[test]) for name, answer in answers.items()}
    if training is not None:
        metrics["softmax, training"] = 100.0 * np.mean(training != data.y[train])
    shares = share(vectors, data.y[train], data.y[test])
    metrics["objective"], metrics["test objective"] = shares
    if vectors.history is not None:
        metrics["start"] = vectors.history[0]
        metrics["falls"] = np.mean(np.diff(vectors.history) < 0)
    if vectors.n_iter is not None:
        metrics["gradient norm"], metrics["iterations"] = vectors.gradient_norm, vectors.n_iter
    return metrics | {"fit time": seconds}


# Measured with NumPy and OpenBLAS vectorised for other processors: without learning errors differ
# by at most 0.7 percent, an object or two of a fold, by ties of scores. Learning is chaotic: it
# climbs an objective with plateaus, and a few dozen iterations grow the last bit of a sum to a
# model of its own, about as good on training objects; there errors differ by up to 5.1 percent,
# and the objective by up to 0.014. Rounding all gradients delays that, and does not end it.
_ERRORS = ("1-NN", "LMNN", "SVM", "softmax", "softmax, training", "Bayes")
_TOLERATED = dict.fromkeys(_ERRORS, 1.6) | {  # an object of the smallest fold, of 64
    "objective": 0.001,
    "test objective": 0.006,
    "start": 0.005,
}
_LEARNED = dict.fromkeys(_ERRORS, 6.0) | {
    "objective": 0.03,
    "test objective": 0.06,
    "falls": 0.2,
    "gradient norm": 1.0,
    "iterations": 1000,
}
_TOLERATED |= {
    (method, metric): value
    for method in ("FKL", "FKL as printed", "FKL as printed, logarithms")
    for metric, value in _LEARNED.items()
}


RATIO = dict.fromkeys(SIZES, 1 / (PARAMETERS["n_folds"] - 1))


NOT_RECORDED = "penalty C of softmax and SVM, one of four"
ERRORS = tuple(Score(name, high=100) for name in ("softmax", "SVM", "LMNN", "1-NN"))
LEARNED = (
    Score("softmax, training", high=100),
    Score("objective", high=1),
    Score("test objective", high=1),
    Score("fit time", is_time=True),
)
SEARCHED = (
    Score("start", high=1),
    Score("falls", high=1),
    Score("gradient norm"),
    Score("iterations", whole=True),
)


def declare(id, title, name, n_splits, *datasets, on_part=True, **facts):
    """One of Tables 1 to 4."""
    return Experiment(
        id=id,
        title=f"Fisher kernel learning, Table {int(id[-2:])}: {title}",
        load=partial(load, name),
        evaluate=evaluate,
        methods=tuple(REPRESENTATIONS),
        scores=(Score("Bayes", high=100), *ERRORS, *LEARNED, *SEARCHED),
        settings=SIZES,
        n_splits=n_splits,
        parameters=PARAMETERS,
        datasets=datasets,
        check=Check(settings=("2",), load=partial(load_part, name) if on_part else None),
        tolerance=Tolerance(rtol=1e-4, atol=_TOLERATED),
        facts=Facts(**facts, not_recorded=NOT_RECORDED),
    )
