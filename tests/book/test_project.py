"""Files at the top of the project keep what they promise."""

import doctest
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pandas as pd
import pytest
import yaml

from reproduction.engine import get_experiment
from reproduction.paths import CHECKOUT as ROOT


@pytest.mark.parametrize(
    "unwanted",
    [
        r"(?<![\w.:/-])/(?:root|home|work|tmp|Users|mnt|opt)/\w+",
        r"https?://[^\s\"']*(?:pypi|pythonhosted|/simple\b)",
        r"--(?:extra-)?index-url",
    ],
    ids=["absolute path", "package registry", "index"],
)
def test_no_file_names_a_place_of_its_own(unwanted, project_files):
    found = [
        (path.relative_to(ROOT), match.group())
        for path in project_files
        if path != Path(__file__).resolve()
        for match in re.finditer(unwanted, path.read_bytes().decode(errors="ignore"))
    ]
    assert found == []


def test_readme_example_runs_and_shows_what_is_printed():
    failed, attempted = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert attempted >= 5
    assert failed == 0


def test_readme_lists_what_is_there():
    text = (ROOT / "README.md").read_text()
    layout = text.split("## Layout")[1].split("\n## ")[0]
    named = re.findall(r"^\| `([^`]+)`", layout, re.MULTILINE)
    assert len(named) >= 6
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "book/how_to_rerun.md"])
def test_make_targets_that_pages_name_exist(page):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = (ROOT / page).read_text()
    named = set(re.findall(r"^make ([\w-]+)|`make ([\w-]+)", text, re.MULTILINE))
    named = {one or other for one, other in named}
    assert named
    assert named <= targets


def test_conda_environment_is_python_make_and_the_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment == {
        "name": "ofer",
        "dependencies": ["python>=3.11", "make", "pip", {"pip": ["-r requirements.lock"]}],
    }


def test_citation_names_the_paper_and_the_version():
    import ofer

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == ofer.__version__
    assert citation["license"] == "BSD-3-Clause"
    assert [work["doi"] for work in citation["references"]] == ["10.1007/s10994-018-5698-0"]


def test_lock_holds_every_requirement_and_hashes_only():
    lock = (ROOT / "requirements.lock").read_text()
    wanted = (ROOT / "requirements.in").read_text()
    names = re.findall(r"^([a-z][\w.-]*)", wanted, re.MULTILINE)
    pinned = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    assert set(names) <= pinned


def pinned(lock):
    """Versions by name, as a lock pins them."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE))


def test_oldest_lock_pins_the_lower_bounds_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bounds = dict(line.partition(",")[0].split(">=") for line in project["dependencies"])
    oldest = pinned("requirements-oldest.lock")
    assert {name: f"{bound}.0" for name, bound in bounds.items()} == {
        name: oldest[name] for name in ("numpy", "scikit-learn", "scipy")
    }


def test_newest_lock_is_not_older_than_the_one_of_the_book():
    newest, book = pinned("requirements-newest.lock"), pinned("requirements.lock")
    for name in ("numpy", "scipy", "scikit-learn"):
        assert tuple(map(int, newest[name].split("."))) >= tuple(map(int, book[name].split(".")))


def test_renderer_lock_has_a_newer_sphinx_and_no_jupyter_book():
    renderer, book = pinned("requirements-renderer.lock"), pinned("requirements.lock")
    assert "jupyter-book" in book.keys() - renderer.keys()
    for name in ("sphinx", "myst-parser"):
        assert int(renderer[name].split(".")[0]) > int(book[name].split(".")[0])


@pytest.fixture
def folder_of_its_own(tmp_path):
    """The Makefile with no virtual environment, and a place for programs."""
    if shutil.which("make") is None:
        pytest.skip("there is no make on the path")
    for folder in ("reproduction", "book/results"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements.lock", "pyproject.toml", "reproduction/pyproject.toml"):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("python", "said"),
    [
        (None, "there is no ./python. Install it"),
        ("case $1 in --version) echo Python 3.9.2;; *) exit 1; esac", "./python is Python 3.9.2"),
        ('case "$2" in *ensurepip*) exit 1; esac', "apt install python3-venv"),
    ],
    ids=["missing", "too old", "without venv"],
)
def test_make_says_what_to_install(folder_of_its_own, python, said):
    if python is not None:
        program = folder_of_its_own / "python"
        program.write_text(f"#!/bin/sh\n{python}\n")
        program.chmod(0o755)
    command = ["make", "book", "PYTHON=./python"]
    done = subprocess.run(command, cwd=folder_of_its_own, capture_output=True, text=True)
    assert done.returncode
    assert said in done.stderr
    assert not (folder_of_its_own / ".venv").exists()


@pytest.mark.parametrize("target", ["book", "chapter", "results", "test"])
def test_make_names_a_folder_that_cannot_be_written(folder_of_its_own, target):
    (folder_of_its_own / "book" / "results").rmdir()  # root could write to any that is there
    done = subprocess.run(["make", target], cwd=folder_of_its_own, capture_output=True, text=True)
    assert done.returncode
    assert done.stderr.startswith(f"Nothing can be written to book/results of {folder_of_its_own}:")
    assert not (folder_of_its_own / ".venv").exists()


@pytest.mark.parametrize(("given", "handed_on"), [("C", ""), ("POSIX", ""), ("C.UTF-8", "C.UTF-8")])
def test_make_lets_python_choose_utf8(folder_of_its_own, given, handed_on):
    with (folder_of_its_own / "Makefile").open("a") as makefile:
        makefile.write('\nlocale:\n\t@echo "$$LC_ALL"\n')
    said = subprocess.run(
        ["make", "--no-print-directory", "locale"],
        cwd=folder_of_its_own,
        env=os.environ | {"LC_ALL": given},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.strip() == handed_on


def test_listed_differences_name_stored_rows_and_their_reasons():
    listed = pd.read_csv(ROOT / "tests" / "versions" / "differences.csv")
    assert set(listed["versions"]) <= {"oldest", "newest"}
    for row in listed.itertuples():
        assert row.method in get_experiment(row.id).methods
        assert len(row.reason.split()) > 3
