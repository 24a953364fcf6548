"""No array gets by the door: masks, dates and texts are errors in every public method.

Methods are found from what the package exports. An argument of a method of `FITTED` has its value
there, or in `OTHERS` a reason why none.
"""

import importlib
import inspect
import re
from functools import cache

import numpy as np
import pytest
from sklearn.base import clone

from ofer import (
    Bounds,
    Candidates,
    CrossConformalClassifier,
    FullConformalRegressor,
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    JackknifePlus,
    KernelRidgeCV,
    KernelSystem,
    LinearGaussianSSM,
    Memberships,
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
from tests.ofer.samples import LABELS, SERIES, WEAK, N, X, Y, quiet

PACKAGES = "ofer", "ofer.companions", "ofer.embeddings", "ofer.state_space"
ONES, PAIRS = np.ones(N), np.arange(N) % 5
ON_X = {"X": X, "sample_weight": ONES, "groups": PAIRS}
STATES = SERIES[:, :, :1].copy()
FIELD = PairwiseMRF(2, max_iter=2, random_state=0)


def learned(model, y=Y, **more):
    return model.fit(X, y), ON_X | {"y": y, "Y": y} | more


def embedding(model):
    model.fit(Y)
    return model, {"Y": Y, "sample_weight": ONES, "H": model.transform(Y)}


def mixture():
    model, values = embedding(GaussianMixtureEmbedding(2, random_state=0))
    gamma = model.posterior(Y)
    return model, values | {"responsibilities": gamma, "block": model.encode_membership(gamma)}


def of_states():
    model = StateSpaceEmbedding(1, max_iter=3).fit(SERIES, STATES)
    return model, {"Z": SERIES, "states": STATES, "H": model.transform(SERIES, STATES)}


def system():
    values = {"X": X, "Y": Y, "K": X @ X.T, "queries": X, "groups": PAIRS, "diagonal": None}
    return KernelSystem.from_features(X), values | {"alphas": ONES[:3], "alpha": 0.5}


MODELS = {
    CrossConformalClassifier: lambda: learned(CrossConformalClassifier(), LABELS),
    FisherKernelLearner: lambda: (
        FisherKernelLearner(FIELD, max_iter=2).fit(list(SERIES), LABELS),
        {"objects": SERIES, "y": LABELS},
    ),
    FullConformalRegressor: lambda: learned(
        FullConformalRegressor(KernelRidgeCV([0.1], gamma=[0.1, 1.0])),
        X_tune=X,
        y_tune=Y,
        groups=None,
    ),
    FullFisherEmbedding: lambda: embedding(FullFisherEmbedding(max_steps=5)),
    GaussianEmbedding: lambda: embedding(GaussianEmbedding()),
    GaussianMixtureEmbedding: mixture,
    InputOutputKernelRegressor: lambda: learned(
        InputOutputKernelRegressor([0.1]), candidates=Y, Z=Y
    ),
    JackknifePlus: lambda: learned(JackknifePlus(KernelRidgeCV([0.1]))),
    KernelRidgeCV: lambda: learned(KernelRidgeCV([0.1]), alphas=ONES[:3]),
    KernelSystem: system,
    LinearGaussianSSM: lambda: (
        LinearGaussianSSM(1, max_iter=3).fit(SERIES),
        {"Z": SERIES, "n_steps": 2},
    ),
    LocalStructuredPredictor: lambda: learned(
        LocalStructuredPredictor(n_neighbors=4, n_iter=2, random_state=0), LABELS
    ),
    NystroemRidgeCV: lambda: learned(NystroemRidgeCV([0.1], n_components=5, random_state=0)),
    OutputFisherRegressor: lambda: learned(WEAK),
    OutputFisherRegressorCV: lambda: learned(OutputFisherRegressorCV(WEAK.embedding)),
    PairwiseMRF: lambda: (FIELD.fit(list(SERIES)), {"objects": SERIES}),
    RankingEmbedding: lambda: embedding(RankingEmbedding()),
    SemanticClassifier: lambda: learned(SemanticClassifier(), LABELS, k=2),
    StateSpaceEmbedding: of_states,
    TunedThresholdMultilabelClassifier: lambda: learned(
        TunedThresholdMultilabelClassifier(), (Y > 0).astype(int)
    ),
    TwinGaussianProcess: lambda: learned(TwinGaussianProcess(), alphas=np.array([0.4, 0.6])),
    TwinGaussianProcessCV: lambda: learned(TwinGaussianProcessCV(cv=2)),
}
OTHERS = {
    "BlockRegressor OutputModel HasMembership HasStates OutputSpace": "contracts",
    "ChainOutputs MulticlassOutputs TreeOutputs": "their arrays come from LocalStructuredPredictor",
    "CubicObjective LogObjective QuadraticObjective": "their arrays come from TwinGaussianProcess",
    "Bounds Candidates Classes Memberships": "checked by the fit that takes them; see below",
    "FilterResult ForecastResult SmootherResult": "results",
}
NO_NUMBERS = {
    "masked": lambda A: np.ma.masked_array(A, np.arange(A.size).reshape(A.shape) == 0),
    "dates": lambda A: np.arange(A.size).reshape(A.shape).astype("datetime64[D]"),
    "dates among numbers": lambda A: _with(A, np.datetime64("2020-01-01")),
    "texts": lambda A: A.astype(str),
    "complex": lambda A: A + 1j,
}
LABELS_OF_ANY_KIND = {"dates", "texts"}
CLASSIFIERS = (
    CrossConformalClassifier,
    FisherKernelLearner,
    LocalStructuredPredictor,
    SemanticClassifier,
)
ALLOWED = {  # by class and argument
    **{(model, "groups"): LABELS_OF_ANY_KIND for model in MODELS},
    **{(model, "X"): {"texts"} for model in MODELS},  # scikit-learn reads numbers in texts
    (FullConformalRegressor, "X_tune"): {"texts"},
    **{(model, "y"): LABELS_OF_ANY_KIND for model in CLASSIFIERS},
    **{
        (model, name): {"masked"}  # missing
        for model, name in [
            (GaussianMixtureEmbedding, "Y"),
            (JackknifePlus, "y"),
            (KernelRidgeCV, "y"),
            (KernelRidgeCV, "Y"),
            (LinearGaussianSSM, "Z"),
            (NystroemRidgeCV, "Y"),
            (OutputFisherRegressor, "y"),
            (OutputFisherRegressorCV, "y"),
        ]
    },
    # Predictions by leave-one-out are kept from the fit, or there are none.
    (OutputFisherRegressor, "Y"): NO_NUMBERS,
    (OutputFisherRegressorCV, "Y"): NO_NUMBERS,
    (InputOutputKernelRegressor, "Y"): NO_NUMBERS,
}
MISSING = "score", "y", "masked"  # of all regressors
SCIKIT_LEARN = (
    "Complex data not supported|not compatible with arrays of bytes/strings"
    "|Classification metrics can't handle a mix"
)


def _with(A, entry):
    A = A.astype(object)
    A[(0,) * A.ndim] = entry
    return A


def test_every_public_class_is_here():
    public = {
        name
        for package in map(importlib.import_module, PACKAGES)
        for name in package.__all__
        if inspect.isclass(one := getattr(package, name)) and not issubclass(one, Exception)
    }
    assert public == {one.__name__ for one in MODELS} | {*" ".join(OTHERS).split()}


@cache
def fit(model):
    return MODELS[model]()


@quiet
@pytest.mark.filterwarnings("ignore:The number of unique classes")
@pytest.mark.parametrize("kind", NO_NUMBERS)
@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.__name__)
def test_what_is_no_number_is_an_error(model, kind):
    fitted, values = fit(model)
    passed = []
    for name, method in inspect.getmembers(fitted, inspect.ismethod):
        if name.startswith("_") or not method.__module__.startswith("ofer"):
            continue
        names = inspect.signature(method).parameters
        given = {one: values[one] for one in names if one in values}
        if "blocks" in names:
            given["blocks"] = {"a": Y}
        if "fitted" in names:
            given["fitted"] = {"a": fitted}
        for one in [one for one, value in given.items() if isinstance(value, np.ndarray)]:
            if kind in ALLOWED.get((model, one), ()) or (name, one, kind) == MISSING:
                continue
            wrong = given | {one: NO_NUMBERS[kind](values[one])}
            call = inspect.signature(method).bind(**wrong)
            try:
                found = method(*call.args, **call.kwargs)
                list(found) if inspect.isgenerator(found) else None
                passed.append(f"{name}({one})")
            except (TypeError, ValueError) as error:
                if not re.search(rf"\b{one}\b|{SCIKIT_LEARN}", str(error)):
                    passed.append(f"{name}({one}): {error}")
    assert passed == []


@pytest.mark.parametrize("kind", NO_NUMBERS)
@pytest.mark.parametrize(
    ("name", "weak"),
    [
        ("weak.X", lambda change: Memberships(change(X), PAIRS % 2)),
        ("labels", lambda change: Memberships(X, change(PAIRS % 2))),
        ("outputs", lambda change: Candidates(X, change(np.stack([Y, Y + 1], axis=1)))),
        ("low", lambda change: Bounds(X, change(Y - 1), np.inf)),
        ("high", lambda change: Bounds(X, -np.inf, change(Y + 1))),
    ],
)
def test_weak_samples_are_numbers(kind, name, weak):
    with pytest.raises((TypeError, ValueError), match=rf"\b{name}\b|{SCIKIT_LEARN}|missing"):
        clone(WEAK).fit(X, Y, weak=weak(NO_NUMBERS[kind]))
