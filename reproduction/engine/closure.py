"""Which modules a file reaches, and a checksum of each that only its meaning moves.

The same function tells what a stored table depends on and what a chapter does. It reads source
texts and runs nothing.
"""

import ast
import hashlib
import json
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path

__all__ = ["closure_digest", "module_checksums", "parse", "reached_modules"]

_SAYS_NOTHING = ("ctx", "kind", "returns", "type_comment")
_OWN = ("ofer", "reproduction")
_quoted = json.JSONEncoder().encode


def reached_modules(path, *, without=()):
    """Modules of the project that a source file reaches, itself not among them.

    A name imported from a package leads to the module that defines it, not to all others whose
    names the package gathers. Imports inside functions count.

    Parameters
    ----------
    path : path-like
        A Python file.
    without : tuple of str, default=()
        Beginnings of the names of modules that are passed over, and not followed.

    Returns
    -------
    modules : dict of str to Path
        Names and files, sorted by name. A package whose own text is but imports does not appear.
    """
    path = Path(path).resolve()
    found, todo = {}, dict(_imports(path))
    while todo:
        name, file = todo.popitem()
        if name not in found and not name.startswith(without):
            found[name] = file
            todo.update(_imports(file))
    return dict(sorted((name, file) for name, file in found.items() if file != path))


def module_checksums(path, *, without=()):
    """Checksums of a source file and of all modules that it reaches.

    Parameters
    ----------
    path : path-like
        A Python file.
    without : tuple of str, default=()
        As in `reached_modules`.

    Returns
    -------
    checksums : dict of str to str
        By module, 16 hexadecimal digits of a sha256 that comments, docstrings, layout and the
        annotations of signatures do not move.
    """
    path = Path(path).resolve()
    modules = {_module_name(path): path} | reached_modules(path, without=without)
    return {name: _checksum(file) for name, file in sorted(modules.items())}


def closure_digest(path, *, without=()):
    """One checksum of a source file and of all modules that it reaches.

    Parameters
    ----------
    path : path-like
        A Python file.
    without : tuple of str, default=()
        As in `reached_modules`.

    Returns
    -------
    digest : str
        32 hexadecimal digits of a sha256 of what `module_checksums` gives.
    """
    text = json.dumps(module_checksums(path, without=without))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _module_file(name):
    """File of a module of the project, or None: for a package its ``__init__.py``."""
    package, *rest = name.split(".")
    folder = _folder(package) if package in _OWN else None
    if folder is None:
        return None
    place = folder.joinpath(*rest)
    files = (place / "__init__.py", place.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def parse(path):
    """Syntax tree of a Python file.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    ast.Module
    """
    return _parse(path, _stamp(path))


def _stamp(path):
    """What tells a file that was edited: what is known of a file is known of such a state."""
    state = path.stat()
    return state.st_mtime_ns, state.st_size


@cache
def _parse(path, stamp):
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def _folder(package):
    spec = find_spec(package)
    return None if spec is None else Path(spec.submodule_search_locations[0]).resolve()


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
    return _imports_of(path, _stamp(path))


@cache
def _imports_of(path, stamp):
    found = []
    for node in _statements(parse(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found += _everything(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, path)
            for alias in node.names:
                found += _everything(base) if alias.name == "*" else _definition(base, alias.name)
    return tuple(found)


def _statements(node):
    """All statements of a syntax tree, which are a tenth of its nodes."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        inner = getattr(node, name, [])
        for statement in inner if isinstance(inner, list) else []:
            yield statement
            yield from _statements(statement)


def _base(node, path):
    """Absolute name of the module that a ``from`` names."""
    package = _module_name(path)
    if path.name != "__init__.py":
        package = package.rpartition(".")[0]
    return resolve_name("." * node.level + (node.module or ""), package)


def _everything(name):
    """What an import of a whole module leads to; of a package, all that it gathers."""
    file = _module_file(name)
    if file is None:
        return []
    return list(_imports(file)) if file.name == "__init__.py" else [(name, file)]


def _definition(base, name):
    """What the import of a name from a module leads to."""
    file = _module_file(base)
    if file is None:
        return []
    if file.name != "__init__.py":
        return [(base, file)]
    for node in _statements(parse(file)):  # also where a package says what it loads when asked
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return _definition(_base(node, file), alias.name)
    return _everything(f"{base}.{name}") or [(base, file)]


def _checksum(path):
    return _checksum_of(path, _stamp(path))


@cache
def _checksum_of(path, stamp):
    return hashlib.sha256(_normalised(parse(path)).encode()).hexdigest()[:16]


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
