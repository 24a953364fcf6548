"""Speed of `LocalStructuredPredictor` beside the algorithm as its paper prints it.

The printed algorithm keeps a weight vector for each neighbourhood and visits neighbourhoods and
their members one by one (`algorithm_1` of that study); the estimator keeps k coefficient vectors
instead and takes all neighbourhoods at once. Both take turns in this process, from the same start,
and how far their weights are apart is noted. Then the cost is measured for growing numbers of
samples, with its exponent. Run it with one idle core, and with the data of Cora under OFER_DATA for
the last part:

    OMP_NUM_THREADS=1 python benchmarks/local_structured.py
"""

from collections import deque

import numpy as np
from joblib import Parallel
from record import Missing, comparison, duration, growth, run, significant
from scipy.sparse import hstack
from sklearn.preprocessing import normalize
from timing import growth_exponent, median_times

from ofer.companions import ChainOutputs, LocalStructuredPredictor, MulticlassOutputs, TreeOutputs
from ofer.companions.local_structured.inputs import Inputs, Kernel
from ofer.companions.local_structured.neighborhoods import find_neighborhoods
from ofer.companions.local_structured.training import Trainer, step_sizes
from reproduction.datasets import unavailable_reason
from reproduction.datasets.graphs.cora import fetch_cora
from reproduction.studies.second_volume.local_predictors.algorithm_1 import iterate_primal

SPACES = {
    "classes": MulticlassOutputs(range(5)),
    "tree": TreeOutputs([-1, 0, 0, 1, 1, 2, 2, 2]),
    "chains": ChainOutputs(range(5)),
}
N_ITER, C = 25, 0.1


def make_problem(space, n, d, seed=0):
    """Noisy rows that know their labels, 30 % of which are given; chains have 5 rows."""
    rng = np.random.default_rng(seed)
    lengths = np.full(n, 5 if space.sequential else 1)
    y = rng.integers(0, 5, lengths.sum())
    rows = rng.normal(size=(len(y), d)) / np.sqrt(d)
    rows[np.arange(len(y)), y] += 0.5
    return Inputs(rows, lengths), y, rng.random(n) < 0.3


def against_the_printed_algorithm(name, n, d, k, repetitions):
    """Row of 25 iterations, with the largest gap between weights."""
    space = SPACES[name].fit([])
    inputs, y, labelled = make_problem(space, n, d)
    parallel = Parallel(n_jobs=1)
    neighbors = find_neighborhoods(inputs.descriptors(), k, parallel)
    etas, unlabelled = step_sizes(1.0, C, N_ITER), np.flatnonzero(~labelled)

    def fast():
        trainer = Trainer(inputs, neighbors, labelled, space, Kernel(), C, parallel)
        state = trainer.start(y)
        for eta in etas:
            state, _ = trainer.iterate(state, eta, "literal")
        return trainer, state

    rows = np.column_stack([inputs.rows, np.ones(len(inputs.rows))])

    def printed():
        steps = iterate_primal(
            rows, inputs.lengths, neighbors, space, y, unlabelled, etas, C, "literal"
        )
        return deque(steps, maxlen=1).pop()

    runs = {}
    mine, theirs = median_times(
        repetitions, lambda: runs.update(fast=fast()), lambda: runs.update(printed=printed())
    )
    (trainer, state), (W, _, _) = runs["fast"], runs["printed"]
    members = trainer.neighborhoods.rows.reshape(n, -1)
    coef = state.coef.reshape(n, members.shape[1], -1)
    gap = max(np.abs(rows[m].T @ a - w).max() for m, a, w in zip(members, coef, W, strict=True))
    case = f"`LocalStructuredPredictor`, {N_ITER} iterations, {name}, n = {n}, {d} features, "
    case += f"{k} neighbours"
    note = f"weights are {gap:.0e} apart at most"
    against = "the printed algorithm"
    return comparison(case, against, mine, theirs, repetitions, note=note)


def grow(name, sizes, d, k, repetitions):
    """Row of the exponent of n in the time of 25 iterations."""
    space = SPACES[name].fit([])
    parallel, times = Parallel(n_jobs=1), []
    for n in sizes:
        inputs, y, labelled = make_problem(space, n, d)
        neighbors = find_neighborhoods(inputs.descriptors(), k, parallel)

        def iterate(inputs=inputs, y=y, labelled=labelled, neighbors=neighbors):
            trainer = Trainer(inputs, neighbors, labelled, space, Kernel(), C, parallel)
            state = trainer.start(y)
            for eta in step_sizes(1.0, C, N_ITER):
                state, _ = trainer.iterate(state, eta, "upper_bound")

        times += median_times(repetitions, iterate)
    case = f"`LocalStructuredPredictor`, {N_ITER} iterations, {name}, {d} features, "
    case += f"{k} neighbours, number of samples {sizes[0]} to {sizes[-1]}"
    note = ", ".join(f"{significant(seconds)} s" for seconds in times)
    return growth(case, growth_exponent(sizes, times), repetitions, note=note)


def cora(k, repetitions):
    """Yield the times to fit nine tenths of Cora and to predict the rest."""
    papers = fetch_cora()
    X = normalize(hstack([papers.words, papers.out_links], format="csr"))
    rng = np.random.default_rng(0)
    test = rng.permutation(X.shape[0]) < X.shape[0] // 10
    y = np.where(rng.random(X.shape[0]) < 0.3, papers.labels, -1)[~test]
    model = LocalStructuredPredictor(n_neighbors=k, C=C, eta0=1.0)
    fit, predict = median_times(
        repetitions, lambda: model.fit(X[~test], y), lambda: model.predict(X[test])
    )
    for method, seconds in (("fit to nine tenths", fit), ("predict a tenth", predict)):
        case = f"`LocalStructuredPredictor`: {method} of Cora, {k} neighbours"
        yield duration(case, seconds, repetitions, needs="cora")


def measure(repetitions):
    """Yield the rows of all comparisons."""
    for name in SPACES:
        # the printed algorithm needs ten times as long for chains
        times = 1 if name == "chains" else repetitions
        yield against_the_printed_algorithm(name, 400, 200, 10, times)
    for name in SPACES:
        yield grow(name, (500, 1000, 2000, 4000), 50, 10, repetitions)
    if unavailable_reason("cora") is None:
        for k in (10, 30):
            yield from cora(k, repetitions)
    else:
        yield Missing("cora", "set OFER_DATA")


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
