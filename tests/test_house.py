"""Which way imports point, and what an import loads."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ofer
from reproduction.paths import CHECKOUT

OURS = Path(ofer.__file__).parent


def imported(path):
    """Modules that a file names in its imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            if node.module.partition(".")[0] == "reproduction":  # from reproduction import claims
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_package_knows_nothing_of_the_experiments():
    known = {name.partition(".")[0] for path in OURS.rglob("*.py") for name in imported(path)}
    assert not known & {"reproduction", "notebooks", "benchmarks", "tests"}


def rooms_of_reproduction():
    """By room, which others its files may import, as the table in CONTRIBUTING.md says."""
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = {}
    for room, words in re.findall(r"^\| `reproduction/(\w+)` \|.*\| (.*) \|$", text, re.MULTILINE):
        named = {*re.findall(r"`(\w+)`", words)}
        rooms[room] = {*rooms} - named if words.startswith("all rooms above") else named
    return rooms


ROOMS = rooms_of_reproduction()


def test_every_room_is_in_the_table():
    folders = {path.parent.name for path in (CHECKOUT / "reproduction").glob("*/__init__.py")}
    assert folders == {*ROOMS}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_those_that_the_table_allows(room):
    forbidden = {f"reproduction.{other}" for other in {*ROOMS} - ROOMS[room] - {room}}
    wrong = [
        f"{path.relative_to(CHECKOUT)} imports {name}"
        for path in (CHECKOUT / "reproduction" / room).rglob("*.py")
        for name in imported(path)
        if ".".join(name.split(".")[:2]) in forbidden
    ]
    assert wrong == []


def test_only_declarations_import_declarations():
    """And tests do: so an edit of a declaration concerns its own table."""
    files = [*(CHECKOUT / "notebooks").glob("*.py"), *(CHECKOUT / "benchmarks").glob("*.py")]
    files += (CHECKOUT / "reproduction").rglob("*.py")
    wrong = [
        f"{path.relative_to(CHECKOUT)} imports {name}"
        for path in files
        if path.parent.name != "tables"
        for name in imported(path)
        if re.match(r"reproduction\.studies(\.\w+)+\.tables\b", name)
    ]
    assert wrong == []


def test_the_first_volume_needs_no_study_of_the_second():
    """And of the rooms only studies of the second volume import any."""
    second = CHECKOUT / "reproduction" / "studies" / "second_volume"
    wrong = [
        f"{path.relative_to(CHECKOUT)} imports {name}"
        for path in (CHECKOUT / "reproduction").rglob("*.py")
        if not path.is_relative_to(second)
        for name in imported(path)
        if name.startswith("reproduction.studies.second_volume")
    ]
    assert wrong == []


def loaded_by(*steps, after):
    """Modules there after each of some steps in a new Python, but those that others have loaded."""
    program = f"import sys\n{after}\nbefore = {{*sys.modules}}\n"
    program += "".join(f"{step}\nprint(*({{*sys.modules}} - before))\n" for step in steps)
    command = [sys.executable, "-W", "ignore", "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split() for line in run.stdout.splitlines()]


def test_an_import_loads_numpy_scipy_and_scikit_learn_alone():
    """And no room before one of its names is asked for."""
    names = {name for path in OURS.rglob("*.py") for name in imported(path)}
    three = {name for name in names if name.partition(".")[0] in ("numpy", "scipy", "sklearn")}
    after = f"import {', '.join(sorted(three))}"
    rooms = "semantic", "iokr", "tuning", "regions", "nystroem", "full_fisher", "companions"
    light, everything = loaded_by(
        "import ofer, ofer.metrics",
        "import ofer.companions, ofer.datasets; from ofer import *",
        after=after,
    )
    assert not {f"ofer.{room}" for room in (*rooms, "datasets", "distributed")} & {*light}
    assert {f"ofer.{room}" for room in rooms} <= {*everything}
    top = {name.partition(".")[0] for name in everything}
    assert top <= {"ofer", "sklearn", "scipy", "numpy", *sys.stdlib_module_names}
