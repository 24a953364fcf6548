"""Which modules a file reaches, and a checksum of each that only its meaning moves.

The same imports tell what a stored table depends on and what a chapter does. Source texts are read,
and nothing is run.
"""

import ast
import atexit
import contextlib
import hashlib
import json
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import NamedTuple

from reproduction.files import replacing
from reproduction.paths import CHECKOUT

__all__ = ["Closure", "closure_of", "reached_modules"]

_SAYS_NOTHING = ("ctx", "kind", "returns", "type_comment")
_OWN = ("ofer", "reproduction")
_quoted = json.JSONEncoder().encode


def reached_modules(path, *, without=()):
    """Files of the project's modules that a source file reaches, by name, itself not among them.

    A name imported from a package leads to the module that defines it, not to all others whose
    names the package gathers; a package whose own text is but imports does not appear. Imports
    inside functions count. Modules whose names begin with one of `without` are not followed.
    """
    path = Path(path).resolve()
    files, todo = {}, _imports(path)
    while todo:
        name, file = todo.pop()
        if name not in files and not name.startswith(without):
            files[name] = file
            todo += _imports(file)
    return dict(sorted((name, file) for name, file in files.items() if file != path))


class Closure(NamedTuple):
    """A source file and all modules that it reaches, as they were when somebody asked."""

    checksums: dict[str, str]
    """Of each module, 16 hexadecimal digits of a sha256 that comments, docstrings, layout and the
    annotations of signatures do not move."""

    def digest(self):
        """One checksum of the modules, 32 hexadecimal digits."""
        text = json.dumps(self.checksums, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def closure_of(path, *, without=()):
    """Closure of a source file; modules whose names begin with one of `without` have no part."""
    path = Path(path).resolve()
    files = {_module_name(path): path} | reached_modules(path, without=without)
    return Closure({name: _facts(file).checksum for name, file in files.items()})


def _module_file(name):
    """File of a module of the project, or None: for a package its ``__init__.py``."""
    package, *rest = name.split(".")
    folder = _folder(package) if package in _OWN else None
    if folder is None:
        return None
    place = folder.joinpath(*rest)
    files = (place / "__init__.py", place.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


class _Facts(NamedTuple):
    """What the text of a file says, whatever its place."""

    imports: list
    """An import each: level and name of the module, the imported name, and what it is called; of
    an import of a whole module the last two are None."""
    checksum: str


class _Kept:
    """Facts by the checksum of a text, kept in a file: half a second for whoever asks next."""

    def __init__(self, path):
        self._path, self._known, self._new = path, None, {}

    def of(self, text):
        key = hashlib.sha256(text).hexdigest()[:32]
        if self._known is None:
            self._known = self._read()
        if key not in self._known:
            if not self._new:
                atexit.register(self._write)
            self._known[key] = self._new[key] = _look_into(text)
        return _Facts(*self._known[key])

    def _read(self):
        with contextlib.suppress(OSError, ValueError):
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            if kept["code"] == _own_code() and len(kept["facts"]) < _MANY:
                return kept["facts"]
        return {}

    def _write(self):
        kept = {"code": _own_code(), "facts": self._read() | self._new}
        with contextlib.suppress(OSError), replacing(self._path) as draft:
            draft.write_text(json.dumps(kept), encoding="utf-8")


@cache
def _own_code():
    """What tells facts that an earlier version of this file has found."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


_MANY = 5000  # texts; then the file begins anew
_KEPT = _Kept(CHECKOUT / ".cache" / "closure.json")


def _facts(path):
    state = path.stat()
    return _facts_of(path, state.st_mtime_ns, state.st_size)


@cache
def _facts_of(path, *state):
    return _KEPT.of(path.read_bytes())


def _look_into(text):
    """Imports and checksum of a text."""
    tree, imports = ast.parse(text), []
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            imports += [(0, alias.name, None, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            imports += [(node.level, module, a.name, a.asname or a.name) for a in node.names]
    return _Facts(imports, hashlib.sha256(_normalised(tree).encode()).hexdigest()[:16])


@cache
def _folder(package):
    spec = find_spec(package)
    return None if spec is None else Path(spec.submodule_search_locations[0]).resolve()


@cache
def _module_name(path):
    """Dotted name of a file of the project; the stem of any other file."""
    for package in _OWN:
        folder = _folder(package)
        if folder is not None and path.is_relative_to(folder):
            parts = path.relative_to(folder).with_suffix("").parts
            return ".".join([package, *(part for part in parts if part != "__init__")])
    return path.stem


def _imports(path):
    """Names and files of the modules that the imports of a file lead to."""
    state = path.stat()
    return [*_imports_of(path, state.st_mtime_ns, state.st_size)]


@cache
def _imports_of(path, *state):
    modules = []
    for level, module, name, _ in _facts(path).imports:
        if name is None:
            modules += _everything(module)
        else:
            base = _base(level, module, path)
            modules += _everything(base) if name == "*" else _definition(base, name)
    return modules


def _statements(node):
    """All statements of a syntax tree, a tenth of its nodes."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        inner = getattr(node, name, [])
        for statement in inner if isinstance(inner, list) else []:
            yield statement
            yield from _statements(statement)


def _base(level, module, path):
    """Absolute name of the module that a ``from`` names."""
    package = _module_name(path)
    if path.name != "__init__.py":
        package = package.rpartition(".")[0]
    return resolve_name("." * level + module, package)


def _everything(name):
    """What an import of a whole module leads to; of a package, all that it gathers."""
    file = _module_file(name)
    if file is None:
        return []
    return _imports(file) if file.name == "__init__.py" else [(name, file)]


def _definition(base, name):
    """What the import of a name from a module leads to."""
    file = _module_file(base)
    if file is None:
        return []
    if file.name != "__init__.py":
        return [(base, file)]
    for level, module, defined, called in _facts(file).imports:  # at once, or when asked for
        if called == name:
            return _definition(_base(level, module, file), defined)
    return _everything(f"{base}.{name}") or [(base, file)]


def _normalised(node):
    """Syntax tree as JSON, without what says nothing to the interpreter.

    Texts that stand alone are docstrings or comments. Empty fields are left out, because every
    version of Python adds some.
    """
    if isinstance(node, ast.AST):
        kept = []
        for name, head in _fields(type(node)):
            value = getattr(node, name, None)
            if value is not None and (text := _normalised(value)) != "[]":
                kept.append(f"{head}{text}]")
        return f'["{type(node).__name__}", [{", ".join(kept)}]]'
    if isinstance(node, list):
        return f"[{', '.join([_normalised(item) for item in node if not _is_text(item)])}]"
    return "null" if node is None else _quoted(repr(node))


@cache
def _fields(kind):
    """Names of the fields of a kind of node that count, and how their JSON begins."""
    skipped = (*_SAYS_NOTHING, "annotation") if kind is ast.arg else _SAYS_NOTHING
    return [(name, f'["{name}", ') for name in kind._fields if name not in skipped]


def _is_text(node):
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
