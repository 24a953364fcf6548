"""Check slices under other versions of numpy, scipy and scikit-learn than the stored tables'.

Not collected by `make test`: ``make test-versions`` names this file and sets OFER_VERSIONS to the
name of the locked set. Cells of a method may differ if ``differences.csv`` lists it, with the
reason.
"""

import os
from pathlib import Path

import pandas as pd
import pytest

from reproduction.datasets import unavailable_reason
from reproduction.engine import get_experiment, list_experiments, recompute


def listed(id):
    """Methods of a table whose cells may differ under these versions."""
    table = pd.read_csv(Path(__file__).with_name("differences.csv"))
    here = (table["versions"] == os.environ["OFER_VERSIONS"]) & (table["id"] == id)
    return set(table.loc[here, "method"])


@pytest.mark.parametrize("id", list_experiments())
def test_other_versions_give_the_stored_results(id):
    experiment = get_experiment(id)
    for name in experiment.datasets:
        if reason := unavailable_reason(name):
            pytest.skip(reason)
    cells = recompute(experiment, progress=False)
    wrong = cells[(cells["excess"] > 1) & ~cells["method"].isin(listed(id))]
    assert wrong.empty, wrong.to_string()
