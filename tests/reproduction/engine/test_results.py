"""A change in the code that moves a stored number cannot pass unseen, nor one of the number."""

import os

import pytest

from reproduction.datasets import unavailable_reason
from reproduction.engine import (
    beside_stored,
    get_experiment,
    is_stale,
    list_experiments,
    load,
    recompute,
    run,
)
from reproduction.engine.columns import find_faults
from reproduction.engine.rotation import N_PARTS, n_commits, parts

# Grids are those of the protocol, and a class may have one image.
QUIET = "ignore:alphas should have", "ignore:The number of unique classes"


@pytest.mark.parametrize("id", list_experiments())
def test_stored_results_are_fresh(id):
    assert is_stale(get_experiment(id)) is None, "run `make results`"


@pytest.mark.parametrize("id", list_experiments())
def test_stored_numbers_can_be(id):
    assert find_faults(get_experiment(id), load(id)[0]) == []


def declared(id):
    """The experiment, where its data are."""
    experiment = get_experiment(id)
    for name in experiment.datasets:
        if reason := unavailable_reason(name):
            pytest.skip(reason)
    return experiment


def check(id, cells):
    wrong = cells[cells["excess"] > 1]
    assert wrong.empty, f"`make results ID={id} VERIFY=1` compares all of it.\n{wrong.to_string()}"


@pytest.mark.recomputes
@pytest.mark.filterwarnings(*QUIET)
@pytest.mark.parametrize("id", list_experiments())
def test_stored_results_are_what_the_code_gives(id):
    # Tests run side by side already.
    check(id, recompute(declared(id), n_jobs=1, progress=False))


@pytest.fixture(scope="module")
def part():
    """Units by table that are recomputed at this commit."""
    return parts()[n_commits() % N_PARTS]


@pytest.mark.recomputes
@pytest.mark.skipif("CI" not in os.environ, reason="a part for each commit, where CI is set")
@pytest.mark.filterwarnings(*QUIET)
@pytest.mark.parametrize("id", list_experiments())
def test_a_part_that_moves_on_with_the_commits_is_what_is_stored(id, part):
    if id in part:
        experiment = declared(id)
        computed = run(experiment, part[id], n_jobs=1, progress=False)
        check(id, beside_stored(experiment, computed))
