"""Every inference of every output space against the enumeration of all outputs."""

import itertools

import numpy as np
import pytest

from ofer.companions import ChainOutputs, MulticlassOutputs, TreeOutputs
from ofer.companions.local_structured import Scores

SPACES = {
    "multiclass": MulticlassOutputs().fit([0, 1, 2, 3]),
    "tree": TreeOutputs([-1, 0, 0, 1, 1, 2, 2, 2, 6, 6]).fit([]),
    "chain": ChainOutputs([0, 1, 2]).fit([]),
    "hamming": ChainOutputs([0, 1, 2], loss="hamming").fit([]),
    "two states": ChainOutputs(["a", "b"]).fit([]),
    "one state": ChainOutputs(["a"]).fit([]),
}


@pytest.fixture(params=SPACES, scope="module")
def space(request):
    return SPACES[request.param]


def outputs_of(space, length):
    """All encoded outputs of an input."""
    if space.sequential:
        return [np.array(y) for y in itertools.product(range(space.n_codes_), repeat=length)]
    return [np.array([y]) for y in range(len(space.classes_))]


def make_problems(space, rng, q, lengths=None):
    if lengths is None:
        lengths = rng.integers(1, 6, q) if space.sequential else np.ones(q, int)
    scale = rng.choice([0.1, 1.0, 5.0])
    return Scores(
        scale * rng.normal(size=(lengths.sum(), space.n_codes_)),
        scale * rng.normal(size=(q, space.n_shared_)),
        lengths,
    )


def split(scores):
    """The problems one by one."""
    ends = np.cumsum(scores.lengths)
    for q, (start, end) in enumerate(zip(ends - scores.lengths, ends, strict=True)):
        yield (
            slice(start, end),
            Scores(scores.rows[start:end], scores.shared[q : q + 1], scores.lengths[q : q + 1]),
        )


def random_outputs(space, rng, lengths):
    n_values = space.n_codes_ if space.sequential else len(space.classes_)
    return rng.integers(0, n_values, lengths.sum())


def slow_value(space, problem, y):
    r"""w'Phi(x, y), written out."""
    if not space.sequential:
        return problem.rows[0] @ space.codes_[y[0]]
    K = space.n_codes_
    value = sum(problem.rows[t, state] for t, state in enumerate(y))
    return value + sum(problem.shared[0, a * K + b] for a, b in itertools.pairwise(y))


def slow_loss(space, y, z):
    if not space.sequential:
        return space.loss_matrix_[y[0], z[0]]
    wrong = int((y != z).sum())
    return wrong if space.loss == "hamming" else min(wrong, 1)


def slow_hinge(space, problem, y):
    outputs = outputs_of(space, problem.lengths[0])
    best = max(slow_value(space, problem, z) + slow_loss(space, y, z) for z in outputs)
    return best - slow_value(space, problem, y)


@pytest.mark.parametrize("seed", range(5))
def test_values_and_losses(space, seed):
    rng = np.random.default_rng(seed)
    problems = make_problems(space, rng, 20)
    y, z = (random_outputs(space, rng, problems.lengths) for _ in range(2))
    values = space.values(problems, y)
    losses = space.losses(y, z, problems.lengths)
    for q, (rows, problem) in enumerate(split(problems)):
        assert values[q] == pytest.approx(slow_value(space, problem, y[rows]), abs=1e-12)
        assert losses[q] == slow_loss(space, y[rows], z[rows])
    np.testing.assert_array_equal(space.losses(y, y, problems.lengths), 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_decode_is_the_best_of_all(space, seed):
    rng = np.random.default_rng(seed)
    problems = make_problems(space, rng, 20)
    decoded = space.decode(problems)
    for rows, problem in split(problems):
        outputs = outputs_of(space, problem.lengths[0])
        best = max(outputs, key=lambda y: slow_value(space, problem, y))
        np.testing.assert_array_equal(decoded[rows], best)


@pytest.mark.parametrize("seed", range(10))
def test_augmented_decoding_is_the_best_of_all(space, seed):
    rng = np.random.default_rng(seed)
    problems = make_problems(space, rng, 20)
    # From anywhere, and from the best output, where 0/1 losses are decided.
    for y in (random_outputs(space, rng, problems.lengths), space.decode(problems)):
        z = space.decode_augmented(problems, y)
        hinge = space.hinge(problems, y)
        assert (hinge >= -1e-12).all()
        for q, (rows, problem) in enumerate(split(problems)):
            best = slow_hinge(space, problem, y[rows])
            assert hinge[q] == pytest.approx(best, abs=1e-9)
            value = slow_value(space, problem, z[rows]) + slow_loss(space, y[rows], z[rows])
            assert value - slow_value(space, problem, y[rows]) == pytest.approx(best, abs=1e-9)


def make_steps(space, seed):
    """Problems of several samples, their sums, and who owns which."""
    rng = np.random.default_rng(seed)
    m = 6
    sample_lengths = rng.integers(1, 4, m) if space.sequential else np.ones(m, int)
    owner = np.sort(np.concatenate([np.arange(m), rng.integers(0, m, 15)]))
    problems = make_problems(space, rng, len(owner), sample_lengths[owner])
    sums = [
        (
            sum(p.rows for q, (_, p) in enumerate(split(problems)) if owner[q] == i),
            sum(p.shared for q, (_, p) in enumerate(split(problems)) if owner[q] == i),
        )
        for i in range(m)
    ]
    totals = Scores(*map(np.concatenate, zip(*sums, strict=True)), sample_lengths)
    return rng, problems, totals, owner


@pytest.mark.parametrize("seed", range(8))
def test_literal_step_is_the_best_of_all(space, seed):
    rng, problems, totals, owner = make_steps(space, seed)
    z = random_outputs(space, rng, problems.lengths)
    # Proposals that agree, as those of neighbouring predictors do.
    if space.sequential and seed % 2:
        z[:] = 0
    new = space.literal_step(totals, z, owner)
    members = [rows for rows, _ in split(problems)]
    for i, (rows, total) in enumerate(split(totals)):

        def cost(y, i=i, total=total):
            losses = (slow_loss(space, y, z[members[q]]) for q in np.flatnonzero(owner == i))
            return sum(losses) - slow_value(space, total, y)

        best = min(map(cost, outputs_of(space, total.lengths[0])))
        assert cost(new[rows]) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_upper_bound_step_is_the_best_of_all_or_lowers_the_bound(space, seed):
    rng, problems, totals, owner = make_steps(space, seed)
    y = random_outputs(space, rng, totals.lengths)
    new = space.upper_bound_step(problems, totals, y, owner)
    parts = [problem for _, problem in split(problems)]
    for i, (rows, total) in enumerate(split(totals)):

        def cost(y, i=i):
            return sum(slow_hinge(space, parts[q], y) for q in np.flatnonzero(owner == i))

        if getattr(space, "loss", None) == "hamming":
            assert cost(new[rows]) <= cost(y[rows]) + 1e-9
        else:
            best = min(map(cost, outputs_of(space, total.lengths[0])))
            assert cost(new[rows]) == pytest.approx(best, abs=1e-9)


def test_upper_bound_step_under_the_hamming_loss_moves():
    """The test above would pass with a step that does nothing."""
    lowered = 0
    for seed in range(20):
        rng, problems, totals, owner = make_steps(SPACES["hamming"], seed)
        y = random_outputs(SPACES["hamming"], rng, totals.lengths)
        lowered += (SPACES["hamming"].upper_bound_step(problems, totals, y, owner) != y).any()
    assert lowered >= 15
