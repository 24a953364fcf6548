"""The representer form against the printed algorithm, and what every step promises."""

import numpy as np
import pytest
from joblib import Parallel
from scipy.optimize import approx_fprime
from scipy.sparse import csr_matrix

from ofer.companions.local_structured import training
from ofer.companions.local_structured.inputs import Inputs, Kernel
from ofer.companions.local_structured.neighborhoods import LocalProduct, find_neighborhoods
from ofer.companions.local_structured.space import Scores
from ofer.companions.local_structured.training import State, Trainer, step_sizes
from reproduction.studies.second_volume.local_predictors.algorithm_1 import (
    iterate_primal,
    local_gradient,
    local_objective,
)

K, C = 10, 0.5


def start_of(problem, seed=0):
    """Outputs to start from: true where labelled, random elsewhere."""
    rng = np.random.default_rng(seed)
    known = np.repeat(problem.labelled, problem.inputs.lengths)
    return np.where(known, problem.encoded, rng.integers(0, 3, len(known)))


def trainer_of(problem, *, kernel=None, inputs=None, n_jobs=1):
    inputs = problem.inputs if inputs is None else inputs
    parallel = Parallel(n_jobs=n_jobs, prefer="threads")
    neighbors = find_neighborhoods(problem.inputs.descriptors(), K, parallel)
    kernel = Kernel() if kernel is None else kernel
    return Trainer(inputs, neighbors, problem.labelled, problem.space, kernel, C, parallel)


def primal_weights(state, trainer, features):
    """The weights that the coefficients stand for, with explicit features of rows."""
    sizes = trainer.neighborhoods.sizes
    cuts = np.cumsum(sizes)[:-1]
    rows, coef = np.split(trainer.neighborhoods.rows, cuts), np.split(state.coef, cuts)
    return np.array([features[r].T @ a for r, a in zip(rows, coef, strict=True)])


def assert_same_iterates(problem, trainer, features, y_step, n_iter=8):
    etas = step_sizes(0.7, C, n_iter)
    start = start_of(problem)
    printed = iterate_primal(
        features, problem.inputs.lengths, trainer.neighborhoods.neighbors, problem.space, start,
        np.flatnonzero(~problem.labelled), etas, C, y_step,
    )  # fmt: skip
    state, moved = trainer.start(start), False
    for eta, (W, V, y) in zip(etas, printed, strict=True):
        state, _ = trainer.iterate(state, eta, y_step)
        np.testing.assert_allclose(primal_weights(state, trainer, features), W, rtol=0, atol=1e-10)
        np.testing.assert_allclose(state.shared, V, rtol=0, atol=1e-10)
        np.testing.assert_array_equal(state.y, y)
        moved |= (y != start).any()
    assert moved == (y_step is not None)


def with_ones(rows):
    return np.column_stack([rows, np.ones(len(rows))])


@pytest.mark.parametrize("y_step", ["literal", "upper_bound", None])
def test_iterates_are_those_of_the_printed_algorithm(problem, y_step):
    features = with_ones(problem.inputs.rows)
    assert_same_iterates(problem, trainer_of(problem), features, y_step)


@pytest.mark.parametrize("intercept", [True, False])
def test_sparse_rows_and_no_intercept(problem, intercept):
    rows = np.where(problem.inputs.rows > 0.5, problem.inputs.rows, 0.0)
    inputs = Inputs(csr_matrix(rows), problem.inputs.lengths)
    trainer = trainer_of(problem, inputs=inputs, kernel=Kernel(intercept=intercept))
    features = with_ones(rows) if intercept else rows
    assert_same_iterates(problem, trainer, features, "upper_bound")


def test_kernels_are_feature_maps(problem):
    kernel = Kernel("poly", {"degree": 2, "gamma": 1.0, "coef0": 0.0}, False)
    rows = problem.inputs.rows
    features = (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), -1)
    assert_same_iterates(problem, trainer_of(problem, kernel=kernel), features, "upper_bound")


def test_sequences_of_equal_lengths(make_problem):
    """Without padding, the other shape of the products."""
    problem = make_problem("hamming", equal_lengths=True)
    assert_same_iterates(
        problem, trainer_of(problem), with_ones(problem.inputs.rows), "upper_bound"
    )


