"""The command that computes tables by executing the chapters that own them."""

import threading
from types import SimpleNamespace

import pandas as pd
import pytest

from reproduction.engine import get_experiment
from reproduction.paths import verify_dir
from reproduction.pipeline import results

OWNED = {"01_one": ["ofer-table-01", "ofer-table-03"], "02_two": ["ofer-mtr"]}
ALL = sorted(id for ids in OWNED.values() for id in ids)


@pytest.fixture
def book(checkout, monkeypatch):
    """A book of two chapters; executing one does what a test says to the reasons to be stale."""
    seconds = {"ofer-table-01": 30, "ofer-table-03": 10, "ofer-mtr": 60}
    reasons, written = {}, dict.fromkeys(ALL, 0)

    def compute(name, value):
        for id in value.partition(":")[2].split(","):
            reasons.pop(id, None)
            written[id] += 1

    def execute(arguments):
        name, option, parameter, value = arguments
        assert (option, parameter) == ("-p", "profile")
        book.executed.append((name, value))
        return book.effect(name, value) or 0

    book = SimpleNamespace(reasons=reasons, executed=[], effect=compute, compute=compute)
    monkeypatch.setattr(results, "_last_written", written.get)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "2")
    monkeypatch.setattr(results, "owned_by_chapter", lambda: OWNED)
    monkeypatch.setattr(results, "list_experiments", lambda: ALL)
    monkeypatch.setattr(results, "unfinished", lambda experiment: reasons.get(experiment.id))
    monkeypatch.setattr(results, "why_stale", lambda experiment: reasons.get(experiment.id))
    monkeypatch.setattr(results, "load", lambda id: (None, {"duration_s": seconds[id]}))
    monkeypatch.setattr(results.execute, "main", execute)
    return book


def test_chapters_whose_tables_are_fresh_are_not_executed(book, capsys):
    assert results.main([]) == 0
    assert book.executed == []
    assert capsys.readouterr().out.splitlines() == [
        "ofer-table-01: fresh (skipped)",
        "ofer-table-03: fresh (skipped)",
        "ofer-mtr: fresh (skipped)",
    ]


def test_a_damaged_table_is_computed(book, monkeypatch):
    def load(id):
        raise ValueError(f"{id}.json is damaged")

    monkeypatch.setattr(results, "load", load)
    book.reasons["ofer-mtr"] = "ofer-mtr.json is damaged"
    assert results.main(["ofer-mtr"]) == 0
    assert book.executed == [("02_two", "full:ofer-mtr")]


def test_the_chapter_of_a_stale_table_is_executed_for_this_table(book, capsys):
    book.reasons["ofer-table-03"] = "missing"
    assert results.main([]) == 0
    assert book.executed == [("01_one", "full:ofer-table-03")]
    assert "computes 1 table in full, about 5 s\n" in capsys.readouterr().out


def test_where_code_has_changed_the_time_of_the_check_is_said_first(book, monkeypatch, capsys):
    book.reasons |= dict.fromkeys(ALL, "code changed")
    in_doubt = {"ofer-table-01": ["ridge"], "ofer-table-03": ["ridge"]}
    monkeypatch.setattr(
        results, "checked_first", lambda experiment: in_doubt.get(experiment.id, [])
    )
    monkeypatch.setattr(results, "seconds_of_check", lambda experiment, methods: 2.0)
    assert results.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "computes 1 table in full, about 30 s",
        "checks a part of 2 tables first, about 2 s; "
        "what has moved is computed in full, about 20 s if all has",
    ]


def test_check_shows_which_numbers_moved_and_executes_no_chapter(book, monkeypatch, capsys):
    cells = {"method": "ridge", "setting": "10", "split": 0, "metric": ["error", "size"]}
    cells |= {"stored": [1.0, 2.0], "computed": [1.5, 2.0], "difference": [0.5, 0.0]}
    excess = {"ofer-table-01": 4.0, "ofer-mtr": 8.0}

    def recompute(experiment, progress):
        if experiment.id == "ofer-table-03":
            raise TypeError("no such argument")
        return pd.DataFrame(cells | {"excess": [excess[experiment.id], 0.0]})

    monkeypatch.setattr(results, "recompute", recompute)
    book.reasons |= dict.fromkeys(ALL, "code changed")
    assert results.main(["--profile", "check"]) == 1
    said = capsys.readouterr()
    assert said.err == "ofer-table-03: not computed. TypeError: no such argument\n"
    assert "ofer-mtr: 2 cells, 1 beyond the tolerance, largest difference 0.5" in said.out
    assert [line.split() for line in said.out.splitlines()[-2:]] == [
        ["ofer-mtr", "ridge", "10", "0", "error", "1.0", "1.5"],
        ["ofer-table-01", "ridge", "10", "0", "error", "1.0", "1.5"],
    ]
    assert pd.read_csv(verify_dir() / "ofer-mtr.csv")["excess"].tolist() == [8.0, 0.0]
    assert book.executed == []


