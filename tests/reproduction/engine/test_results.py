"""Stored tables are fresh and possible, and here they come out as they are stored.

A change of code makes tables stale, and `make results` checks their slices; what is evaluated here
says that this machine and these versions give the same numbers.
"""

import pytest

from reproduction.datasets import unavailable_reason
from reproduction.engine import get_experiment, list_experiments, load, recompute, why_stale
from reproduction.engine.scores import find_faults

# Their slices take more than a second. `make test-quick` evaluates them; those of all other tables
# are evaluated here.
LONG = {
    "after-bibtex", "after-bibtex-forms", "after-bibtex-leads", "fkl-logarithms", "fkl-readings-01",
    "fkl-readings-02", "fkl-readings-04", "fkl-table-01", "fkl-table-02", "fkl-table-03",
    "fkl-table-04", "fkl-theory", "ofer-ablation", "ofer-autoencoder", "ofer-candidate-vectors",
    "ofer-choosing-inside", "ofer-costs", "ofer-coverage", "ofer-defaults", "ofer-definitions",
    "ofer-frames", "ofer-jobs", "ofer-partial-labels", "ofer-readings-10", "ofer-readings-11",
    "ofer-readings-12", "ofer-readings-13", "ofer-readings-13-choice", "ofer-readings-14",
    "ofer-readings-drugs", "ofer-readings-traits", "ofer-readings-volatility", "ofer-table-03",
    "ofer-table-04", "ofer-table-05", "ofer-table-06", "ofer-table-07", "ofer-table-08",
    "ofer-table-09", "ofer-table-10", "ofer-table-11", "ofer-table-12", "ofer-table-13",
    "ofer-table-14", "ofer-table-16", "ofer-test-levels", "ofer-theory", "ofer-times-alike",
    "ofer-weak-awa", "ofer-weak-caltech101", "ofer-weak-safeguards", "ofer-weak-small",
    "ofer-weak-weight", "ranking-benchmark", "smtgp-certainty", "smtgp-grid", "smtgp-table-02",
    "sslsop-readings-01", "sslsop-sensitivity", "sslsop-table-01",
}  # fmt: skip


@pytest.mark.parametrize("id", list_experiments())
def test_stored_results_are_fresh(id):
    assert why_stale(get_experiment(id)) is None, "run `make results`"


@pytest.mark.parametrize("id", list_experiments())
def test_stored_numbers_can_be(id):
    experiment, (frame, _) = get_experiment(id), load(id)
    assert find_faults(experiment, frame) == []
    assert {score.name for score in experiment.scores} == {*frame["metric"]}


# Grids are those of the protocol, and a class may have one image.
@pytest.mark.filterwarnings("ignore:alphas should have", "ignore:The number of unique classes")
@pytest.mark.parametrize("id", sorted({*list_experiments()} - LONG))
def test_stored_results_are_what_the_code_gives(id):
    experiment = get_experiment(id)
    for name in experiment.datasets:
        if reason := unavailable_reason(name):
            pytest.skip(reason)
    cells = recompute(experiment, n_jobs=1, progress=False)  # tests run side by side already
    wrong = cells[cells["excess"] > 1]
    assert wrong.empty, f"`make results ID={id} VERIFY=1` compares all of it.\n{wrong.to_string()}"
