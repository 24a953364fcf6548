"""The stored measurements, and what the README and the book quote of them.

Nothing here depends on how long anything takes.
"""

import importlib
import re
import sys
from dataclasses import replace

import pytest

from reproduction.paths import CHECKOUT as ROOT

FOLDER = ROOT / "benchmarks"
RUN = {"machine": "Abacus", "processors": 2, "libraries": ["beads 1"], "versions": {"python": "3"}}
RUN |= {"load": 0.0}
DATE, LATER = "2026-01-02T03:04:05Z", "2026-02-03T04:05:06Z"
RUNS = {DATE: RUN, LATER: RUN | {"machine": "Slide rule", "processors": 1}}
FIXED_SPACE = "\N{NO-BREAK SPACE}"


def module(name):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(FOLDER), *sys.path])
        return importlib.import_module(name)


record, table, quote, run = (module(name) for name in ("record", "table", "quote", "run"))


@pytest.fixture
def row():
    made = record.comparison("`f`, n = 7", "a loop", 0.5, 2.0, 3, headline=True)
    return replace(made, benchmark="kernel_ridge", threads=1, machine="Abacus", date=DATE)


def test_the_page_names_every_package_that_is_not_locked():
    locked = (ROOT / "requirements" / "all.lock").read_text(encoding="utf-8")
    locked = {name.lower() for name in re.findall(r"^([\w.-]+)==", locked, re.MULTILINE)}
    page = quote.PAGE.read_text(encoding="utf-8").lower()
    (sentence,) = re.findall(r"[^.]* not among the dependencies:", page)
    others = set(run.PACKAGES) - locked
    assert others == {name for name in run.PACKAGES if name in sentence}


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        (quote.README, quote.headline_table),
        (quote.PAGE, quote.page_table),
        (quote.PEERS, quote.peers_table),
    ],
    ids=["README", "page", "peers"],
)
def test_pages_say_what_is_stored(path, lines):
    text = path.read_text(encoding="utf-8")
    assert text == quote.replaced(text, lines(table.read_rows(), table.read_runs()))


def test_every_stored_row_says_where_when_and_with_how_many_threads():
    rows, runs = table.read_rows(), table.read_runs()
    assert len(rows) > 30
    for row in rows:
        assert row.machine == runs[row.date]["machine"]
        assert row.threads in runs[row.date]["threads"]
        assert row.repetitions >= 1
    assert {row.date for row in rows} == set(runs)
    for said in runs.values():
        assert set(said) - {"load"} == {"machine", "processors", "libraries", "versions", "threads"}


def test_every_stored_row_measures_one_thing_once():
    rows = table.read_rows()
    keys = [(row.benchmark, row.case, row.against, row.threads) for row in rows]
    assert len(set(keys)) == len(keys)
    for row in rows:
        compared = None not in (row.ours_s, row.theirs_s, row.ratio)
        assert compared == bool(row.against)
        assert (row.ours_s is None) == (row.exponent is not None)
        assert compared or not row.headline
        if compared:
            assert row.ratio == pytest.approx(row.theirs_s / row.ours_s, rel=0.015)


def test_every_benchmark_has_rows_and_every_row_a_benchmark():
    assert {row.benchmark for row in table.read_rows()} == set(run.scripts())
    assert set(run.ALL_THREADS_TOO) < set(run.scripts())
    assert not {"record", "run", "timing"} & set(run.scripts())


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (921.7, 3, "922"),
        (921.7, 2, "920"),
        (9.996, 3, "10.0"),
        (0.012345, 2, "0.012"),
        (0.5, 2, "0.50"),
        (1, 3, "1.00"),
        (None, 3, ""),
    ],
)
def test_significant_digits(value, digits, text):
    assert record.significant(value, digits) == text


def test_rows_come_back_as_they_were_stored(row, tmp_path):
    alone = replace(row, theirs_s=None, ratio=None, against="", headline=False, case="a, b")
    grown = replace(alone, case="c", ours_s=None, exponent=1.25, needs="data", note='a "note"')
    table.write_rows([row, alone, grown], tmp_path / "rows.csv")
    assert table.read_rows(tmp_path / "rows.csv") == [row, alone, grown]


