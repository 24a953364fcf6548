"""Tables 13 and 14 in the readings of one sentence: how the number of components is chosen.

Section 6.5 says: "A 5-Cross-Validation based on the training set was performed to select the
hyperparameters, among which the number of clusters for the OFER-GMM (from 1 to 10)". It does not
say what is compared. The tables compare ranks, here it is the accuracy. A weak label, "the
information of the component to which belongs the output", tells nothing where there is a single
component, and the paper prints gains in all rows. So there is a third reading: two components or
more.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from ofer import GaussianMixtureEmbedding, KernelSystem
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.papers.ofer.images import tables
from reproduction.papers.ofer.images.classification import PARAMETERS
from reproduction.papers.ofer.images.mean_rank import mean_rank

__all__ = ["AWA", "CALTECH101", "CHOICES", "FORMS", "evaluate", "find"]

CHOICES = ("by rank", "by accuracy", "by accuracy, C > 1")
FORMS = {
    "OFER-GMM as printed": 0,
    "wOFER+700 as printed": 700,
    "wOFER+1500 as printed": 1500,
    "wOFER+2500 as printed": 2500,
}
LABEL = "{}, {{choice}}"
DIMENSION = {
    "name": "choice",
    "words": "“A 5-Cross-Validation based on the training set was performed to select the "
    "hyperparameters, among which the number of clusters for the OFER-GMM (from 1 to 10).”",
    "why": "With one image a class, what is left out has no image of its class: accuracies are "
    "near zero for all choices, and ranks are not.",
}


class _Choice(NamedTuple):
    """Size of the mixture, ridge parameter and weight of a weak image, and how good they are."""

    errors: float
    rank: float
    place: int
    alpha: float
    weight: float = 0.0
    system: KernelSystem | None = None


class _Targets(NamedTuple):
    """A printed mixture, and the embeddings of the classes under it."""

    mixture: GaussianMixtureEmbedding
    members: np.ndarray
    means: np.ndarray

    def compare(self, members, means, vectors):
        """Scores of the classes: minus the distance of their vectors from the decoded output."""
        decoded = np.nan_to_num(self.mixture.inverse_transform(np.hstack([members, means])))
        return -euclidean_distances(decoded, vectors)


def evaluate(data, method, setting, split):
    """Accuracy of a printed form in a reading on one split with so many examples a class."""
    key = id(data), int(setting), split
    if _found.get("of") is not data:  # so that no other data can have this id
        _found.clear()
        _found["of"] = data
    if key not in _found:
        _found[key] = find(data, tables.take(data, int(setting), split))
    return _found[key][method]


_found = {}  # all forms and readings of a split come from the same decompositions


def find(data, task):
    """Evaluate all printed forms in all readings on one task."""
    targets = [_describe(data.printed[size], data) for size in PARAMETERS["n_components"]]
    own = KernelSystem.from_features(task.X, fit_intercept=False)
    ridges = own.mean_eigenvalue * np.asarray(PARAMETERS["alphas"])
    places = np.hstack([np.hstack([one.members, one.means]) for one in targets])
    ends = np.cumsum([block.shape[1] for one in targets for block in one[1:]])[:-1]
    alone = [np.split(path, ends, axis=1) for path in own.path(places[task.y], ridges)]
    found = {}
    for form, n_weak in FORMS.items():
        tried = [*_try(data, task, targets, own, ridges, alone, n_weak)]
        for choice in CHOICES[1:]:
            least = 2 if choice.endswith("C > 1") else 1
            allowed = (one for one in tried if len(targets[one.place].members.T) >= least)
            best = min(allowed, key=lambda one: one[:2])  # the first of equal ones
            label = LABEL.format(form).format(choice=choice)
            found[label] = _predict(data, task, targets, own, best, n_weak)
    return found


def _describe(mixture, data):
    embedded = mixture.transform(data.vectors)
    blocks = (embedded[:, mixture.blocks_[name]] for name in ("membership", "mean"))
    return _Targets(mixture, *blocks)


def _try(data, task, targets, own, ridges, alone, n_weak):
    """All choices, in the order in which the tables prefer equal ones."""
    n, steps = len(task.y), range(len(ridges))
    if not n_weak:
        for place, target in enumerate(targets):
            for step in reversed(steps):  # the larger ridge of two equal ones
                blocks = alone[step][2 * place : 2 * place + 2]
                scores = target.compare(*blocks, data.vectors)
                yield _judge(scores, task, place, ridges[step], system=own)
        return
    members = np.hstack([one.members for one in targets])
    ends = np.cumsum([one.members.shape[1] for one in targets])[:-1]
    for weight in PARAMETERS["weak_weights"]:
        system, y = _weak_system(task, n_weak, weight)
        for step, path in zip(steps, system.path(members[y], ridges), strict=True):
            for place, memberships in enumerate(np.split(path[:n], ends, axis=1)):
                means = alone[step][2 * place + 1]
                scores = targets[place].compare(memberships, means, data.vectors)
                yield _judge(scores, task, place, ridges[step], weight=weight, system=system)


def _weak_system(task, n_weak, weight):
    """The regression of memberships on labelled and weak images, and the classes of both."""
    X = np.vstack([task.X, task.X_weak[:n_weak]])
    weights = np.repeat([1.0, weight], [len(task.X), len(X) - len(task.X)])
    y = np.concatenate([task.y, task.y_weak[:n_weak]])
    return KernelSystem.from_features(X, weights, fit_intercept=False), y


def _judge(scores, task, place, alpha, **options):
    errors = np.mean(scores.argmax(axis=1) != task.y)
    return _Choice(errors, mean_rank(scores, task.y), place, alpha, **options)


def _predict(data, task, targets, own, best, n_weak):
    target = targets[best.place]
    y = np.concatenate([task.y, task.y_weak[:n_weak]])
    membership = best.system.solve(target.members[y], best.alpha).predict(task.X_test)
    mean = own.solve(target.means[task.y], best.alpha).predict(task.X_test)
    predicted = target.compare(membership, mean, data.vectors).argmax(axis=1)
    found = {
        "accuracy": 100.0 * np.mean(predicted == task.y_test),
        "n_components": float(target.members.shape[1]),
    }
    return found | ({"weak_weight": best.weight} if n_weak else {})


_METHODS = tuple(
    LABEL.format(form).format(choice=choice) for form in FORMS for choice in CHOICES[1:]
)


def _declare(weak, name):
    return Experiment(
        id=f"{weak.id.replace('table', 'readings')}-choice",
        title=f"{weak.title}, in three readings of how components are chosen",
        load=partial(tables.load_images, name),
        evaluate=evaluate,
        methods=_METHODS,
        settings=weak.settings,
        n_splits=weak.n_splits,
        parameters=weak.parameters,
        datasets=weak.datasets,
        check=Check(settings=("1",)),
        facts=Facts(
            test_train_ratio=weak.facts.test_train_ratio,
            chance=weak.facts.chance,
            readings=(
                Readings(
                    of=weak.id,
                    dimensions=(Dimension(options=CHOICES, **DIMENSION),),
                    choices=tuple((choice,) for choice in CHOICES),
                    labels={form: LABEL.format(form) for form in FORMS},
                    missing=("wOFER+2500 as printed, shuffled",),
                ),
            ),
        ),
    )


CALTECH101 = _declare(tables.WEAK_CALTECH101, "caltech101")
AWA = _declare(tables.WEAK_AWA, "awa")
