"""Table 14 with inference: weak images of which the component of the class is known."""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.images.tasks import take
from reproduction.papers.ofer.weak_classes import ridges, rivals
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.problem import Problem, say
from reproduction.papers.ofer.weak_classes.ridges import RIDGES
from reproduction.papers.ofer.weak_classes.rivals import RIVALS

__all__ = ["AWA", "CALTECH101", "draw", "evaluate"]

WHAT_IS_SAID = "weak labels"
PARAMETERS = {"peak": 0.3}  # a choice of it would take too long, as would CLPL and PL-AGGD
METHODS = RIDGES | {
    "logistic EM": RIVALS["logistic EM"],
    "PL-kNN": RIVALS["PL-kNN"],
    "SURE": partial(RIVALS["SURE"], peaks=[PARAMETERS["peak"]]),
}
# What changes with the number of components, and is of interest then.
BY_COMPONENTS = ("averaged", "restrict and refit", "self-training, averaged", "gain", WHAT_IS_SAID)
LONG = ("logistic EM", "best parameter (oracle)")  # at the smallest size alone
SIZES = {"awa": (1, 5, 14), "caltech101": (1, 3, 10)}


def draw(data, setting, split):
    """Draw labelled, weak and test images, those of Tables 11 to 14.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tables.load_images`.
    setting : str
        Labelled images a class, and the number of components of the mixture that weak labels
        name, or "all".
    split : int
        Number of the split.

    Returns
    -------
    Problem
    """
    per_class, components = setting.split()
    task = take(data, int(per_class), split)
    told = candidates(data, task.y_weak, None if components == "all" else int(components))
    still_open = np.vstack([np.eye(told.shape[1], dtype=bool)[task.y], told])
    X, y = np.vstack([task.X, task.X_weak]), np.append(task.y, task.y_weak)
    return Problem(X, y, still_open, len(task.y), task.X_test, task.y_test, seed=split)


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tables.load_images`.
    method : str
        One of the experiment's methods; "weak labels" is what they say.
    setting : str
        As in `draw`.
    split : int
        Number of the split.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent; of the weak labels "open classes" and "exact".
    """
    problem = draw(data, setting, split)
    if method == WHAT_IS_SAID:
        return say(problem)
    return {"accuracy": 100.0 * np.mean(METHODS[method](problem) == problem.y_test)}


def _declare(name):
    sizes, n_test = SIZES[name], _images.PARAMETERS[name]["n_test"]
    coarse = tuple(f"{sizes[0]} {k}" for k in (5, 10, 20))
    settings = (*coarse, *(f"{n} all" for n in sizes))
    others = tuple(name for name in (*METHODS, WHAT_IS_SAID) if name not in LONG)
    n_classes, n_weak = _images.N_CLASSES[name], 2500
    return Experiment(
        id=f"ofer-weak-{name}",
        title=f"Classes that weak labels leave open: {_images.TITLES[name]}",
        load=partial(_images.load_images, name),
        evaluate=evaluate,
        methods=(*METHODS, WHAT_IS_SAID),
        settings=settings,
        n_splits=10,
        parameters={
            **_images.PARAMETERS[name],
            **PARAMETERS,
            "ridges": ridges.PARAMETERS,
            "rivals": rivals.PARAMETERS,
        },
        datasets=(name, "class_vectors"),
        methods_of=dict.fromkeys(coarse, BY_COMPONENTS) | dict.fromkeys(settings[-2:], others),
        check=Check(
            settings=(f"{sizes[0]} all",), methods=("labelled only", "restrict and refit", "gain")
        ),
        # An image near a border of two classes may change sides on another processor.
        tolerance=Tolerance(atol={"accuracy": 0.2}),
        facts=Facts(
            test_train_ratio={
                one: n_test / (int(one.split()[0]) * n_classes + n_weak) for one in settings
            }
        ),
    )


AWA, CALTECH101 = _declare("awa"), _declare("caltech101")
