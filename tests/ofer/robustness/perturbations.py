"""What is done to a problem, and what must hold then.

A *change* takes a problem and random numbers and returns the changed problem with a function of
the answers to the first problem, which the answers to the changed one must equal; None asks for
finite answers alone. A *handling* takes a subject, a problem and a model of it, which it leaves
alone, and returns answers that must be that model's. What is *refused* must raise an error that
names the argument.
"""

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import clone

from tests.ofer.robustness.problems import each, rows

__all__ = ["CHANGES", "HANDLINGS", "REFUSED"]


def same(answers):
    return answers


def of_inputs(subject, problem, function, answers=None):
    """A function of all inputs; it changes answers that are in their space."""
    changed = replace(
        problem, inputs=each(function, problem.inputs), queries=each(function, problem.queries)
    )
    if subject.answers == "inputs":
        return changed, answers or function
    return changed, same


def shift_inputs(subject, problem, rng):
    offset = 100.0 * rng.normal(size=np.shape(problem.inputs[0])[-1])
    return of_inputs(subject, problem, lambda A: A + offset)


def scale_inputs(subject, problem, rng):
    factor = 2.0 ** rng.integers(-9, 10)
    return of_inputs(subject, problem, lambda A: A * factor)


def permute_features(subject, problem, rng):
    order = rng.permutation(np.shape(problem.inputs[0])[-1])
    return of_inputs(subject, problem, lambda A: A[..., order])


def of_outputs(problem, function):
    return replace(problem, outputs=function(problem.outputs)), function


def shift_outputs(subject, problem, rng):
    offset = 100.0 * rng.normal(size=problem.outputs.shape[-1])
    return of_outputs(problem, lambda Y: Y + offset)


def scale_outputs(subject, problem, rng):
    factor = 2.0 ** rng.integers(-9, 10)
    return of_outputs(problem, lambda Y: Y * factor)


def permute_outputs(subject, problem, rng):
    order = rng.permutation(problem.outputs.shape[-1])
    return of_outputs(problem, lambda Y: Y[..., order])


def samples(problem, chosen):
    outputs = None if problem.outputs is None else rows(problem.outputs, chosen)
    return replace(problem, inputs=rows(problem.inputs, chosen), outputs=outputs)


def permute_samples(subject, problem, rng):
    return samples(problem, rng.permutation(len(problem.inputs))), same


def duplicate_samples(subject, problem, rng):
    n = len(problem.inputs)
    return samples(problem, np.r_[np.arange(n), rng.integers(n, size=n)]), None


def all_equal_inputs(subject, problem, rng):
    return replace(problem, inputs=rows(problem.inputs, np.zeros(len(problem.inputs), int))), None


def in_float32(subject, problem, rng):
    changed, _ = of_inputs(subject, problem, lambda A: A.astype(np.float32))
    if isinstance(problem.outputs, np.ndarray) and problem.outputs.dtype == np.float64:
        changed = replace(changed, outputs=problem.outputs.astype(np.float32))
    return changed, same


def read_only(subject, problem, rng):
    def lock(A):
        A = A.copy()
        A.flags.writeable = False
        return A

    changed, _ = of_inputs(subject, problem, lock)
    if isinstance(problem.outputs, np.ndarray):
        changed = replace(changed, outputs=lock(problem.outputs))
    return changed, same


def as_frames(subject, problem, rng):
    def frame(A):
        if A.ndim == 3:
            return [frame(one) for one in A]
        return pd.DataFrame(A, columns=[f"column {j}" for j in range(A.shape[1])])

    changed, _ = of_inputs(subject, problem, frame)
    if isinstance(problem.outputs, np.ndarray) and problem.outputs.ndim == 2:
        changed = replace(changed, outputs=frame(problem.outputs))
    return changed, same


def as_sparse(subject, problem, rng):
    return of_inputs(subject, problem, sparse.csr_array)[0], same


