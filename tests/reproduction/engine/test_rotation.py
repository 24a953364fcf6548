"""In time every unit of every table comes round."""

from collections import Counter

from reproduction.engine import get_experiment, list_experiments, load
from reproduction.engine.rotation import n_commits, parts


def test_every_unit_is_in_one_part_but_those_that_take_minutes():
    found = Counter((id, *unit) for part in parts() for id in part for unit in part[id])
    assert set(found.values()) == {1}
    seen = {id for id, *_ in found}
    assert len(found) == sum(len(get_experiment(id).units()) for id in seen)
    left = {*list_experiments()} - seen
    assert len(left) <= 1
    for id in left:
        assert load(id)[1]["duration_s"] / len(get_experiment(id).units()) > 120


def test_commits_are_counted_or_there_are_none(tmp_path, monkeypatch):
    assert n_commits() >= 0
    monkeypatch.setattr("reproduction.engine.rotation.CHECKOUT", tmp_path)
    assert n_commits() == 0
