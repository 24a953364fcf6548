"""What each part of the book depends on, and how it is made (tasks for doit).

``make book`` runs ``doit -f notebooks/dodo.py``: the chapters whose code or other dependencies have
changed are executed, texts that have changed are put between the outputs, then the pages are
rendered if anything they are made of has changed. doit compares contents, so touching a file
changes nothing.
"""

import ast
import hashlib
import json
import sys
from functools import cache
from pathlib import Path

import nbformat
from doit.exceptions import TaskFailed
from doit.tools import config_changed
from execute import (
    BOOK,
    ROOT,
    SOURCES,
    chapter_names,
    code,
    obstacle,
    read_source,
    update_prose,
)
from render import render

from ofer.experiments import get_experiment, list_experiments

HTML = ROOT / "_build" / "html"
CACHE = ROOT / ".cache"
CACHE.mkdir(exist_ok=True)
DOIT_CONFIG = {
    "backend": "json",
    "default_tasks": ["pages"],
    "dep_file": str(CACHE / "doit.json"),
    "reporter": "error-only",
    "verbosity": 2,
}


def modules(source):
    """Files of ``ofer`` that a chapter reaches: by imports, or by naming an experiment's id."""
    text = source.read_text(encoding="utf-8")
    named = [get_experiment(id).evaluate.__module__ for id in list_experiments() if id in text]
    found, todo = set(), {*imported(source), *(file for name in named for file in package(name))}
    while todo:
        found |= todo
        todo = {file for path in todo for file in imported(path)} - found
    return found


@cache
def imported(path):
    """Files of ``ofer`` that a file imports itself."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = path.relative_to(ROOT).parts[: -node.level] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            names += [f"{base}.{alias.name}" for alias in node.names]
    return {file for name in names for file in package(name)}


def package(name):
    """The file of a module of ``ofer``, if it is one, and those of the packages that it is in."""
    parts = name.split(".")
    if parts[0] != "ofer":
        return set()
    folders = [ROOT.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1)]
    files = [path for folder in folders for path in (folder / "__init__.py", Path(f"{folder}.py"))]
    return {path for path in files if path.exists()}


def tables(source):
    """Stored results and printed tables whose id a chapter names, and the ledger if it reads it."""
    text = source.read_text(encoding="utf-8")
    stored = {*BOOK.glob("results/*.*"), *BOOK.glob("paper/*.csv")}
    whole = "read_claims()" in text  # then every table decides something
    named = {path for path in stored if whole or path.name.partition(".")[0] in text}
    return named | ({BOOK / "claims.yml"} if "read_claims" in text else set())


def task_chapter():
    """Execute the chapters."""
    package_data = [path for path in files(ROOT / "ofer") if path.suffix != ".py"]
    for name in chapter_names():
        source = SOURCES / f"{name}.py"
        reason = obstacle(source)
        read = {*modules(source), *tables(source), *package_data}
        wanted = {"missing data": reason, "code": code(read_source(source))}
        yield {
            "name": name,
            "file_dep": [SOURCES / "execute.py", ROOT / "requirements.lock", *sorted(read)],
            "targets": [BOOK / f"{name}.ipynb"],
            # Without its data a chapter is never up to date, so that each run says it is skipped;
            # once they are there it has to be executed.
            "uptodate": [not reason, config_changed(json.dumps(wanted)), untouched],
            "actions": [[sys.executable, str(SOURCES / "execute.py"), name]],
        }


def untouched(task, values):
    """Whether code and outputs are those that the last execution wrote, and of no other version."""
    target = Path(task.targets[0])

    def checksum():
        notebook = nbformat.read(target, as_version=4)
        outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
        executed = json.dumps([code(notebook), outputs])
        return {"executed": hashlib.sha256(executed.encode()).hexdigest()}

    task.value_savers.append(checksum)
    return target.exists() and values.get("executed") == checksum()["executed"]


def task_prose():
    """Put texts that have changed between the outputs of the chapters."""
    for name in chapter_names():
        source, notebook = SOURCES / f"{name}.py", BOOK / f"{name}.ipynb"
        yield {
            "name": name,
            "file_dep": [source, notebook],
            "actions": [(update_prose, [source, notebook])],
        }


def task_pages():
    """Render the pages with jupyter-book."""
    notebooks = [BOOK / f"{name}.ipynb" for name in chapter_names()]
    inputs = [
        ROOT / "_config.yml",
        ROOT / "requirements.lock",
        *sorted({*files(BOOK), *files(ROOT / "ofer"), *notebooks}),
    ]
    return {
        "file_dep": [SOURCES / "render.py", *inputs],
        "task_dep": ["prose"],
        "targets": [HTML / "index.html"],
        "actions": [(pages, [inputs])],
    }


def files(folder):
    """All files under `folder` but compiled ones."""
    return [
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]


def pages(inputs):
    """Render, and fail with what jupyter-book says."""
    said = render(BOOK, HTML, CACHE / "pages", inputs)
    return TaskFailed(f"The pages were not rendered.\n{said}") if said else None
