"""The structure of the code: sizes, rooms, and which way the imports point."""

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ofer", "reproduction")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
OURS = [path for path in FILES if path.is_relative_to(ROOT / "ofer")]
FOLDERS = sorted({path.parent for path in FILES})

# Lines of code, see `code_lines`. A number goes up with a sentence in *Decisions* of
# CONTRIBUTING.md that says what it bought.
BUDGETS = {
    "ofer": 9200,  # all of it
    "core": 4010,  # what is in no room below
    "full_fisher": 150,
    "semantic": 460,
    "iokr": 380,
    "ascent.py": 70,
    "tuning": 310,
    "regions": 460,
    "nystroem": 490,
    "distributed.py": 105,
    "companions": 2810,
}
# Classes that one class inherits from and that have no abstract method, each with its reason.
CONTRACTS = {}
# Files that load what they gather when it is asked for.
LAZY = [ROOT / "ofer/__init__.py", ROOT / "ofer/companions/__init__.py"]


def name_of(path):
    """Place of a file, for messages."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def code_lines(path):
    """Lines of a file without docstrings, comments and blank lines."""
    code, documentation = set(), set()
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.string.strip() and token.type != tokenize.COMMENT:
                code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree(path)):
        kinds = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
            documentation.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(code - documentation)


def test_code_is_counted_without_what_explains_it(tmp_path):
    text = '"""Module."""\n\n# comment\nx = [\n    # comment\n    1,\n]  # comment\n'
    text += 'def f():\n    """One\n\n    two."""\n    return """a\n\nb"""\n'
    (tmp_path / "one.py").write_text(text, encoding="utf-8")
    code = ("x = [", "1,", "]", "def f():", 'return """a', "", 'b"""')
    assert code_lines(tmp_path / "one.py") == len(code)


def test_rooms_keep_to_their_budgets():
    found = dict.fromkeys(BUDGETS, 0)
    for path in OURS:
        part = path.relative_to(ROOT / "ofer").parts[0]
        found["ofer"] += code_lines(path)
        found[part if part in BUDGETS else "core"] += code_lines(path)
    over = {room: f"{n} of {BUDGETS[room]}" for room, n in found.items() if n > BUDGETS[room]}
    assert over == {}, "cut, or raise BUDGETS with a sentence in Decisions of CONTRIBUTING.md"


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_a_folder_has_few_files(folder):
    assert len(list(folder.glob("*.py"))) <= 20


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name == "__init__.py"], ids=name_of
)
def test_packages_gather_names_and_define_none(path):
    """What a name leads to is read from the imports, so nothing may hide beside them.

    A package that loads its rooms when they are asked for says to type checkers, by imports too,
    what it will find.
    """
    allowed = (ast.Import, ast.ImportFrom, ast.Expr)
    others = [node for node in tree(path).body if not isinstance(node, allowed)]
    if path in LAZY and isinstance(others[-1], ast.If):
        gate = others.pop()
        assert ast.unparse(gate.test) == "TYPE_CHECKING"
        assert all(isinstance(node, allowed) for node in gate.body)
        (*_, last) = gate.orelse
        assert ast.unparse(last) == "__getattr__, __dir__ = lazy_loading(__name__, _ROOMS)"
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
    # what rooms of the package share, and its users have no use for
    shared = re.compile(r"\._(begin|adopt|kernel_rows|part|loo_scales|loo_residuals_of)$")
    wrong = [line for line in wrong if not (public.search(line) or shared.search(line))]
    assert wrong == []


@pytest.mark.parametrize("path", OURS, ids=name_of)
def test_contracts_instead_of_questions(path):
    """The package asks nobody whether an attribute is there, nor for a default in its place.

    But for the operating system, of which there are several.
    """
    asked = [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and (node.func.id, len(node.args)) in (("hasattr", 2), ("getattr", 3))
        and ast.unparse(node.args[0]) != "os"
    ]
    assert asked == []


@pytest.mark.parametrize(
    "path",
    [*FILES, *python_files("notebooks"), *python_files("benchmarks")],
    ids=name_of,
)
def test_private_names_of_scikit_learn_are_in_one_module(path):
    """Where a new version of it breaks something, one file says what."""
    found = [
        f"{module}.{name}"
        for module, name in imports(path)
        if module.partition(".")[0] == "sklearn"
        and any(is_private(part) for part in [*module.split("."), name or ""])
    ]
    assert found == [] or path == ROOT / "ofer/utils/sklearn_private.py"


def test_base_classes_have_many_subclasses():
    """A class is written in one place, unless its parts serve others too, or are a contract."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages([str(ROOT / "ofer")], "ofer.")
    ]
    classes = {
        one
        for module in modules
        for one in vars(module).values()
        if inspect.isclass(one) and one.__module__ == module.__name__
    }
    bases = [base for one in classes for base in one.__bases__ if base in classes]
    single = [base for base in bases if bases.count(base) == 1 and not inspect.isabstract(base)]
    names = {base.__name__ for base in single}
    assert set(CONTRACTS) <= names
    assert len(names - set(CONTRACTS)) <= 1, sorted(names - set(CONTRACTS))


@cache
def arrows():
    """Folders that each folder imports from."""
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


@cache
def dependencies():
    """What the table in CONTRIBUTING.md says that each room may import."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## The house")[2].partition("## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    return {room.strip("`"): set(re.findall(r"`([^`]+)`", allowed)) for room, _, allowed in rows}


def room_of(module):
    """The row of the table that a module belongs to: the most special one."""
    place = f"{module.replace('.', '/')}/"
    return max((room for room in dependencies() if place.startswith(f"{room}/")), key=len)


@cache
def gathered(package):
    """Modules that the names which a package gathers come from."""
    file = ROOT / package.replace(".", "/") / "__init__.py"
    return {name: module for module, name in imports(file) if name} if file.exists() else {}


def test_the_table_of_dependencies_is_what_is_imported():
    found = {room: set() for room in dependencies()}
    for path in FILES:
        if path in LAZY:  # they gather, and use nothing
            continue
        here = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for module, name in imports(path):
            if module.partition(".")[0] in PACKAGES:
                found[here].add(room_of(gathered(module).get(name, f"{module}.{name}")))
    assert {room: reached - {room} for room, reached in found.items()} == dependencies()


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
    names = {module for path in OURS for module, _ in imports(path)}
    foreign = sorted(
        name for name in names if name.partition(".")[0] in ("numpy", "scipy", "sklearn")
    )
    program = (
        f"import sys, {', '.join(foreign)}; before = {{*sys.modules}}; "
        "import ofer.companions, ofer.datasets; from ofer import *; "
        "print(*({*sys.modules} - before))"
    )
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert loaded <= {"ofer", "sklearn", "scipy", "numpy", *sys.stdlib_module_names}


def test_tests_of_the_book_are_in_the_room_where_they_are_looked_for():
    """Those of rendered pages, and quick profiles."""
    marked = [
        p for p in python_files("tests") if re.search(r"mark\.(html|quick|away)", p.read_text())
    ]
    assert {path.parent for path in marked} == {ROOT / "tests/book"}


def test_top_of_the_house():
    """What the project's user has fixed is there."""
    wanted = ("book", "ofer", "notebooks", "tests", "environment.yml", "_config.yml", "README.md")
    assert [name for name in wanted if not (ROOT / name).exists()] == []
    chapters = {path.name for path in (ROOT / "notebooks").glob("*.*")}
    assert [name for name in chapters if not re.fullmatch(r"\d\d_\w+\.py", name)] == []
