"""Tables 11 to 14 in the readings of one sentence: how hyper-parameters are chosen.

Section 6.5 says: "A 5-Cross-Validation based on the training set was performed to select the
hyperparameters, among which the number of clusters for the OFER-GMM (from 1 to 10)". It does not
say what is compared. The tables compare ranks, here it is the accuracy of leave-one-out
predictions, and the rank where it is equal. In Tables 11 and 12 a mixture of two components or more
chooses so already: whatever it gains over a rival may be due to that.

A weak label, "the information of the component to which belongs the output", tells nothing where
there is a single component, and the paper prints gains in all rows of Tables 13 and 14. So these
have a third reading: two components or more.
"""

from functools import partial

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.studies.images import comparison, weak_as_printed
from reproduction.studies.images.classification import MIXED, evaluate_printed

__all__ = ["COMPARED", "WITH_WEAK", "declare", "evaluate"]

BY_RANK, BY_ACCURACY = "by rank", "by accuracy"
CHOICES = (BY_RANK, BY_ACCURACY)
WEAK_CHOICES = (*CHOICES, f"{BY_ACCURACY}{MIXED}")
FORMS = ("Sem-KRR", "Sem-IOKR", "OFER-GMM as printed")
WEAK_FORMS = (
    "OFER-GMM as printed",
    *("wOFER+700 as printed", "wOFER+1500 as printed", "wOFER+2500 as printed"),
)


def evaluate(data, method, setting, split):
    """Accuracy of a printed form in a reading on one split with so many examples a class."""
    form, choice = method.split(", ", 1)
    evaluate_form = weak_as_printed.evaluate if form in weak_as_printed.SIZES else evaluate_printed
    task = comparison.take(data, int(setting), split)
    form += choice.removeprefix(BY_ACCURACY)
    scores = evaluate_form(form, data, task, by_accuracy=True)
    return {name: value for name, value in scores.items() if name != "rank"}


METRICS = ("accuracy", "n_components", "weak_weight")


def declare(read, name, title, forms, choices, missing=()):
    """Readings of one of Tables 11 to 14."""
    dimension = Dimension(
        name="choice",
        words="“A 5-Cross-Validation based on the training set was performed to select the "
        "hyperparameters, among which the number of clusters for the OFER-GMM (from 1 to 10).”",
        options=choices,
        why="With one image a class, what is left out has no image of its class: accuracies are "
        "near zero for all choices, and ranks are not.",
    )
    return Experiment(
        id=f"{read.id.replace('table', 'readings')}-choice",
        title=f"{read.title}, {title}",
        load=partial(comparison.load_images, name),
        evaluate=evaluate,
        methods=tuple(f"{form}, {choice}" for form in forms for choice in choices[1:]),
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
                    dimensions=(dimension,),
                    choices=tuple((choice,) for choice in choices),
                    labels={form: f"{form}, {{choice}}" for form in forms},
                    missing=missing,
                ),
            ),
            not_recorded=read.facts.not_recorded,
        ),
    )


COMPARED = ("with choices by the accuracy", FORMS, CHOICES)
WITH_WEAK = (
    "in three readings of how components are chosen",
    WEAK_FORMS,
    WEAK_CHOICES,
    ("wOFER+2500 as printed, shuffled",),
)
