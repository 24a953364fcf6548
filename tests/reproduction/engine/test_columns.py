"""An impossible number is found, and nothing else."""

import pandas as pd
import pytest

from reproduction.engine import columns, run, save
from reproduction.engine.columns import Number, find_faults


def table(values, metric="m"):
    """Rows of one setting and one split, a method each."""
    rows = [(f"method {i}", "10", 0, metric, float(value)) for i, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])


@pytest.fixture
def rule(monkeypatch, toy):
    """Give the metric ``m`` of a toy a rule; returns what finds its faults."""

    def use(one):
        monkeypatch.setattr(columns, "_rules_of", lambda experiment: {"m": one})
        return lambda frame: find_faults(toy(), frame)

    return use


@pytest.mark.parametrize(
    ("one", "right", "wrong"),
    [
        (Number(0, 1), [0, 0.3, 1], [-0.1, 1.1]),
        (Number(1, whole=True), [1, 7], [0, 1.01, 7.07]),
    ],
)
def test_a_value_that_cannot_be_is_named(rule, one, right, wrong):
    faults = rule(one)
    assert faults(table(right)) == []
    for value in wrong:
        found = faults(table([*right, value]))
        assert any(f"method {len(right)}, 10, split 0: m must be" in line for line in found)
        assert any(line.endswith(f"got {value:.10g}.") for line in found)


def test_a_table_with_an_impossible_number_is_not_stored(monkeypatch, toy, checkout):
    monkeypatch.setattr(
        columns,
        "_rules_of",
        lambda experiment: dict.fromkeys(("error", "score"), Number(whole=True)),
    )
    experiment = toy()
    frame = run(experiment, n_jobs=1, progress=False)
    with pytest.raises(ValueError, match="error must be a whole number between 0 and inf; got"):
        save(experiment, frame)
    assert not checkout.exists()
