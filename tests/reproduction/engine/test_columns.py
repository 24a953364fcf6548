"""An impossible number is found, and nothing else."""

import numpy as np
import pandas as pd
import pytest

from reproduction.engine import columns, get_experiment, list_experiments, load, run, save
from reproduction.engine.columns import Chosen, Counted, Number, Size, Whole, find_faults


def table(values, metric="m", **others):
    """Rows of one setting and one split, a method each."""
    metrics = {metric: values, **others}
    rows = [
        (f"method {i}", "10", 0, name, float(value))
        for name, column in metrics.items()
        for i, value in enumerate(column)
    ]
    return pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])


RULES = [
    (Number(0, 1), [0, 0.3, 1], [-0.1, 1.1]),
    (Whole(1), [1, 7], [0, 1.01, 7.07]),
    (Size(1), [50, 50, 50], [50.5]),
    (Chosen(), [0.5, 10, 20], [0.505, 5, 10.1]),
    (Chosen((0.1, 1e3)), [0.5, 0.1, 1e3], [0.101, 1010, 1]),
    (Counted(40), [0, 1 / 40, 39 / 40, 1], [39 / 40 * 1.01, 1.01, -1 / 40]),
    (Counted(40, 100), [0, 2.5, 97.5, 100], [2.525, 101]),
]


@pytest.fixture
def rule(monkeypatch, toy):
    """Give the metric ``m`` of a toy a rule; returns what finds its faults."""

    def use(one):
        monkeypatch.setattr(columns, "_rules_of", lambda experiment: {"m": one, "n": Whole()})
        return lambda frame: find_faults(toy(), frame)

    return use


@pytest.mark.parametrize(("one", "right", "wrong"), RULES, ids=lambda value: str(value)[:20])
def test_a_value_that_cannot_be_is_named(rule, one, right, wrong):
    faults = rule(one)
    assert faults(table(right)) == []
    for value in wrong:
        found = faults(table([*right, value]))
        assert any(f"method {len(right)}, 10, split 0: m must be" in line for line in found)
        assert any(line.endswith(f"got {value:.10g}.") for line in found)


def test_a_size_is_the_same_for_all_methods_but_not_in_all_splits(rule):
    faults = rule(Size(1))
    first, second = table([50, 50]), table([60, 60]).assign(split=1)
    assert faults(pd.concat([first, second])) == []
    (line,) = faults(table([50, 50, 51]))
    assert line.startswith("toy, method 2")


def test_a_share_counts_the_cases_that_other_metrics_name(rule):
    faults = rule(Counted(("n",)))
    assert faults(table([0.25, 0.5], n=[4, 6])) == []
    (line,) = faults(table([0.25, 0.5], n=[4, 5]))
    assert "method 1" in line


def test_stored_digits_are_enough_to_count(rule):
    shares = np.round(np.arange(9144) / 9143, 10)[::97]
    assert rule(Counted(9143))(table(shares)) == []


def test_times_are_not_negative_and_a_metric_without_a_rule_is_a_fault(rule, toy):
    faults = rule(Number())
    assert faults(table([1], "other")) == ["toy: other must have a rule in the paper's columns.py."]
    rule(Number())
    timed = toy(timings=("other",))
    assert find_faults(timed, table([1], "other")) == []
    assert len(find_faults(timed, table([-1], "other"))) == 1


def test_a_paper_without_rules_has_forgotten_them(monkeypatch, toy):
    monkeypatch.setattr(columns, "find_spec", lambda name: None)
    experiment, frame = get_experiment("ofer-scale"), load("ofer-scale")[0]
    assert "ofer-scale: mse must have a rule in the paper's columns.py." in find_faults(
        experiment, frame
    )
    assert find_faults(toy(), table([1])) == []  # not of a paper


def test_a_table_with_an_impossible_number_is_not_stored(monkeypatch, toy, tmp_path):
    monkeypatch.setattr(
        columns, "_rules_of", lambda experiment: dict.fromkeys(("error", "score"), Whole())
    )
    experiment = toy()
    frame = run(experiment, n_jobs=1, progress=False)
    with pytest.raises(ValueError, match="error must be a whole number between 0 and inf; got"):
        save(experiment, frame, folder=tmp_path / "stored")
    assert not (tmp_path / "stored").exists()


@pytest.mark.parametrize("id", list_experiments())
def test_every_choice_count_and_size_notices_one_per_cent(id):
    """What is no such number can only be computed again, as `rotation` does bit by bit."""
    experiment, frame = get_experiment(id), load(id)[0]
    rules = columns._rules_of(experiment)
    for metric, rows in frame.groupby("metric"):
        one = rules.get((id, metric), rules.get(metric))
        rows = rows[rows["value"] != 0]
        if metric in experiment.timings or type(one) is Number or rows.empty:
            continue
        at = rows.index[len(rows) // 2]
        split = frame["setting"].eq(frame.at[at, "setting"]) & frame["split"].eq(
            frame.at[at, "split"]
        )
        altered = frame[split].copy()
        altered.loc[at, "value"] *= 1.01
        assert find_faults(experiment, altered), metric
