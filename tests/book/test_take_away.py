"""Chapters that are taken away run alone.

``make take-away`` executes each in an empty environment, which takes the package index and an hour.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import nbformat
import pytest

from reproduction.datasets import dataset_info
from reproduction.pipeline.chapters import owned_by_chapter
from reproduction.pipeline.dodo import HTML
from reproduction.pipeline.execute import BOOK, SOURCES, chapter_names
from reproduction.pipeline.take_away import data_sets

OWNED = owned_by_chapter()
MYST = re.compile(r"\{[\w:-]+\}`|^ *[`:]{3,}\{|^\([\w-]+\)=$", re.MULTILINE)
SHORT = "06_4_2_weak_labels"
# Where else could a kernel find the checkout, its data, or packages that were not installed?
OUTSIDE = ("PYTHON", "OFER_", "JUPYTER", "VIRTUAL_ENV")


def packed(name):
    """The zip of a chapter."""
    path = HTML / "_downloads" / f"{name}.zip"
    if not path.exists():
        pytest.skip("the book is not rendered: run make book first")
    return path


@pytest.fixture
def execute_alone(tmp_path):
    """Function that unpacks a chapter and executes it by some Python: path of what was executed."""

    def execute_alone(name, python, **settings):
        with zipfile.ZipFile(packed(name)) as files:
            files.extractall(tmp_path / "downloads")
        kernel = tmp_path / "jupyter" / "kernels" / "alone" / "kernel.json"
        kernel.parent.mkdir(parents=True)
        command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        kernel.write_text(json.dumps({"argv": command, "display_name": "", "language": "python"}))
        environment = {k: v for k, v in os.environ.items() if not k.startswith(OUTSIDE)}
        own = {"JUPYTER_PATH": tmp_path / "jupyter", "OMP_NUM_THREADS": 1, **settings}
        parameters = ["-p", "profile", "quick"] if name in OWNED else []
        papermill = [sys.executable, "-m", "papermill", "--log-level", "ERROR", "-k", "alone"]
        done = subprocess.run(
            [*papermill, "--no-progress-bar", f"{name}.ipynb", "executed.ipynb", *parameters],
            cwd=tmp_path / "downloads" / name,
            env={**environment, **{key: str(value) for key, value in own.items()}},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return tmp_path / "downloads" / name / "executed.ipynb"

    return execute_alone


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """Function that gives a Python with what Jupyter needs, and what a chapter will install.

    Chapters with the same requirements share one, which the first of them finds empty.
    """

    @cache
    def environment(requirements):
        folder = tmp_path_factory.mktemp("environment")
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = folder / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "ipykernel"], check=True)
        return python

    return environment


@pytest.fixture(scope="session")
def libraries(tmp_path_factory):
    """A Python that has the libraries of this one, but not the project."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    where = {"base": str(folder), "platbase": str(folder)}
    # Of a folder that is named like this no .pth file is read: so the checkout is not there.
    path = Path(sysconfig.get_path("purelib", vars=where), "libraries.pth")
    path.write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin" / "python"


@pytest.mark.html
@pytest.mark.parametrize("name", chapter_names())
def test_a_zip_has_what_its_notebook_needs(name):
    with zipfile.ZipFile(packed(name)) as files:
        texts = {file.filename: file for file in files.infolist()}
        folders = {Path(file).parts[0] for file in texts}
        notebook = nbformat.reads(files.read(f"{name}/{name}.ipynb"), as_version=4)
        required = files.read(f"{name}/requirements.txt").decode().split()
        wheels = [Path(file).name for file in texts if file.endswith(".whl")]
    assert folders == {name}
    assert [wheel.partition("-")[0] for wheel in sorted(wheels)] == ["ofer", "ofer_reproduction"]
    assert {file.date_time[0] for file in texts.values()} == {1980}
    for data in map(dataset_info, data_sets(SOURCES / f"{name}.py")):
        assert (f"{name}/data/{data.prepared}" in texts) == (not data.kept_out)
    for id in OWNED.get(name, ()):
        assert {f"{name}/book/results/{id}.{kind}" for kind in ("csv", "json")} <= {*texts}

    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert "requirements.txt" in code[0]
    assert not any("requirements.txt" in source for source in code[1:])
    nodes = [node for source in code for node in ast.walk(ast.parse(source))]
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    for node in nodes:
        imported |= {one.name for one in node.names} if isinstance(node, ast.Import) else set()
    packages = {module.partition(".")[0] for module in imported}
    known = packages_distributions()
    for package in packages - {"ofer", "reproduction", "IPython", *sys.stdlib_module_names}:
        assert {distribution.lower() for distribution in known[package]} & {*required}


@pytest.mark.html
@pytest.mark.parametrize("name", chapter_names())
def test_jupyter_can_show_what_is_taken_away(name):
    notebook = nbformat.reads(zipfile.Path(packed(name), f"{name}/{name}.ipynb").read_text(), 4)
    stored = nbformat.read(BOOK / f"{name}.ipynb", as_version=4)
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert [text for text in texts if MYST.search(text)] == []
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert outputs[1:] == [cell.outputs for cell in stored.cells if cell.cell_type == "code"]


@pytest.mark.html
def test_a_short_chapter_runs_where_the_project_is_not(execute_alone, libraries, summaries):
    executed = execute_alone(SHORT, libraries, PIP_NO_INDEX=1)
    folder = executed.parent
    assert (folder / "reproduction").is_dir()  # unpacked, since nothing else has it
    found = summaries(executed)
    assert {*found} == {*OWNED[SHORT]}
    assert [line for wrong, line in found.values() if wrong] == []


@pytest.mark.html
def test_the_arrow_of_a_page_saves_the_zip(browser):
    path = packed(SHORT)
    page = browser.new_context(offline=True, accept_downloads=True).new_page()
    page.goto((HTML / f"{SHORT}.html").as_uri())
    page.locator(".dropdown-download-buttons > button").first.click()
    with page.expect_download() as saved:
        page.locator("a.btn-download-zip-button").first.click()
    assert saved.value.suggested_filename == path.name
    assert Path(saved.value.path()).read_bytes() == path.read_bytes()
    notebook = page.locator("a.btn-download-source-button").first
    assert notebook.get_attribute("download") == f"{SHORT}.ipynb"
    page.context.close()


@pytest.mark.away
@pytest.mark.parametrize("name", chapter_names())
def test_a_chapter_runs_in_an_empty_environment(
    name, environment, execute_alone, summaries, tmp_path
):
    # The user's data are not there either, but what pip has downloaded before may be.
    where = [sys.executable, "-m", "pip", "cache", "dir"]
    pip = subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip()
    requirements = zipfile.Path(packed(name), f"{name}/requirements.txt").read_text()
    settings = {"XDG_CACHE_HOME": tmp_path / "cache", "PIP_CACHE_DIR": pip}
    for data in map(dataset_info, data_sets(SOURCES / f"{name}.py")):
        if data.kept_out:  # it was downloaded before
            if reason := data.unavailable_reason(download=False):
                pytest.skip(reason)
            there = tmp_path / "cache" / "ofer" / data.prepared
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(data.prepared_file(), there)
    executed = execute_alone(name, environment(requirements), **settings)
    found = summaries(executed)
    assert {*found} == {*OWNED.get(name, ())}
    assert [line for wrong, line in found.values() if wrong] == []
