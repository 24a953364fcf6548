import pandas as pd
import pytest
from pandas.testing import assert_series_equal

from reproduction.claims import count_once, match_cells
from reproduction.engine import load
from reproduction.statistics import read_paper, summarize


@pytest.fixture
def folders(tmp_path, declare):
    """Two printed tables, of which one has been re-run."""
    (tmp_path / "a-table-01.csv").write_text(
        "method,setting,metric,mean,std\n"
        "two forms,10,error,0.50,0.1\n"
        "one form,10,error,2,\n"
        "one form,10,fit time,1e-3,\n"
        "one form,99,error,3,\n"
    )
    (tmp_path / "b-table-01.csv").write_text("method,setting,metric,mean,std\nx,1,error,1,\n")
    rows = [
        (method, "10", split, metric, value + split)
        for method, metric, value in [
            ("two forms", "error", 7.0),
            ("two forms as printed", "error", 0.0),
            ("one form", "error", 3.5),
            ("one form", "fit time", 1.5),
        ]
        for split in (0, 1)
    ]
    columns = ["method", "setting", "split", "metric", "value"]
    (tmp_path / "results").mkdir()
    pd.DataFrame(rows, columns=columns).to_csv(tmp_path / "results/a-table-01.csv", index=False)
    (tmp_path / "results/a-table-01.json").write_text('{"duration_s": 1.0}')
    declare(
        id="a-table-01",
        methods='("two forms", "two forms as printed", "one form")',
        settings='("10", "99")',
    )
    return {"folder": tmp_path / "results", "paper_folder": tmp_path}


def test_cells_by_hand(folders):
    cells = match_cells(**folders)
    assert list(cells["table"]) == ["a-table-01"] * 3  # neither the row 99 nor the other table
    assert list(cells["label"]) == ["two forms", "one form", "one form"]
    assert list(cells["method"]) == ["two forms as printed", "one form", "one form"]
    assert list(cells["printed"]) == ["0.50 ± 0.1", "2", "1e-3"]
    assert list(cells["ours"]) == [0.5, 4.0, 2.0]
    assert list(cells["ratio"]) == [1.0, 2.0, 2000.0]
    assert list(cells["is_time"]) == [False, False, True]
    assert set(cells["data"]) == {"generated"}


def test_every_cell_is_a_printed_and_a_stored_number():
    cells = match_cells()
    assert not cells.duplicated(["table", "label", "row", "metric", "method"]).any()
    assert cells["ratio"].notna().all()
    for table, part in cells.groupby("table"):
        printed = read_paper(table).set_index(["method", "setting"])["printed"]
        assert set(part["printed"]) <= set(printed)
    for id, part in cells.groupby("results"):
        place = ["method", "setting", "metric"]
        stored = summarize(load(id)[0]).set_index(place)["mean"]
        wanted = stored.loc[list(part[place].itertuples(index=False, name=None))]
        assert_series_equal(part["ours"].reset_index(drop=True), wanted.reset_index(drop=True),
                            check_names=False)  # fmt: skip


@pytest.mark.parametrize(
    ("table", "label", "row", "method", "results"),
    [
        ("ofer-table-02", "full", "100", "full by descent", "ofer-table-01"),
        ("ofer-table-03", "full", "2-GMM 10", "full by descent", "ofer-table-03"),
        ("ofer-table-05", "IOKR2", "100", "IOKR-GAK", "ofer-table-05"),
        ("ofer-table-06", "OFER-GSSM", "2001", "OFER-GSSM as printed", "ofer-table-06"),
        ("ofer-table-13", "m-SVM", "1", "m-SVM", "ofer-table-11"),
        ("ofer-table-14", "MLP", "1", "MLP", "ofer-table-12"),
    ],
)
def test_cells_that_are_stored_elsewhere_or_under_another_label(table, label, row, method, results):
    cells = match_cells().set_index(["table", "label", "row"]).sort_index()
    found = cells.loc[[(table, label, row)]]
    assert (method, results) in set(zip(found["method"], found["results"], strict=True))


def test_data_of_another_kind_are_not_compared():
    assert "fkl-table-03" not in set(match_cells()["table"])


def test_repeats_count_once():
    """They stand in other tables, and are of the same method and setting."""
    cells = match_cells()
    once = count_once(cells)
    assert 0 < len(once) < len(cells)
    same = ["label", "row", "metric", "printed", "ours"]
    assert not cells.duplicated(["table", *same]).any()
    assert cells.groupby(same)[["method", "setting"]].nunique().eq(1).all(axis=None)
    assert len(count_once(once)) == len(once)
