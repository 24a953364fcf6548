"""A chapter runs outside of `make`, in each way that the page lists."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import entry_points, packages_distributions
from pathlib import Path

import nbformat
import pytest

from reproduction.paths import CHECKOUT as ROOT
from reproduction.pipeline.chapters import SOURCES, chapter_names
from tests.book.conftest import BOOK

SHORT = "93_output_models"

PAGE = (BOOK / "how_to_rerun.md").read_text(encoding="utf-8")
PAGE = PAGE.split("## Open a chapter in Jupyter")[1].split("\n## ")[0]
(INSTALL,) = re.findall(r"```sh\n(.*?)\n```", PAGE, re.DOTALL)
COMMANDS = dict(re.findall(r"^\| ([\w ]+) \| `\.venv/bin/([^`]+)`", PAGE, re.MULTILINE))


@pytest.fixture(scope="module")
def reader(project_files, tmp_path_factory):
    """Run a command in a copy of the project that is installed as the page says.

    The environment has the libraries of this one, but neither package, and none of its settings.
    """
    copy, home = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("reader")
    for path in project_files:
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    venv.create(home / "env")
    scripts = home / "env" / "bin"
    environment = {"HOME": str(home), "PATH": f"{scripts}:{os.environ['PATH']}"}
    for entry in entry_points(group="console_scripts"):
        if entry.name in ("jupyter", "jupyter-execute", "jupytext", "papermill", "pip"):
            start = f"#!{scripts}/python\nfrom {entry.module} import {entry.attr} as main\nmain()\n"
            (scripts / entry.name).write_text(start)
            (scripts / entry.name).chmod(0o755)

    def run(program, *arguments, folder=copy):
        command = [scripts / program, *arguments]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"

    # Python reads no .pth file of a folder that one names: what is editable here is not there.
    purelib = sysconfig.get_path("purelib")
    Path(sysconfig.get_path("purelib", vars={"base": home / "env"}), "here.pth").write_text(purelib)
    installed = "__import__('importlib.util').util.find_spec"
    neither = f"assert not ({installed}('ofer') or {installed}('reproduction'))"
    run("python", "-c", neither, folder=home)
    run(*INSTALL.split(), "--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    return run


def listed(way, name, trial="trial"):
    """The command that the page lists, of another chapter and for another notebook."""
    words = COMMANDS[way].replace("01_introduction", name).split()
    return [re.sub(r"\btrial\b", str(trial), word) for word in words]


READING = """
from reproduction.claims import claims_to_html, read_claims
from reproduction.datasets.tables.nci60 import fetch_nci60
from reproduction.engine import results
from reproduction.statistics import read_paper
results("ofer-table-09"), read_paper("ofer-table-09"), fetch_nci60()
claims = read_claims(chapter="06_4_2_drug_activity")
assert claims[0].statement in claims_to_html(claims)
"""


def test_a_downloaded_chapter_runs_from_any_folder(reader, tmp_path):
    """A short one; a long one would also read what `READING` does."""
    name = "93_defaults"
    shutil.copy(BOOK / f"{name}.ipynb", tmp_path)
    command = [word.replace("book/", "") for word in listed("nbclient", name)]
    reader(*command, folder=tmp_path)
    assert tables_in(tmp_path / "trial.ipynb") == tables_in(BOOK / f"{name}.ipynb") > 0
    reader("python", "-c", READING, folder=tmp_path)


def tables_in(path):
    cells = nbformat.read(path, as_version=4).cells
    return sum("text/html" in out.get("data", {}) for c in cells for out in c.get("outputs", ()))


def test_papermill_sets_a_parameter_of_a_stored_chapter(reader, tmp_path):
    reader(*listed("papermill", "93_defaults", tmp_path / "trial"))
    (tagged,) = (
        cell
        for cell in nbformat.read(tmp_path / "trial.ipynb", as_version=4).cells
        if "injected-parameters" in cell.metadata.get("tags", ())
    )
    assert "seed = 3" in tagged.source


def test_a_source_becomes_a_notebook_that_runs(reader, tmp_path):
    path = tmp_path / "trial.ipynb"
    reader(*listed("a source", SHORT, tmp_path / "trial"))
    reader(*listed("nbclient", SHORT)[:2], path, "--inplace")
    assert any(cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)


def test_a_source_is_a_script(reader):
    reader(*listed("Python", SHORT))


def test_jupyter_and_an_editor_are_listed_and_sources_name_their_kernel():
    """Neither program is here. What each needs is a kernel, and jupytext for a source."""
    assert COMMANDS.keys() == {"papermill", "nbclient", "a source", "Python", "JupyterLab"}
    assert "| VS Code | " in PAGE
    for name in chapter_names():
        _, header, _ = (SOURCES / f"{name}.py").read_text(encoding="utf-8").split("# ---\n", 2)
        assert re.search(r"^#   kernelspec: {.* name: python3}$", header, re.MULTILINE), name


def test_what_chapters_import_is_declared():
    """All that `reproduction` imports, but for what executes chapters and renders pages."""
    project = tomllib.loads((ROOT / "reproduction/pyproject.toml").read_text())["project"]
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lists = [project["dependencies"], package["dependencies"]]
    lists += project["optional-dependencies"].values()
    declared = {re.match(r"[\w-]+", text)[0] for some in lists for text in some}
    paths = [*(ROOT / "reproduction").rglob("*.py"), *SOURCES.glob("*.py")]
    imported = {
        name.partition(".")[0]
        for path in paths
        if "pipeline" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _imported(node)
    }
    imported -= {"ofer", "reproduction"} | sys.stdlib_module_names
    providers = packages_distributions()

    def provided(name):
        return {other.lower() for other in providers.get(name, [name])}

    undeclared = {name for name in imported if declared.isdisjoint(provided(name))}
    assert undeclared == set()


def _imported(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
