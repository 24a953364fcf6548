"""Section 6.5: images to names of classes, as Tables 11 to 15 share it."""

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import normalize
from sklearn.svm import SVC
from sklearn.utils import Bunch

from ofer import GaussianMixtureEmbedding
from ofer._output_space import median_gamma
from ofer.datasets import class_vectors_from_texts, fetch_class_texts, fetch_glove
from ofer.embeddings import CollapsedComponentWarning
from ofer.experiments._linear_ridge import LinearRidge

__all__ = [
    "COMPARED",
    "PARAMETERS",
    "WEAK",
    "Target",
    "Task",
    "class_vectors",
    "describe",
    "draw",
    "evaluate",
    "mean_rank",
    "predict",
    "take",
]

PARAMETERS = {
    "random_state": 2018,
    "alphas": np.logspace(-3, 3, 13).tolist(),
    "alpha_for_one": 1.0,
    "n_components": list(range(1, 11)),
    "reg_covar": 0.1,
    "n_init": 10,
    "svm_C": [1.0, 10.0, 100.0],
    "svm_C_for_one": 100.0,
    "n_folds": 2,
    "n_trees": 25,
    "n_hidden": 256,
    "learning_rate": 3e-3,
    "n_epochs": 60,
    "weak_weights": [0.1, 1.0],
}
WEAK_SIZES = {
    "wOFER+700": 700,
    "wOFER+1500": 1500,
    "wOFER+2500": 2500,
    "wOFER+2500 wide": 2500,
    "one-hot ridge+2500 imputed": 2500,
}


class Task(NamedTuple):
    """One split with one training size."""

    X: np.ndarray
    """Labelled inputs, (n, d)."""
    y: np.ndarray
    """Their classes."""
    X_weak: np.ndarray
    """Inputs of which a method may be told the component, in random order."""
    y_weak: np.ndarray
    """Their classes."""
    X_test: np.ndarray
    """Test inputs."""
    y_test: np.ndarray
    """Their classes."""
    per_class: int
    """Labelled images a class."""
    seed: int
    """Seeds folds, trees and networks."""


def class_vectors(dataset):
    """Vectors of the classes: GloVe vectors of the words of their texts, weighted by TF-IDF.

    Parameters
    ----------
    dataset : {"caltech101", "awa"}
        Whose classes.

    Returns
    -------
    ndarray of shape (n_classes, 50)
    """
    texts, glove = fetch_class_texts(dataset), fetch_glove()
    parts = zip(texts.names, texts.definitions, texts.hypernyms, strict=True)
    sentences = [" ".join([name, line, *more]) for name, line, more in parts]
    return class_vectors_from_texts(sentences, glove.words, glove.vectors)


def describe(features, labels, vectors, n_components, *, largest, n_test):
    """Everything about a data set that no split changes.

    The output models are among it: they see the vectors of the classes, and no image.

    Parameters
    ----------
    features : ndarray of shape (n_images, d)
        Inputs, of which the rows are then normalised.
    labels : ndarray of shape (n_images,)
        Classes, 0 to n_classes - 1.
    vectors : ndarray of shape (n_classes, p)
        Vectors of the classes.
    n_components : sequence of int
        Sizes of mixtures.
    largest : int
        Images of each class that are never tested: enough for the largest training set.
    n_test : int
        Size of the test set.

    Returns
    -------
    sklearn.utils.Bunch
        `X`, `y`, `vectors`, `largest`, `n_test`; `natural` and `printed`, a fitted mixture for
        each size, scaled in natural units or as printed.
    """
    options = {"reg_covar": PARAMETERS["reg_covar"], "n_init": PARAMETERS["n_init"]}
    natural, printed = {}, {}
    with warnings.catch_warnings():
        # A component for a single class is what a mixture of class vectors comes to.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        for size in n_components:
            mixture = GaussianMixtureEmbedding(size, random_state=0, **options)
            natural[size] = mixture.fit(vectors)
            if size in PARAMETERS["n_components"]:
                mixture = clone(mixture).set_params(scaling="score", decoder="raw")
                printed[size] = mixture.fit(vectors)
    return Bunch(
        X=normalize(features.astype(np.float64)),
        y=labels,
        vectors=vectors,
        natural=natural,
        printed=printed,
        largest=largest,
        n_test=n_test,
    )


