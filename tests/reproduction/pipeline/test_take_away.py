"""What chapters are packed with, before any page is rendered."""

import subprocess
import sys

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from reproduction.paths import CHECKOUT
from reproduction.pipeline.execute import SOURCES
from reproduction.pipeline.take_away import CELL, add_install_cell, constraints, requirements


@pytest.fixture
def commands(monkeypatch, tmp_path):
    """Commands that the cell would run, in an empty folder."""
    run = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: run.append(command))
    monkeypatch.chdir(tmp_path)
    return run


def run_cell():
    exec(compile(CELL.format(name="chapter"), "install", "exec"), {})


def test_the_cell_is_the_first_one_with_code():
    cells = [new_markdown_cell("# Title"), new_code_cell("n = 3"), new_code_cell("n")]
    notebook = new_notebook(cells=cells)
    add_install_cell(notebook, "chapter")
    assert [cell.cell_type for cell in notebook.cells] == ["markdown", "code", "code", "code"]
    assert "chapter.zip" in notebook.cells[1].source


def test_a_notebook_alone_says_what_it_needs(commands):
    with pytest.raises(SystemExit, match=r"needs what chapter\.zip"):
        run_cell()
    assert commands == []


def test_the_cell_installs_what_is_needed_and_unpacks_the_wheels(commands, tmp_path):
    for name in ("requirements.txt", "a.whl", "b.whl"):
        (tmp_path / name).touch()
    run_cell()
    assert [command[:4] for command in commands] == [[sys.executable, "-m", "pip", "install"]] * 2
    assert commands[0][-2:] == ["--requirement", "requirements.txt"]
    assert {"--no-deps", "--target"} < {*commands[1]}
    assert [path.name for path in commands[1][-2:]] == ["a.whl", "b.whl"]


def test_a_chapter_requires_what_it_imports_and_what_ours_requires(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text("import warnings\nfrom pykalman import KalmanFilter\nimport ofer.metrics\n")
    found = {*requirements(source)}
    assert {"pykalman", "numpy", "scikit-learn", "pandas", "jinja2"} <= found
    assert not {"warnings", "ofer", "ofer-reproduction", "papermill"} & found


def test_what_is_required_is_pinned():
    lines = constraints((CHECKOUT / "requirements.lock").read_text(encoding="utf-8"))
    assert "--hash" not in lines
    pinned = {line.partition("==")[0] for line in lines.splitlines()}
    assert len(pinned) > 100
    for source in SOURCES.glob("*.py"):
        assert {*requirements(source)} <= pinned


def test_constraints_are_the_versions_of_a_lock_with_their_conditions():
    lock = (
        "# a comment\n"
        "a-b==1.0 \\\n    --hash=sha256:12 \\\n    --hash=sha256:34\n    # via c\n"
        "c==2.0 ; python_version < '3.12' \\\n    --hash=sha256:56\n"
    )
    assert constraints(lock) == "a-b==1.0\nc==2.0 ; python_version < '3.12'\n"
