"""The cell of a downloaded chapter that fetches what it imports."""

import importlib.util
import subprocess

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from reproduction.pipeline.download import CELL, add_install_cell, repository_address
from reproduction.pipeline.render import render


@pytest.fixture
def commands(monkeypatch, tmp_path):
    """Commands that the cell would run."""
    run = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: run.append(command))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # and so restored afterwards
    return run


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def run_cell(address):
    exec(compile(CELL.format(address=address), "install", "exec"), {})


def test_the_cell_is_the_first_one_with_code(tmp_path):
    path = tmp_path / "chapter.ipynb"
    cells = [new_markdown_cell("# Title"), new_code_cell("n = 3"), new_code_cell("n")]
    nbformat.write(new_notebook(cells=cells), path)
    add_install_cell(path, "https://example.org/book")
    cells = nbformat.read(path, as_version=4).cells
    assert [cell.cell_type for cell in cells] == ["markdown", "code", "code", "code"]
    assert 'REPOSITORY = "https://example.org/book"' in cells[1].source.replace("'", '"')


def test_in_a_checkout_the_cell_does_nothing(commands):
    run_cell("https://example.org/book")
    assert commands == []


def test_without_an_address_the_cell_says_what_to_do(commands, nothing_installed):
    with pytest.raises(SystemExit, match=r"has no address yet\. Get a copy of it.*`make book`"):
        run_cell("")
    assert commands == []


def test_elsewhere_the_cell_clones_once_and_installs(commands, nothing_installed, tmp_path):
    run_cell("https://example.org/book")
    checkout = tmp_path / "ofer-book"
    assert commands[0][:2] == ["git", "clone"]
    assert commands[0][-2:] == ["https://example.org/book", checkout]
    assert commands[1][1:4] == ["-m", "pip", "install"]
    assert commands[1][-4:] == ["-e", checkout, "-e", checkout / "reproduction"]
    checkout.mkdir()
    run_cell("https://example.org/book")
    assert [command[1] for command in commands[2:]] == ["-m"]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("title: A book\n", ""),
        ("repository:\n  url: ''\n", ""),
        ("repository:\n  url: https://example.org/book\n", "https://example.org/book"),
    ],
)
def test_address(tmp_path, text, address):
    (tmp_path / "_config.yml").write_text(text)
    assert repository_address(tmp_path / "_config.yml") == address


def test_rendering_puts_the_cell_into_the_copies_alone(tmp_path, monkeypatch):
    """Also the second time, from what the first one has kept."""
    book, kept = tmp_path / "book", tmp_path / "kept"
    book.mkdir()
    (tmp_path / "_config.yml").write_text("title: A book\n")
    cells = [new_markdown_cell("# A chapter"), new_code_cell("1 + 1", execution_count=1)]
    nbformat.write(new_notebook(cells=cells), book / "chapter.ipynb")
    stored = (book / "chapter.ipynb").read_bytes()

    def build(command, **options):
        sources = kept / "_build" / "html" / "_sources"
        if not sources.exists():
            sources.mkdir(parents=True)
            (sources / "chapter.ipynb").write_bytes(stored)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", build)
    for _ in range(2):
        assert render(book, tmp_path / "html", kept, []) == ""
        copy = nbformat.read(tmp_path / "html" / "_sources" / "chapter.ipynb", as_version=4)
        assert [cell.cell_type for cell in copy.cells] == ["markdown", "code", "code"]
    assert (book / "chapter.ipynb").read_bytes() == stored
