"""What each part of the book depends on, and how it is made (tasks for doit).

``make book`` runs ``doit -f reproduction/pipeline/dodo.py``: the chapters whose code or other
dependencies have changed are executed, texts that have changed are put between the outputs, then
the pages are rendered if anything they are made of has changed. doit compares contents, so
touching a file changes nothing.
"""

import contextlib
import hashlib
import inspect
import json
import shutil
import subprocess
import sys
from pathlib import Path

from doit import get_var
from doit.exceptions import TaskFailed
from doit.tools import config_changed

from reproduction.claims import printed_means, read_claims
from reproduction.datasets import data_folders
from reproduction.engine import (
    circumstances,
    get_experiment,
    list_experiments,
    module_checksums,
    why_stale,
)
from reproduction.engine.store import read_sidecar
from reproduction.files import replacing
from reproduction.pipeline.chapters import calls, names
from reproduction.pipeline.execute import (
    BOOK,
    ROOT,
    SOURCES,
    ChapterError,
    chapter_names,
    code,
    obstacle,
    read_source,
    read_stored,
    update_prose,
)
from reproduction.pipeline.render import render
from reproduction.pipeline.take_away import take_away

HTML = ROOT / "_build" / "html"
PIPELINE = Path(__file__).resolve().parent
CACHE = ROOT / ".cache"
CACHE.mkdir(exist_ok=True)
NOTES = CACHE / "doit.json"  # what doit remembers of earlier calls
with contextlib.suppress(FileNotFoundError):
    try:
        json.loads(NOTES.read_text(encoding="utf-8"))
    except ValueError:  # a killed call wrote half of it: doit looks at everything again
        NOTES.unlink()
_LATER = "html or quick or away or sabotage"  # tests that a command of their own runs
_ROOMS = ("book", "notebooks", "ofer", "reproduction", "tests")  # what tests look at
DOIT_CONFIG = {
    "backend": "json",
    "default_tasks": ["pages"],
    "dep_file": str(NOTES),
    "reporter": "error-only",
    "verbosity": 2,
}


def modules(source):
    """Checksums of what a chapter reaches: by imports, or by asking for an experiment.

    Comments and docstrings do not count.
    """
    asked = names(source) & {*list_experiments()} if calls(source, "get_experiment") else set()
    declared = (inspect.getfile(get_experiment(id).evaluate) for id in sorted(asked))
    return {k: v for path in (source, *declared) for k, v in module_checksums(path).items()}


def asked_results(source):
    """Ids of the stored tables that a chapter shows, or whose claims it decides."""
    asked = names(source) & {*list_experiments()}
    for call in calls(source, "read_claims"):
        papers = [word.value.value for word in call.keywords if word.arg == "paper"]
        if papers or not call.keywords:  # otherwise tables are named, and found already
            claims = [claim for paper in papers or [None] for claim in read_claims(paper=paper)]
            named = [claim.arguments.get(key) for claim in claims for key in ("table", "times")]
            asked |= {*named} - {None}
    return asked | ({*list_experiments()} if calls(source, "match_cells") else set())


def tables(source):
    """Files with results, printed tables and speeds that a chapter shows, and the ledger.

    The ledger is the claims, the papers' conclusions, and the chapters whose assertions decide.
    """
    ids = asked_results(source) | names(source)
    files = [*BOOK.glob("results/*.csv"), *BOOK.glob("paper/*.csv"), BOOK / "benchmarks.csv"]
    ledger = set()
    if calls(source, "read_claims"):
        ledger = {BOOK / "claims.yml", BOOK / "papers.yml"}
    if calls(source, "read_conclusions"):
        deciding = {claim.arguments.get("notebook") for claim in read_claims()} - {None}
        ledger |= {BOOK / "conclusions.yml"}
        ledger |= {ROOT / "notebooks" / f"{name}.py" for name in deciding}
    if calls(source, "read_bold"):
        ledger |= {*BOOK.glob("paper/**/*.csv")}  # each bold number stands in one
    whole = bool(calls(source, "match_cells"))
    return {path for path in files if whole or path.stem in ids} | ledger


