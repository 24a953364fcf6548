"""What the chapters and the pages are made of, and how: tasks for doit.

``make book`` runs ``doit -f reproduction/pipeline/dodo.py``. doit compares the contents of the
files that a task names, and remembers nothing else.
"""

import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

from doit.exceptions import TaskFailed
from doit.tools import config_changed

from reproduction.engine import get_experiment, list_experiments, why_stale
from reproduction.engine.closure import reached_modules
from reproduction.pipeline.execute import (
    BOOK,
    ROOT,
    SOURCES,
    chapter_names,
    obstacle,
    tables_owned,
)

HTML = ROOT / "_build" / "html"
CACHE = ROOT / ".cache"
CACHE.mkdir(exist_ok=True)
DOIT_CONFIG = {
    "backend": "sqlite3",
    "default_tasks": ["pages"],
    "dep_file": str(CACHE / "doit.db"),
    "reporter": "error-only",
    "verbosity": 2,
}


def files(folder, pattern="*"):
    """Files below a folder, without compiled ones."""
    found = (path for path in folder.rglob(pattern) if path.is_file())
    return [path for path in found if "__pycache__" not in path.parts]


def stale_tables():
    """Fail when a stored table is missing or not what its experiment would give now."""
    reasons = {id: why_stale(get_experiment(id)) for id in list_experiments()}
    lines = [f"{id}: {reason}" for id, reason in reasons.items() if reason]
    if lines:
        return TaskFailed(
            "\n".join(["Stored tables cannot be used. Run `make results` first.", *lines])
        )
    return None


def task_stale_tables():
    """Look for stale tables before any chapter is executed."""
    return {"actions": [stale_tables]}


def task_chapter():
    """Execute the chapters."""
    tables = [*files(BOOK / "results", "*.csv"), *files(BOOK / "paper"), *BOOK.glob("*.yml")]
    for name in chapter_names():
        source = SOURCES / f"{name}.py"
        code = {source, *reached_modules(source).values()}
        for id in tables_owned(source):
            module = Path(inspect.getfile(get_experiment(id).evaluate))
            code |= {module, *reached_modules(module).values()}
        reads = any("engine" in path.parts or "claims" in path.parts for path in code)
        yield {
            "name": name,
            "task_dep": ["stale_tables"],
            "file_dep": [*code, ROOT / "requirements" / "all.lock", *(tables if reads else [])],
            # What is missing can be had one day, and the chapter is executed then.
            "uptodate": [config_changed(obstacle(source))],
            "targets": [BOOK / f"{name}.ipynb"],
            "actions": [(execute, [name])],
        }


def execute(name):
    """Execute a chapter in a process of its own."""
    command = [sys.executable, "-m", "reproduction.pipeline.execute", name]
    return TaskFailed(f"{name} was not executed.") if subprocess.run(command).returncode else None


def task_pages():
    """Render the pages with jupyter-book, in place of the old ones when nothing was warned of."""
    inputs = [*files(BOOK), *files(ROOT / "ofer", "*.py"), *files(ROOT / "reproduction", "*.py")]
    notebooks = [BOOK / f"{name}.ipynb" for name in chapter_names()]
    return {
        "file_dep": sorted({ROOT / "_config.yml", *inputs, *notebooks}),
        "targets": [HTML / "index.html"],
        "actions": [render],
    }


def render():
    """Render aside: what fails leaves the pages as they were."""
    aside = CACHE / "pages"
    shutil.rmtree(aside, ignore_errors=True)
    command = [Path(sys.executable).with_name("jupyter-book"), "build", BOOK]
    command += ["-W", "-n", "--keep-going", "--path-output", aside]
    built = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"}
    )
    if built.returncode:
        return TaskFailed(f"The pages were not rendered.\n{built.stderr or built.stdout}")
    shutil.rmtree(HTML, ignore_errors=True)
    HTML.parent.mkdir(exist_ok=True)
    (aside / "_build" / "html").rename(HTML)
    return None
