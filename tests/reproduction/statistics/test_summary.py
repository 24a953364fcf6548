import numpy as np
import pandas as pd
import pytest

from reproduction.experiments import printed_tables
from reproduction.paths import studies_dir
from reproduction.statistics import read_bold, read_paper, summarize


@pytest.fixture
def frame():
    values = {("ours only", "100"): [4.0, 4.0], ("both", "100"): [1.0, 3.0], ("both", "20"): [5, 6]}
    return pd.DataFrame(
        [
            (method, setting, split, metric, sign * value)
            for (method, setting), column in values.items()
            for split, value in enumerate(column)
            for metric, sign in {"rrmse": 1.0, "score": -1.0}.items()
        ],
        columns=["method", "setting", "split", "metric", "value"],
    )


@pytest.fixture
def printed(checkout):
    """The folder of printed tables, with one of them."""
    folder = checkout / "reproduction" / "studies" / "toys" / "printed"
    folder.mkdir(parents=True)
    (folder / "toy.csv").write_text(
        "method,setting,metric,mean,std,bold\n"
        "both,20,rrmse,4e-2,,\n"
        "both,100,rrmse,0.20,0.002,one metric\n"
        "theirs only,100,rrmse,1,0.50,\n"
        "both,100,accuracy,93.1,1,all metrics\n"
    )
    return folder


def test_summarize_by_hand(frame):
    summary = summarize(frame)
    assert list(summary.columns) == ["method", "setting", "metric", "mean", "std", "n"]
    rows = {tuple(row[:3]): tuple(row[3:]) for row in summary.itertuples(index=False)}
    assert rows["both", "100", "rrmse"] == (2.0, np.sqrt(2.0), 2)
    assert rows["ours only", "100", "score"] == (-4.0, 0.0, 2)
    assert list(rows)[:3] == [
        ("ours only", "100", "rrmse"),
        ("ours only", "100", "score"),
        ("both", "100", "rrmse"),
    ]


def test_read_paper_keeps_what_is_printed(printed):
    paper = read_paper("toy")
    assert list(paper["printed"]) == ["4e-2", "0.20 ± 0.002", "1 ± 0.50", "93.1 ± 1"]
    np.testing.assert_array_equal(paper["mean"], [0.04, 0.2, 1.0, 93.1])
    np.testing.assert_array_equal(paper["std"], [np.nan, 0.002, 0.5, 1.0])
    assert list(paper["setting"]) == ["20", "100", "100", "100"]
    assert "bold" not in paper


def test_read_bold_looks_for_the_best_of_a_row(printed):
    rows = [tuple(row) for row in read_bold().itertuples(index=False)]
    assert rows == [
        ("toy", "both", "100", "rrmse", 0.2, 0.2, "both"),
        ("toy", "both", "100", "accuracy", 93.1, 93.1, "both"),
    ]


def test_read_paper_checks_columns(printed):
    (printed / "toy.csv").write_text("method,mean\na,1\n")
    with pytest.raises(ValueError, match=r"toy.csv must have the columns .* got \['method', 'mean"):
        read_paper("toy")
    with pytest.raises(FileNotFoundError, match=r"absent\.csv"):
        read_paper("absent")


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"a,b\n1,2,3,4\n5\n6,7,8,9,0\n"])
def test_a_printed_table_that_is_no_table_is_named(printed, damage):
    (printed / "toy.csv").write_bytes(damage)
    with pytest.raises(ValueError, match=r"toy\.csv is damaged \(.*\): restore it"):
        read_paper("toy")


def test_no_two_printed_tables_have_one_id():
    assert len(printed_tables()) == len([*studies_dir().rglob("printed/*")])


@pytest.mark.parametrize("id", printed_tables())
def test_tables_of_the_papers(id):
    paper = read_paper(id)
    assert paper["mean"].notna().all()
    assert not (paper["std"] < 0).any()
    assert not paper.duplicated(["method", "setting", "metric"]).any()
    assert (paper[["method", "setting", "metric"]] != "").all(axis=None)
    bold = pd.read_csv(printed_tables()[id], dtype=str, keep_default_na=False)["bold"]
    assert {*bold} <= {"", "one metric", "all metrics"}


def test_bold_cells_are_the_best_of_their_row_but_for_three():
    bold = read_bold()
    assert len(bold) == 94
    odd = bold[bold["mean"] != bold["best"]].drop(columns=["mean", "best"])
    assert {tuple(row) for row in odd.itertuples(index=False)} == {
        ("ofer-table-02", "reduced", "10", "fit time", "full"),
        ("ofer-table-12", "OFER-GMM", "4", "accuracy", "MLP"),
        ("fkl-table-02", "likelihood", "2", "softmax", "likelihood, SVM"),
    }


def test_the_short_version_prints_numbers_of_the_journal():
    keys = ["method", "setting", "metric"]
    for short, long in (("esann-table-01", "ofer-table-09"), ("esann-table-02", "ofer-table-11")):
        journal = read_paper(long).set_index(keys)["printed"]
        printed = read_paper(short).set_index(keys)["printed"]
        assert printed.equals(journal.loc[printed.index])
