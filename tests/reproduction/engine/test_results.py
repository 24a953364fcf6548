"""A change in the code that moves a stored number cannot pass unseen."""

import pytest

from reproduction.datasets import unavailable_reason
from reproduction.engine import get_experiment, is_stale, list_experiments, recompute


@pytest.mark.parametrize("id", list_experiments())
def test_stored_results_are_fresh(id):
    assert is_stale(get_experiment(id)) is None, "run `make results`"


@pytest.mark.recomputes
@pytest.mark.filterwarnings("ignore:alphas should have")  # grids are those of the protocol
@pytest.mark.filterwarnings("ignore:The number of unique classes")  # one image per class
@pytest.mark.parametrize("id", list_experiments())
def test_stored_results_are_what_the_code_gives(id):
    experiment = get_experiment(id)
    for name in experiment.datasets:
        if reason := unavailable_reason(name):
            pytest.skip(reason)
    cells = recompute(experiment, n_jobs=1, progress=False)  # tests run side by side already
    wrong = cells[cells["excess"] > 1]
    assert wrong.empty, wrong.to_string()
