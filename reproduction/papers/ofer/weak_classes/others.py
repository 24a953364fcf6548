"""Other classifiers on Table 14: with labelled images alone, and with the same weak labels."""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.images.tasks import take
from reproduction.papers.ofer.weak_classes import labelled_only, same_labels
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.labelled_only import LABELLED_ONLY
from reproduction.papers.ofer.weak_classes.same_labels import SAME_LABELS
from reproduction.papers.ofer.weak_classes.steps import N_SPLITS, SETTINGS

__all__ = ["AWA", "CALTECH", "evaluate"]


METHODS = (*LABELLED_ONLY, *SAME_LABELS)


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split with so many examples a class.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tables.load_images`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of labelled images a class.
    split : int
        Number of the split, one of those of Tables 11 to 14.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent.
    """
    task = take(data, int(setting), split)
    if method in LABELLED_ONLY:
        predicted = LABELLED_ONLY[method](data, task)
    else:
        predicted = SAME_LABELS[method](task, candidates(data, task.y_weak))
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test)}


# Two labelled images per class are the least for a covariance.
WITHOUT_COVARIANCE = tuple(method for method in METHODS if method != "shrinkage LDA")


def _declare(id, name, settings, methods):
    return Experiment(
        id=id,
        title=f"Other classifiers with and without weak labels, {_images.TITLES[name]}",
        load=partial(_images.load_images, name),
        evaluate=evaluate,
        methods=methods,
        settings=settings,
        n_splits=N_SPLITS,
        parameters={
            **_images.PARAMETERS[name],
            "labelled_only": labelled_only.PARAMETERS,
            "same_labels": same_labels.PARAMETERS,
        },
        datasets=(name, "class_vectors"),
        methods_of={"1": tuple(m for m in methods if m in WITHOUT_COVARIANCE)},
        check=Check(settings=("1",), methods=("nearest class mean", "ESZSL")),
        # An image near a border of two classes may change sides on another processor.
        tolerance=Tolerance(atol={"accuracy": 0.2}),
        facts=Facts(test_train_ratio=_images.overlap(name, settings)),
    )


AWA = _declare("ofer-latent-others-awa", "awa", SETTINGS, METHODS)
# Votes of neighbours and label spreading, far behind on AwA, take longest here.
SLOW = ("PL-kNN", "label spreading, candidates")
CALTECH = _declare(
    "ofer-latent-others-caltech101",
    "caltech101",
    ("1", "3", "10"),
    tuple(method for method in METHODS if method not in SLOW),
)
