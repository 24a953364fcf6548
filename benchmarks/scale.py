"""Speed and memory of `NystroemRidgeCV` on many samples, made block after block.

20 features, 65 targets, 1000 centres. The rate of one thread is compared with the rate of the
product K'K alone (dsyrk), measured in the same run: what a sample costs at the least. Two workers
are two processes of one thread each, their sums merged. Rivals: scikit-learn's `Nystroem` and
`RidgeCV` in memory, and `SGDRegressor.partial_fit`. Ten million samples take four to eight minutes
with two idle cores, all of it a quarter of an hour; `SCALE_MOST=100000` before it makes a trial.

    OMP_NUM_THREADS=1 python benchmarks/scale.py
"""

import argparse
import json
import os
import pickle
import re
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
from record import comparison, duration, run
from scipy.linalg.blas import dsyrk
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeCV, SGDRegressor
from sklearn.multioutput import MultiOutputRegressor
from threadpoolctl import threadpool_limits

from ofer import NystroemRidgeCV

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from reproduction.studies.second_volume.many_samples.errors import make_block  # noqa: E402

M, BLOCK, GAMMA = 1000, 10_000, 0.025
ALPHAS = np.logspace(-2, 4, 19)
SIZES = (10**4, 10**5, 10**6, 10**7)
MOST = int(os.environ.get("SCALE_MOST", SIZES[-1]))  # samples of the largest case
IN_MEMORY = min(10**5, MOST)  # samples where rivals hold all features


def start():
    """A regressor with its centres."""
    X, _, _ = make_block(1, BLOCK)
    return NystroemRidgeCV(ALPHAS, gamma=GAMMA, components=X[:M], selection="gcv")


def peak_memory():
    """Peak resident memory of this program, in bytes; of what ran before it in another."""
    match = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return 1024 * int(match[1])


def dsyrk_rate(seconds=2.0):
    """Rows a second of K'K for M columns: the median of several products."""
    K, C = np.random.default_rng(0).uniform(size=(2000, M)), np.zeros((M, M), order="F")
    rates, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(rates) < 3:
        begin = time.perf_counter()
        dsyrk(1.0, K.T, beta=1.0, c=C, overwrite_c=1)
        rates.append(len(K) / (time.perf_counter() - begin))
    return statistics.median(rates)


def worker(first, stop):
    """Sum over some blocks; what was found as a line of JSON, and the sums on disk."""
    model, busy, rates = start(), 0.0, [dsyrk_rate()]
    for number in range(first, stop):
        X, Y, _ = make_block(1 + number, BLOCK)
        begin = time.perf_counter()
        model.partial_fit(X, Y)  # the samples are made by the benchmark
        busy += time.perf_counter() - begin
        if number == (first + stop) // 2:
            rates.append(dsyrk_rate(1.0))
    rates.append(dsyrk_rate())
    return model, {"busy": busy, "peak": statistics.median(rates), "memory": peak_memory()}


def in_processes(n, n_workers):
    """Seconds until the sums are merged, the model, and what the workers found."""
    cuts = np.linspace(0, n // BLOCK, n_workers + 1).astype(int).tolist()
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for i, (first, stop) in enumerate(pairwise(cuts)):
            arguments = ["--worker", str(first), str(stop), f"{folder}/{i}"]
            environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
            command = [sys.executable, __file__, *arguments]
            runs.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE))
        reports = [json.loads(one.communicate()[0]) for one in runs]
        models = [pickle.loads(Path(f"{folder}/{i}").read_bytes()) for i in range(n_workers)]
    begin = time.perf_counter()
    model = models[0]
    for other in models[1:]:
        model.merge(other)
    merging = time.perf_counter() - begin
    return max(one["busy"] for one in reports) + merging, model, reports


def error(model, transform=lambda X: X):
    X, _, truth = make_block(0, 5000)
    return float(np.square(model.predict(transform(X)) - truth).mean())


def passes():
    """One pass over all samples, by one worker and by two."""
    for n in (n for n in SIZES if n <= MOST):
        seconds, model, (alone,) = in_processes(n, 1)
        note = (
            f"{n / seconds:.0f} rows/s, {n / seconds / alone['peak']:.2f} of the rows/s of dsyrk "
            f"alone, peak memory {alone['memory'] / 1e6:.0f} MB, mean squared error "
            f"{error(model):.4f}"
        )
        yield duration(f"one pass over {n} samples, one worker", seconds, 1, note=note)
        if n // BLOCK < 2:
            continue
        by_two, merged, pair = in_processes(n, 2)
        gap = np.abs(merged.predict(X := make_block(0, 1000)[0]) - model.predict(X)).max()
        share = min(n / 2 / part["busy"] / part["peak"] for part in pair)
        note = (
            f"{n / by_two:.0f} rows/s, {share:.2f} of dsyrk alone in the slower worker, peak "
            f"memory {max(part['memory'] for part in pair) / 1e6:.0f} MB, largest difference of "
            f"predictions {gap:.1e}"
        )
        case = f"one pass over {n} samples, 1000 centres, two workers"
        yield comparison(case, "one worker", by_two, seconds, 1, note=note)


