"""The experiments with twin Gaussian processes: tasks, choices and what is measured."""

import numpy as np
import pytest

from reproduction.datasets import unavailable_reason
from reproduction.datasets.generated.toy_curves import make_toy1
from reproduction.studies.second_volume.twin_processes.models import (
    MODELS,
    PARAMETERS,
    quiet,
    select,
)
from reproduction.studies.second_volume.twin_processes.tasks import (
    SETTINGS,
    Task,
    load_tasks,
    take_task,
)


@pytest.fixture(scope="module")
def data():
    for name in ("usps", "poser"):
        if reason := unavailable_reason(name):
            pytest.skip(reason)
    return load_tasks()


@pytest.mark.parametrize(
    ("setting", "split"), [*((setting, 0) for setting in SETTINGS), ("USPS", 1), ("Poser", 4)]
)
def test_hyper_parameters_are_judged_on_the_training_part_alone(data, setting, split):
    task = take_task(data, setting, split)
    for kept, held in task.folds:
        assert not set(kept) & set(held)
        assert max(kept.max(), held.max()) < len(task.X)
    test = {row.tobytes() for row in task.X_test}
    assert not any(row.tobytes() in test for row in task.X)


def test_poses_are_held_out_in_stretches(data):
    ((kept, held),) = take_task(data, "Poser", 0).folds
    assert np.abs(kept[:, None] - held).min(axis=0).max() >= 18


def test_the_first_split_is_that_of_the_data_set(data):
    usps, poser = (take_task(data, name, 0) for name in ("USPS", "Poser"))
    np.testing.assert_array_equal(usps.X_test, data["USPS"].X[data["USPS"].test])
    np.testing.assert_array_equal(poser.X_test, data["Poser"].X_test)


def test_later_splits_of_poser_test_other_stretches(data):
    poser = data["Poser"]
    frames = {row.tobytes(): i for i, row in enumerate(np.concatenate([poser.Y, poser.Y_test]))}
    own = []
    for split in (1, 2, 3, 4):
        task = take_task(data, "Poser", split)
        trained = {frames[row.tobytes()] for row in task.Y}
        own.append(np.array([i for i in range(len(frames)) if i not in trained]))
    tested = np.sort(np.concatenate(own))
    assert len(set(tested)) == len(tested) == 4 * len(poser.X_test)
    for frames_of_one in own:
        starts = np.flatnonzero(np.diff(frames_of_one, prepend=-2) > 1)
        assert np.all(np.diff([*starts, len(frames_of_one)]) % 38 == 0)


def small_task(n=70):
    toy = make_toy1(n, n_test=20, random_state=0)
    folds = [(np.arange(n // 2), np.arange(n // 2, n))]
    return Task(toy.X, toy.Y, toy.X_test, folds, lambda Y: {}, lambda Y: Y[:, 0])


@pytest.mark.filterwarnings("ignore:alphas should have")  # the grid is that of the protocol
@pytest.mark.parametrize("method", ["W-KNN", "m-KRR centred"])
def test_the_choice_is_the_best_of_its_grid(method):
    task = small_task()
    model, chosen = select(method, task)
    error = chosen.pop("validation error")
    refitted = MODELS[method](task, **chosen)
    with quiet():
        np.testing.assert_allclose(task.validate(refitted.fit), error)
        refitted.fit(task.X, task.Y)
    np.testing.assert_array_equal(refitted.predict(task.X_test), model.predict(task.X_test))
    grid = {"W-KNN": ("n_neighbors", PARAMETERS["n_neighbors"])}.get(method)
    if grid:
        errors = [task.validate(MODELS[method](task, **{grid[0]: v}).fit) for v in grid[1]]
        assert error == min(errors)
