"""Tables 11 and 12 with the choices of forms without intercept made by the accuracy.

The tables choose by the rank of the true class. A mixture of two components or more chooses by the
accuracy there, so whatever it gains over a rival may be due to how its ridge parameter was chosen.
Here its rivals choose by the accuracy as well, of leave-one-out predictions, and by the rank where
it is equal.
"""

from functools import partial

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel

from ofer import KernelSystem
from ofer.kernels import median_gamma
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.papers.ofer.images import tables
from reproduction.papers.ofer.images.choice_readings import CHOICES, DIMENSION
from reproduction.papers.ofer.images.classification import PARAMETERS
from reproduction.papers.ofer.images.mean_rank import mean_rank

__all__ = ["AWA", "CALTECH101", "evaluate"]

FORMS = ("Sem-KRR", "Sem-IOKR", "OFER-GMM as printed")
BY_RANK, BY_ACCURACY = CHOICES[:2]


def evaluate(data, method, setting, split):
    """Accuracy of a form that chooses by the accuracy, on one split."""
    form, _ = method.split(", ")
    task = tables.take(data, int(setting), split)
    system = KernelSystem.from_features(task.X, fit_intercept=False)
    ridges = system.mean_eigenvalue * np.asarray(PARAMETERS["alphas"])
    least, best = None, None
    for places, compare, size in _targets(form, data):
        paths = list(system.path(places[task.y], ridges))
        for alpha, path in zip(ridges[::-1], paths[::-1], strict=True):  # the larger of two equal
            scores = compare(path)
            loss = np.mean(scores.argmax(axis=1) != task.y), mean_rank(scores, task.y)
            if best is None or loss < least:
                least, best = loss, (places, compare, size, alpha)
    places, compare, size, alpha = best
    points = system.solve(places[task.y], alpha).predict(task.X_test)
    accuracy = 100.0 * np.mean(compare(points).argmax(axis=1) == task.y_test)
    return {"accuracy": accuracy} | ({} if size is None else {"n_components": float(size)})


def _targets(form, data):
    """What a form learns for each class, how it compares classes, and the size of its mixture."""

    def nearest(points):
        return -euclidean_distances(points, data.vectors)

    if form == "Sem-KRR":
        yield data.vectors, nearest, None
    elif form == "Sem-IOKR":
        yield (
            rbf_kernel(data.vectors, gamma=median_gamma(data.vectors)),
            lambda points: points,
            None,
        )
    else:
        for size in PARAMETERS["n_components"]:
            mixture = data.printed[size]

            def decoded(points, mixture=mixture):
                return nearest(np.nan_to_num(mixture.inverse_transform(points)))

            yield mixture.transform(data.vectors), decoded, size


def _declare(read, name):
    return Experiment(
        id=f"{read.id.replace('table', 'readings')}-choice",
        title=f"{read.title}, with choices by the accuracy",
        load=partial(tables.load_images, name),
        evaluate=evaluate,
        methods=tuple(f"{form}, {BY_ACCURACY}" for form in FORMS),
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
                    dimensions=(Dimension(options=CHOICES[:2], **DIMENSION),),
                    choices=((BY_RANK,), (BY_ACCURACY,)),
                    labels={form: f"{form}, {{choice}}" for form in FORMS},
                ),
            ),
        ),
    )


CALTECH101 = _declare(tables.CALTECH101, "caltech101")
AWA = _declare(tables.AWA, "awa")