def origins(source):
    """What a chapter can say of where its tables come from, and what they answer.

    Not the identity: a table that was sealed on other code is the same table.
    """
    sidecars = {}
    for id in sorted(asked_results(source)):
        said = {}
        with contextlib.suppress(FileNotFoundError, ValueError):  # which `why_stale` says
            said = read_sidecar(id, folder=BOOK / "results")
        sidecars[id] = {k: v for k, v in said.items() if k not in ("fingerprint", "code", "sealed")}
        experiment = get_experiment(id)
        facts = experiment.facts
        known = facts.test_train_ratio, facts.origin, facts.thinned
        sidecars[id]["known"] = [*printed_means(experiment).items(), *map(dict, known)]
    return sidecars


def stale_results():
    """Fail when a table that a chapter shows is missing or stale."""
    try:
        asked = {id for name in chapter_names() for id in asked_results(SOURCES / f"{name}.py")}
    except ValueError as error:  # of a damaged ledger
        return TaskFailed(str(error))
    reasons = {id: why_stale(get_experiment(id)) for id in sorted(asked)}
    lines = [f"{id}: {reason}" for id, reason in reasons.items() if reason]
    if lines:
        return TaskFailed(
            "\n".join(["Stored results cannot be used. Run `make results` first.", *lines])
        )
    return None


def task_stale_results():
    """Find stale results before anything is executed."""
    return {"actions": [stale_results]}


def dependencies(name):
    """What a chapter depends on: values, and files."""
    source = SOURCES / f"{name}.py"
    wanted = {
        "missing data": obstacle(source),
        "code": code(read_source(source)),
        "modules": modules(source),
        "tables": origins(source),
    }
    tools = [PIPELINE / "execute.py", ROOT / "requirements.lock"]
    return wanted, [*tools, *sorted(tables(source))]


def missing_data(name):
    """Why a chapter cannot be executed here; empty when it can."""
    return dependencies(name)[0]["missing data"]


def state(name):
    """Checksums of all that decides what a chapter prints, and of what is stored of it.

    None for the first where data are missing or damaged, for the second where nothing whole is
    stored.
    """
    decides = stored = None
    with contextlib.suppress(ChapterError):
        wanted, files = dependencies(name)
        texts = [path.read_text(encoding="utf-8") for path in files]
        decides = None if wanted["missing data"] else checksum([wanted, texts])
    with contextlib.suppress(ChapterError, FileNotFoundError):
        stored = checksum(executed(BOOK / f"{name}.ipynb"))
    return decides, stored


def is_fresh(name, known="executed"):
    """Whether an execution is known to have "executed" or "reproduced" a chapter in this state.

    The first has written what is stored; the second, on a machine like this, has given it again.
    """
    path, now = CACHE / known / name, state(name)
    return None not in now and path.exists() and path.read_text() == _told(now, known)


def note(name, now, known="executed"):
    """Remember that an execution in a state has written what is stored, or given it again."""
    if None not in now:
        with replacing(CACHE / known / name) as part:
            part.write_text(_told(now, known))


def _told(now, known):
    return checksum([now, circumstances() if known == "reproduced" else None])


