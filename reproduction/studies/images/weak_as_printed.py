"""wOFER as printed in image classification: equation (14) with score scaling and no intercept."""

from typing import NamedTuple

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from ofer import GaussianMixtureEmbedding, KernelSystem
from reproduction.methods.mean_rank import mean_rank
from reproduction.studies.images.classification import MIXED, PARAMETERS

__all__ = ["SIZES", "evaluate"]

SIZES = {
    "wOFER+700 as printed": 700,
    "wOFER+1500 as printed": 1500,
    "wOFER+2500 as printed": 2500,
    f"wOFER+2500 as printed{MIXED}": 2500,
}


def evaluate(method, data, task, *, fit_intercept=False, by_accuracy=False):
    """Accuracy of the printed form on one split with one training size.

    Size of the mixture, the one ridge of both blocks and the weight of a weak sample are chosen
    by the mean rank of the true class in exact leave-one-out predictions, as those of all linear
    methods are; candidates for the weight are those of our form. Where the mixture must have two
    components or more, and in a reading, they are chosen by the accuracy, and by the rank where it
    is equal.
    """
    n_weak, mixed = SIZES[method.removesuffix(MIXED)], method.endswith(MIXED)
    by_accuracy = by_accuracy or mixed
    sizes = [size for size in PARAMETERS["n_components"] if size > 1 or not mixed]
    mixtures = [data.printed[size] for size in sizes]
    y = np.concatenate([task.y, task.y_weak[:n_weak]])
    X = np.vstack([task.X, task.X_weak[:n_weak]])
    labelled = KernelSystem.from_features(task.X, fit_intercept=fit_intercept)
    ridges = labelled.mean_eigenvalue * np.asarray(PARAMETERS["alphas"])
    members, means = _places(mixtures, data.vectors)
    alone = list(labelled.path(np.hstack(means)[task.y], ridges))
    least, best = None, None
    for weight in PARAMETERS["weak_weights"]:
        weights = np.repeat([1.0, weight], [len(task.y), len(y) - len(task.y)])
        system = KernelSystem.from_features(X, weights, fit_intercept=fit_intercept)
        paths = system.path(np.hstack(members)[y], ridges)
        for alpha, path, mean in zip(ridges, paths, alone, strict=True):
            blocks = _split(path[: len(task.y)], members), _split(mean, means)
            for place, pair in enumerate(zip(*blocks, strict=True)):
                scores = _compare(mixtures[place], pair, data.vectors)
                errors = np.mean(scores.argmax(axis=1) != task.y) if by_accuracy else 0.0
                loss = errors, mean_rank(scores, task.y)
                if best is None or loss < least:
                    least, best = loss, _Choice(loss[1], place, alpha, weight, system)
    mixture = mixtures[best.place]
    membership = best.system.solve(members[best.place][y], best.alpha).predict(task.X_test)
    mean = labelled.solve(means[best.place][task.y], best.alpha).predict(task.X_test)
    predicted = _compare(mixture, (membership, mean), data.vectors).argmax(axis=1)
    return {
        "accuracy": 100.0 * np.mean(predicted == task.y_test),
        "rank": best.rank,
        "n_components": float(mixture.n_components),
        "weak_weight": best.weight,
    }


class _Choice(NamedTuple):
    rank: float
    place: int
    alpha: float
    weight: float
    system: KernelSystem


def _places(mixtures: list[GaussianMixtureEmbedding], vectors):
    """Membership and mean blocks of the classes, under each mixture."""
    embedded = [mixture.transform(vectors) for mixture in mixtures]
    members = [
        H[:, mixture.blocks_["membership"]] for mixture, H in zip(mixtures, embedded, strict=True)
    ]
    means = [H[:, mixture.blocks_["mean"]] for mixture, H in zip(mixtures, embedded, strict=True)]
    return members, means


def _split(columns, blocks):
    return np.split(columns, np.cumsum([block.shape[1] for block in blocks])[:-1], axis=1)


def _compare(mixture, blocks, vectors):
    """Scores of the classes: minus the distance of their vectors from the decoded output."""
    decoded = np.nan_to_num(mixture.inverse_transform(np.hstack(blocks)))
    return -euclidean_distances(decoded, vectors)
