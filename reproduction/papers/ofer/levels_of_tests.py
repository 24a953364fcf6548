"""How often tests call two equally good methods different, by the size of the training set.

The protocol is that of the drug activities: a pool of 2,228 objects, ten random splits, of which
each tests 891 and trains on the first of the others. Two methods are ridge regressions, each on its
own half of the inputs, whose parts in the outputs have one distribution: over pools and training
sets neither is better, whatever the population.
"""

from functools import cache
from itertools import product

import numpy as np
from scipy import stats

from reproduction.engine.declaration import Check, Experiment, Tolerance
from reproduction.statistics.splits import repeated_splits
from reproduction.statistics.two_way import two_way

__all__ = ["EXPERIMENT", "POPULATIONS", "SIZES", "TESTS", "evaluate"]

PARAMETERS = {
    "random_state": 2018,
    "n_objects": 2228,
    "train_fraction": 0.6,
    "n_splits": 10,
    "n_groups": 40,
    "n_inputs": 12,  # of each method
    "n_outputs": 4,
    "ridge": 1.0,
    "degrees": 8,  # of the heavy tails
    "n_repetitions": 1000,  # in a block
    "difference": 4.0,  # a true one, in true standard errors
    "power": 0.8,
}
LEVELS = {"05": 0.05, "001": 0.001}
SIZES = (10, 20, 100, 300, 500)
POPULATIONS = (
    "even noise, RRMSE",
    "uneven noise, squared error",
    "heavy tails, squared error",
    "classes, error rate",
)
TESTS = (
    "Student",
    "corrected",
    "corrected, whole pool",
    "greatest correlation",
    "pigeonhole bootstrap",
    "two-way clusters",
    "two-way",
)


def evaluate(data, method, setting, split):
    """Rates of rejection of one test over one block of repetitions.

    Parameters
    ----------
    data : None
        Everything is drawn.
    method : str
        The test.
    setting : str
        Number of training objects, population and metric.
    split : int
        Number of the block.

    Returns
    -------
    dict of str to float
        At both levels "rate", how often the test rejects where methods are equal; "power", how
        often where they differ by a given number of true standard errors of the mean difference;
        "detectable", the median of the least detectable differences in them. "standard error" is
        the root mean square of the standard errors of the test, in such units, too.
    """
    size, _, population = setting.partition(" of ")
    return _block(population, split)[int(size), method]


@cache
def _block(population, split):
    """What is found in a block, by size and test: all see the same pools."""
    rng = np.random.default_rng([PARAMETERS["random_state"], POPULATIONS.index(population), split])
    cuts = repeated_splits(
        PARAMETERS["n_objects"],
        n_splits=PARAMETERS["n_splits"],
        train_fraction=PARAMETERS["train_fraction"],
        train_sizes=SIZES,
        random_state=int(rng.integers(2**31)),
    )
    tested = np.zeros((len(cuts), PARAMETERS["n_objects"]), dtype=np.float32)
    for row, cut in zip(tested, cuts, strict=True):
        row[cut.test] = 1
    found = [_repeat(rng, population, cuts, tested) for _ in range(PARAMETERS["n_repetitions"])]
    rates = {}
    for place, size in enumerate(SIZES):
        values, groups = (np.array([one[place][part] for one in found]) for part in (0, 1))
        rates |= {(size, test): rate for test, rate in _rates(values, groups, size).items()}
    return rates


def _repeat(rng, population, cuts, tested):
    """Differences of two methods on the splits of a new pool: (values, groups) of each size."""
    X, Y = _draw(rng, population)
    whole = np.square(Y).sum(axis=1) if population.endswith("RRMSE") else np.ones(len(Y))
    within = _sums(tested * whole)
    differences = []
    for size in SIZES:
        trains = np.array([cut.train(size) for cut in cuts])
        scores = []
        for view in X:
            missed = _sums(tested * _losses(view, Y, trains, population))
            scores.append([m / w for m, w in zip(missed, within, strict=True)])
        if population.endswith("RRMSE"):
            scores = [[np.sqrt(part) for part in score] for score in scores]
        differences.append([a - b for a, b in zip(*scores, strict=True)])
    return differences


def _draw(rng, population):
    """Inputs of both methods, and outputs."""
    shape = 2, PARAMETERS["n_objects"], PARAMETERS["n_inputs"]
    scales = np.arange(1, PARAMETERS["n_inputs"] + 1, dtype=np.float32) ** -0.5
    X = scales * rng.standard_normal(shape, dtype=np.float32)
    W = rng.standard_normal((shape[2], PARAMETERS["n_outputs"]), dtype=np.float32)
    signal = X.sum(axis=0) @ W
    noise = rng.standard_normal(signal.shape, dtype=np.float32)
    if population.startswith("uneven"):
        noise *= 1.5 * np.abs(X[:, :, :1]).sum(axis=0)
    elif population.startswith("heavy"):  # a multivariate t
        half = PARAMETERS["degrees"] / 2
        noise *= 2 * np.sqrt(half / rng.standard_gamma(half, (len(noise), 1), dtype=np.float32))
    if not population.startswith("classes"):
        return X, signal + noise
    return X, np.eye(noise.shape[1], dtype=np.float32)[np.argmax(signal + noise, axis=1)]


