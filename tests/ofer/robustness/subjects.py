"""The public estimators in small configurations, each with a generator of tiny problems."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import f1_score

from ofer import (
    CrossConformalClassifier,
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    JackknifePlus,
    KernelRidgeCV,
    LinearGaussianSSM,
    NystroemRidgeCV,
    OutputFisherRegressor,
    OutputFisherRegressorCV,
    SemanticClassifier,
    StateSpaceEmbedding,
    TunedThresholdMultilabelClassifier,
)
from ofer.companions import (
    FisherKernelLearner,
    LocalStructuredPredictor,
    PairwiseMRF,
    TwinGaussianProcess,
    TwinGaussianProcessCV,
)

__all__ = ["SUBJECTS", "Problem", "Subject", "each", "rows"]

VECTORS = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


@dataclass(frozen=True)
class Problem:
    """What is learned from, and what is asked: arrays, or lists of arrays for sequences."""

    inputs: object
    outputs: object
    queries: object


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
    tolerance: float = 1e-5  # of answers, relative to the largest

    def fit(self, problem, estimator=None):
        """A fitted clone."""
        parts = zip(self.names, (problem.inputs, problem.outputs), strict=False)
        return clone(estimator or self.estimator).fit(**dict(parts))


def each(function, data):
    """A function of an array, applied to one or to each of a list."""
    return [function(one) for one in data] if isinstance(data, list) else function(data)


def rows(data, chosen):
    """Some samples."""
    return [data[i] for i in chosen] if isinstance(data, list) else data[chosen]


def sizes(rng, least=5):
    return rng.integers(least, 31), rng.integers(1, 6)


def regression(rng):
    """Inputs (n, d) and one to three outputs that follow them, with noise."""
    n, d = sizes(rng)
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


def tagged_chains(rng):
    """Sequences with a label at each step; one in three has none."""
    problem = chains(rng)
    tags = [[int(step[0] > 0) for step in one] for one in problem.inputs]
    tags[0][:2] = [0, 1]
    return replace(problem, outputs=[None if i % 3 == 2 else one for i, one in enumerate(tags)])


def predict(model, queries):
    return model.predict(queries)


def intervals(model, queries):
    """Middles, which move and grow as outputs do."""
    return model.predict_interval(queries).mean(axis=-1)


def sets(model, queries):
    return model.predict_set(queries).astype(float)


def decide(model, queries):
    return model.decision_function(queries)


def features(model, queries):
    return model.transform(queries)


def scores(model, objects):
    """Score vectors without the unit of the data, and the orders of its columns and of states.

    Scores in the means have the inverse unit, but weighted ones; their size in each state is what
    all orders of columns share.
    """
    field, found = getattr(model, "model_", model), model.transform(objects)
    order, n = np.argsort(field.means_.sum(axis=1)), len(found)
    blocks = {name: found[:, columns] for name, columns in field.blocks_.items()}
    blocks["means"] = np.linalg.norm(blocks["means"].reshape(n, *field.means_.shape), axis=2)
    if field is model:
        blocks["means"] *= np.exp(field.log_scales_)
    moves = blocks.pop("transition").reshape(n, len(order), -1)[:, order][:, :, order]
    return np.hstack([moves.reshape(n, -1), *(block[:, order] for block in blocks.values())])


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


def chosen_fisher_without_each(subject, model, problem):
    return fisher_without_each(subject, model.best_estimator_, problem)


def iokr_without_each(subject, model, problem):
    """With a linear output kernel, squared errors are those of the outputs themselves."""
    chosen = clone(model).set_params(alphas=[model.alpha_])
    errors = problem.outputs - without_each(subject, problem, chosen)
    return model.loo_scores_.max(), -np.mean(np.sum(errors**2, axis=1))


def labels_without_each(subject, model, problem):
    ridge = clone(model.regressor_).set_params(alphas=[model.regressor_.alpha_])
    scores = without_each(subject, problem, ridge)
    found = f1_score(
        problem.outputs, scores > model.threshold_, average="samples", zero_division=0.0
    )
    return model.best_score_, found


GAUSSIAN, MIXTURE = GaussianEmbedding(), GaussianMixtureEmbedding(2, random_state=0)
RIDGE = KernelRidgeCV([0.1])
FIELD = PairwiseMRF(2, max_iter=3, random_state=0)
TWIN = {"max_iter": 20}
ON_Y = ("Y",)

SUBJECTS = {
    "KernelRidgeCV": Subject(
        KernelRidgeCV(), regression, predict, "outputs", loo=ridge_without_each
    ),
    "KernelRidgeCV, one ridge": Subject(
        RIDGE, regression, predict, "outputs", loo=ridge_without_each
    ),
    "KernelRidgeCV, one per target": Subject(
        KernelRidgeCV(alpha_per_target=True), regression, predict, "outputs"
    ),
    "KernelRidgeCV, rbf": Subject(
        KernelRidgeCV(kernel="rbf", gamma=0.5),
        regression,
        predict,
        "outputs",
        loo=ridge_without_each,
    ),
    "KernelRidgeCV, rbf, median": Subject(
        KernelRidgeCV(kernel="rbf", gamma="median"), regression, predict, "outputs"
    ),
    "NystroemRidgeCV": Subject(
        NystroemRidgeCV(gamma=0.5, selection="loo"),
        regression,
        predict,
        "outputs",
        loo=ridge_without_each,
    ),
    "InputOutputKernelRegressor": Subject(
        InputOutputKernelRegressor(kernel="rbf", gamma="median"), regression, predict, "outputs"
    ),
    "InputOutputKernelRegressor, gradient": Subject(
        InputOutputKernelRegressor(preimage="gradient"), regression, predict, "outputs", cases=8
    ),
    "InputOutputKernelRegressor, linear": Subject(
        InputOutputKernelRegressor(output_kernel="linear", preimage="gradient"),
        regression,
        predict,
        "outputs",
        loo=iokr_without_each,
    ),
    "OutputFisherRegressor": Subject(
        OutputFisherRegressor(GAUSSIAN, RIDGE),
        regression,
        predict,
        "outputs",
        loo=fisher_without_each,
    ),
    "OutputFisherRegressor, mixture": Subject(
        OutputFisherRegressor(MIXTURE, RIDGE),
        groups,
        predict,
        "outputs",
        loo=fisher_without_each,
        cases=8,
    ),
    "OutputFisherRegressor, full": Subject(
        OutputFisherRegressor(FullFisherEmbedding(MIXTURE, max_steps=20), RIDGE),
        groups,
        predict,
        "outputs",
        cases=8,
    ),
    "OutputFisherRegressor, series": Subject(
        OutputFisherRegressor(StateSpaceEmbedding(1, max_iter=5)),
        series_outputs,
        predict,
        "outputs",
        cases=8,
    ),
    "OutputFisherRegressorCV": Subject(
        OutputFisherRegressorCV(MIXTURE, RIDGE, n_components=(1, 2), cv=None),
        regression,
        predict,
        "outputs",
        loo=chosen_fisher_without_each,
        cases=8,
    ),
    "JackknifePlus": Subject(JackknifePlus(confidence_level=0.5), regression, intervals, "outputs"),
    "CrossConformalClassifier": Subject(
        CrossConformalClassifier(confidence_level=0.5), classes, sets, "labels"
    ),
    "TunedThresholdMultilabelClassifier": Subject(
        TunedThresholdMultilabelClassifier(), labels, decide, "labels", loo=labels_without_each
    ),
    "SemanticClassifier": Subject(
        SemanticClassifier(class_vectors=VECTORS), classes, decide, "labels"
    ),
    "GaussianEmbedding": Subject(GAUSSIAN, points, round_trip, "inputs", ON_Y),
    "GaussianEmbedding, full covariance": Subject(
        GaussianEmbedding(covariance_type="full"), points, round_trip, "inputs", ON_Y
    ),
    "GaussianMixtureEmbedding": Subject(MIXTURE, points, round_trip, "inputs", ON_Y),
    "FullFisherEmbedding": Subject(
        FullFisherEmbedding(MIXTURE, max_steps=20), points, round_trip, "inputs", ON_Y, cases=8
    ),
    "StateSpaceEmbedding": Subject(
        StateSpaceEmbedding(1, max_iter=5), series, round_trip, "inputs", ("Z",)
    ),
    "LinearGaussianSSM": Subject(
        LinearGaussianSSM(1, max_iter=5), series, forecast, "inputs", ("Z",)
    ),
    "TwinGaussianProcess": Subject(
        TwinGaussianProcess(**TWIN),
        regression,
        predict,
        "outputs",
        ("X", "Y"),
        cases=8,
        tolerance=1e-3,
    ),
    "TwinGaussianProcess, neighbours": Subject(
        TwinGaussianProcess(n_neighbors=4, **TWIN),
        regression,
        predict,
        "outputs",
        ("X", "Y"),
        cases=8,
        tolerance=1e-3,
    ),
    "TwinGaussianProcessCV": Subject(
        TwinGaussianProcessCV(
            alphas=[0], ridges=[0.01], bandwidths_x=[1.0], bandwidths_y=[1.0], cv=2, **TWIN
        ),
        regression,
        predict,
        "outputs",
        cases=8,
        tolerance=1e-3,
    ),
    "LocalStructuredPredictor": Subject(
        LocalStructuredPredictor(n_neighbors=4, n_iter=3, eta0=0.1), classes, predict, "labels"
    ),
    "LocalStructuredPredictor, chains": Subject(
        LocalStructuredPredictor("chain", n_neighbors=4, n_iter=3, eta0=0.1),
        tagged_chains,
        predict,
        "labels",
    ),
    "PairwiseMRF": Subject(
        FIELD, chains, scores, "features", ("objects",), cases=8, tolerance=1e-3
    ),
    "FisherKernelLearner": Subject(
        FisherKernelLearner(FIELD, max_iter=2),
        chains,
        scores,
        "features",
        ("objects", "y"),
        cases=8,
        tolerance=3e-3,  # scores are divided by their spread, which may be near rounding
    ),
}
