"""What each profile does with a table: what is computed, what is stored, what is said."""

import json
import re

import numpy as np
import pytest

from reproduction.datasets import DataUnavailableError
from reproduction.engine import (
    Check,
    Score,
    StaleResultsError,
    Tolerance,
    check_and_seal,
    compute,
    get_experiment,
    list_experiments,
    load,
    quick_units,
    recompute,
    results,
    run,
    unfinished,
    why_stale,
)
from reproduction.engine.check import seconds_of_check
from reproduction.engine.profiles import checked_first
from reproduction.engine.store import load_check
from reproduction.paths import results_dir

pytestmark = pytest.mark.usefixtures("checkout")
RESULTS = results_dir()  # of the book; in a test the checkout is an empty folder


@pytest.fixture
def scratch(checkout):
    return checkout / ".cache" / "scratch"


@pytest.fixture
def shown(monkeypatch):
    """Tables that were displayed."""
    tables = []
    monkeypatch.setattr("IPython.display.display", tables.append)
    return tables


@pytest.fixture
def edited(toy, tmp_path):
    """Function that declares an experiment whose evaluation gives the wanted value."""
    source = tmp_path / "model.py"

    def declare(expression, **changes):
        text = (
            f"def evaluate(data, method, setting, split):\n    return {{'error': {expression}}}\n"
        )
        source.write_text(text)
        scope = {}
        exec(compile(text, source, "exec"), scope)
        return toy(evaluate=scope["evaluate"], **changes)

    return declare


def ask(experiment, profile):
    return results(experiment, profile=profile, n_jobs=1)


def stored_files(checkout):
    return {path.name: path.read_bytes() for path in (checkout / "book" / "results").iterdir()}


@pytest.mark.parametrize("profile", ["slow", "", "quick toy", "Full", "slow:toy"])
def test_a_profile_that_does_not_exist(toy, calls, profile):
    message = (
        "profile must be one of 'stored', 'quick', 'full', 'fresh', 'verify'; "
        f"got '{profile.partition(':')[0]}'."
    )
    with pytest.raises(ValueError, match=f"^{message}$"):
        ask(toy(), profile)
    assert calls.evaluated() == []


def test_full_computes_once(toy, calls, checkout, capsys):
    frame = ask(toy(), "full").frame
    assert len(frame) == 36
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "toy: computing because missing"
    assert " 18/18 " in said[-2]
    assert re.fullmatch(r"toy: stored after \d+ s of computation", said[-1])
    before = stored_files(checkout)
    assert ask(toy(), "full").frame.equals(frame)
    assert capsys.readouterr().err == "toy: fresh\n"
    assert len(calls.evaluated()) == 18
    assert stored_files(checkout) == before


def test_fresh_computes_what_is_fresh(toy, calls, scratch, capsys):
    frame = ask(toy(), "full").frame
    run(toy(), toy().units(splits=[0]), n_jobs=1, scratch=scratch, progress=False)
    capsys.readouterr()
    assert ask(toy(), "fresh").frame.equals(frame)
    assert len(calls.evaluated()) == 18 + 6 + 18  # what was interrupted is forgotten
    assert capsys.readouterr().err.startswith("toy: computing because asked to\n")
    assert unfinished(toy()) is None


def test_full_computes_what_why_stale(toy, capsys):
    ask(toy(n_splits=2), "full")
    assert len(ask(toy(), "full").frame) == 36
    assert "toy: computing because parameters changed\n" in capsys.readouterr().err


def test_other_code_with_the_same_rows_is_sealed(edited, checkout, capsys):
    ask(edited("1.5"), "full")
    path = checkout / "book" / "results" / "toy.json"
    table = path.with_suffix(".csv").read_bytes()
    capsys.readouterr()
    ask(edited("3 / 2"), "full")
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "toy: code changed, checking a part"
    assert said[-1] == "toy: sealed, the part is what is stored"
    sealed = json.loads(path.read_text())
    assert (sealed["sealed"]["units"], sealed["sealed"]["difference"]) == (6, 0.0)
    assert sealed["code"] == edited("3 / 2").code != edited("1.5").code
    assert path.with_suffix(".csv").read_bytes() == table
    assert why_stale(edited("3 / 2")) is None


def test_other_code_with_other_rows_is_computed(edited, checkout, capsys):
    ask(edited("1.5"), "full")
    ask(edited("1.5 + split * 1e-5"), "full")  # nothing moves in split 0, which is checked
    ask(edited("1.5 + (method == 'forest') * 1e-5", check=Check(methods=("ridge",))), "full")
    assert capsys.readouterr().err.count("toy: sealed") == 2
    ask(edited("1.5 + 1e-5 * (method == 'forest')"), "full")
    said = capsys.readouterr().err
    assert "computing because code changed and 3 cells moved, most error of forest (" in said
    table = (checkout / "book" / "results" / "toy.csv").read_text()
    assert "forest,100,2,error,1.50001\n" in table


