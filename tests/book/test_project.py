"""Files at the top of the project keep what they promise."""

import doctest
import re
import subprocess

import pytest
import yaml

from reproduction.pipeline.execute import ROOT


def tracked_text():
    """(name, text) of every tracked text file."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            yield name, (ROOT / name).read_bytes().decode(errors="ignore")


@pytest.mark.parametrize(
    "unwanted",
    [
        r"(?<![\w.:/-])/(?:root|home|work|tmp|Users|mnt|opt)/\w+",
        r"https?://[^\s\"']*(?:pypi|pythonhosted|/simple\b)",
        r"--(?:extra-)?index-url",
    ],
    ids=["absolute path", "package registry", "index"],
)
def test_no_file_names_a_place_of_its_own(unwanted):
    this = "tests/book/test_project.py"
    found = [
        (name, match.group())
        for name, text in tracked_text()
        if name != this
        for match in re.finditer(unwanted, text)
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
