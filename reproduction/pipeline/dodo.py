"""What the chapters and the pages are made of, and how: tasks for doit.

``make book`` runs ``python -m reproduction.pipeline``. doit compares the contents of the files
that a task names, and of each notebook that a chapter has become.
"""

import hashlib
import multiprocessing
import os
import platform
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path

from doit.exceptions import TaskFailed
from doit.tools import config_changed

from reproduction.closure import reached_modules
from reproduction.datasets import data_folders
from reproduction.experiments import claims_files, experiment_files, printed_tables
from reproduction.paths import CHECKOUT
from reproduction.pipeline.chapters import (
    ALL,
    BOOK,
    SOURCES,
    ChapterError,
    chapter_names,
    missing_data,
    tables_read,
)
from reproduction.pipeline.command import ignore_interrupts

HTML = CHECKOUT / "_build" / "html"
CACHE = CHECKOUT / ".cache"
STORED = BOOK / "results"
MOVED = CACHE / "results"
LOCK = CHECKOUT / "requirements" / "all.lock"
DOIT_CONFIG = {
    "backend": "sqlite3",
    "default_tasks": ["pages", "readme"],
    "dep_file": str(CACHE / "doit.db"),
    "reporter": "error-only",
    "verbosity": 2,
}


def files(folder, pattern="*"):
    """Files below a folder, without compiled ones."""
    paths = (path for path in folder.rglob(pattern) if path.is_file())
    return [path for path in paths if "__pycache__" not in path.parts]


@cache
def code():
    """All modules of the project."""
    return [*files(CHECKOUT / "ofer", "*.py"), *files(CHECKOUT / "reproduction", "*.py")]


@cache
def workers():
    """Processes that execute chapters, one for each that doit runs at once.

    A process stays, so that it loads papermill or pytest once; papermill changes its folder, so
    that threads would not do.
    """
    return ProcessPoolExecutor(
        mp_context=multiprocessing.get_context("spawn"),
        initializer=ignore_interrupts,
    )


def in_a_worker(main, *arguments, fault):
    """Call a main function in a worker: a `TaskFailed` with the fault unless its code is 0."""
    # A worker begins within `submit`, with the mask of this thread.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        called = workers().submit(main, *arguments)
    except BrokenProcessPool:
        return TaskFailed(f"{fault} A process was killed before.")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    try:
        return TaskFailed(fault) if called.result() else None
    except BrokenProcessPool:
        return TaskFailed(f"{fault} A process was killed; perhaps there was no memory left.")


def stale_tables():
    """Fail when a stored table is missing or not what its experiment would give now."""
    from reproduction.engine import get_experiment, list_experiments, why_stale

    reasons = {id: why_stale(get_experiment(id)) for id in list_experiments()}
    lines = [f"{id}: {reason}" for id, reason in reasons.items() if reason]
    if not lines:
        return None
    if any(line.endswith(("is damaged", "is not the table that was stored")) for line in lines):
        lines.append("`git checkout book/results` restores files that were edited or damaged.")
    return TaskFailed(
        "\n".join(["Stored tables cannot be used. Run `make results` first.", *lines])
    )


def task_stale_tables():
    """Look for stale tables before any chapter is executed."""
    return {"actions": [stale_tables], "file_dep": [*code(), *files(STORED)]}


@cache
def dependencies(name):
    """Files that decide what a chapter shows.

    Code that only computes a stored table is not among them: whether the table is what it would
    give is asked before.
    """
    source = SOURCES / f"{name}.py"
    reads = tables_read(source)
    tables = sorted(experiment_files()) if reads == ALL else reads
    paths = {source, LOCK, *reached_modules(source).values()}
    for id in tables:
        declared = experiment_files()[id]
        paths |= {declared, *reached_modules(declared, without=("ofer.",)).values()}
        stored = STORED / f"{id}.csv"
        paths |= {stored, *stored.parent.glob(f"{id}.groups.csv")}
    if any(path.name == "ledger.py" for path in paths):
        paths |= {*BOOK.glob("*.yml"), *claims_files()}
    if any({"statistics", "claims"} & {*path.parts} for path in paths):
        paths |= {*printed_tables().values()}
    return sorted(paths)


@cache
def missing(name):
    """Data sets that a chapter needs and that are not here: with them it is executed anew."""
    try:
        return [*missing_data(SOURCES / f"{name}.py")]
    except ChapterError as error:  # of damaged data: the execution says it in a line
        return [str(error)]


@cache
def folders_of_data():
    """Files in all folders of data, with their sizes and times."""
    found = [(path, path.stat()) for folder in data_folders() for path in files(folder)]
    return sorted([os.fspath(path), state.st_size, state.st_mtime_ns] for path, state in found)


def lacks_what_it_lacked(task, values):
    """Whether the data that a chapter lacks are the same as when its task was done.

    To look for all data takes two seconds, so this is done only where a folder has changed.
    """
    name = task.name.partition(":")[2]
    task.value_savers.append(lambda: {"folders": folders_of_data(), "missing": missing(name)})
    return values.get("folders") == folders_of_data() or values.get("missing") == missing(name)


def task_chapter():
    """Execute the chapters."""
    for name in chapter_names():
        yield {
            "name": name,
            "task_dep": ["stale_tables"],
            "file_dep": dependencies(name),
            "uptodate": [lacks_what_it_lacked, is_as_written],
            "targets": [BOOK / f"{name}.ipynb"],
            "actions": [(execute, [name])],
        }


