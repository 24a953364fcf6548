"""Sources, executed notebooks and table of contents belong together."""

import nbformat
import pytest
import yaml

from reproduction.pipeline.execute import read_source
from tests.book.conftest import BOOK, CHAPTERS, SOURCES


def test_every_source_has_a_notebook_and_no_notebook_lacks_a_source():
    assert sorted(path.stem for path in BOOK.glob("*.ipynb")) == CHAPTERS


def test_table_of_contents_lists_every_page():
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text())
    listed = [contents["root"]]
    for part in contents["parts"]:
        listed += [chapter["file"] for chapter in part["chapters"]]
    pages = [path.stem for path in BOOK.iterdir() if path.suffix in {".md", ".rst", ".ipynb"}]
    assert sorted(listed) == sorted(pages), "book/_toc.yml must name each page once"


@pytest.mark.parametrize("name", CHAPTERS)
def test_notebook_is_its_source_executed(name):
    source = read_source(SOURCES / f"{name}.py")
    stored = nbformat.read(BOOK / f"{name}.ipynb", as_version=4)

    def essence(notebook):
        return [(c.id, c.cell_type, c.source, c.metadata) for c in notebook.cells]

    assert essence(stored) == essence(source), "run make book, then commit book/"
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    streams = {output.get("name") for cell in code for output in cell.outputs}
    assert "stderr" not in streams, "a chapter prints no warning"


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_figure_has_a_name_a_caption_and_a_description(name):
    for cell in nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells:
        kinds = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})}
        if kinds & {"image/png", "image/svg+xml"}:
            told = cell.metadata.get("mystnb", {})
            assert told.get("figure", {}).get("name", "").startswith("fig-"), cell.id
            assert told["figure"].get("caption", "").strip(), cell.id
            assert told.get("image", {}).get("alt", "").strip(), cell.id


def test_no_line_of_a_text_begins_with_a_comment():
    """MyST takes a line for a comment, and half a sentence with it, that begins with a per cent."""
    texts = {path.name: path.read_text() for path in BOOK.glob("*.md")}
    for name in CHAPTERS:
        cells = read_source(SOURCES / f"{name}.py").cells
        texts |= {f"{name} {c.id}": c.source for c in cells if c.cell_type == "markdown"}
    lines = [(where, line) for where, text in texts.items() for line in text.splitlines()]
    assert [(where, line) for where, line in lines if line.lstrip().startswith("%")] == []