def checksum(value):
    """Checksum of a JSON-able value."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def executed(path):
    """Code and outputs of a notebook."""
    notebook = read_stored(path)
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return [code(notebook), outputs]


def task_chapter():
    """Execute the chapters."""
    for name in chapter_names():
        yield {
            "name": name,
            "task_dep": ["stale_results"],
            "targets": [BOOK / f"{name}.ipynb"],
            # Without its data a chapter is never fresh, so that each run says it is skipped.
            "uptodate": [(lambda task, values, name: is_fresh(name), [name])],
            "actions": [(execute_chapter, [name])],
        }


def execute_chapter(name):
    """Execute a chapter; outputs that are the stored ones need not be compared again."""
    before = state(name)
    command = [sys.executable, "-m", "reproduction.pipeline.execute", name]
    if subprocess.run(command).returncode:
        return TaskFailed(f"{name} was not executed.")
    after = state(name)
    if after[0] == before[0]:  # otherwise it was edited meanwhile
        note(name, after)
    if after == before:
        note(name, after, "reproduced")
    return None


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
    """Render the pages with jupyter-book, and pack their chapters."""
    notebooks = [BOOK / f"{name}.ipynb" for name in chapter_names()]
    inputs = [
        ROOT / "_config.yml",
        ROOT / "requirements.lock",
        *sorted({*files(BOOK), *files(ROOT / "ofer"), *files(ROOT / "reproduction"), *notebooks}),
    ]
    return {
        "file_dep": [*inputs, ROOT / "pyproject.toml", *files(SOURCES), *files(ROOT / "data")],
        "task_dep": ["prose"],
        "targets": [HTML / "index.html"],
        "actions": [(pages, [inputs])],
    }


def task_unit():
    """Run the unit tests; not again when nothing has changed since they passed.

    ``doit --single unit jobs=2``: with two processes.
    """
    kept = [[str(path), *_size_and_time(path)] for home in data_folders() for path in files(home)]
    top = [path for path in ROOT.iterdir() if path.is_file()]
    rooms = (*_ROOMS, "benchmarks", ".github")
    return {
        "file_dep": sorted({*top}.union(*(files(ROOT / room) for room in rooms))),
        "uptodate": [config_changed({"here": circumstances(), "data": kept})],
        "actions": [(run_tests, [get_var("jobs", "1"), "tests", f"not ({_LATER})"])],
    }


def task_visit():
    """Look at the rendered pages, in a browser too; not again at those that were without a fault.

    ``doit --single visit jobs=2``: with two processes.
    """
    return {
        "file_dep": sorted({*files(HTML)}.union(*(files(ROOT / room) for room in _ROOMS))),
        "uptodate": [config_changed(circumstances()), same_browser],
        "actions": [(run_tests, [get_var("jobs", "1"), "tests/book", "html"])],
    }


def run_tests(jobs, folder, marked):
    """Run the tests of a folder that have these marks."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", jobs, "--dist", "worksteal"]
    command += ["--durations", "10", "--durations-min", "2", "-m", marked, ROOT / folder]
    failed = subprocess.run(command, cwd=ROOT).returncode
    return TaskFailed(f"Tests of {folder} ({marked}) have failed.") if failed else None


def _size_and_time(path):
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def same_browser(task, values):
    """Whether the browser is the one that the pages were opened in."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    command = [program, "--version"]
    version = program and subprocess.run(command, capture_output=True, text=True).stdout
    task.value_savers.append(lambda: {"browser": version})
    return values.get("browser", "") == version


def files(folder):
    """All files under `folder` but compiled ones."""
    return [
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]


def pages(inputs):
    """Render, and fail with what jupyter-book says."""
    said = render(BOOK, HTML, CACHE / "pages", inputs, pack)
    return TaskFailed(f"The pages were not rendered.\n{said}") if said else None


def pack(html, notes):
    """Pack the chapters of rendered pages."""
    take_away(html, notes, read_files)


def read_files(source):
    """Files of the project that a chapter reads, but for its data."""
    found = tables(source)
    if calls(source, "read_claims"):
        deciding = {claim.arguments.get("notebook") for claim in read_claims()} - {None}
        found |= {SOURCES / f"{name}.py" for name in deciding}
    if calls(source, "chapter_names"):  # it looks at all chapters
        found |= {*SOURCES.glob("*.py")}
    return found | {path.with_suffix(".json") for path in found if path.parent.name == "results"}