def test_how_long_a_check_takes_is_known_after_the_first(edited):
    ask(edited("1.5"), "full")
    assert checked_first(edited("1.5 * 1")) == ["ridge", "forest"]
    before = seconds_of_check(edited("1.5 * 1"), ["ridge", "forest"])
    assert before == pytest.approx(load("toy")[1]["duration_s"] / 3, abs=1e-3)
    ask(edited("1.5 * 1"), "full")
    sealed = load("toy")[1]["sealed"]
    assert seconds_of_check(edited("1.5"), ["ridge"]) == pytest.approx(sealed["duration_s"] / 2)


def test_tolerance_decides_about_sealing(edited, capsys):
    ask(edited("1.5"), "full")
    ask(edited("1.5 + 1e-5", tolerance=Tolerance(rtol=1e-4)), "full")
    assert "toy: sealed" in capsys.readouterr().err


def unreached(experiment):
    return experiment.units(methods=["forest"])


def test_units_that_a_change_has_not_reached_keep_their_rows(toy, calls, capsys):
    ask(toy(), "full")
    before, sidecar = load("toy")
    n_evaluated = len(calls.evaluated())
    wider = toy(parameters={"alpha": 0.5, "sizes": [10, 20, 30]}, check=Check(settings=("10",)))
    assert why_stale(wider) == "parameters changed"
    compute(wider, keep=unreached(wider), n_jobs=1, progress=False)
    assert why_stale(wider) is None
    again = calls.evaluated()[n_evaluated:]
    assert [unit for unit in again if unit.startswith("forest")] == ["forest 10 0"]  # the check
    assert len([unit for unit in again if unit.startswith("ridge")]) == 9
    frame, after = load("toy")
    assert frame.equals(before)
    kept = {
        "date": sidecar["date"],
        "but": ["ridge, 10", "ridge, 20", "ridge, 100"],
        "units": 1,
        "difference": 0.0,
    }
    assert after["kept"] == kept
    assert "kept" not in sidecar


def test_rows_that_a_change_has_reached_are_not_kept(edited):
    ask(edited("1.0"), "full")
    changed = edited("1.0 + (method == 'forest')")
    with pytest.raises(ValueError, match=r"toy cannot keep its rows: 3 cells moved, most error"):
        compute(changed, keep=unreached(changed), n_jobs=1, progress=False)
    assert load("toy")[0]["value"].eq(1.0).all()


def test_interrupted_run_is_continued(toy, calls, scratch, capsys):
    run(toy(), toy().units(splits=[0]), n_jobs=1, scratch=scratch, progress=False)
    assert unfinished(toy()) == "missing, continuing an interrupted run"
    ask(toy(), "full")
    assert "because missing, continuing an interrupted run" in capsys.readouterr().err
    assert len(calls.evaluated()) == 18

    # Interrupted while it renewed a fresh table: continued as well.
    run(toy(), toy().units(splits=[0]), n_jobs=1, scratch=scratch, progress=False)
    ask(toy(), "full")
    assert "because a run was interrupted" in capsys.readouterr().err
    assert len(calls.evaluated()) == 2 * 18


def test_verify_writes_a_report_and_stores_nothing(edited, checkout, capsys):
    ask(edited("1.5"), "full")
    before = stored_files(checkout)
    ask(edited("1.5"), "verify")
    assert (
        "toy: 18 cells, 0 beyond the tolerance, largest difference 0\n" in capsys.readouterr().err
    )
    moved = edited("1.5 + (split == 2) * 0.003 * (setting == '20')")
    assert len(ask(moved, "verify").frame) == 18
    said = capsys.readouterr().err
    assert "toy: 18 cells, 2 beyond the tolerance, largest difference 0.002" in said
    assert stored_files(checkout) == before
    report = checkout / ".cache" / "verify"
    assert [path.name for path in report.iterdir()] == ["toy.csv"]
    worst = (report / "toy.csv").read_text().splitlines()[1]
    assert worst.startswith("forest,20,2,error,1.5,1.503,0.00")


def test_quick_shows_a_part_beside_the_stored_rows_and_stores_nothing(
    edited, checkout, shown, capsys
):
    ask(edited("1.5 + split", check=Check(settings=("10", "100"))), "full")
    before = stored_files(checkout)
    capsys.readouterr()
    moved = edited("1.5 + split * 1.5 * (method == 'forest')", check=Check(settings=("10", "100")))
    assert len(ask(moved, "quick").frame) == 18
    table = shown[0].data
    assert list(table) == ["method", "setting", "metric", "stored", "computed", "difference"]
    assert table.to_numpy().tolist() == [
        ["ridge", "10", "error", 2.0, 1.5, -0.5],
        ["forest", "10", "error", 2.0, 2.25, 0.25],
        ["ridge", "100", "error", 2.0, 1.5, -0.5],
        ["forest", "100", "error", 2.0, 2.25, 0.25],
    ]
    assert "toy" in shown[0].caption
    assert "2 splits" in shown[0].caption
    said = capsys.readouterr()
    assert said.out == "toy: 8 cells, 4 beyond the tolerance, largest difference 0.4\n"
    assert "the stored results of toy are out of date: code changed" in said.err
    assert stored_files(checkout) == before
    assert list((checkout / ".cache" / "scratch").iterdir()) == []


