"""Every public estimator, in the configurations that `test_estimators.py` tries.

A new estimator is one entry of `ENTRIES`: its configuration, a generator of small problems, what is
asked of the fitted model, and which properties it does not have, each with the reason. When a test
fails, mend the estimator. If it cannot have the property, `lacks` or `refuses` names the last part
of the test's id: `because("dense data only", "sparse")`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import f1_score

from ofer import (
    CrossConformalClassifier,
    FullConformalRegressor,
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
    RankingEmbedding,
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

# Kernel machines with a kernel of inputs: their constructors take alphas and the kernel.
KERNEL_MACHINES = [KernelRidgeCV, InputOutputKernelRegressor]


@dataclass(frozen=True)
class Problem:
    """What is learned from, and what is asked: arrays, or lists of arrays for sequences."""

    inputs: object
    outputs: object
    queries: object
    weights: np.ndarray | None = None


def predict(model, queries):
    return model.predict(queries)


@dataclass(eq=False)
class Entry:
    """One configuration of an estimator, and what is known of it."""

    name: str
    estimator: BaseEstimator
    generate: Callable | None = None  # problems; None: scikit-learn's checks alone
    ask: Callable = predict
    answers: str = "outputs"  # what answers are like: or "inputs", "labels", "features"
    names: tuple = ("X", "y")  # of the arguments of `fit`
    refits: Callable | None = None  # what leave-one-out promises, and what refits give
    tolerance: float = 1e-5  # of answers, relative to the largest
    lacks: dict = field(default_factory=dict)  # properties that it has not, and why
    refuses: dict = field(default_factory=dict)  # changes that it refuses, and why
    checks: bool = True  # whether it goes through scikit-learn's checks
    failing: dict = field(default_factory=dict)  # which of them fail, and why

    def __str__(self):
        return self.name

    def arguments(self, problem):
        """Arguments of `fit`, by name."""
        parts = dict(zip(self.names, (problem.inputs, problem.outputs), strict=False))
        return parts if problem.weights is None else parts | {"sample_weight": problem.weights}

    def fit(self, problem, estimator=None):
        """A fitted clone."""
        return clone(estimator or self.estimator).fit(**self.arguments(problem))


# Problems


def rows(data, chosen):
    """Some samples."""
    return [data[i] for i in chosen] if isinstance(data, list) else data[chosen]


def sizes(rng):
    return rng.integers(10, 31), rng.integers(2, 6)


def regression(rng):
    """Inputs (n, d) and two or three outputs that follow them, with noise."""
    n, d = sizes(rng)
    X, queries = rng.normal(size=(n, d)), rng.normal(size=(3, d))
    slopes = rng.normal(size=(d, rng.integers(2, 4)))
    return Problem(X, np.sin(X @ slopes) + 0.3 * rng.normal(size=(n, slopes.shape[1])), queries)


def classes(rng):
    """Inputs (n, d) and labels from 0 to 2."""
    n, d = sizes(rng)
    y = rng.permutation(np.arange(n) % 3)
    return Problem(rng.normal(size=(n, d)) + y[:, None], y, rng.normal(size=(3, d)))


def groups(rng):
    """Regression in two groups, so that EM finds one mixture from all starts."""
    problem = regression(rng)
    group = (np.arange(len(problem.inputs)) % 2)[:, None]
    return replace(problem, inputs=problem.inputs + 4 * group, outputs=problem.outputs + 8 * group)


def labels(rng):
    """Inputs (n, d) and indicators of two or three labels."""
    problem = regression(rng)
    Y = (problem.outputs > 0).astype(int)
    Y[0] = 1
    return replace(problem, outputs=Y)


def points(rng):
    """Outputs (n, d) in two groups."""
    n, d = sizes(rng)
    Y = rng.normal(size=(n, d)) + 4 * (np.arange(n) % 2)[:, None]
    return Problem(Y, None, rng.normal(size=(3, d)))


def series(rng):
    """Series (n, T, d)."""
    n, d = sizes(rng)
    walks = rng.normal(size=(n + 3, 4, d)).cumsum(axis=1)
    return Problem(walks[:n], None, walks[n:])


def noisy_series(rng):
    """Series (n, T, d) of one state and noise, which determine the model well."""
    n, d = sizes(rng)
    states = rng.normal(size=(n + 3, 12))
    for t in range(1, 12):
        states[:, t] = 0.8 * states[:, t - 1] + 0.6 * states[:, t]
    Z = states[:, :, None] * rng.uniform(1, 2, size=d) + rng.normal(size=(n + 3, 12, d))
    return Problem(Z[:n], None, Z[n:])


def series_outputs(rng):
    """Inputs (n, d), and series as outputs."""
    problem = regression(rng)
    return replace(problem, outputs=rng.normal(size=(len(problem.inputs), 4, 2)).cumsum(axis=1))


def chains(rng):
    """Sequences of two to five steps in two groups, with a class each."""
    n, d = sizes(rng)
    steps = rng.integers(2, 6, size=n + 3)
    objects = [rng.normal(size=(T, d)) + 8 * rng.integers(2, size=(T, 1)) for T in steps]
    return Problem(objects[:n], np.arange(n) % 2, objects[n:])


def tagged_chains(rng):
    """Sequences with a label at each step; one in three has none."""
    problem = chains(rng)
    tags = [[int(step[0] > 0) for step in one] for one in problem.inputs]
    tags[0][:2] = [0, 1]
    return replace(problem, outputs=[None if i % 3 == 2 else one for i, one in enumerate(tags)])


# What is asked of a fitted model


def decide(model, queries):
    return model.decision_function(queries)


def round_trip(model, queries):
    """Of an embedding: a decoded embedding is in the space of the outputs."""
    return model.inverse_transform(model.transform(queries))


def forecast(model, queries):
    return model.forecast(queries, 2).means


def middles(model, queries):
    """Middles of intervals, which move and grow as outputs do."""
    return model.predict_interval(queries).mean(axis=-1)


def sets(model, queries):
    return model.predict_set(queries).astype(float)


def scores(model, objects):
    """Score vectors without the unit of the data, and the orders of its columns and of states.

    Scores in the means have the inverse unit, but weighted ones; their size in each state is what
    all orders of columns share.
    """
    one = isinstance(model, PairwiseMRF)
    found = np.asarray(model.transform(objects))
    machine = model if one else model.model_
    order, n = np.argsort(machine.means_.sum(axis=1)), len(found)
    blocks = {name: found[:, columns] for name, columns in machine.blocks_.items()}
    blocks["means"] = np.linalg.norm(blocks["means"].reshape(n, *machine.means_.shape), axis=2)
    if one:
        blocks["means"] *= np.exp(machine.log_scales_)
    moves = blocks.pop("transition").reshape(n, len(order), -1)[:, order][:, :, order]
    return np.hstack([moves.reshape(n, -1), *(block[:, order] for block in blocks.values())])


# Leave-one-out: what is promised, and what refits give


def without_each(entry, problem, estimator):
    """Predictions of each sample by a model that was fitted without it."""
    n, found = len(problem.inputs), []
    for i in range(n):
        kept = np.delete(np.arange(n), i)
        others = Problem(problem.inputs[kept], problem.outputs[kept], problem.queries)
        found.append(entry.fit(others, estimator).predict(problem.inputs[[i]])[0])
    return np.array(found)


def ridge_refits(entry, model, problem):
    chosen = clone(model).set_params(alphas=[model.alpha_])
    return problem.outputs - model.loo_residuals_, without_each(entry, problem, chosen)


def fisher_refits(entry, model, problem):
    """The output model has seen all samples, the regression has not."""
    chosen = model.best_estimator_ if isinstance(model, OutputFisherRegressorCV) else model
    frozen = OutputFisherRegressor(FrozenEstimator(chosen.embedding_), chosen.regressor)
    return chosen.loo_predict(), without_each(entry, problem, frozen)


def iokr_refits(entry, model, problem):
    """With a linear output kernel, errors are those of the outputs themselves, in their units."""
    chosen = clone(model).set_params(alphas=[model.alpha_])
    errors = problem.outputs - without_each(entry, problem, chosen)
    return model.loo_scores_.max(), -np.mean(np.square(errors / problem.outputs.std(axis=0)))


def label_refits(entry, model, problem):
    """The scaler has seen all samples, as the choice of kernel and ridge has."""
    scaler, fitted = model.regressor_[0], model.regressor_[1]
    chosen = KernelRidgeCV([fitted.alpha_], kernel=fitted.kernel_, gamma=fitted.gamma_)
    inner = replace(problem, inputs=scaler.transform(problem.inputs))
    found = without_each(entry, inner, chosen) > model.threshold_
    expected = f1_score(problem.outputs, found, average="samples", zero_division=0.0)
    return model.best_score_, expected


# Reasons


def because(reason, *properties):
    return dict.fromkeys(properties, reason)


EXACT = ("inputs in a unit", "outputs in a unit", "outputs, units of their own")
ONE_RIDGE = because(
    "a fixed ridge or bandwidth has the units of the data", EXACT[0], "unit of weights"
)
MISSING = because("entries of outputs may be missing", "NaN in outputs")
MISSING_INPUTS = because("entries may be missing", "NaN in inputs", "NaN in queries")
WEIGHTLESS = because(
    "its output model takes no weights",
    *("weight zero", "whole weights", "unit of weights", "routed"),
)
LEFT_OUT = because(
    "leave-one-out leaves out a sample with its copies, whatever its weight",
    *("whole weights", "samples twice"),
)
HALVES = because("half of the samples are too few, or lack a label", "grid search")
TINY_INPUTS = because("values whose squares underflow are equal", "tiny inputs")
TINY_OUTPUTS = because("values whose squares underflow are equal", "tiny outputs")
EQUAL = TINY_INPUTS | because("all outputs are equal", "equal inputs")
NUMBERS = because("graphs are arrays of numbers", "objects")
PARTS = "CSR in parts", "CSC in parts", "COO in parts"
DENSE = because("dense data only", "sparse", "coo", "bsr", "dia", *PARTS)
SIXTH = "the search has sixth powers of deviations, at most 1e50"
SIZES = "columns are of size 1e-75 to 1e75"
COPIES = because(
    "leave-one-out takes a sample of weight two as one sample",
    *(f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")),
)
STARTS = because(
    "the random starts of EM depend on the order of the samples",
    "check_sample_weight_equivalence_on_dense_data",
)
# With fewer outputs than dimensions only the floor is left in some directions, a millionth: scores
# there are 1e4, and agree to 2e-7.
SINGULAR = because(
    "roundoff under a nearly singular covariance", "check_sample_weight_equivalence_on_dense_data"
)

EM = {"random_state": 0, "max_iter": 10}
MIXTURE = GaussianMixtureEmbedding(2, **EM)
STATES = StateSpaceEmbedding(1, max_iter=5)
FULL = FullFisherEmbedding(MIXTURE, max_steps=20)
RIDGE = KernelRidgeCV([0.1])
FIELD = PairwiseMRF(2, max_iter=3, random_state=0)
LOCAL = {"n_neighbors": 4, "n_iter": 3, "eta0": 0.1}
VECTORS = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
GRID = {"ridges": [0.01], "bandwidths_x": [1.0], "bandwidths_y": [1.0], "cv": 2}
ON_Y = {"ask": round_trip, "answers": "inputs", "names": ("Y",)}
ON_Z = {"answers": "inputs", "names": ("Z",), "checks": False}
TWINS = {"generate": regression, "names": ("X", "Y"), "tolerance": 1e-3}
TWINS["lacks"] = because("twice the samples are half of the ridges", "samples twice")
LOCAL_LACKS = (
    because("the kernel is not invariant to shifts", "shift inputs", "constant feature")
    | because("C and eta0 have the kernel's unit", "inputs in a unit")
    | because("a copy is the nearest neighbour", "samples twice")
    | HALVES
)

ENTRIES = [
    Entry(
        "KernelRidgeCV",
        KernelRidgeCV(),
        regression,
        refits=ridge_refits,
        lacks=LEFT_OUT | MISSING,
        failing=COPIES,
    ),
    Entry(
        "KernelRidgeCV, one ridge",
        KernelRidgeCV([0.1], kernel="rbf", gamma=0.5),
        regression,
        refits=ridge_refits,
        lacks=ONE_RIDGE | MISSING,
        checks=False,
    ),
    Entry(
        "KernelRidgeCV, a ridge per target",
        KernelRidgeCV(kernel="rbf", fit_intercept=False, alpha_per_target=True),
        regression,
        lacks=LEFT_OUT | MISSING | because("there is no intercept", "shift outputs"),
        failing=COPIES,
    ),
    Entry(
        "KernelRidgeCV, median",
        KernelRidgeCV(kernel="rbf", gamma="median"),
        regression,
        lacks=LEFT_OUT | MISSING,
        refuses=TINY_INPUTS,
        checks=False,
    ),
    Entry(
        "KernelRidgeCV, chosen kernel",
        KernelRidgeCV(gamma="loo"),
        regression,
        lacks=LEFT_OUT | MISSING,
        refuses=TINY_INPUTS,
        failing=COPIES,
    ),
    Entry(
        "NystroemRidgeCV",
        NystroemRidgeCV(gamma=0.5, selection="loo", random_state=0),
        regression,
        refits=ridge_refits,
        lacks=ONE_RIDGE
        | LEFT_OUT
        | because("it keeps sums over pairs of centres", "size of the pickle"),
        failing=COPIES,
    ),
    Entry(
        "NystroemRidgeCV, linear",
        NystroemRidgeCV(kernel="linear", fit_intercept=False, n_components=20, random_state=0),
        failing=COPIES,
    ),
    Entry(
        "OutputFisherRegressor",
        OutputFisherRegressor(),
        regression,
        lacks=LEFT_OUT | MISSING,
        refuses=TINY_OUTPUTS,
        failing=COPIES,
    ),
    Entry(
        "OutputFisherRegressor, Gaussian",
        OutputFisherRegressor(GaussianEmbedding(), RIDGE),
        regression,
        refits=fisher_refits,
        lacks=ONE_RIDGE,
        refuses=TINY_OUTPUTS,
        checks=False,
    ),
    Entry(
        "OutputFisherRegressor, mixture",
        OutputFisherRegressor(MIXTURE, RIDGE),
        groups,
        refits=fisher_refits,
        lacks=ONE_RIDGE | MISSING,
        refuses=TINY_OUTPUTS,
    ),
    Entry(
        "OutputFisherRegressor, as printed",
        OutputFisherRegressor(
            GaussianMixtureEmbedding(2, **EM, scaling="score", decoder="raw"),
            KernelRidgeCV(fit_intercept=False),
            block_wise=False,
        ),
        # Equation (10) is nearly singular where a linear kernel without an intercept predicts
        # memberships near zero: predictions explode, which is why the defaults are others.
        failing=COPIES
        | because("predictions explode with a linear kernel", "check_regressors_train"),
    ),
    Entry(
        "OutputFisherRegressor, series",
        OutputFisherRegressor(STATES),
        series_outputs,
        lacks=WEIGHTLESS | because(*LEFT_OUT.values(), "samples twice"),
        refuses=because(SIZES, "huge outputs", "tiny outputs"),
        checks=False,
    ),
    Entry(
        "OutputFisherRegressor, full",
        OutputFisherRegressor(FULL, RIDGE),
        groups,
        lacks=ONE_RIDGE
        | WEIGHTLESS
        | because("equations (4) and (9) add blocks of different units", *EXACT[1:]),
        refuses=TINY_OUTPUTS | because(SIXTH, "huge outputs"),
        checks=False,
    ),
    Entry(
        "OutputFisherRegressor, sums",
        OutputFisherRegressor(GaussianEmbedding(), NystroemRidgeCV(gamma="median")),
        regression,
        lacks=LEFT_OUT | because("it keeps sums over pairs of centres", "size of the pickle"),
        refuses=TINY_INPUTS | TINY_OUTPUTS,
        checks=False,
    ),
    Entry(
        "OutputFisherRegressorCV",
        OutputFisherRegressorCV(MIXTURE, RIDGE, n_components=(1, 2), cv=None),
        regression,
        refits=fisher_refits,
        lacks=ONE_RIDGE | LEFT_OUT | MISSING,
        refuses=TINY_OUTPUTS,
        failing=COPIES,
    ),
    Entry(
        "GaussianEmbedding",
        GaussianEmbedding(),
        points,
        **ON_Y,
        refuses=TINY_INPUTS | DENSE,
    ),
    Entry(
        "GaussianEmbedding, full",
        GaussianEmbedding(covariance_type="full"),
        points,
        **ON_Y,
        refuses=TINY_INPUTS | DENSE,
        failing=SINGULAR,
    ),
    Entry(
        "GaussianMixtureEmbedding",
        GaussianMixtureEmbedding(),
        points,
        **ON_Y,
        lacks=MISSING_INPUTS,
        refuses=TINY_INPUTS | DENSE,
    ),
    Entry(
        "GaussianMixtureEmbedding, two",
        MIXTURE,
        points,
        **ON_Y,
        lacks=MISSING_INPUTS,
        refuses=EQUAL | DENSE,
        failing=STARTS,
    ),
    Entry(
        "GaussianMixtureEmbedding, exact",
        GaussianMixtureEmbedding(2, **EM, scaling="score", decoder="exact"),
        failing=STARTS,
    ),
    # Problems of `test_ranking.py`: answers are ranks, which no unit changes.
    Entry("RankingEmbedding", RankingEmbedding()),
    Entry("RankingEmbedding, positions", RankingEmbedding("hamming")),
    Entry("RankingEmbedding, code", RankingEmbedding("lehmer")),
    Entry(
        "FullFisherEmbedding",
        FULL,
        points,
        **ON_Y,
        refuses=EQUAL | DENSE | because(SIXTH, "huge inputs"),
    ),
    Entry(
        "StateSpaceEmbedding",
        STATES,
        series,
        round_trip,
        **ON_Z,
        refuses=because(SIZES, "huge inputs", "tiny inputs"),
    ),
    Entry(
        "LinearGaussianSSM",
        LinearGaussianSSM(1, max_iter=200, tol=1e-12),
        noisy_series,
        forecast,
        **ON_Z,
        lacks=MISSING_INPUTS,
        refuses=because(SIZES, "huge inputs", "tiny inputs"),
    ),
    Entry(
        "InputOutputKernelRegressor",
        InputOutputKernelRegressor(),
        regression,
        lacks=LEFT_OUT | because("the output kernel has one unit", EXACT[2]),
        refuses=TINY_OUTPUTS,
        failing=COPIES,
    ),
    Entry(
        "InputOutputKernelRegressor, gradient",
        InputOutputKernelRegressor(kernel="rbf", gamma="median", preimage="gradient"),
        regression,
        lacks=LEFT_OUT
        | because("the output kernel has one unit", EXACT[2])
        | because("predictions need an n x n matrix", "size of the pickle"),
        refuses=TINY_INPUTS | TINY_OUTPUTS,
        checks=False,
    ),
    Entry(
        "InputOutputKernelRegressor, linear",
        InputOutputKernelRegressor(output_kernel="linear", preimage="gradient"),
        regression,
        refits=iokr_refits,
        lacks=LEFT_OUT | because("the output kernel has one unit", EXACT[2]),
        failing=COPIES,
    ),
    Entry(
        "SemanticClassifier",
        SemanticClassifier(class_vectors=VECTORS.copy()),
        classes,
        decide,
        "labels",
        lacks=LEFT_OUT,
        refuses=TINY_INPUTS,
        checks=False,  # which bring labels of their own
    ),
    Entry("SemanticClassifier, any labels", SemanticClassifier(), failing=COPIES),
    Entry(
        "SemanticClassifier, cosine",
        SemanticClassifier(InputOutputKernelRegressor(), metric="cosine"),
        # The check asks the class for `predict_proba` before `fit`, which finds no leave-one-out.
        failing=COPIES
        | because("probabilities come from leave-one-out", "check_decision_proba_consistency"),
    ),
    Entry(
        "SemanticClassifier, mixture",
        SemanticClassifier(OutputFisherRegressor(MIXTURE, KernelRidgeCV([0.1, 1.0]))),
        failing=COPIES,
    ),
    Entry(
        "TunedThresholdMultilabelClassifier",
        TunedThresholdMultilabelClassifier(),
        labels,
        decide,
        "labels",
        refits=label_refits,
        lacks=LEFT_OUT,
        refuses=TINY_INPUTS,
        checks=False,
    ),
    Entry(
        "JackknifePlus",
        JackknifePlus(confidence_level=0.5),
        regression,
        middles,
        refuses=TINY_INPUTS,
        lacks=LEFT_OUT | because("it keeps predictions without each sample", "size of the pickle"),
        failing=COPIES,
    ),
    Entry(
        "JackknifePlus, ellipsoid",
        JackknifePlus(
            OutputFisherRegressor(GaussianEmbedding(), KernelRidgeCV([0.1, 1.0])), shape="ellipsoid"
        ),
        failing=COPIES,
    ),
    Entry(
        "FullConformalRegressor",
        FullConformalRegressor(KernelRidgeCV(gamma="loo"), confidence_level=0.5),
        regression,
        middles,
        refuses=TINY_INPUTS,
        lacks=LEFT_OUT
        | because("it keeps the decomposition of the kernel", "size of the pickle")
        | because("a query has weight one", "unit of weights"),
        failing=COPIES,
    ),
    Entry(
        "FullConformalRegressor, inside",
        FullConformalRegressor(KernelRidgeCV([0.1, 1.0]), shape="box", selection="inside"),
        failing=COPIES,
    ),
    Entry(
        "CrossConformalClassifier",
        CrossConformalClassifier(SemanticClassifier(), confidence_level=0.5),
        classes,
        sets,
        "labels",
        refuses=TINY_INPUTS,
        lacks=LEFT_OUT | because("it keeps predictions without each sample", "size of the pickle"),
        failing=COPIES,
    ),
    Entry(
        "CrossConformalClassifier, inside",
        CrossConformalClassifier(
            SemanticClassifier(KernelRidgeCV([0.1, 1.0])),
            selection="inside",
            smoothed=True,
            random_state=0,
        ),
    ),
    Entry(
        "PairwiseMRF",
        FIELD,
        chains,
        scores,
        "features",
        names=("objects",),
        tolerance=1e-3,
        refuses=TINY_INPUTS | DENSE | NUMBERS,
        checks=False,
    ),
    Entry(
        "FisherKernelLearner",
        FisherKernelLearner(FIELD, max_iter=2),
        chains,
        scores,
        "features",
        names=("objects", "y"),
        tolerance=3e-3,  # scores are divided by their spread, which may be near rounding
        lacks=because("a few steps of L-BFGS have the unit of the data", "inputs in a unit")
        | because(*LEFT_OUT.values(), "samples twice"),
        refuses=TINY_INPUTS | DENSE | NUMBERS,
        checks=False,
    ),
    Entry(
        "LocalStructuredPredictor",
        LocalStructuredPredictor(**LOCAL),
        classes,
        answers="labels",
        lacks=LOCAL_LACKS,
        failing=because("the label -1 marks an unlabelled sample", "check_classifiers_classes"),
    ),
    Entry(
        "LocalStructuredPredictor, literal",
        LocalStructuredPredictor(**LOCAL | {"n_iter": 2}, kernel="rbf", y_step="literal"),
        failing=because("the label -1 marks an unlabelled sample", "check_classifiers_classes"),
    ),
    Entry(
        "LocalStructuredPredictor, chains",
        LocalStructuredPredictor("chain", **LOCAL),
        tagged_chains,
        answers="labels",
        lacks=LOCAL_LACKS | because("each label belongs to a step", "equal inputs"),
        checks=False,
    ),
    Entry("TwinGaussianProcess", TwinGaussianProcess(max_iter=20), **TWINS, refuses=DENSE),
    Entry(
        "TwinGaussianProcess, neighbours",
        TwinGaussianProcess(0, n_neighbors=4, max_iter=5),
        **TWINS,
        refuses=DENSE,
        checks=False,
    ),
    # Narrow widths: between wide ones lie flat minima, of which roundoff moves the last digits.
    Entry(
        "TwinGaussianProcess, starts",
        TwinGaussianProcess(0.1, bandwidth_x=1.0, bandwidth_y=1.0, ridge_x=1e-3, n_starts=3),
    ),
    Entry("TwinGaussianProcess, Kullback", TwinGaussianProcess(1)),
    Entry("TwinGaussianProcess, quadratic", TwinGaussianProcess(0.1, objective="quadratic")),
    Entry(
        "TwinGaussianProcessCV",
        TwinGaussianProcessCV(alphas=[0.0, 1.0], max_iter=5, **GRID),
        regression,
        tolerance=1e-3,
        lacks=because("a fixed ridge or bandwidth has the units of the data", *EXACT)
        | because("folds take samples as they come", "permute samples")
        | TWINS["lacks"]
        | HALVES,
        refuses=DENSE,
    ),
]