def is_as_written(task, values):
    """Whether the notebook of a chapter is, to its last byte, what its last execution left."""
    notebook = Path(task.targets[0])
    # doit keeps what this gives after an execution, and hands it on as `values` the next time.
    task.value_savers.append(lambda: {"notebook": checksum(notebook)})
    written = values.get("notebook")
    now = checksum(notebook) if notebook.exists() else "missing"
    if written and now != written:
        happened = "is missing" if now == "missing" else "has changed since it was executed"
        print(f"{notebook.stem}: its stored notebook {happened}, so it is executed again")
    return now == written


def execute(name):
    """Execute a chapter."""
    from reproduction.pipeline.execute import main

    return in_a_worker(main, [name], fault=f"{name} was not executed.")


def task_last_bits():
    """Write the stored tables with other last bits, from which chapters are computed to compare."""
    seed = int(os.environ.get("LAST_BITS", "0"))
    return {
        "file_dep": [*files(STORED), CHECKOUT / "reproduction" / "pipeline" / "last_bits.py"],
        "uptodate": [config_changed({"seed": seed})],
        "targets": [MOVED / path.name for path in files(STORED)],
        "actions": [(move, [seed])],
    }


def move(seed):
    """Write these tables."""
    from reproduction.pipeline.last_bits import move_last_bits

    move_last_bits(MOVED, seed)


def task_cells():
    """Compare the cells of a chapter, as another machine computes them, with what is stored."""
    # Another processor, or one that is asked to be like another, may give other digits.
    asked = {
        name: os.environ.get(name)
        for name in ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "LAST_BITS")
    }
    machine = asked | {"python": platform.python_version()}
    conftest = BOOK / "conftest.py"
    other_signs = CHECKOUT / "reproduction" / "pipeline" / "other_signs.py"
    compares = [conftest, *reached_modules(conftest).values(), other_signs]
    for name in chapter_names():
        yield {
            "name": name,
            "file_dep": [*dependencies(name), *compares, BOOK / f"{name}.ipynb"],
            "uptodate": [config_changed(machine), lacks_what_it_lacked],
            "actions": [(compare, [name])],
        }


def compare(name):
    """Compare the cells of a chapter with what is stored."""
    from reproduction.pipeline.cells import main

    return in_a_worker(main, name, MOVED, fault=f"{name} differs from what is stored.")


def task_pages():
    """Render the pages with jupyter-book, in place of the old ones when nothing was warned of."""
    notebooks = [BOOK / f"{name}.ipynb" for name in chapter_names()]
    ledger = [*claims_files(), *printed_tables().values()]
    return {
        "file_dep": sorted({CHECKOUT / "_config.yml", *files(BOOK), *code(), *ledger, *notebooks}),
        "targets": [HTML / "index.html"],
        "actions": [render],
    }


def render():
    """Render aside: what fails leaves the pages as they were.

    Sphinx reads the texts that have changed since the last time and writes all pages, so that none
    shows an old title of another. Whatever else goes into pages, it reads all texts anew, as after
    a time that did not come to its end.
    """
    aside = CACHE / "pages"
    known, now = aside / "inputs", digest_beside_texts()
    if known.exists() and known.read_text() == now:
        known.unlink()
    else:
        shutil.rmtree(aside, ignore_errors=True)
    # All nodes of all pages stay until the end: the collector would visit them again and again,
    # which takes a third of the time, and free none.
    program = "import gc; gc.disable(); from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", program, "build", BOOK]
    command += ["-W", "-n", "--keep-going", "--path-output", aside]
    built = subprocess.run(
        command, cwd=CHECKOUT, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"}
    )
    if built.returncode:
        shutil.rmtree(aside, ignore_errors=True)  # or it would not warn again
        return TaskFailed(f"The pages were not rendered.\n{built.stderr or built.stdout}")
    try:
        put_in_place(aside / "_build" / "html")
    except shutil.Error as error:  # of many files, each with its reason
        return TaskFailed(f"{HTML} was not written ({error.args[0][0][-1]}).")
    except OSError as error:
        return TaskFailed(f"{HTML} was not written ({error.strerror}).")
    known.write_text(now)
    return None


def put_in_place(made):
    """Move pages to their place; the old ones come back if this fails."""
    new, old = HTML.with_name("new"), HTML.with_name("old")
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    HTML.parent.mkdir(exist_ok=True)
    try:
        shutil.move(made, new)  # from another disk, where `_build` is on one
        if HTML.exists():
            HTML.rename(old)
        new.rename(HTML)
    except OSError:
        if old.exists():
            old.rename(HTML)
        raise
    finally:
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)


def digest_beside_texts():
    """Checksum of all that goes into pages but the texts, a page each."""
    texts = {path for path in files(BOOK) if path.suffix in (".ipynb", ".md", ".rst")}
    texts.discard(BOOK / "notation.md")  # whose terms all tables explain
    digest = hashlib.sha256()
    for path in sorted({*task_pages()["file_dep"]} - texts):
        digest.update(f"{os.path.relpath(path, CHECKOUT)} {checksum(path)}\n".encode())
    return digest.hexdigest()


def checksum(path):
    """Checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def task_readme():
    """Show the front page's figure in the README, in a book that has this page."""
    front = "00_overview"
    if front not in chapter_names():
        return {"actions": []}
    return {
        "file_dep": [BOOK / f"{front}.ipynb", *reached_modules(Path(__file__)).values()],
        "targets": [BOOK / "front.svg"],
        "actions": [write_readme],
    }


def write_readme():
    """Write the picture and the README."""
    from reproduction.pipeline import readme

    readme.main()
