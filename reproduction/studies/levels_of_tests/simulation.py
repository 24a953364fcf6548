"""How often tests call two equally good methods different, by the size of the training set.

The protocol is that of the drug activities: a pool of 2,228 objects, ten random splits, of which
each tests 891 and trains on the first of the others. Two methods are ridge regressions, each on its
own half of the inputs, whose parts in the outputs have one distribution: over pools and training
sets neither is better, whatever the population.
"""

from functools import cache

import numpy as np
from scipy import stats

from reproduction.statistics.splits import repeated_splits
from reproduction.statistics.two_way import two_way

__all__ = ["LEVELS", "PARAMETERS", "POPULATIONS", "SIZES", "evaluate"]

PARAMETERS = {
    "random_state": 2020,
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
    "uneven heavy-tailed noise, squared error",
    "classes, error rate",
)


def evaluate(data, method, setting, split):
    """Rates of rejection of one test over one block of repetitions."""
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
    trains = [np.array([cut.train(size) for cut in cuts]) for size in SIZES]
    tests = np.array([np.sort(cut.test) for cut in cuts])  # objects of a group stand together
    places = trains, tests, _first_of_groups(tests)
    repetitions = [_repeat(rng, population, *places) for _ in range(PARAMETERS["n_repetitions"])]
    rates = {}
    for place, size in enumerate(SIZES):
        values, groups = (np.array([one[place][part] for one in repetitions]) for part in (0, 1))
        rates |= {(size, test): rate for test, rate in _rates(values, groups, size).items()}
    return rates


def _first_of_groups(tests):
    """Where each group of each split begins, if the test objects of all splits stand in a row."""
    group = tests * PARAMETERS["n_groups"] // PARAMETERS["n_objects"]
    return np.diff(group, axis=1, prepend=-1).ravel().nonzero()[0]


def _repeat(rng, population, trains, tests, first):
    """Differences of two methods on the splits of a new pool: (values, groups) of each size."""
    X, Y = _draw(rng, population)
    targets = np.ascontiguousarray(Y.T[:, tests].swapaxes(0, 1))
    whole = np.square(targets).sum(axis=1)
    within = _sums(whole if population.endswith("RRMSE") else np.ones_like(whole), first)
    inputs = [np.ascontiguousarray(view.T[:, tests].swapaxes(0, 1)) for view in X]
    differences = []
    for train in trains:
        scores = []
        for view, tested in zip(X, inputs, strict=True):
            predicted = _coefficients(view[train], Y[train]).mT @ tested
            missed = _sums(_losses(predicted, targets, population), first)
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
        half = PARAMETERS["degrees"] / 2  # of a multivariate t
        tails = np.sqrt(half / rng.standard_gamma(half, (len(noise), 1), dtype=np.float32))
        noise *= 1.5 * tails * np.abs(X[:, :, :1]).sum(axis=0)
    if not population.startswith("classes"):
        return X, signal + noise
    return X, np.eye(noise.shape[1], dtype=np.float32)[np.argmax(signal + noise, axis=1)]


def _coefficients(X, Y):
    """Those of ridge regression on each of K training sets, (K, n_inputs, n_outputs)."""
    penalty = np.float32(PARAMETERS["ridge"]) * np.eye(X.shape[2], dtype=np.float32)
    return np.linalg.solve(X.mT @ X + penalty, X.mT @ Y)


def _losses(predicted, targets, population):
    """Losses of the test objects of each split, (K, n_test), from outputs in the second axis."""
    if population.startswith("classes"):
        return predicted.max(axis=1) > np.einsum("kmn,kmn->kn", predicted, targets)
    missed = predicted - targets
    return np.einsum("kmn,kmn->kn", missed, missed)


def _sums(values, first):
    """Sums over the test objects of each split, (K,), and without each group, (K, G)."""
    sums = np.add.reduceat(values.ravel(), first, dtype=float).reshape(len(values), -1)
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
    estimate = two_way(values, groups, shared=n_train / n_objects)
    return errors | {
        "pigeonhole bootstrap": (_pigeonhole(values, groups), np.inf),
        "two-way, cells subtracted": _clusters(values, groups, subtract=True),
        "two-way, cells twice": _clusters(values, groups, subtract=False),
        "two-way": (estimate.error, estimate.degrees),
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


def _clusters(values, groups, *, subtract):
    """Error by Cameron, Gelbach and Miller, with or without the last step, and its degrees.

    Variance of splits plus that of objects; minus that of cells, and not below the larger of the
    two. Degrees are Satterthwaite's.
    """
    n_splits, n_groups = groups.shape[1:]
    of_splits = values.var(axis=1, ddof=1) / n_splits
    of_objects = (n_groups - 1) * groups.mean(axis=1).var(axis=1)
    variance = of_splits + of_objects
    if subtract:
        of_cells = (n_groups - 1) * groups.var(axis=2).sum(axis=1) / n_splits**2
        variance = np.maximum(variance - of_cells, np.maximum(of_splits, of_objects))
    parts = of_splits**2 / (n_splits - 1) + of_objects**2 / (n_groups - 1)
    return np.sqrt(variance), variance**2 / parts