def constant_inputs(subject, problem, rng):
    """One more feature, which is 7 everywhere."""

    def longer(A):
        return np.concatenate([A, np.full((*A.shape[:-1], 1), 7.0)], axis=-1)

    changed, expected = of_inputs(subject, problem, longer)
    return changed, None if subject.answers in ("inputs", "features") else expected


def constant_outputs(subject, problem, rng):
    """One more output, which is 7 everywhere."""
    column = np.full((*problem.outputs.shape[:-1], 1), 7.0)
    return replace(problem, outputs=np.concatenate([problem.outputs, column], axis=-1)), None


def more_features_than_samples(subject, problem, rng):
    def wide(A):
        return np.concatenate([A, rng.normal(size=(*A.shape[:-1], 30))], axis=-1)

    return of_inputs(subject, problem, wide)[0], None


def huge_inputs(subject, problem, rng):
    return of_inputs(subject, problem, lambda A: A * 1e100)[0], None


def tiny_inputs(subject, problem, rng):
    return of_inputs(subject, problem, lambda A: A * 1e-200)[0], None


def huge_outputs(subject, problem, rng):
    return replace(problem, outputs=problem.outputs * 1e100), None


def tiny_outputs(subject, problem, rng):
    return replace(problem, outputs=problem.outputs * 1e-200), None


def spoiled(data, value, rng):
    """A copy with one value in the place of one entry."""
    data = [one.copy() for one in data] if isinstance(data, list) else data.copy()
    if not isinstance(data, list) and data.dtype.kind != "f":
        data = data.astype(float)
    one = data[rng.integers(len(data))] if isinstance(data, list) else data
    one[tuple(rng.integers(size) for size in one.shape)] = value
    return data


def spoil(part, value):
    def change(problem, rng):
        return replace(problem, **{part: spoiled(getattr(problem, part), value, rng)})

    return change


def pickled(subject, problem, model):
    return subject.ask(pickle.loads(pickle.dumps(model)), problem.queries)


def refitted(subject, problem, model):
    """What was learned first, from half of the samples in another order, is forgotten."""
    n = len(problem.inputs)
    other = samples(problem, np.arange(n)[::-1])
    used = subject.fit(other)
    return subject.ask(used.fit(**subject.arguments(problem)), problem.queries)


def threaded(subject, problem, model):
    """Two models are fitted, and each of them is asked, at once."""
    with ThreadPoolExecutor(2) as pool:
        models = list(pool.map(lambda _: subject.fit(problem), range(2)))
        found = list(pool.map(lambda i: subject.ask(models[i % 2], problem.queries), range(4)))
    for one in found[1:]:
        np.testing.assert_equal(one, found[0])
    return found[0]


def cloned(subject, problem, model):
    return subject.ask(subject.fit(problem, clone(model)), problem.queries)


CHANGES = {
    "shift inputs": shift_inputs,
    "scale inputs": scale_inputs,
    "permute features": permute_features,
    "shift outputs": shift_outputs,
    "scale outputs": scale_outputs,
    "permute outputs": permute_outputs,
    "permute samples": permute_samples,
    "duplicate samples": duplicate_samples,
    "equal inputs": all_equal_inputs,
    "float32": in_float32,
    "read-only": read_only,
    "frames": as_frames,
    "sparse": as_sparse,
    "constant feature": constant_inputs,
    "constant output": constant_outputs,
    "n < d": more_features_than_samples,
    "huge inputs": huge_inputs,
    "tiny inputs": tiny_inputs,
    "huge outputs": huge_outputs,
    "tiny outputs": tiny_outputs,
}
HANDLINGS = {"pickle": pickled, "refit": refitted, "threads": threaded, "clone": cloned}
REFUSED = {
    f"{word} in {part}": spoil(part, value)
    for part in ("inputs", "outputs", "queries")
    for word, value in (("NaN", np.nan), ("infinity", np.inf), ("1e200", 1e200))
}
