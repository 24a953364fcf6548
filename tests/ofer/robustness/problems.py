"""Generators of tiny problems, and what is asked of the models fitted to them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.frozen import FrozenEstimator

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor

VECTORS = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
MIXTURE = GaussianMixtureEmbedding(2, random_state=0)
RIDGE = KernelRidgeCV([0.1])


@dataclass(frozen=True)
class Problem:
    """What is learned from, and what is asked: arrays, or lists of arrays for sequences."""

    inputs: object
    outputs: object
    queries: object
    weights: np.ndarray | None = None


@dataclass(frozen=True)
class Subject:
    """An estimator, the problems it is for, and what is asked of the fitted model."""

    estimator: BaseEstimator
    generate: Callable[[np.random.Generator], Problem]
    ask: Callable  # (model, queries) -> array
    answers: str  # what the answers are like: "inputs", "outputs", "labels" or "features"
    names: tuple = ("X", "y")  # of the arguments of `fit`
    loo: Callable | None = None  # (model, problem) -> promised and refitted
    cases: int = 18
    thorough: bool = True  # or only the five properties
    tolerance: float = 1e-5  # of answers, relative to the largest

    def arguments(self, problem):
        """Of `fit`, by name."""
        parts = zip(self.names, (problem.inputs, problem.outputs), strict=False)
        weights = {} if problem.weights is None else {"sample_weight": problem.weights}
        return dict(parts) | weights

    def fit(self, problem, estimator=None):
        """A fitted clone."""
        return clone(estimator or self.estimator).fit(**self.arguments(problem))


def each(function, data):
    """A function of an array, applied to one or to each of a list."""
    return [function(one) for one in data] if isinstance(data, list) else function(data)


def rows(data, chosen):
    """Some samples."""
    return [data[i] for i in chosen] if isinstance(data, list) else data[chosen]


def sizes(rng, least=5):
    return rng.integers(least, 31), rng.integers(1, 6)


def regression(rng, least=5):
    """Inputs (n, d) and one to three outputs that follow them, with noise."""
    n, d = sizes(rng, least)
    X, queries = rng.normal(size=(n, d)), rng.normal(size=(3, d))
    slopes = rng.normal(size=(d, rng.integers(2, 4)))
    return Problem(X, np.sin(X @ slopes) + 0.3 * rng.normal(size=(n, slopes.shape[1])), queries)


def classes(rng):
    """Inputs (n, d) and labels from 0 to 2, at least two of them different."""
    n, d = sizes(rng)
    y = rng.permutation(np.arange(n) % 3)
    return Problem(rng.normal(size=(n, d)) + y[:, None], y, rng.normal(size=(3, d)))


def groups(rng):
    """The same in two groups, so that EM finds one mixture from all starts."""
    problem = regression(rng)
    group = (np.arange(len(problem.inputs)) % 2)[:, None]
    return replace(problem, inputs=problem.inputs + 4 * group, outputs=problem.outputs + 8 * group)


def labels(rng):
    """Inputs (n, d) and indicators of one to three labels."""
    problem = regression(rng)
    Y = (problem.outputs > 0).astype(int)
    Y[0] = 1
    return replace(problem, outputs=Y)


def points(rng):
    """Outputs (n, d) in two groups."""
    n, d = sizes(rng, least=2)
    Y = rng.normal(size=(n, d)) + 4 * (np.arange(n) % 2)[:, None]
    return Problem(Y, None, rng.normal(size=(3, d)))


def series(rng):
    """Series (n, T, d)."""
    n, d = sizes(rng)
    T = rng.integers(3, 6)
    return Problem(
        rng.normal(size=(n, T, d)).cumsum(axis=1), None, rng.normal(size=(3, T, d)).cumsum(axis=1)
    )


def series_outputs(rng):
    """Inputs (n, d), and series as outputs."""
    problem = regression(rng)
    return replace(problem, outputs=rng.normal(size=(len(problem.inputs), 4, 2)).cumsum(axis=1))


def chains(rng):
    """Sequences of two to five steps in two groups, with a class each."""
    n, d = sizes(rng)
    y = np.arange(n) % 2
    steps = rng.integers(2, 6, size=n + 3)
    objects = [rng.normal(size=(T, d)) + 8 * rng.integers(2, size=(T, 1)) for T in steps]
    return Problem(objects[:n], y, objects[n:])


def predict(model, queries):
    return model.predict(queries)


def decide(model, queries):
    return model.decision_function(queries)


def features(model, queries):
    return model.transform(queries)


def round_trip(model, queries):
    """Of an embedding: a decoded embedding is in the space of the outputs."""
    return model.inverse_transform(model.transform(queries))


def forecast(model, queries):
    return model.forecast(queries, 2).means


def without_each(subject, problem, estimator):
    """Predictions of each sample by a model that was fitted without it."""
    n, found = len(problem.inputs), []
    for i in range(n):
        kept = np.delete(np.arange(n), i)
        others = Problem(problem.inputs[kept], problem.outputs[kept], problem.queries)
        found.append(subject.fit(others, estimator).predict(problem.inputs[[i]])[0])
    return np.array(found)


def ridge_without_each(subject, model, problem):
    promised = problem.outputs - model.loo_residuals_
    chosen = clone(model).set_params(alphas=[model.alpha_])
    return promised, without_each(subject, problem, chosen)


def fisher_without_each(subject, model, problem):
    """The output model has seen all samples, the regression has not."""
    frozen = OutputFisherRegressor(FrozenEstimator(model.embedding_), model.regressor)
    return model.loo_predict(), without_each(subject, problem, frozen)
