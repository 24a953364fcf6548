"""Section 6.5: linear methods from images to names of classes, with and without weak labels."""

import warnings
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.preprocessing import normalize

from ofer import (
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelRidgeCV,
    KernelSystem,
    Memberships,
    OutputFisherRegressor,
    SemanticClassifier,
)
from ofer.kernels import median_gamma
from reproduction.methods import classifiers
from reproduction.methods.classifiers import CLASSIFIERS
from reproduction.methods.decomposed_ridge import DecomposedRidge
from reproduction.methods.mean_rank import mean_rank
from reproduction.studies.images import tasks

__all__ = [
    "COMPARED",
    "MIXED",
    "PARAMETERS",
    "WEAK",
    "Target",
    "evaluate",
    "evaluate_printed",
    "predict",
]

PARAMETERS = {
    **tasks.PARAMETERS,
    **classifiers.PARAMETERS,
    "alphas": np.logspace(-3, 3, 13).tolist(),
    "alpha_for_one": 1.0,
    "weak_weights": [0.1, 1.0],
}
IMPUTED = "one-hot ridge+2500 imputed"
MIXED = ", C > 1"
"""Ends the names of printed forms that must take a mixture of two components or more."""
WEAK_SIZES = {
    "wOFER+700": 700,
    "wOFER+1500": 1500,
    "wOFER+2500": 2500,
    "wOFER+2500 wide": 2500,
    IMPUTED: 2500,
}


def evaluate(method, data, task):
    """Accuracy of one method on one split with one training size."""
    predicted, chosen = predict(method, data, task)
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test), **chosen}


def evaluate_printed(method, data, task, *, fit_intercept=False, by_accuracy=False):
    """Accuracy of a form as printed, with one ridge for all targets and an intercept or not."""
    make_targets, _ = _LINEAR[method]
    system = KernelSystem.from_features(task.X, fit_intercept=fit_intercept)
    by_accuracy = by_accuracy or method.endswith(MIXED)
    targets = make_targets(data, task)
    best = _choose(system, targets, PARAMETERS["alphas"], task, by_accuracy=by_accuracy)
    points = system.solve(best.target.places[task.y], best.alpha).predict(task.X_test)
    predicted = best.target.compare(points, None).argmax(axis=1)
    chosen = {"rank": best.rank}
    if best.target.mixture is not None:
        chosen["n_components"] = float(best.target.mixture.n_components)
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test), **chosen}


class Target(NamedTuple):
    """What a linear method learns for each class, and how it compares classes."""

    places: np.ndarray
    """Targets of the classes, (n_classes, t)."""
    compare: Callable
    """Scores of the classes, (n, n_classes), given predictions of targets (n, t) and the errors
    of leave-one-out predictions, (n_labelled, t)."""
    make: Callable
    """The classifier with one ridge, which learns and compares just so."""
    mixture: GaussianMixtureEmbedding | None = None
    """The output model, if there is one."""
    told: np.ndarray | None = None
    """What a weak label says of the first targets of its class, (n_classes, m)."""


def predict(method, data, task, *, weak_weights=None):
    """Fit a method to the labelled part, with its choices made there, and classify the test part.

    Linear methods make all choices by the mean rank of the true class in exact leave-one-out
    predictions. It is the accuracy's finer sister: with a single image a class, the class of what
    is left out has no image, and hardly ever comes first. Indicators can say nothing of such a
    class, and mixtures have less to say the larger they are: then the ridge of indicators and the
    size of mixtures are not chosen, and neither is the cost of the SVM. Mixtures as printed are an
    exception, because a single component, which ranks prefer, is what serves them best. Where they
    must take two or more, they choose by the accuracy, and by the rank where it is equal.
    """
    if method in CLASSIFIERS:
        with _few_images_per_class():
            classifier, chosen = CLASSIFIERS[method](task)
            return classifier.fit(task.X, task.y).predict(task.X_test), chosen
    make_targets, fit_intercept = _LINEAR[method]
    system = KernelSystem.from_features(task.X, fit_intercept=fit_intercept)
    alphas = PARAMETERS["alphas"]
    if method == "one-hot ridge" and task.per_class == 1:
        alphas = [PARAMETERS["alpha_for_one"]]
    best = _choose(
        system, make_targets(data, task), alphas, task, by_accuracy=method.endswith(MIXED)
    )
    chosen = {"rank": best.rank}
    if best.target.mixture is not None:
        chosen["n_components"] = float(best.target.mixture.n_components)
    if method not in WEAK_SIZES:
        with _few_images_per_class():
            model = best.target.make(best.alpha).fit(task.X, task.y)
        return model.predict(task.X_test), chosen
    weights = PARAMETERS["weak_weights"] if weak_weights is None else weak_weights
    both, first = _choose_with_weak(best, task, WEAK_SIZES[method], weights)
    chosen |= {"rank": both.rank, "weak_weight": both.weight}
    if method == IMPUTED:
        return both.system.solve(first, both.alpha).predict(task.X_test).argmax(axis=1), chosen
    return _predict_ofer(data, task, best, both, WEAK_SIZES[method]), chosen


