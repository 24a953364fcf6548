"""Maximum likelihood of a pairwise Markov random field: EM on chains, gradients on graphs."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, minimize

from ofer.companions.fisher_kernel.expectations import expect, infer_unseen, score, spread

BOUND = 100.0  # of transitions and initial potentials, so that all recursions keep their digits
POTENTIALS = ("initial", "transition")
POTENTIAL_STEPS = 10  # of L-BFGS in an M-step


class Evaluation(NamedTuple):
    """Log-likelihoods and their gradients, how well propagation converged, and what from."""

    loglikelihoods: np.ndarray  # (n,)
    scores: np.ndarray  # (n, P)
    residuals: np.ndarray  # (n,), the larger one of the runs with and without what is seen
    seen: list  # `Expectation` of each batch
    unseen: list  # `Marginals` of each structure without its nodes


def evaluate(packed, layout, vector, *, held=None, last=None):
    """Log-likelihoods and score vectors of packed objects, an `Evaluation`.

    The vector (P,) has the parameters in the packed objects' frame. With `held`, an
    `Expectation` for each batch, the hidden states given what is seen stay as they were, and those
    of the model alone do not. Messages start from those of the `last` evaluation, if any.
    """
    n, parameters, cold = packed.n_objects, layout.unpack(vector), [None] * len(packed.unseen)
    seen = expect_all(packed, layout, vector, last) if held is None else held
    unseen = [
        infer_unseen(one.structure, parameters, near)
        for one, near in zip(packed.unseen, last.unseen if last else cold, strict=True)
    ]
    sums = [own.sums(one.structure) for own, one in zip(unseen, packed.unseen, strict=True)]
    prior = spread(packed, sums)
    logs, scores, residuals = np.empty(n), np.empty((n, layout.size)), np.empty(n)
    for batch, expectation in zip(packed.batches, seen, strict=True):
        logs[batch.places] = expectation.log_partitions
        scores[batch.places] = score(expectation, prior, batch.places, parameters, layout)
        residuals[batch.places] = expectation.residuals
    residuals = np.maximum(residuals, prior.residuals)
    return Evaluation(logs - prior.log_partitions, scores, residuals, seen, unseen)


def expect_all(packed, layout, vector, last=None):
    """Expectations of the hidden states given what is seen, of each batch; as for `evaluate`."""
    parameters = layout.unpack(vector)
    nears = [one.marginals for one in last.seen] if last else [None] * len(packed.batches)
    return [
        expect(batch, layout.emission, parameters, near)
        for batch, near in zip(packed.batches, nears, strict=True)
    ]


def start_vector(packed, layout, init, floor, rng):
    """Parameters before the first iteration of a fit; potentials are zero."""
    nodes = np.concatenate([batch.nodes for batch in packed.batches])
    K = layout.n_states
    if len(nodes) < K:
        raise ValueError(f"n_states must be at most the number of nodes, {len(nodes)}; got {K}.")
    emissions = layout.emission.start(nodes, init, floor, rng)
    potentials = {"initial": np.zeros(K), "transition": np.zeros((K, K))}
    return layout.flatten(potentials | emissions)


def fit_by_em(packed, layout, vector, *, floor, tol, max_iter):
    """EM on chains.

    The maximum over initial and transition potentials has no closed form, as the model is not
    normalised node by node; it is a concave problem in the model's own expectations, and a few
    steps of L-BFGS raise it.

    Returns the vector (P,), a list of the total log-likelihood at the start and after each
    iteration, and what the last one has gained per node.
    """
    (unseen,) = packed.unseen
    chains, multiplicity = unseen.structure, np.bincount(unseen.like)
    history, gain = [], np.inf
    for iteration in range(max_iter + 1):
        parameters = layout.unpack(vector)
        expected = expect_all(packed, layout, vector)
        log_partitions = chains.infer_unseen(*(parameters[name] for name in POTENTIALS))[2]
        seen = sum(one.log_partitions.sum() for one in expected)
        history.append(float(seen - multiplicity @ log_partitions))
        if iteration:
            gain = (history[-1] - history[-2]) / packed.n_nodes
        if gain <= tol or iteration == max_iter:
            return vector, history, gain
        targets = {name: _pool(getattr(one, name) for one in expected) for name in POTENTIALS}
        pooled = [_pool(parts) for parts in zip(*(one.emission for one in expected), strict=True)]
        vector = layout.flatten(parameters | layout.emission.maximize(pooled, parameters, floor))
        vector = _raise_potentials(layout, vector, targets, chains, multiplicity)


def _pool(parts):
    """Sum over the objects of all batches."""
    return sum(part.sum(axis=0) for part in parts)


def _raise_potentials(layout, vector, targets, chains, multiplicity):
    """The same parameters with initial and transition potentials of higher expected likelihood."""
    free = slice(0, layout.blocks["transition"].stop)
    fixed = vector[free.stop :]
    zeros = layout.unpack(np.zeros(layout.size))

    def objective(potentials):
        parameters = layout.unpack(np.concatenate([potentials, fixed]))
        *sums, log_partitions, _, _ = chains.infer_unseen(*(parameters[k] for k in POTENTIALS))
        value = sum(np.vdot(targets[name], parameters[name]) for name in POTENTIALS)
        value -= multiplicity @ log_partitions
        gradients = {
            name: targets[name] - np.tensordot(multiplicity, own, 1)
            for name, own in zip(POTENTIALS, sums, strict=True)
        }
        gradient = layout.flatten_gradient(zeros | gradients)[free]
        return value / multiplicity.sum(), gradient / multiplicity.sum()

    bounds = Bounds(-BOUND, BOUND)
    raised, _ = climb(objective, vector[free], bounds, POTENTIAL_STEPS, gtol=1e-9)
    return np.concatenate([raised, fixed])


def fit_by_ascent(packed, layout, vector, *, floor, tol, max_iter):
    """L-BFGS on the log-likelihood, of Bethe where there are cycles; for graphs.

    Returns what `fit_by_em` does.
    """
    last = None

    def objective(vector):
        nonlocal last
        last = evaluate(packed, layout, vector, last=last)
        gradient = last.scores.sum(axis=0)
        return last.loglikelihoods.sum() / packed.n_nodes, gradient / packed.n_nodes

    def done(history):
        return history[-1] - history[-2] <= tol

    bounds = bounds_of(layout, floor)
    vector, history = climb(objective, vector, bounds, max_iter, gtol=1e-9, done=done)
    gain = history[-1] - history[-2] if len(history) > 1 else 0.0
    return vector, [packed.n_nodes * value for value in history], gain


def climb(objective, start, bounds, max_iter, *, gtol=0.0, done=lambda history: False, memory=10):
    """L-BFGS on an objective that returns value and gradient: the best place, and all values.

    The values are those at the start and after each iteration; once they are `done`, it ends. Where
    messages do not settle, a value depends on those before, and the last may not be the best.
    """

    def minus(x):
        value, gradient = objective(x)
        return -value, -gradient

    history, best = [-minus(start)[0]], start

    def note(intermediate_result):
        nonlocal best
        history.append(-float(intermediate_result.fun))
        if history[-1] == max(history):
            best = intermediate_result.x.copy()
        if done(history):
            raise StopIteration

    options = {"maxiter": max_iter, "maxcor": memory, "ftol": 0, "gtol": gtol}
    settings = {"jac": True, "method": "L-BFGS-B", "bounds": bounds, "options": options}
    minimize(minus, start, callback=note, **settings)
    return best, history


def projected(x, gradient, lower, upper):
    """What bounds leave of a gradient: none of it where it presses against one."""
    return np.clip(x + gradient, lower, upper) - x


def remaining(packed, layout, vector, floor):
    """Length of the gradient of the log-likelihood per node that bounds leave.

    That in a mean is in units of the scale of its state, so that no unit of the data counts.
    """
    scores = evaluate(packed, layout, vector).scores
    bounds = bounds_of(layout, floor)
    rest = projected(vector, scores.sum(axis=0) / packed.n_nodes, bounds.lb, bounds.ub)
    units = layout.emission.natural_units(layout.unpack(vector))
    ones = {name: np.ones(shape) for name, shape in layout.shapes.items()}
    return float(np.linalg.norm(rest * layout.join(ones | units)))


def bounds_of(layout, floor):
    """Bounds of all parameters: of potentials, and of log scales from below."""
    free = {name: np.full(layout.shapes[name], np.inf) for name in layout.shapes}
    upper = free | {name: np.full(layout.shapes[name], BOUND) for name in POTENTIALS}
    lower = {name: -bound for name, bound in upper.items()} | layout.emission.least(floor)
    return Bounds(layout.join(lower), layout.join(upper))