def _losses(X, Y, trains, population):
    """Losses of ridge regression on all objects after training on those of each split, (K, n)."""
    Z, n_outputs = X[trains], Y.shape[1]
    A = Z.mT @ Z + np.float32(PARAMETERS["ridge"]) * np.eye(X.shape[1], dtype=np.float32)
    coef = np.linalg.solve(A, Z.mT @ Y[trains])
    predicted = (coef.mT.reshape(-1, X.shape[1]) @ X.T).reshape(len(trains), n_outputs, -1)
    if population.startswith("classes"):
        return predicted.max(axis=1) > np.einsum("kmn,nm->kn", predicted, Y)
    predicted -= Y.T
    return np.einsum("kmn,kmn->kn", predicted, predicted)


def _sums(values):
    """Sums over the objects of each split, (K,), and without each group, (K, G)."""
    n_groups = PARAMETERS["n_groups"]
    first = np.arange(n_groups) * values.shape[1] // n_groups  # objects are in random order
    sums = np.add.reduceat(values, first, axis=1).astype(float)
    whole = sums.sum(axis=1)
    return whole, whole[:, None] - sums


def _rates(values, groups, n_train):
    """What `evaluate` returns, by test, from the values and groups of all repetitions."""
    mean = values.mean(axis=1)
    true = np.sqrt(np.mean(np.square(mean)))
    rates = {}
    for test, (error, degrees) in _errors(values, groups, n_train).items():
        rates[test] = {"standard error": np.sqrt(np.mean(np.square(error))) / true}
        for name, level in LEVELS.items():
            quantile = stats.t.isf(level / 2, degrees)
            reached = stats.t.ppf(PARAMETERS["power"], degrees)
            moved = mean + PARAMETERS["difference"] * true
            rates[test] |= {
                f"rate_{name}": np.mean(np.abs(mean) > quantile * error),
                f"power_{name}": np.mean(np.abs(moved) > quantile * error),
                f"detectable_{name}": np.median((quantile + reached) * error) / true,
            }
    return rates


def _errors(values, groups, n_train):
    """Standard error of the mean and its degrees of freedom by test, of all repetitions."""
    n_splits, n_objects = PARAMETERS["n_splits"], PARAMETERS["n_objects"]
    n_test = n_objects - round(PARAMETERS["train_fraction"] * n_objects)
    shared = max(n_test, n_train) / n_objects  # the greatest correlation of two splits
    ratios = {
        "Student": 0.0,
        "corrected": n_test / n_train,
        "corrected, whole pool": n_test / (n_objects - n_test),
        "greatest correlation": shared / (1 - shared),
    }
    variance = values.var(axis=1, ddof=1)
    errors = {
        test: (np.sqrt(variance * (1 / n_splits + ratio)), n_splits - 1)
        for test, ratio in ratios.items()
    }
    found = two_way(values, groups, shared=n_train / n_objects)
    return errors | {
        "pigeonhole bootstrap": (_pigeonhole(values, groups), np.inf),
        "two-way clusters": _clusters(values, groups),
        "two-way": (found.error, found.degrees),
    }


def _pigeonhole(values, groups):
    """Standard deviation of the mean over all draws of splits and of groups with replacement."""
    n_splits, n_groups = groups.shape[1:]
    # Pseudo-values, of which the value of a split is the mean.
    cells = n_groups * values[:, :, None] - (n_groups - 1) * groups
    rest, other = 1 - 1 / n_splits, 1 - 1 / n_groups
    squares = np.square(cells).sum(axis=(1, 2))
    squares += other * np.square(cells.sum(axis=2)).sum(axis=1)
    squares += rest * np.square(cells.sum(axis=1)).sum(axis=1)
    squares += (rest * other - 1) * np.square(cells.sum(axis=(1, 2)))
    return np.sqrt(squares) / (n_splits * n_groups)


def _clusters(values, groups):
    """Error of Cameron, Gelbach and Miller: splits plus objects minus cells; K - 1 degrees."""
    n_splits, n_groups = groups.shape[1:]
    of_splits = values.var(axis=1, ddof=1) / n_splits
    of_objects = (n_groups - 1) * groups.mean(axis=1).var(axis=1)
    of_cells = (n_groups - 1) * groups.var(axis=2).sum(axis=1) / n_splits**2
    floor = np.maximum(of_splits, of_objects)
    return np.sqrt(np.maximum(of_splits + of_objects - of_cells, floor)), n_splits - 1


def _load():
    return None


EXPERIMENT = Experiment(
    id="ofer-test-levels",
    title="Tests of two equally good methods on repeated splits",
    load=_load,
    evaluate=evaluate,
    methods=TESTS,
    settings=tuple(f"{size} of {population}" for population, size in product(POPULATIONS, SIZES)),
    n_splits=25,
    parameters=PARAMETERS,
    check=Check(settings=(f"10 of {POPULATIONS[0]}",)),
    # A test on the edge of its level turns with the last bit of a sum.
    tolerance=Tolerance(rtol=1e-3, atol={f"rate_{name}": 2e-3 for name in LEVELS}),
)
