"""A command is stopped, in each way that there is: all of it ends, and the next one continues."""

import contextlib
import os
import re
import signal
import subprocess
import time
import uuid

import psutil
import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and make are of POSIX systems")

CHAPTER = """\
# ---
# jupyter:
#   ofer:
#     tables: [slow-table]
# ---

# %% tags=["parameters"]
profile: str = "stored"

# %%
import time
from pathlib import Path
from reproduction.engine import results

# %%
slow = results("slow-table", profile=profile)
Path("../begun").touch()
while not Path("../go").exists():
    time.sleep(0.05)
print(slow.frame["value"].sum())
"""
DECLARATION = '''\
"""A table."""

from reproduction.engine import Experiment
from reproduction.studies.slow.evaluation import evaluate

EXPERIMENT = Experiment(
    id="slow-table", title="A slow table", load=lambda: None, evaluate=evaluate,
    methods=("a",), settings=("1", "2"), n_splits=2, parameters={},
)
'''
EVALUATION = '''\
"""Units that wait."""

import time
from pathlib import Path


def evaluate(data, method, setting, split):
    """Leave traces until a file is there."""
    place = Path(__file__).parents[3]
    while split and not (place / "go").exists():
        with (place / "begun").open("a") as file:
            file.write("x")
        time.sleep(0.05)
    return {"error": int(setting) + split}
'''
COMMANDS = {
    "book": "make book",
    "chapter": "make chapter NAME=00_overview",
    "last_bits": ".venv/bin/python -m reproduction.pipeline last_bits",
    "cells": ".venv/bin/python -m reproduction.pipeline --single cells:00_overview",
    "results": "make results",
    "pages": ".venv/bin/python -m reproduction.pipeline --single pages",
}
MESSAGE = "Interrupted. The same command continues.\n"


class Started:
    """A command in a session of its own, as that of a terminal."""

    def __init__(self, folder, command):
        self.mark = uuid.uuid4().hex
        environment = {
            k: v
            for k, v in os.environ.items()
            if k not in ("CI", "OFER_RESULTS", "MAKEFLAGS", "MAKELEVEL")
        }
        environment |= {"PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"}
        environment |= {"OMP_NUM_THREADS": "1", "OFER_TEST": self.mark}
        self.process = subprocess.Popen(
            ["sh", "-c", f"exec {command}"], cwd=folder, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # not as nohup has it
        )  # fmt: skip

    def running(self):
        """Words of its processes, and of theirs."""
        found = {}
        for process in psutil.process_iter(["environ", "cmdline", "status"]):
            environment = process.info["environ"] or {}
            alive = process.info["status"] != psutil.STATUS_ZOMBIE
            if alive and environment.get("OFER_TEST") == self.mark:
                found[process.pid] = " ".join(process.info["cmdline"] or [])
        return found

    def python(self):
        """The process of the command, which make or a shell has begun."""
        running = self.running().items()
        return min(pid for pid, words in running if words.startswith(".venv/bin/python -m repro"))

    def wait_for_all(self):
        """Wait until none of them runs, its guard included."""
        until(lambda: not self.running())

    def stop(self, number):
        """Send a signal as a person does: Ctrl-C to all of the terminal, others to one process."""
        if number == signal.SIGINT:
            os.killpg(self.process.pid, number)
        else:
            os.kill(self.python(), number)
        said = self.process.communicate(timeout=300)[0]
        return self.process.returncode, said


def until(condition):
    """Wait for what happens soon, on a busy machine less soon."""
    end = time.monotonic() + 300
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return found


