"""The structure of the code: sizes, rooms, and which way the imports point."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ofer", "reproduction")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
ROOMS = sorted({path.parent for path in FILES})


def name_of(path):
    """Place of a file, for messages."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def lines(*folders, without=()):
    """Number of lines of Python below folders."""
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    kept = [p for p in paths if not any(p.is_relative_to(ROOT / w) for w in without)]
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in kept)


def test_the_package_is_small():
    assert lines("ofer") <= 17_500
    assert lines("ofer", without=["ofer/companions"]) <= 12_000


@pytest.mark.parametrize("room", ROOMS, ids=name_of)
def test_a_room_has_few_files(room):
    assert len(list(room.glob("*.py"))) <= 20


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_is_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name == "__init__.py"], ids=name_of
)
def test_packages_gather_names_and_define_none(path):
    """What a name leads to is read from the imports, so nothing may hide beside them."""
    allowed = (ast.Import, ast.ImportFrom, ast.Expr)
    others = [node for node in tree(path).body if not isinstance(node, allowed)]
    assigned = {t.id for node in others if isinstance(node, ast.Assign) for t in node.targets}
    assert len(others) == len(assigned)
    assert assigned <= {"__all__", "__version__"}


@cache
def imports(path):
    """(module, name or None) of every import of a file."""
    found = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: imports are absolute"
            found += [(node.module, alias.name) for alias in node.names]
    return found


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def python_files(folder):
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize(
    "path", [*FILES, *python_files("notebooks"), *python_files("benchmarks")], ids=name_of
)
def test_private_names_stay_in_their_room(path):
    """A private module serves the folder that holds it; a private name, its module."""
    rooms = [".".join(room.relative_to(ROOT).parts) for room in (path.parent, *path.parent.parents)
             if room.is_relative_to(ROOT)]  # fmt: skip
    wrong = []
    for module, name in imports(path):
        if module.partition(".")[0] not in PACKAGES:
            continue
        parts = module.split(".")
        for depth, part in enumerate(parts):
            if is_private(part) and ".".join(parts[:depth]) not in rooms:
                wrong.append(module)
        if name is not None and is_private(name):
            wrong.append(f"{module}.{name}")
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_nobody_calls_private_methods_of_others(path):
    """Private attributes are those of the class itself, of its own kind, or of this module."""
    text = tree(path)
    own = {
        node.name if isinstance(node, ast.FunctionDef) else node.attr
        for node in ast.walk(text)
        if isinstance(node, ast.FunctionDef)
        or (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    }
    wrong = [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(text)
        if isinstance(node, ast.Attribute)
        and is_private(node.attr)
        and node.attr not in own
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
        and not ast.unparse(node.value).startswith("super()")
    ]
    # named tuples spell their public methods with an underscore, and os its hard exit
    public = re.compile(r"\._(replace|asdict|make|fields)$|: os\._exit$")
    wrong = [line for line in wrong if not public.search(line)]
    assert wrong == []


@pytest.mark.parametrize("path", [p for p in FILES if p.is_relative_to(ROOT / "ofer")], ids=name_of)
def test_contracts_instead_of_questions(path):
    """The package asks nobody whether an attribute is there."""
    names = (node.id for node in ast.walk(tree(path)) if isinstance(node, ast.Name))
    assert "hasattr" not in names


@cache
def arrows():
    """Rooms that each room imports from."""
    found = defaultdict(set)
    for path in FILES:
        here = ".".join(path.parent.relative_to(ROOT).parts)
        for module, name in imports(path):
            if module.partition(".")[0] in PACKAGES:
                full = f"{module}.{name}" if name else module
                room = full
                while not (ROOT / room.replace(".", "/")).is_dir():
                    room = room.rpartition(".")[0]
                if room != here:
                    found[here].add(room)
    return found


def test_arrows_point_down():
    upward = [room for room in arrows() if room.startswith("ofer")
              if any(to.startswith("reproduction") for to in arrows()[room])]  # fmt: skip
    assert upward == []


def test_rooms_form_no_circle():
    """Rooms may use a room that they lie in, and it may gather their names; nothing else turns."""
    graph = {
        room: {to for to in reached if not (to.startswith(f"{room}.") or room.startswith(f"{to}."))}
        for room, reached in arrows().items()
    }
    state, path = {}, []

    def visit(room):
        state[room] = "open"
        path.append(room)
        for to in sorted(graph.get(room, ())):
            assert state.get(to) != "open", " -> ".join([*path[path.index(to) :], to])
            if to not in state:
                visit(to)
        path.pop()
        state[room] = "done"

    for room in sorted(graph):
        if room not in state:
            visit(room)


def test_the_package_needs_three_libraries_only():
    """Whatever else an import of the package loads, scikit-learn loads by itself."""
    paths = [path for path in FILES if path.is_relative_to(ROOT / "ofer")]
    names = {module for path in paths for module, _ in imports(path)}
    foreign = sorted(
        name for name in names if name.partition(".")[0] in ("numpy", "scipy", "sklearn")
    )
    program = (
        f"import sys, {', '.join(foreign)}; before = {{*sys.modules}}; "
        "import ofer.companions, ofer.datasets; print(*({*sys.modules} - before))"
    )
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert loaded <= {"ofer", "sklearn", "scipy", "numpy", *sys.stdlib_module_names}


def test_tests_of_the_book_are_in_the_room_where_they_are_looked_for():
    """Those of rendered pages, and quick profiles."""
    marked = [p for p in python_files("tests") if re.search(r"mark\.(html|quick)", p.read_text())]
    assert {path.parent for path in marked} == {ROOT / "tests/book"}


def test_top_of_the_house():
    """What the project's user has fixed is there."""
    wanted = ("book", "ofer", "notebooks", "tests", "environment.yml", "_config.yml", "README.md")
    assert [name for name in wanted if not (ROOT / name).exists()] == []
    chapters = {path.name for path in (ROOT / "notebooks").glob("*.*")}
    assert [name for name in chapters if not re.fullmatch(r"\d\d_\w+\.py", name)] == []
