"""An impossible number is found, and a metric that nobody has declared; nothing else."""

import numpy as np
import pandas as pd
import pytest

from reproduction.engine import Grid, Score, run, save
from reproduction.engine.scores import find_faults


def table(values, metric="m"):
    """Rows of one setting and one split, a method each."""
    rows = [(f"method {i}", "10", 0, metric, float(value)) for i, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])


@pytest.mark.parametrize(
    ("score", "right", "wrong"),
    [
        (Score("m"), [0, 0.3, 1e9], [-0.1]),
        (Score("m", high=1), [0, 0.3, 1], [-0.1, 1.1]),
        (Score("m", low=1, whole=True), [1, 7], [0, 1.01, 7.07]),
        (Score("m", is_time=True), [0, 0.3], [-1e-3]),
    ],
)
def test_a_value_that_cannot_be_is_named(toy, score, right, wrong):
    experiment = toy(scores=(score,))
    assert find_faults(experiment, table(right)) == []
    for value in wrong:
        (found,) = find_faults(experiment, table([*right, value]))
        assert f"toy, method {len(right)}, 10, split 0: m must be" in found
        assert found.endswith(f"got {value:.10g}.")


def test_a_metric_without_a_score_is_named_once(toy):
    frame = table([-1, 2], metric="other")
    experiment = toy(scores=(Score("m"),))
    assert find_faults(experiment, frame) == ["scores of toy must name each metric; got 'other'."]
    assert find_faults(toy(), frame) == []  # nothing is known of its metrics


def test_a_table_with_an_impossible_number_is_not_stored(toy, checkout):
    done = run(toy(), n_jobs=1, progress=False)
    experiment = toy(scores=(Score("error", whole=True), Score("score", low=-np.inf)))
    with pytest.raises(ValueError, match="error must be a whole number between 0 and inf; got"):
        save(experiment, done)
    assert not checkout.exists()


@pytest.mark.parametrize("scores", [(Score("error", high=1e-9),), (Score("other"),)])
def test_an_impossible_number_ends_a_run_at_once(toy, calls, scores):
    with pytest.raises(ValueError, match=r"error must be between|scores of toy must name each"):
        run(toy(scores=scores), n_jobs=1, progress=False)
    assert len(calls.evaluated()) == 1


def test_an_impossible_number_of_an_earlier_run_ends_the_next_at_once(toy, calls, tmp_path):
    run(toy(), toy().units(splits=[0]), n_jobs=1, progress=False, scratch=tmp_path)
    done = len(calls.evaluated())
    scores = Score("error", high=1e-9), Score("score", low=-np.inf)
    with pytest.raises(ValueError, match="error must be between 0 and 1e-09; got"):
        run(toy(scores=scores), n_jobs=1, progress=False, scratch=tmp_path)
    assert len(calls.evaluated()) == done


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"name": ""}, ValueError, "name must be a string that is not empty; got ''."),
        ({"function": 3}, TypeError, "function of m must be callable or None; got 3."),
        ({"low": 2.0, "high": 1.0}, ValueError, "low of m must be at most high, 1.0; got 2.0."),
        ({"low": np.nan}, ValueError, "low of m must be at most high, inf; got nan."),
        ({"choice": True}, TypeError, "choice of m must be a Grid, a sentence or None; got True."),
        ({"choice": ""}, TypeError, "choice of m must be a Grid, a sentence or None; got ''."),
        ({"choice": "no", "is_time": True}, ValueError, "must be None of a time; got 'no'."),
    ],
)
def test_bad_argument_is_named(fields, error, message):
    with pytest.raises(error, match=message):
        Score(**{"name": "m"} | fields)


@pytest.mark.parametrize("values", [[1, 2], None])
def test_a_grid_is_checked(values):
    with pytest.raises(TypeError, match="values must be callable"):
        Grid(values=values)
    with pytest.raises(ValueError, match="each of natural must be one of"):
        Grid(values=lambda parameters, method, setting: [1, 2], natural={"left": 1})
