"""Tables 11 to 14: classification of images with few examples, and weak labels (section 6.5)."""

from functools import cache, partial

import numpy as np

from reproduction.datasets.images.awa import fetch_awa
from reproduction.datasets.images.caltech101 import fetch_caltech101
from reproduction.datasets.texts.class_vectors import fetch_class_vectors
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.methods import classifiers
from reproduction.studies.images import classification, grids, tasks, weak_as_printed
from reproduction.studies.images.tasks import take

__all__ = [
    "COMPARED",
    "FETCH",
    "N_CLASSES",
    "PARAMETERS",
    "TITLES",
    "WITH_WEAK",
    "declare",
    "load_images",
    "overlap",
    "repeats_comparison",
    "take",
]

FETCH = {"caltech101": fetch_caltech101, "awa": fetch_awa}
PARAMETERS = {
    "caltech101": {
        **classification.PARAMETERS,
        "largest": 10,
        "n_test": 5472,
        "wide": [15, 20, 30, 50],
    },
    "awa": {
        **classification.PARAMETERS,
        "largest": 14,
        "n_test": 9143,
        "wide": [15, 20, 30, 40],
    },
}
SETTINGS = {
    "caltech101": ("1", "2", "3", "4", "5", "7", "10"),
    "awa": ("1", "2", "3", "4", "5", "7", "10", "11", "14"),
}
N_CLASSES = {"caltech101": 101, "awa": 50}
TITLES = {"caltech101": "Caltech-101", "awa": "Animals with Attributes"}


@cache
def load_images(name):
    """Features and classes of the images, vectors of the classes, and mixtures of these.

    Made once in a process: five tables share them, and none changes them.
    """
    images, parameters = FETCH[name](), PARAMETERS[name]
    return tasks.describe(
        images.features,
        images.labels,
        fetch_class_vectors(name).vectors,
        [*parameters["n_components"], *parameters["wide"]],
        largest=parameters["largest"],
        n_test=parameters["n_test"],
    )


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split with so many examples a class."""
    task = take(data, int(setting), split)
    form = method.removesuffix("shuffled").rstrip(", ")
    if form != method:  # a control: what is said of a weak image is true of another one
        shuffled = np.random.default_rng(split).permutation(task.y_weak)
        task = task._replace(y_weak=shuffled)
    evaluate_form = (
        weak_as_printed.evaluate if form in weak_as_printed.SIZES else classification.evaluate
    )
    return evaluate_form(form, data, task)


def overlap(name, settings):
    """Test images over labelled ones, whose number a class is the last word of a setting."""
    share = PARAMETERS[name]["n_test"] / N_CLASSES[name]
    return {setting: share / int(setting.split()[-1]) for setting in settings}


def repeats_comparison(cell):
    """Columns of the table with weak labels that stand in the one without."""
    return cell if cell.method in ("m-SVM", "MLP") else None


def declare(id, name, methods, scores, *, of="", parameters=None, more=(), printed=None):
    """One of Tables 11 to 14."""
    return Experiment(
        id=id,
        title=f"Table {id[-2:]}: image classification on {TITLES[name]}{of}",
        load=partial(load_images, name),
        evaluate=evaluate,
        methods=methods,
        scores=scores,
        settings=SETTINGS[name],
        n_splits=10,
        parameters=PARAMETERS[name] | (parameters or {}),
        datasets=(name, "class_vectors"),
        check=Check(settings=("1",), more=more),
        facts=Facts(
            test_train_ratio=overlap(name, SETTINGS[name]),
            printed=printed or {},
            chance={"accuracy": 100.0 / N_CLASSES[name]},
            not_recorded="ridge parameters",
        ),
    )


WITH_WEAK = {
    "of": " with weak labels",
    "scores": grids.WITH_WEAK,
    "methods": (
        *classification.WEAK,
        "wOFER+2500 shuffled",
        "OFER-GMM as printed",
        f"OFER-GMM as printed{classification.MIXED}",
        *weak_as_printed.SIZES,
        "wOFER+2500 as printed, shuffled",
    ),
}
COMPARED = {
    "methods": classification.COMPARED,
    "scores": grids.COMPARED,
    "parameters": {"choices": classifiers.CHOICES},
    # Of one image per class these choose nothing.
    "more": tuple((method, "3", 0) for method in classifiers.CLASSIFIERS),
}
