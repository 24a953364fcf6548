"""Rooms can be deleted: what is left is imported, and its tests pass.

Each room is removed from a copy of the package and of its tests, together with the rooms that
the table in CONTRIBUTING.md says to import it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_house import ROOT, dependencies

TABLE = dependencies()
ROOMS = [room for room in TABLE if room.startswith("ofer/")]
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/ofer")
# Tried for all estimators with every room above; without the rooms, a fit of each is enough.
NOT_AGAIN = "test_what_is_declared_holds or _memory or check_ or n_init"


def closure(room):
    """A room and those that import it, and those that import them."""
    found = {room}
    while more := {one for one in ROOMS if TABLE[one] & found} - found:
        found |= more
    return found


def copy_without(rooms, folder):
    """Package and tests in a folder, as if the rooms had never been written."""
    for part in ("ofer", "tests/ofer"):
        shutil.copytree(ROOT / part, folder / part)
    shutil.copy(ROOT / "tests/conftest.py", folder / "tests")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for room in rooms:
        package, tests = folder / room, folder / "tests" / room
        for place in (package, tests):
            if place.is_dir():
                shutil.rmtree(place)
        package.with_suffix(".py").unlink(missing_ok=True)
        tests.with_name(f"test_{tests.name}.py").unlink(missing_ok=True)
    if not any((folder / "ofer/companions").glob("*/__init__.py")):
        shutil.rmtree(folder / "ofer/companions")
        shutil.rmtree(folder / "tests/ofer/companions")


def run(folder, *arguments):
    """Output of Python in a copy, which alone it sees of the project."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, "-P", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


NAMES = """
import ofer
for name in ofer.__all__:
    try:
        getattr(ofer, name)
    except AttributeError as error:
        assert "which is not there" in str(error)
        print(name)
"""


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_left_is_imported_and_its_tests_are_found(room, tmp_path):
    copy_without(closure(room), tmp_path)
    gone = run(tmp_path, "-c", NAMES).split()
    assert ("NystroemRidgeCV" in gone) == (room == "ofer/nystroem")
    assert "OutputFisherRegressor" not in gone
    run(tmp_path, *PYTEST, "--collect-only")


def test_the_core_stands_alone(tmp_path):
    copy_without(ROOMS, tmp_path)
    assert {path.name for path in Path(tmp_path, "tests/ofer").iterdir()}.isdisjoint(
        room.rpartition("/")[2] for room in ROOMS
    )
    run(tmp_path, *PYTEST, "-k", f"not ({NOT_AGAIN})")