def memory_of(kind):
    """Memory that a fit to the samples takes beyond the data, measured in a new process."""
    command = [sys.executable, __file__, "--memory", kind]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    return float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)


def data():
    blocks = [make_block(1 + i, BLOCK)[:2] for i in range(IN_MEMORY // BLOCK)]
    return tuple(np.concatenate(part) for part in zip(*blocks, strict=True))


def ours(X, Y):
    model = start().fit(X, Y)
    return model.alpha_, lambda queries: model.predict(queries)


def theirs(X, Y):
    features = Nystroem(gamma=GAMMA, n_components=M, random_state=0)
    features.fit(make_block(1, BLOCK)[0][:M])  # the same centres
    # What in scikit-learn chooses among ridges from one decomposition; its leave-one-out errors.
    ridge = RidgeCV(ALPHAS).fit(features.transform(X), Y)
    return ridge.alpha_, lambda queries: ridge.predict(features.transform(queries))


def memory(kind):
    X, Y = data()
    small = slice(0, 2000)
    {"ours": ours, "theirs": theirs}[kind](X[small], Y[small])  # loads what is needed
    before = peak_memory()
    {"ours": ours, "theirs": theirs}[kind](X, Y)
    return peak_memory() - before


def rivals():
    """Samples in memory, and a linear model by stochastic gradients."""
    X, Y = data()
    queries, _, truth = make_block(0, 5000)
    results = {}
    for name, fit in (("ours", ours), ("theirs", theirs)):
        begin = time.perf_counter()
        alpha, predict = fit(X, Y)
        seconds = time.perf_counter() - begin
        results[name] = seconds, alpha, float(np.square(predict(queries) - truth).mean())
    taken = {name: memory_of(name) / 1e6 for name in results}
    note = (
        f"ridges {results['ours'][1]:.3g} and {results['theirs'][1]:.3g}, mean squared errors "
        f"{results['ours'][2]:.4f} and {results['theirs'][2]:.4f}, "
        f"{taken['ours']:.0f} and {taken['theirs']:.0f} MB beyond the data"
    )
    case = f"`NystroemRidgeCV.fit`, {IN_MEMORY} samples, 1000 centres, 65 targets"
    against = "`Nystroem` and `RidgeCV`, in memory"
    pair = results["ours"][0], results["theirs"][0]
    yield comparison(case, against, *pair, 1, note=note, headline=True)
    sgd = MultiOutputRegressor(SGDRegressor(random_state=0))
    begin = time.perf_counter()
    for rows in np.array_split(np.arange(len(X)), len(X) // BLOCK):
        sgd.partial_fit(X[rows], Y[rows])
    seconds = time.perf_counter() - begin
    note = f"mean squared errors {results['ours'][2]:.4f} and {error(sgd):.4f}; the peer is linear"
    yield comparison(case, "`SGDRegressor.partial_fit`", results["ours"][0], seconds, 1, note=note)


def single_precision():
    """What blocks in float32, summed in float64, would change."""
    X, _ = data()
    centres = X[:M]
    times, sums = [], []
    for dtype, product in ((np.float64, dsyrk), (np.float32, None)):
        begin, total = time.perf_counter(), np.zeros((M, M))
        for start_ in range(0, len(X), 1000):
            x, z = X[start_ : start_ + 1000].astype(dtype), centres.astype(dtype)
            K = x @ z.T
            K *= 2
            K -= np.square(x).sum(axis=1)[:, None] + np.square(z).sum(axis=1)
            np.exp(GAMMA * K, out=K)
            total += K.T @ K if product is None else product(1.0, K.T)
        times.append(time.perf_counter() - begin)
        sums.append(np.triu(total))
    gap = np.abs(sums[1] - sums[0]).max() / np.abs(sums[0]).max()
    note = f"largest difference of the sums {gap:.0e} of the largest; not used"
    case = f"sums K'K of {IN_MEMORY} samples, blocks in float64"
    yield comparison(case, "blocks in float32, summed in float64", *times, 1, note=note)


def measure(repetitions):
    """Yield the rows of all cases."""
    with threadpool_limits(1):
        yield from passes()
        yield from rivals()
        yield from single_precision()


def part():
    """What a process of its own does; False in the main one."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--worker", nargs=3)
    parser.add_argument("--memory")
    options, _ = parser.parse_known_args()
    if options.worker:
        model, report = worker(*map(int, options.worker[:2]))
        Path(options.worker[2]).write_bytes(pickle.dumps(model))
        print(json.dumps(report))
    elif options.memory:
        print(memory(options.memory))
    return options.worker or options.memory


if __name__ == "__main__" and not part():
    run(measure, __doc__, repetitions=1)
