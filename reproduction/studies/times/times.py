"""Table 16: times of training and of prediction of every method on every real task (appendix)."""

import warnings
from functools import partial

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel

from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth, tanimoto_kernel
from reproduction.datasets.tables.nci60 import fetch_nci60
from reproduction.datasets.texts.maec_volatility import fetch_maec_volatility
from reproduction.statistics.splits import random_split
from reproduction.statistics.timing import shortest_time
from reproduction.studies.drug_activity import molecules
from reproduction.studies.images import tasks
from reproduction.studies.images.comparison import load_images
from reproduction.studies.personality_traits import clips
from reproduction.studies.text_volatility import calls
from reproduction.studies.times.timed_models import MODELS, Problem

__all__ = ["PARAMETERS", "evaluate", "load_tasks", "take"]

PARAMETERS = {
    "n_molecules": 500,
    "per_class": {"Caltech-101": 10, "AwA": 14},
    "n_components": {"traits": 4, "drugs": 6, "Caltech-101": 10, "AwA": 10},
}


def load_tasks():
    """Data of all tasks."""
    return {
        "text": fetch_maec_volatility(),
        "traits": clips.load_clips(),
        "drugs": fetch_nci60(),
        "Caltech-101": load_images("caltech101"),
        "AwA": load_images("awa"),
    }


def evaluate(data, method, setting, split):
    """Times of one method on one split of a task, at its largest training set.

    A time of training is that of one fit with given hyper-parameters. Methods of this package
    choose their ridges meanwhile, by exact leave-one-out; the forms as printed are given one. Both
    times include kernel matrices, and neither includes the weighting of words.
    """
    problem = take(data[setting], setting, split)
    model = MODELS[method](problem)
    X, X_test = problem.inputs(method)
    with warnings.catch_warnings():
        # Of components with one class, and of time warping, which is no positive kernel.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        warnings.filterwarnings("ignore", "output_kernel is not positive semi-definite")
        _, fit_time = shortest_time(lambda: model.fit(X, problem.y))
        _, predict_time = shortest_time(lambda: model.predict(X_test))
    sizes = {"n_train": X.shape[0], "n_test": X_test.shape[0]}
    return {"fit time": fit_time, "predict time": predict_time, **sizes}


def take(data, setting, split):
    """Draw one split of a task."""
    return _TAKE[setting](data, setting, split)


def _take_text(data, setting, split):
    fold, _ = calls.take_fold(data, split)
    rows = [words.astype(np.float32).toarray() for words in (fold.words, fold.words_test)]
    return Problem(fold.words, fold.words_test, *rows, fold.Y, split)


def _take_traits(data, setting, split):
    task = clips.words(clips.draw_counts(data, "2", split))
    width = median_bandwidth(task.X.toarray(), max_samples=300, random_state=split)
    kernel = partial(rbf_kernel, gamma=1.0 / (2.0 * width**2))
    size = PARAMETERS["n_components"][setting]
    return Problem(*(task.X, task.X_test) * 2, task.Y, split, kernel, size)


def _take_drugs(data, setting, split):
    n_train = PARAMETERS["n_molecules"]
    parts = random_split(len(data.Y), split, **molecules.PARAMETERS)
    train = parts.train(n_train)
    X, X_test = data.fingerprints[train], data.fingerprints[parts.test]
    rows = [np.unpackbits(packed, axis=1).astype(np.float32) for packed in (X, X_test)]
    kernel = partial(tanimoto_kernel, packed=True)
    size = PARAMETERS["n_components"][setting]
    return Problem(X, X_test, *rows, data.Y[train], split, kernel, size)


def _take_images(data, setting, split):
    task = tasks.take(data, PARAMETERS["per_class"][setting], split)
    return Problem(
        *(task.X, task.X_test) * 2,
        task.y,
        split,
        n_components=PARAMETERS["n_components"][setting],
        vectors=data.vectors,
    )


_TAKE = {
    "text": _take_text,
    "traits": _take_traits,
    "drugs": _take_drugs,
    "Caltech-101": _take_images,
    "AwA": _take_images,
}
