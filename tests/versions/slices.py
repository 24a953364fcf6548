"""Check slices under other versions of numpy, scipy and scikit-learn than the stored tables'.

Not collected by `make test`: ``make test-versions`` names this file and sets OFER_VERSIONS to the
name of the locked set. A cell may differ if ``differences.csv`` lists it, with the reason.
"""

import os
from pathlib import Path

import pandas as pd
import pytest

from reproduction.datasets import unavailable_reason
from reproduction.engine import get_experiment, list_experiments, recompute

KEYS = ["method", "setting", "split", "metric"]


def listed(id):
    """Cells of a table that may differ under these versions."""
    table = pd.read_csv(Path(__file__).with_name("differences.csv"), dtype=str)
    here = (table["versions"] == os.environ.get("OFER_VERSIONS")) & (table["id"] == id)
    return set(table.loc[here, KEYS].itertuples(index=False, name=None))


@pytest.mark.parametrize("id", list_experiments())
def test_other_versions_give_the_stored_results(id):
    experiment = get_experiment(id)
    for name in experiment.datasets:
        if reason := unavailable_reason(name):
            pytest.skip(reason)
    cells = recompute(experiment, progress=False)
    wrong = cells[cells["excess"] > 1]
    differing = set(wrong[KEYS].astype(str).itertuples(index=False, name=None))
    assert differing <= listed(id), wrong.to_string()
