"""Tables of results: what stands in a cell, and what is in bold."""

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from reproduction.engine import get_experiment, results
from reproduction.engine.store import load_groups
from reproduction.figures.tables import show_results
from reproduction.statistics import paired_t_test


@pytest.fixture
def frame():
    values = {
        ("a", "20"): [5.0, 6.0, 7.0, 8.0],
        ("a", "100"): [1.0, 2.0, 3.0, 4.0],
        ("b", "100"): [1.1, 2.3, 2.9, 4.1],
        ("c", "100"): [2.0, 3.1, 3.9, 5.0],
    }
    rows = [
        (method, setting, split, metric, sign * value)
        for (method, setting), column in values.items()
        for split, value in enumerate(column)
        for metric, sign in {"rrmse": 1.0, "score": -1.0, "fit time": 1.0}.items()
    ]
    return pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])


@pytest.fixture
def paper():
    rows = [("a", "100", "2.1 ± 0.7"), ("a", "20", "6"), ("d", "20", "<9")]
    paper = pd.DataFrame(rows, columns=["method", "setting", "printed"])
    return paper.assign(metric="rrmse", mean=np.nan, std=np.nan)


def rows_of(shown):
    """Texts of the cells of each table, line by line."""
    tables = BeautifulSoup(shown.html, "html.parser").find_all("table")
    return [
        [
            [cell.get_text("|") for cell in row.find_all(["th", "td"])]
            for row in table.find_all("tr")
        ]
        for table in tables
    ]


def bold(shown):
    return [cell.get_text() for cell in BeautifulSoup(shown.html, "html.parser").find_all("b")]


def test_the_printed_number_stands_beneath_ours(frame, paper):
    (table,) = rows_of(show_results(frame, paper, metric="rrmse", digits=1))
    assert table == [
        ["RRMSE", "100", "20"],  # the paper's order
        ["a", "2.5 ± 1.3|2.1 ± 0.7", "6.5 ± 1.3|6"],
        ["b", "2.6 ± 1.2", ""],
        ["c", "3.5 ± 1.3", ""],
        ["d", "", "<9"],
    ]


def test_the_best_and_its_ties_are_bold(frame):
    assert bold(show_results(frame, metric="rrmse", digits=1)) == [
        "6.5 ± 1.3",
        "2.5 ± 1.3",
        "2.6 ± 1.2",
    ]
    assert bold(show_results(frame, metric="score", digits=1, larger_is_better=True)) == [
        "-6.5 ± 1.3",
        "-2.5 ± 1.3",
        "-2.6 ± 1.2",
    ]


def test_a_mean_that_is_worse_by_half_is_not_bold_whatever_its_spread(frame):
    rows = frame.query("metric == 'rrmse' and setting == '100' and method == 'a'")
    wild = rows.assign(method="wild", value=[0.1, 0.1, 0.1, 30.0])
    assert paired_t_test(pd.concat([rows, wild]), "wild", "a", metric="rrmse")["p"].item() > 0.05
    assert bold(show_results(pd.concat([rows, wild]), metric="rrmse", digits=1)) == ["2.5 ± 1.3"]
    few = wild.assign(value=[0.0, 0.0, 0.0, 4.9])
    shown = show_results(pd.concat([rows, few]), metric="rrmse", digits=1, larger_is_better=True)
    assert bold(shown) == ["2.5 ± 1.3"]


def test_a_spread_of_more_than_three_times_that_of_the_best_is_not_bold(frame):
    rows = frame.query("metric == 'rrmse' and setting == '100' and method == 'a'")
    for last, is_bold in ((8.0, True), (9.3, False)):
        wild = rows.assign(method="wild", value=[1.0, 1.0, 1.0, last])
        shown = show_results(pd.concat([rows, wild]), metric="rrmse", digits=1)
        assert (len(bold(shown)) == 2) == is_bold


def test_the_note_says_what_the_splits_are(frame):
    shown = show_results(frame, metric="rrmse", splits_are="starts")
    assert "standard deviation of 4 starts." in shown.html


def test_the_selector_says_what_it_selects(frame):
    shown = show_results(frame, metric=["rrmse", "score"], metrics_are="classifier")
    assert 'data-chosen="classifier"' in shown.html


def test_one_split_has_a_best_and_no_test(frame):
    shown = show_results(frame[frame["split"] == 0], metric="rrmse", digits=1)
    assert bold(shown) == ["5.0", "1.0"]
    assert "One split. Bold: the best." in shown.html


def test_a_method_with_fewer_splits_has_no_mark(frame):
    some = frame[(frame["method"] != "b") | (frame["split"] < 3)]
    assert bold(show_results(some, metric="rrmse", settings=["100"], digits=1)) == ["2.1 ± 0.9"]


def test_a_stored_table_has_both_tests_and_its_rows():
    table = results("ofer-table-09", allow_stale=True)
    shown = show_results(table, metric="rrmse", methods=["m-RF", "m-KRR"], settings=["500"])
    cell = BeautifulSoup(shown.html, "html.parser").find_all("td")[1]
    facts = get_experiment("ofer-table-09").facts
    options = {"test_train_ratio": facts.test_train_ratio, "train_share": facts.train_share}
    options["groups"] = load_groups("ofer-table-09")
    frame = table.frame.query("setting == '500'")
    test = paired_t_test(frame, "m-KRR", "m-RF", metric="rrmse", **options).loc["500"]
    found = [float(p) for p in cell["data-p"].split()]
    np.testing.assert_allclose(found, [test["p"], test["p_corrected"]], rtol=5e-3)
    assert 'href="results/ofer-table-09.csv"' in shown.html


def test_labels_are_escaped(frame):
    shown = show_results(frame.replace("a", "<i>"), metric="rrmse")
    assert "<i>" not in shown.html
    assert "<i>" in str(shown)