def draw(y, *, largest, n_test, split, random_state):
    """Draw a test set, and an order of the other images.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Classes.
    largest, n_test : int
        As in `describe`.
    split : int
        Number of the split.
    random_state : int
        Seeds all splits.

    Returns
    -------
    test : ndarray of shape (n_test,)
        Indices.
    others : ndarray of shape (n - n_test,)
        Indices in random order, at least `largest` of each class.
    """
    order = np.random.default_rng([random_state, split]).permutation(len(y))
    kept = _first_of_each_class(y[order], largest)
    test = order[~kept][:n_test]
    return test, order[~np.isin(order, test)]


def _first_of_each_class(y, count):
    """Mask of the first `count` members of each class."""
    by_class = np.argsort(y, kind="stable")
    sizes = np.bincount(y)
    rank = np.empty(len(y), dtype=int)
    rank[by_class] = np.arange(len(y)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank < count


def take(data, per_class, split):
    """Draw a task: nested training sets with as many images of each class.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `describe`.
    per_class : int
        Labelled images a class.
    split : int
        Number of the split.

    Returns
    -------
    Task
    """
    test, others = draw(
        data.y,
        largest=data.largest,
        n_test=data.n_test,
        split=split,
        random_state=PARAMETERS["random_state"],
    )
    labelled = _first_of_each_class(data.y[others], per_class)
    train, weak = others[labelled], others[~labelled][: max(WEAK_SIZES.values())]
    parts = [part for rows in (train, weak, test) for part in (data.X[rows], data.y[rows])]
    return Task(*parts, per_class=per_class, seed=split)


def evaluate(method, data, task):
    """Accuracy of one method on one split with one training size.

    Parameters
    ----------
    method, data, task
        As in `predict`.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent, and what `predict` says of the choices.
    """
    predicted, chosen = predict(method, data, task)
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test), **chosen}


class Target(NamedTuple):
    """What a linear method learns for each class, and how it compares classes."""

    places: np.ndarray
    """Targets of the classes, (n_classes, t)."""
    compare: Callable
    """Scores of the classes, (n, n_classes), given predictions of targets (n, t) and the errors
    of leave-one-out predictions, (n_labelled, t)."""
    n_components: int = 0
    """Size of the mixture, if there is one."""
    told: np.ndarray | None = None
    """What a weak label says of the first targets of its class, (n_classes, m)."""


def predict(method, data, task, *, weak_weights=None):
    """Fit a method to the labelled part, with its choices made there, and classify the test part.

    Linear methods make all choices by the mean rank of the true class in exact leave-one-out
    predictions. It is the accuracy's finer sister: with a single image a class, the class of what
    is left out has no image, and hardly ever comes first. Indicators can say nothing of such a
    class, and mixtures have less to say the larger they are: then the ridge of indicators and the
    size of mixtures are not chosen, and neither is the cost of the SVM.

    Parameters
    ----------
    method : str
        One of `COMPARED` or `WEAK`.
    data : sklearn.utils.Bunch
        As from `describe`.
    task : Task
        As from `take`.
    weak_weights : sequence of float, default=None
        Weights of a weak sample, to choose from; None is those of `PARAMETERS`.

    Returns
    -------
    predicted : ndarray of int
        Classes of the test inputs.
    chosen : dict of str to float
        For linear methods the least mean "rank", and "n_components" and "weak_weight" where there
        is something of the kind.
    """
    if method in _CLASSIFIERS:
        with warnings.catch_warnings():
            # Few images a class look to scikit-learn like numbers, and epochs are a choice.
            warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
            warnings.simplefilter("ignore", ConvergenceWarning)
            return _CLASSIFIERS[method](task), {}
    make_targets, fit_intercept = _LINEAR[method]
    ridge = LinearRidge(task.X, fit_intercept=fit_intercept)
    alphas = PARAMETERS["alphas"]
    if method == "one-hot ridge" and task.per_class == 1:
        alphas = [PARAMETERS["alpha_for_one"]]
    rank, target, alpha, loo = _choose(ridge, make_targets(data, task), alphas, task)
    predicted = ridge.fit(target.places[task.y], alpha).predict(task.X_test)
    chosen = {"n_components": float(target.n_components)} if target.n_components else {}
    if method in WEAK_SIZES:
        weights = PARAMETERS["weak_weights"] if weak_weights is None else weak_weights
        rank, chosen["weak_weight"], loo, first = _learn_with_weak(
            target, loo, task, WEAK_SIZES[method], weights
        )
        predicted[:, : first.shape[1]] = first
    errors = loo - target.places[task.y]
    return target.compare(predicted, errors).argmax(axis=1), {"rank": rank, **chosen}