def test_check_leaves_out_what_is_fresh(book, capsys):
    assert results.main(["ofer-mtr", "--profile", "check"]) == 0
    assert capsys.readouterr().out.startswith("ofer-mtr: fresh (skipped)\n")


def test_one_table(book):
    book.reasons |= dict.fromkeys(ALL, "data changed")
    assert results.main(["ofer-table-01"]) == 0
    assert book.executed == [("01_one", "full:ofer-table-01")]
    assert {*book.reasons} == {"ofer-table-03", "ofer-mtr"}


@pytest.mark.parametrize("profile", ["fresh", "quick"])
def test_other_profiles_ask_nobody_and_start_with_what_takes_longest(book, profile):
    assert results.main(["--profile", profile]) == 0
    assert book.executed == [
        ("02_two", f"{profile}:ofer-mtr"),
        ("01_one", f"{profile}:ofer-table-01,ofer-table-03"),
    ]


def test_chapters_run_side_by_side(book):
    both = threading.Barrier(2, timeout=60)
    book.effect = lambda name, value: both.wait() * 0
    assert results.main(["--profile", "quick", "--jobs", "2"]) == 0
    assert len(book.executed) == 2


@pytest.mark.parametrize("code", [0, 1])
def test_a_table_that_nobody_replaced_is_not_called_stored(book, capsys, code):
    """The kernel was killed, the disk is full, or data are missing."""
    book.effect = lambda name, value: code
    assert results.main(["ofer-mtr", "--profile", "fresh"]) == 1
    assert capsys.readouterr().err == "ofer-mtr: not computed, the stored table stands\n"


@pytest.mark.parametrize("code", [0, 1])
def test_a_table_that_could_not_be_computed_is_named_and_the_others_are(book, capsys, code):
    """Its chapter has failed, or does not ask for it."""

    def effect(name, value):
        if name == "01_one":
            book.reasons.pop("ofer-table-01")
        return code

    book.reasons |= dict.fromkeys(ALL[1:], "missing")
    book.effect = effect
    assert results.main([]) == 1
    ask = "" if code else '; 01_one did not call results("ofer-table-03", profile=profile)'
    assert f"ofer-table-03: still to be computed: missing{ask}\n" in capsys.readouterr().err
    assert len(book.executed) == 1


@pytest.mark.parametrize(("excess", "code"), [(0.5, 0), (2.0, 1)])
def test_verify_gathers_what_the_chapters_have_found(book, capsys, excess, code):
    def effect(name, value):
        verify_dir().mkdir(parents=True, exist_ok=True)
        for id in value.partition(":")[2].split(","):
            cells = pd.DataFrame({"difference": [0.1, 0.0], "excess": [excess, 0.0]})
            cells.to_csv(verify_dir() / f"{id}.csv", index=False)

    book.effect = effect
    assert results.main(["--profile", "verify"]) == code
    report = (verify_dir() / "report.txt").read_text().splitlines()
    line = f"ofer-table-01: 2 cells, {code} beyond the tolerance, largest difference 0.1"
    assert line in report
    assert len(report) == 3
    assert line in capsys.readouterr().out


def test_verify_takes_no_old_report_for_a_new_one(book, capsys):
    verify_dir().mkdir(parents=True)
    (verify_dir() / "ofer-mtr.csv").write_text("difference,excess\n0.0,0.0\n")
    assert results.main(["ofer-mtr", "--profile", "verify"]) == 1
    assert "ofer-mtr: not computed" in capsys.readouterr().out


def test_unknown_table(book, capsys):
    with pytest.raises(SystemExit) as error:
        results.main(["table-99"])
    assert error.value.code == 2
    assert "no such table: table-99; reproduction/studies/" in capsys.readouterr().err


def test_the_nearest_table_is_named(book, capsys):
    with pytest.raises(SystemExit):
        results.main(["ofer_mtr"])
    assert "its module (did you mean ofer-mtr?)\n" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["ofer-mtr"]])
def test_a_table_that_no_chapter_computes_is_an_error(book, monkeypatch, capsys, arguments):
    monkeypatch.setattr(results, "owned_by_chapter", lambda: {"01_one": OWNED["01_one"]})
    with pytest.raises(SystemExit) as error:
        results.main(arguments)
    assert error.value.code == 2
    assert "no chapter computes ofer-mtr; the header" in capsys.readouterr().err
    assert book.executed == []


def test_ids_here_are_real():
    assert [get_experiment(id).id for id in ALL] == ALL
