"""How often tests call two equally good methods different, by the size of the training set.

The protocol is that of the drug activities: a pool of 2,228 objects, ten random splits, of which
each tests 891 and trains on the first of the others. Two methods are ridge regressions, each on its
own half of the inputs, whose parts in the outputs have one distribution: over populations neither
is better.
"""

import numpy as np
from scipy import stats

from reproduction.engine.declaration import Check, Experiment, Tolerance
from reproduction.statistics.splits import repeated_splits
from reproduction.statistics.two_way import two_way

__all__ = ["EXPERIMENT", "TESTS", "evaluate"]

PARAMETERS = {
    "random_state": 2018,
    "n_objects": 2228,
    "train_fraction": 0.6,
    "n_splits": 10,
    "n_groups": 40,
    "n_inputs": 20,  # of each method
    "n_outputs": 10,
    "ridge": 1.0,
    "n_repetitions": 1000,  # in a unit
    "levels": [0.05, 0.001],
    "difference": 3.0,  # a true one, in true standard errors
}
SETTINGS = ("10", "20", "100", "300", "500")
POPULATIONS = ("Gaussian, RRMSE", "heavy tails, squared error")
TESTS = ("Student", "corrected", "greatest correlation", "two-way")


def evaluate(data, method, setting, split):
    """Rates of rejection over many repetitions.

    Parameters
    ----------
    data : None
        Everything is drawn.
    method : str
        The population that objects are drawn from, and what is measured.
    setting : str
        Number of training objects.
    split : int
        Number of the block of repetitions.

    Returns
    -------
    dict of str to float
        By test and level, the share of repetitions in which it rejects: where methods are equal,
        and, "with a difference", where the mean is moved by three true standard errors. "spread" is
        the true standard error of the mean, over its estimate by Student's test.
    """
    n_train = int(setting)
    rng = np.random.default_rng([PARAMETERS["random_state"], split, POPULATIONS.index(method)])
    found = [_repeat(rng, method, n_train) for _ in range(PARAMETERS["n_repetitions"])]
    values, groups = (np.array(part) for part in zip(*found, strict=True))
    true = values.mean(axis=1).std()
    rates = {}
    for moved, said in ((0.0, ""), (PARAMETERS["difference"] * true, ", with a difference")):
        for test, p in _p_values(values + moved, groups + moved, n_train).items():
            rates |= {
                f"{test}, {level}{said}": np.mean(p < level) for level in PARAMETERS["levels"]
            }
    estimate = np.sqrt(values.var(axis=1, ddof=1).mean() / PARAMETERS["n_splits"])
    return rates | {"spread": true / estimate}


def _repeat(rng, population, n_train):
    """Differences of two methods on ten splits of a new pool: whole, and without each group."""
    X, Y = _draw(rng, population)
    squared = population.endswith("squared error")
    cuts = repeated_splits(
        len(Y),
        n_splits=PARAMETERS["n_splits"],
        train_fraction=PARAMETERS["train_fraction"],
        train_sizes=[n_train],
        random_state=rng.integers(2**31),
    )
    group = np.arange(len(Y)) % PARAMETERS["n_groups"]
    trains = np.array([cut.train(n_train) for cut in cuts])
    tests = np.array([cut.test for cut in cuts])
    size, of_size = _sums(np.square(Y).sum(axis=1)[tests], group[tests])
    number, of_number = _sums(np.ones(tests.shape), group[tests])
    scores = []
    for view in X:
        missed, of_missed = _sums(_squares(view, Y, trains, tests), group[tests])
        if squared:
            scores.append((missed / number, of_missed / of_number))
        else:
            scores.append((np.sqrt(missed / size), np.sqrt(of_missed / of_size)))
    (a, a_without), (b, b_without) = scores
    return a - b, a_without - b_without


def _sums(values, groups):
    """Sums over the test objects of each split, (K,), and without each group, (K, G)."""
    n_groups = PARAMETERS["n_groups"]
    places = groups + n_groups * np.arange(len(groups))[:, None]
    sums = np.bincount(places.ravel(), values.ravel(), len(groups) * n_groups)
    sums = sums.reshape(len(groups), n_groups)
    whole = sums.sum(axis=1)
    return whole, whole[:, None] - sums


def _draw(rng, population):
    """Inputs of both methods, and outputs."""
    shape = 2, PARAMETERS["n_objects"], PARAMETERS["n_inputs"]
    scales = np.arange(1, PARAMETERS["n_inputs"] + 1) ** -0.5
    X = scales * rng.normal(size=shape)
    W = rng.normal(size=(PARAMETERS["n_inputs"], PARAMETERS["n_outputs"]))
    Y = X.sum(axis=0) @ W
    if population.startswith("Gaussian"):
        return X, Y + rng.normal(size=Y.shape)
    # The noise is that of a t with four degrees of freedom, and larger where inputs are.
    noise = rng.standard_t(4, size=Y.shape) * np.abs(X[:, :, :1]).sum(axis=0)
    return X, Y + noise


def _squares(X, Y, trains, tests):
    """Squared errors of ridge regression on the test objects of each split, (K, n_test)."""
    Z = X[trains]
    A = Z.mT @ Z + PARAMETERS["ridge"] * np.eye(X.shape[1])
    return np.square(Y[tests] - X[tests] @ np.linalg.solve(A, Z.mT @ Y[trains])).sum(axis=2)


def _p_values(values, groups, n_train):
    """Two-sided p of each test, for all repetitions at once."""
    n_splits, n_objects = PARAMETERS["n_splits"], PARAMETERS["n_objects"]
    n_test = n_objects - int(PARAMETERS["train_fraction"] * n_objects)
    variance, mean = values.var(axis=1, ddof=1), values.mean(axis=1)
    shared = max(n_test, n_train) / n_objects  # the greatest correlation of two splits
    factors = {
        "Student": 1 / n_splits,
        "corrected": 1 / n_splits + n_test / n_train,
        "greatest correlation": (1 / n_splits + shared * (1 - 1 / n_splits)) / (1 - shared),
    }
    p = {
        test: 2 * stats.t.sf(np.abs(mean) / np.sqrt(variance * factor), n_splits - 1)
        for test, factor in factors.items()
    }
    found = two_way(values, groups, shared=n_train / n_objects)
    return p | {"two-way": 2 * stats.t.sf(np.abs(found.mean) / found.error, found.degrees)}


def _load():
    return None


EXPERIMENT = Experiment(
    id="ofer-test-levels",
    title="Tests of two equally good methods on repeated splits",
    load=_load,
    evaluate=evaluate,
    methods=POPULATIONS,
    settings=SETTINGS,
    n_splits=25,
    parameters=PARAMETERS,
    check=Check(settings=("10",), methods=POPULATIONS[:1]),
    tolerance=Tolerance(rtol=1e-6, atol=dict.fromkeys(("spread",), 1e-6)),
)