def test_a_benchmark_replaces_its_own_rows_but_for_those_it_cannot_measure(row):
    other = replace(row, benchmark="iokr")
    with_peer, with_data = replace(row, needs="dynamax"), replace(row, needs="cora")
    new = replace(row, date=LATER)
    stored = [other, row, with_peer, with_data]
    assert table.replace_rows(stored, [new], "kernel_ridge") == [other, new]
    kept = table.replace_rows(stored, [new], "kernel_ridge", {"dynamax"})
    assert kept == [other, with_peer, new]
    assert kept[1].date == DATE


def test_the_headline_table_by_hand(row):
    rows = [
        row,
        replace(row, threads=2, ratio=0.456),
        replace(row, against="`g`", ratio=123.0),
        replace(row, case="hidden", headline=False),
    ]
    assert quote.headline_table(rows, RUNS) == [
        "| what | against | times faster, one thread | times faster, 2 threads |",
        "| --- | --- | --- | --- |",
        "| `f`, n = 7 | a loop | 4.0 | 0.46 |",
        "| `f`, n = 7 | `g` | 120 |  |",
        "",
        "Measured on: Abacus with 2 processors, 2026-01-02.",
    ]


def test_several_machines_are_told_apart(row):
    rows = [row, replace(row, benchmark="alignment", needs="tslearn", date=LATER)]
    assert quote.origins(rows, RUNS) == [
        "`kernel_ridge` measured on: Abacus with 2 processors, 2026-01-02.",
        "",
        "`alignment` with tslearn measured on: Slide rule with one processor, 2026-02-03.",
    ]


def test_the_page_has_each_comparison_once(row):
    grown = replace(row, case="`f`, n to 100", exponent=1.2, against="", ours_s=None)
    rows = [replace(row, threads=2, ratio=0.5), row, grown]
    cells = f"500{FIXED_SPACE}ms | 2.0{FIXED_SPACE}s | 4.0 |"
    assert quote.page_table(rows, RUNS) == [
        ":::{table} Medians of the times of both sides, with one thread, and their ratio.",
        "| what | against | ours | theirs | times faster |",
        "| --- | --- | --- | --- | --- |",
        f"| `f`, n = 7 | a loop | {cells}",
        ":::",
        "",
        "Measured on: Abacus with 2 processors, 2026-01-02.",
    ]


def test_errors_stand_beside_times(row):
    rows = [row, replace(row, ours_error=0.25, theirs_error=1.5, note="smaller on one of two sets")]
    times = f"500{FIXED_SPACE}ms | 2.0{FIXED_SPACE}s"
    assert quote.peers_table(rows, RUNS) == [
        ":::{table} Errors relative to that of the mean, and times of fits, with one thread.",
        "| ours | theirs | our error | theirs | our time | theirs |  |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| `f`, n = 7 | a loop | 0.250 | 1.50 | {times} | smaller on one of two sets |",
        ":::",
        "",
        "Measured on: Abacus with 2 processors, 2026-01-02.",
    ]
    assert "; error 0.250, 1.50 (smaller" in record.line(rows[1])


SCRIPT = '''"""A script."""
import sys
sys.path.insert(0, {folder!r})
import numpy
from record import Missing, comparison, run

def measure(repetitions):
    yield comparison("`f`", "a loop", 1.0, 2.0, repetitions)
    yield Missing("abacus", "not installed here")

run(measure, __doc__, repetitions=3)
'''


@pytest.mark.parametrize(("repetitions", "expected"), [(None, 3), (7, 7)])
def test_a_script_is_measured_in_its_own_process(tmp_path, capfd, repetitions, expected):
    script = tmp_path / "toy.py"
    script.write_text(SCRIPT.format(folder=str(FOLDER)))
    rows, missing = run.rows_of(script, 1, repetitions)
    made = record.comparison("`f`", "a loop", 1.0, 2.0, expected)
    assert rows == [replace(made, benchmark="toy", threads=1)]
    assert missing == {"abacus"}
    assert capfd.readouterr().out.splitlines() == [
        "toy [1] `f`, against a loop: 1.00 s, 2.00 s, ratio 2.00",
        "toy: without abacus: not installed here",
    ]


def test_a_wrong_name_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run.py", "abacus"])
    with pytest.raises(SystemExit):
        run.main()
    assert "NAME must be one of alignment, " in capsys.readouterr().err