def test_both_products_are_taken_and_agree(make_problem):
    """Few entries a row and many rows a neighbourhood favour the sparse factor."""
    problem = make_problem("chain", n=40)
    trainer = trainer_of(problem)
    rng = np.random.default_rng(0)
    dense = np.zeros((len(problem.inputs.rows), 1000))
    dense[np.arange(len(dense)), rng.integers(0, 1000, len(dense))] = 1.0
    products = [
        LocalProduct(X, trainer.neighborhoods, Kernel()) for X in (csr_matrix(dense), dense)
    ]
    assert products[0].factor is not None
    assert products[1].factor is None
    coef = rng.normal(size=(len(trainer.neighborhoods.rows), 3))
    np.testing.assert_allclose(products[0](coef), products[1](coef), atol=1e-12)
    # Many entries: the Gram matrices, of sparse rows too.
    full = LocalProduct(csr_matrix(rng.normal(size=dense.shape)), trainer.neighborhoods, Kernel())
    assert full.factor is None


def test_gradient_agrees_with_differences(problem):
    """Away from ties, where the maximum has a gradient."""
    rng = np.random.default_rng(1)
    rows, lengths = with_ones(problem.inputs.rows), problem.inputs.lengths
    space, ends = problem.space, np.cumsum(lengths)
    W = rng.normal(size=(rows.shape[1], space.n_codes_))
    V = rng.normal(size=space.n_shared_)
    members = []
    for j in range(6):
        part = slice(ends[j] - lengths[j], ends[j])
        scores = Scores(rows[part] @ W, V[None], lengths[[j]])
        y = problem.encoded[part]
        members.append((rows[part], y, space.decode_augmented(scores, y)))
    assert any((y != z).any() for _, y, z in members)

    def value(theta):
        return local_objective(theta[: W.size].reshape(W.shape), theta[W.size :], space, members, C)

    theta = np.concatenate([W.ravel(), V])
    gradient = np.concatenate([g.ravel() for g in local_gradient(W, V, space, members, C)])
    np.testing.assert_allclose(gradient, approx_fprime(theta, value, 1e-6), atol=1e-5)


def test_objective_is_that_of_the_weights(problem):
    trainer, features = trainer_of(problem), with_ones(problem.inputs.rows)
    state = trainer.start(start_of(problem))
    for eta in (1.0, 0.5, 0.3):
        state, _ = trainer.iterate(state, eta, "upper_bound")
    ends = np.cumsum(problem.inputs.lengths)
    parts = [
        slice(end - length, end) for end, length in zip(ends, problem.inputs.lengths, strict=True)
    ]
    expected = sum(
        local_objective(
            W, V, problem.space, [(features[parts[j]], state.y[parts[j]], None) for j in near], C
        )
        for W, V, near in zip(
            primal_weights(state, trainer, features),
            state.shared,
            trainer.neighborhoods.neighbors,
            strict=True,
        )
    )
    assert trainer.objective(state) == pytest.approx(expected, abs=1e-9)
    assert trainer.iterate(state, 0.1, None)[1] == pytest.approx(expected, abs=1e-9)


def objectives_around_steps(problem, y_step, n_iter=20):
    """Change of the objective in every step over the outputs."""
    trainer, changes = trainer_of(problem), []
    state = trainer.start(start_of(problem))
    for eta in step_sizes(1.0, C, n_iter):
        fixed, _ = trainer.iterate(state, eta, None)
        state, _ = trainer.iterate(state, eta, y_step)
        np.testing.assert_array_equal(fixed.coef, state.coef)
        changes.append(trainer.objective(state) - trainer.objective(fixed))
    return np.array(changes)


@pytest.mark.parametrize("name", ["multiclass", "tree", "chain", "hamming"])
def test_the_upper_bound_step_never_raises_the_objective(make_problem, name):
    changes = objectives_around_steps(make_problem(name), "upper_bound")
    assert (changes <= 1e-10).all()
    assert changes.min() < -1e-3


@pytest.mark.parametrize("name", ["multiclass", "tree"])
def test_the_literal_step_sometimes_raises_it(make_problem, name):
    changes = [
        objectives_around_steps(make_problem(name, n=60, seed=seed), "literal") for seed in range(3)
    ]
    assert np.max(changes) > 1e-3


def test_blocks_and_jobs_change_nothing(problem, monkeypatch):
    def run(block_size, n_jobs):
        monkeypatch.setattr(training, "BLOCK_SIZE", block_size)
        trainer, objectives = trainer_of(problem, n_jobs=n_jobs), []
        state = trainer.start(start_of(problem))
        for eta in (1.0, 0.5, 0.3, 0.2):
            state, objective = trainer.iterate(state, eta, "upper_bound")
            objectives.append(objective)
        return state, objectives

    whole, parts, threads = run(512, 1), run(7, 1), run(7, 2)
    for name in State._fields:
        expected = getattr(whole[0], name)
        np.testing.assert_allclose(getattr(parts[0], name), expected, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(getattr(threads[0], name), getattr(parts[0], name))
    np.testing.assert_allclose(parts[1], whole[1], rtol=1e-12)
    assert threads[1] == parts[1]