@pytest.fixture(scope="module")
def project(clone):
    """The project with one chapter and one table, which wait for a file."""
    folder = clone.folder
    for path in [*folder.glob("notebooks/[0-9]*.py"), *folder.glob("book/[0-9]*.ipynb")]:
        path.unlink()
    for path in folder.glob("reproduction/studies/**/tables/[a-z]*.py"):
        path.unlink()
    (folder / "notebooks/00_overview.py").write_text(CHAPTER)
    study = folder / "reproduction/studies/slow"
    (study / "tables").mkdir(parents=True)
    (study / "__init__.py").write_text('"""Who waits?"""\n')
    (study / "tables/__init__.py").write_text('"""Tables."""\n')
    (study / "tables/slow_table.py").write_text(DECLARATION)
    (study / "evaluation.py").write_text(EVALUATION)
    return folder


def states(folder):
    """What is in the files that a command writes, without its cache."""
    places = [folder / "book", folder / "_build"]
    paths = [p for place in places for p in place.rglob("*") if p.is_file()]
    return {p: p.stat().st_mtime_ns for p in paths}


@pytest.fixture(scope="module")
def finished(project):
    """The same after all has ended well: bytes of the stored table and of the notebook."""
    (project / "go").touch()
    for name in ("results", "chapter", "last_bits"):
        started = Started(project, COMMANDS[name])
        said = started.process.communicate(timeout=300)[0]
        assert started.process.returncode == 0, said
        started.wait_for_all()
    written = [*project.glob("book/results/slow-table.*"), project / "book/00_overview.ipynb"]
    return {path: path.read_bytes() for path in written}


@pytest.fixture
def begin(project, finished):
    """Begin a command whose table or chapter is not there, and wait until it is at work."""
    all_started = []

    def begin(name):
        for trace in ("go", "begun"):
            (project / trace).unlink(missing_ok=True)
        for path, content in finished.items():
            path.write_bytes(content)
            if path.parent.name == name:  # it is to be written
                path.unlink()
        started = Started(project, COMMANDS[name])
        all_started.append(started)

        def at_work():
            assert started.process.poll() is None, started.process.communicate()[0]
            if name == "pages":
                return any("jupyter_book" in words for words in started.running().values())
            return (project / "begun").exists()

        until(at_work)
        return started

    yield begin
    for started in all_started:
        for pid in started.running():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("chapter", signal.SIGINT),
        ("pages", signal.SIGTERM),
        ("cells", signal.SIGKILL),
        pytest.param("book", signal.SIGINT, marks=pytest.mark.quick),
        pytest.param("book", signal.SIGKILL, marks=pytest.mark.quick),
        pytest.param("results", signal.SIGINT, marks=pytest.mark.quick),
        pytest.param("results", signal.SIGKILL, marks=pytest.mark.quick),
    ],
)
def test_all_ends_with_the_command_and_the_next_one_continues(
    project, finished, begin, name, number
):
    started = begin(name)
    status, said = started.stop(number)
    before = states(project)
    assert status != 0
    if number == signal.SIGKILL:
        started.wait_for_all()
    else:
        left = [words for words in started.running().values() if "-m reproduction" not in words]
        assert [words for words in left if "resource_tracker" not in words] == []
        assert said.count(MESSAGE) == 1
        assert "Traceback" not in said
        started.wait_for_all()  # of the guard
    assert states(project) == before

    if (name, number) in [("book", signal.SIGINT), ("results", signal.SIGKILL)]:
        (project / "go").touch()
        # the pages of this book would not be rendered without the other chapters
        again = Started(project, COMMANDS["chapter" if name == "book" else name])
        said = again.process.communicate(timeout=300)[0]
        assert again.process.returncode == 0, said
        for path, content in finished.items():  # the sidecar says how long it took
            assert path.read_bytes() == content or path.suffix == ".json"


def test_one_command_works_in_a_checkout(project, begin):
    started = begin("chapter")
    second = Started(project, COMMANDS["results"])
    said = second.process.communicate(timeout=300)[0]
    assert second.process.returncode != 0
    holder = rf"\(process {started.python()}: .* 00_overview.*\)"
    assert re.match(rf"Another command works in this checkout {holder}\.", said)
    (project / "go").touch()
    said = started.process.communicate(timeout=300)[0]
    assert started.process.returncode == 0, said