def mean_rank(scores, y):
    """Mean rank of the true class, from 0; classes of the same score share theirs.

    Parameters
    ----------
    scores : ndarray of shape (n, n_classes)
        The greater, the better.
    y : ndarray of shape (n,)
        Classes.

    Returns
    -------
    float
    """
    true = np.take_along_axis(scores, y[:, None], axis=1)
    return float(((scores > true).sum(axis=1) + ((scores == true).sum(axis=1) - 1) / 2).mean())


def _choose(ridge, targets, alphas, task):
    """The target and the ridge of the least mean rank; the larger ridge of two equal ones."""
    best = None
    for target in targets:
        truth = target.places[task.y]
        for alpha, loo in zip(alphas, ridge.path(truth, alphas), strict=True):
            rank = mean_rank(target.compare(loo, loo - truth), task.y)
            tied = best is not None and rank == best[0] and target is best[1]
            if best is None or rank < best[0] or tied:
                best = rank, target, alpha, loo
    return best


def _learn_with_weak(target, loo, task, n_weak, weights):
    """Regress the first targets on labelled and weak samples, equation (14).

    Returns the least mean rank of labelled samples, the weight that has it, leave-one-out
    predictions of their targets, and the first targets of the test part.
    """
    best = None
    for weight in weights:
        ridge, first = weak_problem(target, task, n_weak, weight)
        alphas = PARAMETERS["alphas"]
        for alpha, path in zip(alphas, ridge.path(first, alphas), strict=True):
            both = np.hstack([path[: len(task.y)], loo[:, first.shape[1] :]])
            rank = mean_rank(target.compare(both, both - target.places[task.y]), task.y)
            if best is None or rank < best[0]:
                best = rank, weight, both, (ridge, first, alpha)
    rank, weight, both, (ridge, first, alpha) = best
    return rank, weight, both, ridge.fit(first, alpha).predict(task.X_test)


def weak_problem(target, task, n_weak, weight):
    """Inputs and targets of the regression with weak labels, labelled samples first.

    Parameters
    ----------
    target : Target
        Of which `told` has m columns.
    task : Task
        The samples.
    n_weak : int
        How many weak ones.
    weight : float
        The weight of each.

    Returns
    -------
    ridge : LinearRidge
    first : ndarray of shape (n + n_weak, m)
        Targets.
    """
    told = target.told[task.y_weak[:n_weak]]
    first = np.vstack([target.places[task.y, : told.shape[1]], told])
    X = np.vstack([task.X, task.X_weak[:n_weak]])
    sample_weight = np.repeat([1.0, weight], [len(task.X), len(told)])
    return LinearRidge(X, sample_weight), first


def _indicators(data, task):
    yield Target(np.eye(len(data.vectors)), lambda points, errors: points)


def _vectors(data, task):
    yield Target(data.vectors, lambda points, errors: -euclidean_distances(points, data.vectors))


def _directions(data, task):
    yield Target(data.vectors, lambda points, errors: _cosines(points, data.vectors))


def _gram(data):
    return rbf_kernel(data.vectors, gamma=median_gamma(data.vectors))


def _output_kernel(data, task):
    """IOKR: learning a feature vector is learning its inner products with the candidates."""
    yield Target(_gram(data), lambda points, errors: points)


def _output_kernel_centred(data, task):
    gram = _gram(data)
    towards_mean = gram.mean(axis=1)
    offset = towards_mean - towards_mean.mean()
    norms = np.sqrt(1.0 - towards_mean - offset)

    def compare(points, errors):
        return (points - points.mean(axis=1, keepdims=True) - offset) / norms

    yield Target(gram, compare)


def _printed_mixtures(data, task):
    for mixture in _some(data.printed, task):

        def compare(points, errors, mixture=mixture):
            decoded = np.nan_to_num(mixture.inverse_transform(points))
            return -euclidean_distances(decoded, data.vectors)

        yield Target(mixture.transform(data.vectors), compare, mixture.n_components)


