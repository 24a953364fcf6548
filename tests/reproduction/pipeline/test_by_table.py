"""Every number that a paper prints is in a row of the page that goes from table to table."""

import re
from collections import Counter

import pandas as pd
import pytest
from numpy.testing import assert_allclose

from reproduction.claims import match_cells, read_claims
from reproduction.datasets.generated.mixtures import make_d1, make_d2
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.engine import load
from reproduction.experiments import printed_tables
from reproduction.pipeline.by_table import (
    VERDICTS,
    by_definition,
    compared_to_html,
    read_said,
    rows_by_table,
    said_to_html,
    verdict,
)
from reproduction.pipeline.inventory import read_inventory
from reproduction.statistics import read_paper

OF_OTHERS = {"after-bibtex", "ranking-benchmark"}  # of none of the five papers


@pytest.fixture(scope="module")
def rows():
    return [row for own in rows_by_table().values() for row in own]


def test_every_printed_cell_is_in_a_row(rows):
    printed = Counter()
    for row in rows:
        printed[row.item.table] += row.printed
    del printed[""]
    wanted = {id: len(read_paper(id)) for id in printed_tables() if id not in OF_OTHERS}
    assert printed == wanted


def test_no_row_mixes_errors_accuracies_and_times(rows):
    for row in rows:
        if len(row.cells):
            assert set(row.cells["metric"].str.endswith("time")) == {row.kind == "times"}
            assert set(row.cells["metric"] == "accuracy") == {row.kind == "accuracies"}


def test_a_level_that_is_off_has_its_reason_without_typed_numbers(rows):
    for row in rows:
        assert row.verdict in VERDICTS
        assert bool(row.why) or row.verdict in ("agrees", "not compared", "not run"), row.item
        assert not re.search(r"\d", row.why), row.why
        kinds = {one.kind for one in rows if one.item == row.item}
        assert set(row.item.why) <= {"", *kinds}, row.item


@pytest.mark.parametrize(
    ("ratio", "pairs", "kept", "expected"),
    [
        ([], 0, 0, "not compared"),
        ([1.0, 1.09, 2.0, 3.0], 4, 3, "agrees"),
        ([1.0, 1.2, 2.0, 3.0], 4, 3, "order agrees, level is off"),
        ([1.0], 4, 2, "order differs"),
        ([2.0], 0, 0, "level is off"),
        ([1.0], 0, 0, "agrees"),
    ],
)
def test_verdict(ratio, pairs, kept, expected):
    assert verdict(pd.Series(ratio, dtype=float), pairs, kept) == expected


def test_order_of_a_table_with_two_methods(rows):
    """Reduced is printed below full in all rows of Table 1, and is below it here."""
    (row,) = (one for one in rows if one.item.table == "ofer-table-01")
    ours = row.cells.pivot(index="row", columns="label", values="ours")
    assert row.pairs == 3
    assert row.kept == (ours["reduced"] < ours["full"]).sum()


def test_page_marks_what_is_near(rows):
    (row,) = (one for one in rows if one.item.table == "ofer-table-10")
    html = compared_to_html([row])
    assert html.count("<circle") == len(row.cells)
    assert html.count('fill="currentColor"') == ((row.cells["ratio"] - 1).abs() <= 0.1).sum()


def test_numbers_of_the_text_lead_to_their_claims():
    said, known = read_said(), {claim.id for claim in read_claims()}
    assert set(said["claim"]) - {""} <= known
    assert said_to_html(said).count("<tr") == len(said) + 1


def test_definitions_have_the_outputs_of_the_generators():
    d1, d2 = (make(20, random_state=0).Y.shape[1] for make in (make_d1, make_d2))
    series = make_state_space_series(4, random_state=0).Y.shape[2]
    assert _outputs() == {
        "ofer-table-01": d1,
        "ofer-table-03": d1,
        "ofer-table-04": d2,
        "ofer-table-05": series,
    }


def test_a_definition_is_a_stored_error_over_a_printed_one():
    ratios = by_definition(load("ofer-definitions")[0])
    assert ratios.notna().all(axis=None)
    for id, n_outputs in _outputs().items():
        name = f"Table {int(id[-2:])}"
        own = ratios.loc[name]
        expected = match_cells([id]).query("not is_time").set_index(["method", "setting"])["ratio"]
        assert_allclose(own["relative"], expected.loc[own.index], rtol=0.01)
        summed = own["relative, summed over the outputs"]
        assert_allclose(summed, n_outputs * own["relative"])
        assert_allclose(own["relative, of the norm of all outputs"] ** 2, summed * own["relative"])


def _outputs():
    items = [one for items in read_inventory().values() for one in items]
    return {one.table: one.outputs for one in items if one.outputs}
