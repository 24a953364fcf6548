"""Tables 11 to 14 in the readings that the paper leaves open: centred features, and a constant.

Section 6.5 describes features as outputs of a network, and says nothing of their mean. Equations
(13) and (14) have no intercept. Features of Animals with Attributes are scores of a principal
component analysis of all images, so their mean is near zero; those of Caltech-101 are not, and the
length of their mean is .97 where each image has 1. A form without an intercept can then predict a
constant on one data set and not on the other.
"""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.methods.classifiers import CLASSIFIERS
from reproduction.studies.images import classification, comparison, weak_as_printed
from reproduction.studies.images.classification import MIXED

__all__ = ["CHOICES", "COMPARED", "WITH_WEAK", "declare", "evaluate"]

FEATURES = ("as they are", "centred")
CONSTANTS = ("no constant", "constant column", "intercept")
_DIMENSIONS = (
    Dimension(
        name="features",
        words="No sentence says whether features were centred.",
        options=FEATURES,
        why="The features are what the network gives.",
    ),
    Dimension(
        name="constant",
        words="Equations (13) and (14) have no intercept; no sentence names a constant feature.",
        options=CONSTANTS,
        why="The equations are what is printed.",
    ),
)
# With an intercept it makes no difference whether features are centred.
CHOICES = (
    (FEATURES[0], CONSTANTS[0]),
    (FEATURES[0], CONSTANTS[1]),
    (FEATURES[0], CONSTANTS[2]),
    (FEATURES[1], CONSTANTS[0]),
)
PLAIN = ("Sem-KRR", "Sem-IOKR", "OFER-GMM as printed", f"OFER-GMM as printed{MIXED}")
PRINTED = ("OFER-GMM as printed", f"OFER-GMM as printed{MIXED}")
# Those with fewer weak labels would take another half an hour for each data set.
WEAK = ("wOFER+2500 as printed", f"wOFER+2500 as printed{MIXED}")
LACKING = tuple(
    f"wOFER+{end}" for end in ("700 as printed", "1500 as printed", "2500 as printed, shuffled")
)
SVM = "m-SVM"  # which has an intercept of its own
_LABEL = "{}, {{features}}, {{constant}}"


def evaluate(data, method, setting, split):
    """Accuracy of a method in a reading on one split with so many examples a class."""
    form, features, constant = _FORMS[method]
    task = comparison.take(data, int(setting), split)
    if features == "centred":
        mean = task.X.mean(axis=0)
        task = _with_features(task, lambda X: X - mean)
    if constant == "constant column":
        task = _with_features(task, lambda X: np.hstack([X, np.ones((len(X), 1))]))
    if form == SVM:
        classifier, chosen = CLASSIFIERS[form](task)
        predicted = classifier.fit(task.X, task.y).predict(task.X_test)
        return {"accuracy": 100.0 * np.mean(predicted == task.y_test), **chosen}
    evaluate_form = classification.evaluate_printed
    if form in WEAK:
        evaluate_form = weak_as_printed.evaluate
    return evaluate_form(form, data, task, fit_intercept=constant == "intercept")


def _with_features(task, change):
    return task._replace(
        **{name: change(getattr(task, name)) for name in ("X", "X_weak", "X_test")}
    )


def _methods(forms):
    """Label of a form in each reading but the default one, whose rows the table has."""
    return {", ".join((form, *choice)): (form, *choice) for form in forms for choice in CHOICES[1:]}


_COMPARED, _WEAK = _methods(PLAIN), _methods((*PRINTED, *WEAK))
_CENTRED_SVM = {f"{SVM}, centred": (SVM, "centred", "no constant")}
_FORMS = _COMPARED | _WEAK | _CENTRED_SVM


METRICS = ("accuracy", "rank", "n_components", "cost", "weak_weight")


def declare(read, name, methods, labels, missing=()):
    """Readings of one of Tables 11 to 14."""
    return Experiment(
        id=read.id.replace("table", "readings"),
        title=f"{read.title}, in four readings of its features",
        load=partial(comparison.load_images, name),
        evaluate=evaluate,
        methods=tuple(methods),
        scores=tuple(score for score in read.scores if score.name in METRICS),
        settings=read.settings,
        n_splits=read.n_splits,
        parameters=read.parameters,
        datasets=read.datasets,
        check=Check(settings=("1",)),
        facts=Facts(
            test_train_ratio=read.facts.test_train_ratio,
            chance=read.facts.chance,
            readings=(
                Readings(
                    of=read.id,
                    dimensions=_DIMENSIONS,
                    choices=CHOICES,
                    labels=labels,
                    missing=missing,
                ),
            ),
            not_recorded=read.facts.not_recorded,
        ),
    )


_PLAIN_LABELS = {form: _LABEL.format(form) for form in PLAIN} | {SVM: f"{SVM}, {{features}}"}
_WEAK_LABELS = {form: _LABEL.format(form) for form in (*PRINTED, *WEAK)}
COMPARED = (_COMPARED | _CENTRED_SVM, _PLAIN_LABELS)
WITH_WEAK = (_WEAK, _WEAK_LABELS, LACKING)