def _mixtures(data, task, *, wide=False):
    for mixture in _some(data.natural, task, wide=wide):
        places = mixture.transform(data.vectors)
        blocks = [
            columns
            for columns in mixture.blocks_.values()
            if places[:, columns].var(axis=0).mean() > 1e-12  # one component: all are members
        ]

        def compare(points, errors, places=places, blocks=blocks):
            scale = np.zeros(places.shape[1])
            for columns in blocks:
                scale[columns] = 1.0 / np.sqrt(np.square(errors[:, columns]).mean())
            return _cosines(points, places, scale)

        members = places[:, : mixture.n_components]
        told = np.eye(mixture.n_components)[members.argmax(axis=1)]
        yield Target(places, compare, mixture.n_components, told)


def _wide_mixtures(data, task):
    yield from _mixtures(data, task, wide=True)


def _imputed(data, task):
    """Indicators; a weak label says that all classes of its component are equally likely."""
    ridge = LinearRidge(task.X)
    mixture = _choose(ridge, _wide_mixtures(data, task), PARAMETERS["alphas"], task)[1]
    same = mixture.told @ mixture.told.T
    told = same / same.sum(axis=1, keepdims=True)
    yield next(_indicators(data, task))._replace(n_components=mixture.n_components, told=told)


def _some(mixtures, task, *, wide=False):
    """Mixtures to choose from."""
    sizes = [size for size in mixtures if wide or size in PARAMETERS["n_components"]]
    return [mixtures[size] for size in (sizes if task.per_class > 1 else sizes[-1:])]


def _cosines(points, places, scale=1.0):
    """Cosines of the angles seen from the mean, times the lengths of the points."""
    origin = places.mean(axis=0)  # of the training outputs too: classes are equally frequent
    return ((points - origin) * scale) @ normalize((places - origin) * scale).T


def _svm(task):
    cost = PARAMETERS["svm_C_for_one"]
    K = task.X @ task.X.T
    if task.per_class > 1:
        folds = StratifiedKFold(PARAMETERS["n_folds"], shuffle=True, random_state=task.seed)
        parts = list(folds.split(K, task.y))

        def errors(cost):
            return sum(
                (_one_vs_rest(K[np.ix_(a, a)], task.y[a], K[np.ix_(b, a)], cost) != task.y[b]).sum()
                for a, b in parts
            )

        cost = min(PARAMETERS["svm_C"], key=errors)
    return _one_vs_rest(K, task.y, task.X_test @ task.X.T, cost)


def _one_vs_rest(K, y, K_test, cost):
    """Answers of support vector machines, one for each class."""
    scores = np.empty((len(K_test), y.max() + 1))
    for label in range(scores.shape[1]):
        machine = SVC(kernel="precomputed", C=cost).fit(K, y == label)
        # scikit-learn's own decision function takes as long as everything else together.
        weights = machine.dual_coef_[0]
        scores[:, label] = K_test[:, machine.support_] @ weights + machine.intercept_
    return scores.argmax(axis=1)


def _forest(task):
    model = RandomForestClassifier(PARAMETERS["n_trees"], random_state=task.seed)
    return model.fit(task.X, task.y).predict(task.X_test)


def _mlp(task):
    mean, unit = task.X.mean(axis=0), np.sqrt(task.X.shape[1])  # inputs of order one for Adam
    network = MLPClassifier(
        (PARAMETERS["n_hidden"],),
        learning_rate_init=PARAMETERS["learning_rate"],
        max_iter=PARAMETERS["n_epochs"],
        random_state=task.seed,
    )
    network.fit(unit * (task.X - mean), task.y)
    return network.predict(unit * (task.X_test - mean))


_CLASSIFIERS = {"m-SVM": _svm, "MLP": _mlp, "m-RF": _forest}
# What is learnt, and whether with an intercept.
_LINEAR = {
    "one-hot ridge": (_indicators, True),
    "Sem-IOKR": (_output_kernel, False),
    "Sem-IOKR centred": (_output_kernel_centred, True),
    "Sem-KRR": (_vectors, False),
    "Sem-KRR centred": (_directions, True),
    "OFER-GMM as printed": (_printed_mixtures, False),
    "OFER-GMM": (_mixtures, True),
    "OFER-GMM wide": (_wide_mixtures, True),
    "wOFER+700": (_mixtures, True),
    "wOFER+1500": (_mixtures, True),
    "wOFER+2500": (_mixtures, True),
    "wOFER+2500 wide": (_wide_mixtures, True),
    "one-hot ridge+2500 imputed": (_imputed, True),
}
COMPARED = (*_CLASSIFIERS, *[name for name in _LINEAR if name not in WEAK_SIZES])
WEAK = ("OFER-GMM", "OFER-GMM wide", *WEAK_SIZES)
