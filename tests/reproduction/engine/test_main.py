import json
import re

import pytest
from reproduction.engine.__main__ import _quick, main

from reproduction.datasets import DataUnavailableError
from reproduction.engine import __main__ as command
from reproduction.engine import fingerprint, get_experiment, is_stale, list_experiments, run

pytestmark = pytest.mark.usefixtures("checkout")


@pytest.fixture
def register(monkeypatch):
    """Function that makes the registry hold the given experiments and no other."""

    def register(*experiments):
        known = {experiment.id: experiment for experiment in experiments}
        monkeypatch.setattr(command, "get_experiment", known.__getitem__)
        monkeypatch.setattr(command, "list_experiments", lambda: list(known))

    return register


def main_in_one_process(*arguments):
    return main([*arguments, "--jobs", "1"])


def test_computes_once(toy, calls, register, checkout, capsys):
    register(toy(), toy(id="other"))
    assert main_in_one_process() == 0
    assert capsys.readouterr().out.splitlines() == [
        "toy: computing because missing",
        "other: computing because missing",
    ]
    table = (checkout / "book" / "results" / "toy.csv").read_bytes()
    assert main_in_one_process() == 0
    assert capsys.readouterr().out.splitlines() == [
        "toy: fresh (skipped)",
        "other: fresh (skipped)",
    ]
    assert len(calls.evaluated()) == 2 * 18

    assert main_in_one_process("toy", "--fresh") == 0
    assert capsys.readouterr().out.splitlines() == ["toy: computing because asked to"]
    assert len(calls.evaluated()) == 3 * 18
    assert (checkout / "book" / "results" / "toy.csv").read_bytes() == table


def test_stale_is_computed_again(toy, register, capsys):
    register(toy(n_splits=2))
    main_in_one_process()
    register(toy())
    main_in_one_process()
    assert "toy: computing because parameters changed" in capsys.readouterr().out


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


def test_other_code_with_the_same_rows_is_sealed(edited, register, checkout, capsys):
    register(edited("1.5"))
    main_in_one_process()
    path = checkout / "book" / "results" / "toy.json"
    table = path.with_suffix(".csv").read_bytes()
    register(edited("3 / 2"))
    assert main(["--list"]) == 0
    assert "toy: A toy [code changed (model)]" in capsys.readouterr().out
    assert main_in_one_process() == 0
    assert capsys.readouterr().out.splitlines() == [
        "toy: code changed (model), checking a part",
        "toy: fresh (skipped)",
    ]
    sealed = json.loads(path.read_text())
    assert (sealed["sealed"]["units"], sealed["sealed"]["difference"]) == (6, 0.0)
    assert sealed["fingerprint"] == fingerprint(edited("3 / 2"))
    assert path.with_suffix(".csv").read_bytes() == table
    assert is_stale(edited("3 / 2")) is None


def test_other_code_with_other_rows_is_computed(edited, register, checkout, capsys):
    register(edited("1.5"))
    main_in_one_process()
    register(edited("1.5 + split * 1e-5"))  # nothing moves in split 0, which is checked
    main_in_one_process()
    assert "fresh (skipped)" in capsys.readouterr().out
    register(edited("1.5 + (method == 'forest') * 1e-5", check_methods=("ridge",)))
    main_in_one_process()
    assert "fresh (skipped)" in capsys.readouterr().out
    register(edited("1.5 + 1e-5 * (method == 'forest')"))
    main_in_one_process()
    said = capsys.readouterr().out
    assert "computing because code changed and 3 cells moved, most error of forest (" in said
    table = (checkout / "book" / "results" / "toy.csv").read_text()
    assert "forest,100,2,error,1.50001\n" in table


def test_tolerance_decides_about_sealing(edited, register, capsys):
    register(edited("1.5"))
    main_in_one_process()
    register(edited("1.5 + 1e-5", rtol=1e-4))
    main_in_one_process()
    assert "fresh (skipped)" in capsys.readouterr().out


def test_some_metrics_may_differ_by_more(edited, register, capsys):
    register(edited("1.5"))
    main_in_one_process()
    register(edited("1.5 + 0.125", atol={"error": 0.1}))
    main_in_one_process()
    assert "computing because code changed" in capsys.readouterr().out
    register(edited("1.5 + 0.25 - 0.0625", atol={"error": 0.1}))
    main_in_one_process()
    assert "fresh (skipped)" in capsys.readouterr().out


def test_verify_writes_a_report_and_stores_nothing(edited, register, checkout, capsys):
    register(edited("1.5"))
    main_in_one_process()
    results = checkout / "book" / "results"
    before = {path.name: path.read_bytes() for path in results.iterdir()}
    assert main_in_one_process("--verify") == 0
    assert "toy: 18 cells, 0 beyond the tolerance, largest difference 0" in capsys.readouterr().out
    register(edited("1.5 + (split == 2) * 0.003 * (setting == '20')"))
    assert main_in_one_process("--verify") == 1
    assert (
        "toy: 18 cells, 2 beyond the tolerance, largest difference 0.002" in capsys.readouterr().out
    )
    assert {path.name: path.read_bytes() for path in results.iterdir()} == before
    report = checkout / ".cache" / "verify"
    assert sorted(path.name for path in report.iterdir()) == ["report.txt", "toy.csv"]
    worst = (report / "toy.csv").read_text().splitlines()[1]
    assert worst.startswith("forest,20,2,error,1.5,1.503,0.00")


