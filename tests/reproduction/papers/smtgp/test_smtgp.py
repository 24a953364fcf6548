"""The experiments with twin Gaussian processes: tasks, choices and what is measured."""

import numpy as np
import pytest

from reproduction.datasets import unavailable_reason
from reproduction.datasets.generated.toy_curves import make_toy1
from reproduction.papers.smtgp.models import METHODS, MODELS, PARAMETERS, quiet, select
from reproduction.papers.smtgp.structured_errors import mean_point_distance
from reproduction.papers.smtgp.tasks import SETTINGS, Task, load_tasks, take_task


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


def test_later_splits_of_usps_are_other_halves(data):
    trained = [{row.tobytes() for row in take_task(data, "USPS", split).X} for split in (0, 1, 2)]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert 0.45 < len(trained[a] & trained[b]) / len(trained[a]) < 0.55


def test_toys_differ_between_splits():
    first, second = (take_task({}, "toy 2", split) for split in (0, 1))
    assert (first.X != second.X).any()
    np.testing.assert_array_equal(first.X_test, second.X_test)


def small_task(n=70):
    toy = make_toy1(n, n_test=20, random_state=0)
    folds = [(np.arange(n // 2), np.arange(n // 2, n))]
    return Task(toy.X, toy.Y, toy.X_test, folds, lambda Y: {}, lambda Y: Y[:, 0])


@pytest.fixture
def few_candidates(monkeypatch):
    """Grids of twin Gaussian processes with a handful of combinations."""
    grid = {"factor_x": [0.5, 2], "factor_y": [0.25], "ridge": [1e-3]}
    monkeypatch.setitem(PARAMETERS, "twins", {"toys": grid, "others": grid})
    monkeypatch.setitem(PARAMETERS, "alphas", [0, 0.1, 1])
    monkeypatch.setitem(PARAMETERS, "alphas as printed", [0, 0.5, 1])


def test_validation_error_is_that_of_the_held_out_rows():
    task = small_task()
    model = MODELS["W-KNN"](task, n_neighbors=1)
    predicted = model.fit(task.X[:35], task.Y[:35]).predict(task.X[35:])
    expected = mean_point_distance(task.Y[35:], predicted, n_coordinates=1)
    np.testing.assert_allclose(task.validate(model.fit), expected)


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


@pytest.mark.usefixtures("few_candidates")
def test_sharma_mittal_is_at_least_as_good_on_what_it_was_chosen_by():
    task = small_task()
    errors = {name: select(name, task)[1]["validation error"] for name in METHODS if "TGP" in name}
    assert errors["SMTGP"] <= min(errors["KLTGP"], errors["IKLTGP"])
    assert errors["SMTGP as printed"] <= min(
        errors["KLTGP as printed"], errors["IKLTGP as printed"]
    )


@pytest.mark.usefixtures("few_candidates")
def test_forms_as_printed_share_the_hyper_parameters_of_kltgp():
    task = small_task()
    shared = [select(f"{name} as printed", task)[0] for name in ("KLTGP", "IKLTGP", "SMTGP")]
    for name in ("bandwidth_x", "bandwidth_y", "ridge_x", "ridge_y", "n_starts"):
        assert len({getattr(model, name) for model in shared}) == 1
    assert shared[0].n_starts == 1
    assert select("SMTGP", task)[0].n_starts == PARAMETERS["n_starts"]
