"""A name stands for one tuning of a method, or the page of names tells which table has which."""

from itertools import combinations

import numpy as np
import pandas as pd

from reproduction.engine import get_experiment, list_experiments
from reproduction.engine.store import load
from reproduction.figures.names import method_name
from reproduction.paths import CHECKOUT

TOLD = CHECKOUT / "book" / "notation.md"


def values(id):
    """Scores of a table on real data: by data, method, setting and metric a value a split."""
    experiment = get_experiment(id)
    chosen = {score.name for score in experiment.scores if score.choice is not None}
    frame = load(id)[0]
    frame = frame[~frame["metric"].isin({*chosen, *experiment.timings})]
    return {
        (frozenset(data), method, setting, metric): rows.set_index("split")["value"]
        for (method, setting, metric), rows in frame.groupby(["method", "setting", "metric"])
        if (data := experiment.facts.datasets_of.get(setting, experiment.datasets))
    }


def two_tunings():
    """Method and two tables in which it has two values on one split of the same data."""
    tables = {id: values(id) for id in list_experiments()}
    for (first, a), (second, b) in combinations(tables.items(), 2):
        for key in a.keys() & b.keys():
            pair = pd.concat([a[key], b[key]], axis=1, join="inner").to_numpy().T
            if not np.allclose(*pair, rtol=1e-6, equal_nan=True):
                yield key[1].partition(",")[0], first, second


def test_a_name_that_stands_for_two_tunings_is_told():
    lines = TOLD.read_text(encoding="utf-8").splitlines()
    found = set(two_tunings())
    assert found
    for method, first, second in found:
        name = method_name(method).partition(" (")[0]
        told = [line for line in lines if f"`{first}`" in line and f"`{second}`" in line]
        assert any(name in line for line in told), (method, first, second)
