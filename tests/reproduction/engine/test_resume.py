import os
import runpy
import signal
import subprocess
import sys

import pytest

from reproduction.engine import run
from reproduction.engine.units import Units

SCRIPT = """
import os, signal, sys
from pathlib import Path
from reproduction.engine import Experiment, run, save

def evaluate(data, method, setting, split):
    calls = Path("calls.txt")
    done = calls.read_text().splitlines() if calls.exists() else []
    if len(done) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    calls.write_text("\\n".join([*done, f"{method} {setting} {split}"]))
    return {"error": (len(method) + int(setting)) / (split + 3)}

toy = Experiment(
    id="toy", title="A toy", load=lambda: None, evaluate=evaluate, methods=("a", "bb"),
    settings=("1", "2"), n_splits=3, parameters={},
)
save(toy, run(toy, n_jobs=1, scratch="scratch"))
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX systems")
def test_killed_run_continues_to_the_same_table(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OFER_RESULTS", "results")
    folders = [tmp_path / name for name in ("killed", "straight")]
    for folder in folders:
        folder.mkdir()
        (folder / "script.py").write_text(SCRIPT)
    command = [sys.executable, "script.py", "5"]
    killed = subprocess.run(command, cwd=folders[0], capture_output=True, timeout=300)
    assert killed.returncode == -signal.SIGKILL
    assert not (folders[0] / "results").exists()

    said = []
    for folder in folders:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["script.py", "-1"])
        runpy.run_path("script.py", run_name="__main__")
        said.append(capsys.readouterr().err)

    calls = (folders[0] / "calls.txt").read_text().splitlines()
    assert len(calls) == len(set(calls)) == 12  # no unit twice
    assert " 12/12 " in said[0].splitlines()[-1]
    tables = [folder / "results" / "toy.csv" for folder in folders]
    assert tables[0].read_bytes() == tables[1].read_bytes()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_failed_run_names_the_unit_and_continues(toy, tmp_path, n_jobs):
    # The failure is in a file, so that the source, and with it the identity, is the same.
    broken = tmp_path / "broken"
    broken.touch()
    healthy = toy().evaluate

    def evaluate(data, method, setting, split):
        if (method, setting, split) == ("forest", "10", 2) and broken.exists():
            raise ArithmeticError("broken")
        return healthy(data, method, setting, split)

    experiment = toy(evaluate=evaluate)
    with pytest.raises(ArithmeticError, match="broken") as error:
        run(experiment, n_jobs=n_jobs, scratch=tmp_path / "scratch", progress=False)
    assert "method='forest', setting='10', split=2" in error.value.__notes__[0]
    scratch = Units(experiment, tmp_path / "scratch")
    kept = len(scratch.read())
    # The failing unit is the last; with two jobs it may be known before others are collected.
    assert kept == 17 if n_jobs == 1 else kept < 18

    broken.unlink()
    done = run(experiment, n_jobs=n_jobs, scratch=tmp_path / "scratch", progress=False)
    lines = scratch.path.read_text().strip().splitlines()
    assert len(lines) == 18  # what was kept was not done again
    assert done.frame.equals(run(toy(), n_jobs=1, progress=False).frame)


def test_finished_run_needs_no_data(toy, calls, tmp_path):
    first = run(toy(), n_jobs=1, scratch=tmp_path, progress=False)
    second = run(toy(), n_jobs=1, scratch=tmp_path, progress=False)
    assert second.frame.equals(first.frame)
    assert (second.seconds, second.load) == (first.seconds, None)  # nothing was timed
    assert calls.n_loads() == 1
    assert len(calls.evaluated()) == 18


def test_part_continues_a_part(toy, calls, tmp_path):
    run(toy(), toy().units(settings=["20"]), n_jobs=1, scratch=tmp_path, progress=False)
    run(toy(), toy().units(splits=[1]), n_jobs=1, scratch=tmp_path, progress=False)
    assert len(calls.evaluated()) == 6 + 4


def test_another_declaration_starts_anew(toy, calls, tmp_path):
    run(toy(), n_jobs=1, scratch=tmp_path, progress=False)
    run(toy(parameters={"alpha": 2}), n_jobs=1, scratch=tmp_path, progress=False)
    assert len(calls.evaluated()) == 2 * 18
