"""Table 14 with the loss of a support vector machine, with and without the ridge's inference."""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.images.tasks import take
from reproduction.papers.ofer.weak_classes import latent, same_labels
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.labelled_only import in_units
from reproduction.papers.ofer.weak_classes.latent import fit_latent
from reproduction.papers.ofer.weak_classes.same_labels import fit_svm
from reproduction.papers.ofer.weak_classes.steps import N_SPLITS, SETTINGS

__all__ = ["AWA", "evaluate"]

PARAMETERS = {"cost": 0.3, "n_rounds": same_labels.PARAMETERS["n_rounds"]}
INFERRED, GUESSED = "latent, then m-SVM", "self-training SVM, the same cost"


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split with so many examples a class, and 2500 weak ones.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tables.load_images`.
    method : str
        "latent, then m-SVM", which learns the classes that the ridge has inferred, or
        "self-training SVM, the same cost", which infers them by itself.
    setting : str
        Number of labelled images a class.
    split : int
        Number of the split, one of those of Tables 11 to 14.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent.
    """
    task, cost = take(data, int(setting), split), PARAMETERS["cost"]
    still_open = candidates(data, task.y_weak)
    X, X_weak, X_test = in_units(task)
    both = np.vstack([X, X_weak])
    if method == INFERRED:
        found = fit_latent(task, still_open).assignments_.argmax(axis=1)
        model = fit_svm(both, np.append(task.y, found), cost)
    else:
        model = fit_svm(X, task.y, cost)
        for _ in range(PARAMETERS["n_rounds"]):
            scores = np.where(still_open, model.decision_function(X_weak), -np.inf)
            model = fit_svm(both, np.append(task.y, scores.argmax(axis=1)), cost)
    return {"accuracy": 100.0 * np.mean(model.predict(X_test) == task.y_test)}


AWA = Experiment(
    id="ofer-latent-svm-awa",
    title="Latent classes, learnt by a support vector machine, Animals with Attributes",
    load=partial(_images.load_images, "awa"),
    evaluate=evaluate,
    methods=(INFERRED, GUESSED),
    settings=SETTINGS,
    n_splits=N_SPLITS,
    parameters={**_images.PARAMETERS["awa"], "latent": latent.PARAMETERS, "svm": PARAMETERS},
    datasets=("awa", "class_vectors"),
    check=Check(settings=("1",)),
    # An image near a border of two classes may change sides on another processor.
    tolerance=Tolerance(atol={"accuracy": 0.2}),
    facts=Facts(test_train_ratio=_images.overlap("awa", SETTINGS)),
)