def test_interrupted_run_is_continued(toy, calls, register, checkout, capsys):
    register(toy())
    run(
        toy(),
        toy().units(splits=[0]),
        n_jobs=1,
        scratch=checkout / ".cache" / "scratch",
        progress=False,
    )
    main_in_one_process()
    assert "because missing, continuing an interrupted run" in capsys.readouterr().out
    assert len(calls.evaluated()) == 18

    # Interrupted while it renewed a fresh table: continued as well, unless all is asked anew.
    run(
        toy(),
        toy().units(splits=[0]),
        n_jobs=1,
        scratch=checkout / ".cache" / "scratch",
        progress=False,
    )
    main_in_one_process()
    assert "because a run was interrupted" in capsys.readouterr().out
    assert len(calls.evaluated()) == 2 * 18
    run(
        toy(),
        toy().units(splits=[0]),
        n_jobs=1,
        scratch=checkout / ".cache" / "scratch",
        progress=False,
    )
    main_in_one_process("--fresh")
    assert len(calls.evaluated()) == 3 * 18 + 6


def test_quick_never_writes_results(toy, calls, register, checkout, capsys):
    register(toy(check_splits=(2,)), toy(id="short", n_splits=1))
    run(
        toy(),
        toy().units(splits=[0]),
        n_jobs=1,
        scratch=checkout / ".cache" / "scratch",
        progress=False,
    )
    assert main_in_one_process("--profile", "quick") == 0
    assert not (checkout / "book").exists()
    lines = (checkout / ".cache" / "results-quick" / "toy.csv").read_text().splitlines()
    assert len(lines) == 1 + 2 * 3 * 2 * 2
    assert len(calls.evaluated()) == 6 + 12 + 6
    # The full run that was interrupted before is still there to be continued.
    capsys.readouterr()
    main_in_one_process("toy")
    assert "continuing an interrupted run" in capsys.readouterr().out


def test_quick_takes_the_part_that_the_tests_recompute(toy, calls, register, checkout):
    experiment = toy(
        methods=("ridge", "forest", "net"),
        check_methods=("forest", "net"),
        check_settings=("10", "100"),
        methods_of={"20": ("ridge",), "100": ("ridge", "forest")},
        splits_of={"20": 2, "100": 1},
    )
    register(experiment)
    assert main_in_one_process("--profile", "quick") == 0
    assert sorted(calls.evaluated()) == [
        "forest 10 0",
        "forest 10 1",
        "forest 100 0",
        "net 10 0",
        "net 10 1",
    ]
    assert main_in_one_process("--profile", "quick") == 0
    assert len(calls.evaluated()) == 5


@pytest.mark.parametrize("id", list_experiments())
def test_every_experiment_has_a_quick_form(id):
    experiment = get_experiment(id)
    quick = _quick(experiment)
    assert 0 < len(quick.units()) <= len(experiment.units())
    assert fingerprint(quick) != fingerprint(experiment) or quick.units() == experiment.units()


def test_says_what_the_rest_takes(toy, register, checkout, capsys):
    register(toy(), toy(id="other"), toy(id="new"))
    main_in_one_process("toy", "other")
    for id in ("toy", "other"):
        path = checkout / "book" / "results" / f"{id}.json"
        path.write_text(re.sub(r'"duration_s": [^,]+', '"duration_s": 90', path.read_text()))
    capsys.readouterr()
    main_in_one_process("--fresh")
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "to compute" in line] == [
        "3 to compute, about 3 min 0 s left, and 1 that have not run before",
        "2 to compute, about 1 min 30 s left, and 1 that have not run before",
    ]


def test_list_computes_nothing(toy, calls, register, capsys):
    register(toy())
    assert main(["--list"]) == 0
    assert capsys.readouterr().out == "toy: A toy [missing]\n"
    main_in_one_process()
    capsys.readouterr()
    main(["--list"])
    assert capsys.readouterr().out == "toy: A toy [fresh]\n"
    assert len(calls.evaluated()) == 18


def test_missing_data_give_one_reason_and_the_rest_is_computed(toy, register, checkout, capsys):
    def load():
        raise DataUnavailableError("nci60.npz is not there; set OFER_DATA.")

    register(toy(id="lost", load=load), toy())
    assert main_in_one_process() == 1
    output = capsys.readouterr()
    assert "lost: not computed. nci60.npz is not there; set OFER_DATA.\n" in output.err
    assert {path.name for path in (checkout / "book" / "results").iterdir()} == {
        "toy.csv",
        "toy.json",
    }


def test_unknown_experiment(register, capsys):
    register()
    with pytest.raises(SystemExit) as error:
        main(["table-99"])
    assert error.value.code == 2
    assert "no such experiment: table-99" in capsys.readouterr().err
