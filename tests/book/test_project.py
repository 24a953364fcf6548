"""Files at the top of the project keep what they promise."""

import doctest
import json
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
import yaml

from reproduction.engine import get_experiment
from reproduction.paths import CHECKOUT as ROOT
from reproduction.pipeline import readme
from reproduction.pipeline.chapters import SOURCES, chapter_names
from reproduction.pipeline.execute import needed_by, read_source


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


def test_readme_shows_the_figure_of_the_front_page():
    picture, text = readme.picture_and_lines()
    assert readme.PICTURE.read_text() == picture
    assert readme.README.read_text() == text, "run `make book`"


@pytest.mark.parametrize("page", ["README.md", "book/how_to_rerun.md"])
def test_pages_count_the_cells_that_need_a_download(page):
    needing = {
        name: [cell for cell in read_source(SOURCES / f"{name}.py").cells if needed_by(cell)]
        for name in chapter_names()
    }
    assert sum(map(bool, needing.values())) == 2
    assert sum(map(len, needing.values())) == 7
    text = (ROOT / page).read_text()
    assert re.search("two chapters", text, re.IGNORECASE)
    assert "seven of their cells" in text or "seven cells" in text


def test_readme_lists_what_is_there():
    text = (ROOT / "README.md").read_text()
    layout = text.split("## Layout")[1].split("\n## ")[0]
    named = re.findall(r"^\| `([^`]+)`", layout, re.MULTILINE)
    assert len(named) >= 6
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "DECISIONS.md"])
def test_files_that_pages_name_exist(page):
    """From the checkout, or from the folder of all studies."""
    named = re.findall(
        r"`([\w.-]+/[\w./-]+\.(?:py|md|yml|csv|sh|in|lock|tex))`", (ROOT / page).read_text()
    )
    assert named
    folders = ROOT, ROOT / "reproduction" / "studies"
    missing = [name for name in named if not any((folder / name).exists() for folder in folders)]
    assert missing == []


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "book/how_to_rerun.md"])
def test_make_targets_that_pages_name_exist(page):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = (ROOT / page).read_text()
    named = set(re.findall(r"^make ([\w-]+)|`make ([\w-]+)", text, re.MULTILINE))
    named = {one or other for one, other in named}
    assert named
    assert named <= targets


def hosted_commands():
    """Commands of the workflows, with the values that a job's list gives them."""
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        for job in yaml.safe_load(path.read_text())["jobs"].values():
            variants = job.get("strategy", {}).get("matrix", {}).get("include", [{}])
            for step, values in product(job["steps"], variants):
                command = step.get("run", "")
                for name, value in values.items():
                    command = command.replace(f"${{{{ matrix.{name} }}}}", value)
                if command:
                    yield command


def test_hosted_checks_run_commands_of_the_readme():
    text = (ROOT / "README.md").read_text()
    shown = {line.partition("  #")[0].rstrip() for line in text.splitlines()}
    shown |= {*re.findall(r"`([^`\n]+)`", text)}
    commands = {*hosted_commands()}
    assert len(commands) >= 4
    assert commands <= shown


def test_no_two_files_or_folders_differ_by_case_alone(project_files):
    """Some systems take them for one."""
    files = [path.relative_to(ROOT) for path in project_files]
    paths = {path for file in files for path in (file, *file.parents)}
    counts = Counter(str(path).lower() for path in paths)
    assert [name for name, count in counts.items() if count > 1] == []


def test_citation_names_the_paper_and_the_version():
    import ofer

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == ofer.__version__
    releases = re.findall(
        r"^## ([\d.]+), (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert releases[0] == (citation["version"], str(citation["date-released"]))
    assert citation["license"] == "BSD-3-Clause"
    (paper,) = citation["references"]
    assert paper["doi"] == "10.1007/s10994-018-5698-0"
    described = json.loads((ROOT / "codemeta.json").read_text())  # the same for machines
    assert described["name"] == citation["title"]
    assert described["version"] == citation["version"]
    assert described["license"] == f"https://spdx.org/licenses/{citation['license']}"
    assert [author["name"] for author in described["author"]] == [
        author["name"] for author in citation["authors"]
    ]
    assert described["referencePublication"]["@id"] == f"https://doi.org/{paper['doi']}"


def pinned(name):
    """Versions by name, as a lock pins them."""
    lock = (ROOT / "requirements" / f"{name}.lock").read_text()
    return dict(re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE))


def test_locks_hold_every_requirement_and_the_bounds_of_the_package():
    wanted = (ROOT / "requirements" / "all.in").read_text()
    assert {*re.findall(r"^([a-z][\w.-]*)", wanted, re.MULTILINE)} <= {*pinned("all")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bounds = dict(line.partition(",")[0].split(">=") for line in project["dependencies"])
    for name, bound in bounds.items():
        assert pinned("oldest")[name] == f"{bound}.0"
        newest, book = (
            tuple(map(int, pinned(lock)[name].split("."))) for lock in ("newest", "all")
        )
        assert newest >= book


@pytest.mark.parametrize(
    "python",
    ["", "case $2 in *version_info*) exit 1; esac", "case $2 in *ensurepip*) exit 1; esac"],
    ids=["missing", "too old", "without venv"],
)
def test_make_says_what_to_install(tmp_path, python):
    if shutil.which("make") is None:
        pytest.skip("there is no make on the path")
    for name in (
        "Makefile",
        "requirements/all.lock",
        "pyproject.toml",
        "reproduction/pyproject.toml",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    if python:
        (tmp_path / "python").write_text(f"#!/bin/sh\n{python}\n")
        (tmp_path / "python").chmod(0o755)
    command = ["make", "book", "PYTHON=./python"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode
    assert "Python 3.11 or newer with venv is needed" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_listed_differences_name_stored_rows_and_their_reasons():
    listed = pd.read_csv(ROOT / "tests" / "versions" / "differences.csv")
    assert set(listed["versions"]) <= {"oldest", "newest"}
    for row in listed.itertuples():
        assert row.method in get_experiment(row.id).methods
        assert len(row.reason.split()) > 3