def load_part():
    return np.array([100.0])


def test_what_is_checked_on_a_part_of_the_data_is_stored_beside_the_table(edited, checkout, capsys):
    experiment = edited("data.mean() + split", check=Check(load=load_part))
    ask(experiment, "full")
    path = checkout / "book" / "results" / "toy.csv"
    table = path.read_text()
    assert set(load("toy")[0].query("split == 0")["value"]) == {3.0}
    checked = load_check("toy")
    assert checked["value"].tolist() == [100.0] * 6
    assert recompute(experiment, progress=False)["computed"].tolist() == [100.0] * 6
    capsys.readouterr()
    # All of the table moves, but not on the part: this is what a small part cannot see.
    ask(edited("data.mean() % 97 + 97 * (len(data) == 1)", check=Check(load=load_part)), "full")
    assert "toy: sealed" in capsys.readouterr().err
    assert (path.read_text(), load_check("toy").equals(checked)) == (table, True)
    ask(edited("data.mean() + split + 0.01 * len(data)", check=Check(load=load_part)), "full")
    assert "computing because code changed and 6 cells moved" in capsys.readouterr().err
    assert load_check("toy")["value"].tolist() == [100.01] * 6


def test_a_table_without_the_rows_of_its_part_is_computed(edited, capsys):
    ask(edited("data.mean()"), "full")
    assert load_check("toy").empty
    ask(edited("data.mean() + 0", check=Check(load=load_part)), "full")
    assert "computing because code changed and 6 cells moved" in capsys.readouterr().err


def test_quick_is_on_the_part_that_is_checked(edited, calls, shown, capsys):
    ask(edited("data.mean()", check=Check(load=load_part)), "full")
    assert calls.n_loads() == 1
    ask(edited("data.mean()", check=Check(load=load_part)), "quick")
    assert calls.n_loads() == 1
    assert set(shown[0].data["stored"]) == set(shown[0].data["computed"]) == {100.0}
    assert "on a part of the data" in shown[0].caption
    assert "1 split." in shown[0].caption


def test_times_are_shown_and_not_compared(edited, shown, capsys):
    times = (Score("error", is_time=True),)
    ask(edited("1.0", scores=times), "full")
    moved = edited("2.0", scores=times)
    assert recompute(moved, n_jobs=1, progress=False).empty
    ask(moved, "quick")
    (style,) = shown
    assert style.data["computed"].tolist() == [2.0] * 6
    assert "toy: 0 cells, 0 beyond the tolerance" in capsys.readouterr().out
    assert check_and_seal(moved, n_jobs=1, progress=False).empty
    assert why_stale(moved) is None
    assert len(check_and_seal(edited("2.0"), n_jobs=1, progress=False)) == 6


def test_quick_takes_the_settings_and_methods_of_the_check_slice(toy):
    experiment = toy(
        methods=("ridge", "forest", "net"),
        check=Check(methods=("forest", "net"), settings=("10", "100")),
        methods_of={"20": ("ridge",), "100": ("ridge", "forest")},
        splits_of={"20": 2, "100": 1},
    )
    ask(experiment, "full")
    assert sorted(quick_units(experiment)) == [
        ("forest", "10", 0),
        ("forest", "10", 1),
        ("forest", "100", 0),
        ("net", "10", 0),
        ("net", "10", 1),
    ]


@pytest.mark.parametrize("id", list_experiments())
def test_every_experiment_has_a_quick_part(id, monkeypatch):
    monkeypatch.setenv("OFER_RESULTS", str(RESULTS))
    experiment = get_experiment(id)
    units = quick_units(experiment)
    assert {*units} <= {*experiment.units()}
    assert len({split for _, _, split in units}) <= 2
    checked = {(method, setting) for method, setting, _ in experiment.check_slice()}
    more = {(method, setting) for method, setting, _ in experiment.check.more}
    assert checked - more <= {(method, setting) for method, setting, _ in units}


def test_a_profile_may_be_for_some_tables(toy, calls):
    ask(toy(), "full:other,toy")
    assert len(calls.evaluated()) == 18
    ask(toy(), "fresh:other")
    assert len(calls.evaluated()) == 18
    with pytest.raises(StaleResultsError, match="missing"):
        ask(toy(id="new"), "full:toy")


def test_missing_data_leave_the_stored_rows(toy, checkout, capsys):
    def load():
        raise DataUnavailableError("nci60.npz is not there; set OFER_DATA.")

    with pytest.raises(StaleResultsError, match="toy cannot be used: missing"):
        ask(toy(load=load), "full")
    ask(toy(), "full")
    capsys.readouterr()
    lost = toy(load=load, parameters={"alpha": 1})
    assert len(ask(lost, "full").frame) == 36
    said = capsys.readouterr().err
    assert "toy: not computed. nci60.npz is not there; set OFER_DATA.\n" in said
    assert "Warning: the stored results of toy are out of date: parameters changed." in said
