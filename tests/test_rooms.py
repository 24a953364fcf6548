"""Rooms can be deleted: what is left is imported, and its tests pass.

Each room is removed from a copy of the package and of its tests, together with the rooms that
the table in CONTRIBUTING.md says to import it.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.test_house import ROOT, dependencies

TABLE = dependencies()
ROOMS = [room for room in TABLE if room.startswith("ofer/")]
PYTEST = ["-q", "-p", "no:cacheprovider", "-p", "one_of_each", "tests/ofer"]
# The first case of each test, and few examples: what a room's removal breaks, it breaks in all.
ONE_OF_EACH = """
from hypothesis import settings

def pytest_collection_modifyitems(items):
    settings.register_profile("few", max_examples=2)
    settings.load_profile("few")
    found = {}
    items[:] = [one for one in items if found.setdefault((one.path, one.originalname), one) is one]
"""


def closure(room):
    """A room and those that import it, and those that import them."""
    found = {room}
    while more := {one for one in ROOMS if TABLE[one] & found} - found:
        found |= more
    return found


def copy_without(rooms, folder):
    """The package and the core's tests in a folder, as if the rooms had never been written."""
    for part in ("ofer", "tests/ofer", "tests/oracles"):
        shutil.copytree(ROOT / part, folder / part)
    shutil.copy(ROOT / "tests/conftest.py", folder / "tests")
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "one_of_each.py").write_text(ONE_OF_EACH, encoding="utf-8")
    for room in ROOMS:
        package, tests = folder / room, folder / "tests" / room
        tests.with_name(f"test_{tests.name}.py").unlink(missing_ok=True)
        for path in tests.glob("**/test_*.py"):
            path.unlink()
        if room in rooms:
            package.with_suffix(".py").unlink(missing_ok=True)
            for place in filter(Path.is_dir, (package, tests)):
                shutil.rmtree(place)


def run(folder, program):
    """Output of a program in a copy, which alone it sees of the project.

    Without `site` there is no editable install, which would find the rooms that are gone.
    """
    places = [str(folder), *{sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    command = [sys.executable, "-S", "-c", program]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


CORE = f"import sys, pytest; sys.exit(pytest.main({PYTEST}))"
WHAT_IS_LEFT = f"""
import pkgutil, sys, ofer, pytest
for module in pkgutil.walk_packages(ofer.__path__, "ofer."):
    __import__(module.name)
for name in ofer.__all__:
    try:
        getattr(ofer, name)
    except AttributeError as error:
        assert str(error).endswith("is not there")
        print("gone:", name)
sys.exit(pytest.main({PYTEST} + ["--collect-only"]))
"""


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
def test_what_is_left_is_imported_and_its_tests_are_found(room, tmp_path):
    copy_without(closure(room), tmp_path)
    gone = re.findall(r"^gone: (\w+)$", run(tmp_path, WHAT_IS_LEFT), re.MULTILINE)
    assert ("NystroemRidgeCV" in gone) == (room == "ofer/nystroem")
    assert "OutputFisherRegressor" not in gone


@pytest.mark.long
def test_the_core_stands_alone(tmp_path):
    copy_without(ROOMS, tmp_path)
    run(tmp_path, CORE)
