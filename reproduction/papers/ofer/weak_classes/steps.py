"""Table 14 with latent classes, and the steps that lead to them."""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.images.tasks import take
from reproduction.papers.ofer.weak_classes import hybrid, latent
from reproduction.papers.ofer.weak_classes.all_known import KNOWN
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.hybrid import HYBRIDS
from reproduction.papers.ofer.weak_classes.latent import RIDGES

__all__ = ["AWA", "N_SPLITS", "PARAMETERS", "SETTINGS", "evaluate"]

SETTINGS, N_SPLITS = ("1", "5", "14"), 10
METHODS = RIDGES | HYBRIDS | KNOWN
PARAMETERS = {"latent": latent.PARAMETERS, "hybrid": hybrid.PARAMETERS}


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split with so many examples a class, and 2500 weak ones.

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
    predicted = METHODS[method](data, task, candidates(data, task.y_weak))
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test)}


AWA = Experiment(
    id="ofer-latent-awa",
    title="Latent classes of weakly labelled images, Animals with Attributes",
    load=partial(_images.load_images, "awa"),
    evaluate=evaluate,
    methods=tuple(METHODS),
    settings=SETTINGS,
    n_splits=N_SPLITS,
    parameters={**_images.PARAMETERS["awa"], **PARAMETERS},
    datasets=("awa", "class_vectors"),
    methods_of=dict.fromkeys(SETTINGS[:2], tuple(RIDGES | HYBRIDS)),
    check=Check(settings=("1",)),
    # An image near a border of two classes may change sides on another processor.
    tolerance=Tolerance(atol={"accuracy": 0.2}),
    facts=Facts(test_train_ratio=_images.overlap("awa", SETTINGS)),
)
