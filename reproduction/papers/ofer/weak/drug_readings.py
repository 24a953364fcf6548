"""Table 10 in the readings that the paper leaves open: the kernel, and an intercept.

They are those of Table 9, for the text and the captions speak of both tables: see
`reproduction.papers.ofer.drug_readings`. The width of the Gaussian kernel is chosen without weak
labels, and kept with them.
"""

import warnings
from itertools import product

import numpy as np
from joblib import hash as hash_of
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import KFold

from ofer import GaussianMixtureEmbedding, KernelSystem, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.readings import Readings
from reproduction.engine.table import Task
from reproduction.papers.ofer.decomposed_ridge import DecomposedRidge
from reproduction.papers.ofer.drug_readings import ALPHAS, INTERCEPTS, KERNELS
from reproduction.papers.ofer.drug_readings import READINGS as OF_TABLE_9
from reproduction.papers.ofer.drugs import OVERLAP, load_molecules
from reproduction.papers.ofer.methods.kernel_readings import MixtureReading, gaussian
from reproduction.papers.ofer.weak.as_printed import WEAK_WEIGHTS, Problem, predict_as_printed
from reproduction.statistics.splits import repeated_splits

__all__ = ["EXPERIMENT", "evaluate", "fit_ours"]

PARAMETERS = {
    "train_fraction": 0.6,
    "random_state": 2018,
    "n_folds": 5,
    "n_components": [1, 2, 3, 4, 6, 8],
    "outputs_per_component": 5,
    "alphas": list(ALPHAS),
    "weak_weights": WEAK_WEIGHTS,
    "widths": [0.5, 1, 2, 4, 8],  # in units of the median distance
    # The kernel of a constant feature of this square: an intercept that is hardly penalised.
    "constant": 1e5,
}
PRINTED = {
    "OFER-GMM as printed": 0,
    "wOFER+100 as printed": 100,
    "wOFER+800 as printed": 800,
    "wOFER+800 as printed, shuffled": 800,
}
OURS = {"OFER-GMM": 0, "wOFER+800": 800, "wOFER+800 shuffled": 800}
MEAN = "training mean"
SETTINGS = ("10", "20", "100")  # the other two rows would take most of the time
READINGS = Readings(
    of="ofer-table-10",
    dimensions=OF_TABLE_9.dimensions,
    choices=OF_TABLE_9.choices,
    labels={form: f"{form}, {{kernel}}, {{intercept}}" for form in PRINTED | OURS},
)
# The rows of the first reading are those of Table 10 but for our forms, which have an intercept.
_READINGS = {
    ", ".join(reading): reading
    for reading in product(PRINTED | OURS, KERNELS, INTERCEPTS)
    if reading[0] in OURS or reading[1:] != READINGS.choices[0]
}


_WIDTHS: dict[tuple, float] = {}  # of the splits that were met here: forms share them


def evaluate(data, method, setting, split):
    """Error of a method in a reading on one split, and what was chosen."""
    n = int(setting)
    parts = repeated_splits(
        len(data.Y),
        n_splits=split + 1,
        train_fraction=PARAMETERS["train_fraction"],
        train_sizes=[n],
        random_state=PARAMETERS["random_state"],
    )[split]
    train, test = parts.train(n), parts.test
    Y, truth = data.Y[train], data.Y[test]
    if method == MEAN:
        return {"rrmse": rrmse(truth, np.tile(Y.mean(axis=0), (len(test), 1)))}
    form, kernel, intercept = _READINGS[method]
    has = intercept == "intercept"
    weak = parts.rest(n)[: (PRINTED | OURS)[form]]
    seen, told = np.concatenate([train, weak]), weak
    if "shuffled" in form:  # a control: what is said of a molecule is true of another one
        told = np.random.default_rng(split).permutation(weak)
    K, K_test = data.K[np.ix_(seen, seen)], data.K[np.ix_(test, seen)]
    chosen = {}
    if kernel == "Gaussian":
        own = K[:n, :n]
        width = _width("OFER-GMM as printed" if form in PRINTED else "OFER-GMM", has, own, Y, split)
        K, K_test = gaussian(K, own, width), gaussian(K_test, own, width)
        chosen["width"] = float(width)
    if form in PRINTED:
        constant = PARAMETERS["constant"] if has else 0.0
        problem = Problem(K + constant, Y, data.Y[told], _sizes(n), PARAMETERS["alphas"], split, {})
        folds = KFold(PARAMETERS["n_folds"], shuffle=True, random_state=split)
        predicted, choice = predict_as_printed(problem, folds, K_test + constant)
        chosen["n_components"] = float(choice.n_components)
        if told.size:
            chosen["weak_weight"] = choice.weight
    else:
        model = fit_ours(K, Y, data.Y[told], has, seed=split)
        predicted = model.predict(K_test[:, : model.n_features_in_])
        chosen["n_components"] = float(model.embedding_.n_components)
    return {"rrmse": rrmse(truth, predicted), **chosen}


def fit_ours(K, Y, Y_weak, fit_intercept, *, seed):
    """Our form, with the number of components of least leave-one-out error on the labelled."""
    n, found = len(Y), []
    systems = [
        KernelSystem.from_kernel(K[:size, :size], fit_intercept=fit_intercept)
        for size in {n, len(K)}
    ]
    for count in _sizes(n):
        mixture = GaussianMixtureEmbedding(count, random_state=seed)
        with warnings.catch_warnings():
            # Ten molecules for two components: the leave-one-out error punishes a collapse.
            warnings.simplefilter("ignore", CollapsedComponentWarning)
            mixture.fit(Y)
        weak = {}
        if len(Y_weak) and count > 1:  # weak labels of one component say nothing
            weak = {"X_weak": K[n:], "membership_weak": mixture.predict_proba(Y_weak)}
        ridge = DecomposedRidge(systems, pairwise=True)
        model = OutputFisherRegressor(FrozenEstimator(mixture), ridge, block_wise=True)
        model.fit(K[:n, :n], Y, weak_weight=1.0, **weak)
        found.append((rrmse(Y, model.loo_predict()), count, model))
    return min(found, key=lambda one: one[:2])[2]


def _width(form, fit_intercept, K, Y, seed):
    """Width of the Gaussian kernel that a form chooses without weak labels."""
    key = form, fit_intercept, hash_of([K, Y])
    if key not in _WIDTHS:
        reading = MixtureReading(
            intercept=fit_intercept,
            widths=tuple(PARAMETERS["widths"]),
            alphas=tuple(PARAMETERS["alphas"]) if form in PRINTED else (None,),
            n_folds=PARAMETERS["n_folds"],
            n_components=tuple(PARAMETERS["n_components"]),
            outputs_per_component=PARAMETERS["outputs_per_component"],
        )
        _WIDTHS[key] = reading.choose(Task(K, Y, None, None, seed)).width
    return _WIDTHS[key]


def _sizes(n):
    """Numbers of components that leave each enough outputs on average."""
    largest = n / PARAMETERS["outputs_per_component"]
    return [count for count in PARAMETERS["n_components"] if count <= largest]


EXPERIMENT = Experiment(
    id="ofer-readings-10",
    title="Table 10 in four readings: kernel and intercept",
    load=load_molecules,
    evaluate=evaluate,
    methods=(*_READINGS, MEAN),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("nci60",),
    check=Check(settings=("10",)),
    facts=Facts(
        test_train_ratio={setting: OVERLAP[setting] for setting in SETTINGS},
        readings=(READINGS,),
    ),
)
