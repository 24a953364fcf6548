"""Every chapter of experiments computes a part of its tables anew, and it is what is stored.

These tests take minutes: ``make test-quick`` runs them, and prints what each chapter took.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig

import nbformat
import pytest

from reproduction.datasets import unavailable_reason
from reproduction.engine import get_experiment
from reproduction.pipeline.chapters import owned_by_chapter
from reproduction.pipeline.download import add_install_cell
from reproduction.pipeline.execute import BOOK, ROOT, SOURCES, execute, obstacle, read_source

pytestmark = pytest.mark.quick

OWNED = owned_by_chapter()
CHEAP = "06_2_synthetic"


def summaries(path):
    """By table, the line on what was computed, of an executed chapter; and the number of errors."""
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    text = "".join(output.text for output in outputs if output.get("name") == "stdout")
    found = re.findall(r"^(([\w-]+): \d+ cells, (\d+) beyond the tolerance.*)$", text, re.MULTILINE)
    return {id: (int(wrong), line) for line, id, wrong in found}


def files_of_the_book():
    return {path: path.stat().st_mtime_ns for path in BOOK.rglob("*") if path.suffix != ".pyc"}


# By number of tables: the longest chapters first, so that no processor idles at the end.
@pytest.mark.parametrize("name", sorted(OWNED, key=lambda name: -len(OWNED[name])))
def test_a_part_of_each_table_is_what_is_stored(name, tmp_path):
    source, target = SOURCES / f"{name}.py", tmp_path / f"{name}.ipynb"
    if reason := obstacle(source):
        pytest.skip(reason)
    before = files_of_the_book()
    execute(source, target, {"profile": "quick"})
    assert files_of_the_book() == before
    needed = {id: get_experiment(id).datasets for id in OWNED[name]}
    computed = {id for id, sets in needed.items() if not any(map(unavailable_reason, sets))}
    found = summaries(target)
    assert {*found} == computed
    assert [line for wrong, line in found.values() if wrong] == []


@pytest.fixture
def repository(tmp_path):
    """A repository of the files as they are, and its address."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, or there is no git")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    folder = tmp_path / "repository"
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "All"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    return folder.as_uri()


@pytest.fixture
def python(tmp_path):
    """A Python that has all libraries but not the project, and installs without a network."""
    folder = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    program = folder / "bin" / "python"
    where = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run([program, *where], capture_output=True, text=True, check=True)
    # Of a folder that is named like this no .pth file is read: so the checkout is not there.
    libraries = os.path.join(own.stdout.strip(), "libraries.pth")
    with open(libraries, "w") as file:
        file.write(sysconfig.get_path("purelib") + "\n")
    return program


def test_a_chapter_that_was_downloaded_alone_installs_what_it_needs(repository, python, tmp_path):
    folder = tmp_path / "downloads"
    folder.mkdir()
    chapter = folder / f"{CHEAP}.ipynb"
    nbformat.write(read_source(SOURCES / f"{CHEAP}.py"), chapter)
    add_install_cell(chapter, repository)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "OFER_"))}
    # pip reads "no" as "without" of the option's name: no isolation, no dependencies, no removal.
    environment |= {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1", "PIP_IGNORE_INSTALLED": "1"}
    command = [python, "-m", "papermill", "--log-level", "ERROR", "--no-progress-bar"]
    command += [chapter, "executed.ipynb", "-k", "python3", "-p", "profile", "quick:ofer-table-01"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert (folder / "ofer-book" / "reproduction").is_dir()
    assert summaries(folder / "executed.ipynb")["ofer-table-01"][0] == 0