@contextmanager
def _few_images_per_class():
    """Without warnings of scikit-learn, to which few images per class look like numbers.

    Of so few an image may be in every bag of the forest: it has no votes then.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        warnings.filterwarnings("ignore", "Some inputs do not have OOB scores", UserWarning)
        yield


class _Choice(NamedTuple):
    """What has the least mean rank in leave-one-out predictions."""

    rank: float
    target: Target
    system: KernelSystem
    alpha: float
    loo: np.ndarray  # leave-one-out predictions of the labelled samples' targets
    weight: float = 1.0  # of weak samples


def _choose(system, targets, alphas, task, *, by_accuracy=False):
    """The target and the ridge of the least mean rank; the larger ridge of two equal ones.

    By accuracy those of the fewest errors, and of these of the least rank. Ridges are in units of
    the mean eigenvalue of the centred kernel.
    """
    least, best = None, None
    for target in targets:
        truth = target.places[task.y]
        ridges = system.mean_eigenvalue * np.asarray(alphas)
        for alpha, loo in zip(ridges, system.path(truth, ridges), strict=True):
            scores = target.compare(loo, loo - truth)
            errors = np.mean(scores.argmax(axis=1) != task.y) if by_accuracy else 0.0
            loss = errors, mean_rank(scores, task.y)
            tied = loss == least and target is best.target
            if best is None or loss < least or tied:
                least, best = loss, _Choice(loss[1], target, system, alpha, loo)
    return best


def _choose_with_weak(labelled, task, n_weak, weights):
    """Weight and ridge of the first targets, learnt with weak samples, equation (14).

    Returns the choice, and the first targets of labelled and weak samples.
    """
    target, best = labelled.target, None
    truth = target.places[task.y]
    for weight in weights:
        system, first = weak_problem(target, task, n_weak, weight)
        ridges = system.mean_eigenvalue * np.asarray(PARAMETERS["alphas"])
        for alpha, path in zip(ridges, system.path(first, ridges), strict=True):
            both = np.hstack([path[: len(task.y)], labelled.loo[:, first.shape[1] :]])
            rank = mean_rank(target.compare(both, both - truth), task.y)
            if best is None or rank < best[0].rank:
                best = _Choice(rank, target, system, alpha, both, weight), first
    return best


def _predict_ofer(data, task, labelled, both, n_weak):
    """OFER with weak samples, a ridge for the membership block and one for the mean.

    Blocks are weighed by the errors of labelled samples, as in the choice, where
    `SemanticClassifier` would take those of all samples that a block has seen.
    """
    target, n = both.target, len(task.y)
    ridge = DecomposedRidge([labelled.system, both.system], [[labelled.alpha], [both.alpha]])
    weak = None
    if target.mixture.n_components > 1:  # weak labels of one component say nothing
        told = target.told[task.y_weak[:n_weak]]
        weak = Memberships(task.X_weak[:n_weak], told, weight=both.weight)
    model = OutputFisherRegressor(FrozenEstimator(target.mixture), ridge, block_wise=True)
    model.fit(task.X, data.vectors[task.y], weak=weak)
    residuals = [model.regressor_[name].loo_residuals_[:n] for name in model.blocks_]
    errors = np.hstack([block.reshape(n, -1) for block in residuals])
    return target.compare(model.predict_embedding(task.X_test), errors).argmax(axis=1)


def weak_problem(target, task, n_weak, weight):
    """Inputs and targets of the regression with weak labels, labelled samples first."""
    weak_targets = target.told[task.y_weak[:n_weak]]
    first = np.vstack([target.places[task.y, : weak_targets.shape[1]], weak_targets])
    X = np.vstack([task.X, task.X_weak[:n_weak]])
    weights = np.repeat([1.0, weight], [len(task.X), len(weak_targets)])
    return KernelSystem.from_features(X, weights), first


def _indicators(data, task):
    yield Target(
        np.eye(len(data.vectors)),
        lambda points, errors: points,
        lambda alpha: SemanticClassifier(KernelRidgeCV([alpha])),
    )


def _vectors(data, task):
    def make(alpha):
        return SemanticClassifier(KernelRidgeCV([alpha], fit_intercept=False), data.vectors)

    def compare(points, errors):
        return -euclidean_distances(points, data.vectors)

    yield Target(data.vectors, compare, make)


def _directions(data, task):
    def make(alpha):
        return SemanticClassifier(KernelRidgeCV([alpha]), data.vectors, metric="cosine")

    yield Target(data.vectors, lambda points, errors: _cosines(points, data.vectors), make)


def _output_kernel(data, task):
    """IOKR: learning a feature vector is learning its inner products with the candidates."""
    gamma = median_gamma(data.vectors)

    def make(alpha):
        regressor = InputOutputKernelRegressor([alpha], fit_intercept=False, output_gamma=gamma)
        return SemanticClassifier(regressor, data.vectors)

    yield Target(rbf_kernel(data.vectors, gamma=gamma), lambda points, errors: points, make)


def _output_kernel_centred(data, task):
    gamma = median_gamma(data.vectors)
    gram = rbf_kernel(data.vectors, gamma=gamma)
    towards_mean = gram.mean(axis=1)
    offset = towards_mean - towards_mean.mean()
    norms = np.sqrt(1.0 - towards_mean - offset)

    def make(alpha):
        regressor = InputOutputKernelRegressor([alpha], output_gamma=gamma)
        return SemanticClassifier(regressor, data.vectors, metric="cosine")

    def compare(points, errors):
        return (points - points.mean(axis=1, keepdims=True) - offset) / norms

    yield Target(gram, compare, make)


def _printed_mixtures(data, task, *, least=1):
    for mixture in _some(data.printed):
        if mixture.n_components < least:
            continue

        def make(alpha, mixture=mixture):
            ridge = KernelRidgeCV([alpha], fit_intercept=False)
            model = OutputFisherRegressor(FrozenEstimator(mixture), ridge, block_wise=False)
            return SemanticClassifier(model, data.vectors, decode="output")

        def compare(points, errors, mixture=mixture):
            decoded = np.nan_to_num(mixture.inverse_transform(points))
            return -euclidean_distances(decoded, data.vectors)

        yield Target(mixture.transform(data.vectors), compare, make, mixture)


def _mixtures(data, task, *, wide=False):
    mixtures = _some(data.natural, wide=wide)
    for mixture in mixtures if task.per_class > 1 else mixtures[-1:]:
        places = mixture.transform(data.vectors)
        blocks = [
            columns
            for columns in mixture.blocks_.values()
            if places[:, columns].var(axis=0).mean() > 1e-12  # one component: all are members
        ]

        def make(alpha, mixture=mixture):
            model = OutputFisherRegressor(
                FrozenEstimator(mixture), KernelRidgeCV([alpha]), block_wise=True
            )
            return SemanticClassifier(model, data.vectors, metric="cosine")

        def compare(points, errors, places=places, blocks=blocks):
            scale = np.zeros(places.shape[1])
            for columns in blocks:
                scale[columns] = 1.0 / np.sqrt(np.square(errors[:, columns]).mean())
            return _cosines(points, places, scale)

        members = places[:, : mixture.n_components]
        memberships = np.eye(mixture.n_components)[members.argmax(axis=1)]
        yield Target(places, compare, make, mixture, memberships)


def _wide_mixtures(data, task):
    yield from _mixtures(data, task, wide=True)


def _imputed(data, task):
    """Indicators; a weak label says that all classes of its component are equally likely."""
    system = KernelSystem.from_features(task.X)
    target = _choose(system, _wide_mixtures(data, task), PARAMETERS["alphas"], task).target
    same = target.told @ target.told.T
    shares = same / same.sum(axis=1, keepdims=True)
    yield next(_indicators(data, task))._replace(mixture=target.mixture, told=shares)


def _some(mixtures, *, wide=False):
    """Mixtures to choose from, the largest last."""
    return [m for size, m in mixtures.items() if wide or size in PARAMETERS["n_components"]]


def _cosines(points, places, scale=1.0):
    """Cosines of the angles seen from the mean, times the lengths of the points."""
    origin = places.mean(axis=0)  # of the training outputs too: classes are equally frequent
    return ((points - origin) * scale) @ normalize((places - origin) * scale).T


# What is learnt, and whether with an intercept.
_LINEAR = {
    "one-hot ridge": (_indicators, True),
    "Sem-IOKR": (_output_kernel, False),
    "Sem-IOKR centred": (_output_kernel_centred, True),
    "Sem-KRR": (_vectors, False),
    "Sem-KRR centred": (_directions, True),
    "OFER-GMM as printed": (_printed_mixtures, False),
    f"OFER-GMM as printed{MIXED}": (partial(_printed_mixtures, least=2), False),
    "OFER-GMM": (_mixtures, True),
    "OFER-GMM wide": (_wide_mixtures, True),
    "wOFER+700": (_mixtures, True),
    "wOFER+1500": (_mixtures, True),
    "wOFER+2500": (_mixtures, True),
    "wOFER+2500 wide": (_wide_mixtures, True),
    IMPUTED: (_imputed, True),
}
COMPARED = (*CLASSIFIERS, *[name for name in _LINEAR if name not in WEAK_SIZES])
WEAK = ("OFER-GMM", "OFER-GMM wide", *WEAK_SIZES)
