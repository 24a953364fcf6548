"""Sources, executed notebooks and table of contents belong together."""

import re

import nbformat
import pytest
import yaml

from reproduction.pipeline.chapters import role
from reproduction.pipeline.execute import BOOK, SOURCES, chapter_names, read_source

NAMES = chapter_names()


def test_every_source_has_a_notebook_and_no_notebook_lacks_a_source():
    assert sorted(path.stem for path in BOOK.glob("*.ipynb")) == NAMES


def test_table_of_contents_lists_every_page():
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text())
    listed = [contents["root"]]
    for part in contents["parts"]:
        listed += [chapter["file"] for chapter in part["chapters"]]
    pages = [path.stem for path in BOOK.iterdir() if path.suffix in {".md", ".rst", ".ipynb"}]
    assert sorted(listed) == sorted(pages)


@pytest.mark.parametrize("name", NAMES)
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
    assert set(stored.metadata) == {"kernelspec", "language_info"}, "nothing of one run"


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_is_compared_or_checks_or_only_defines(name):
    cells = nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells
    assert [c.id for c in cells if c.cell_type == "code" and not role(c)] == []


@pytest.mark.parametrize("name", NAMES)
def test_chapter_reads_no_clock(name):
    """What it measured would be another text in every execution."""
    source = (SOURCES / f"{name}.py").read_text()
    assert (
        re.findall(r"\bimport (?:time|timeit|datetime)\b|\bfrom datetime\b|%%?time", source) == []
    )


@pytest.mark.parametrize("name", NAMES)
def test_chapter_has_one_title_and_at_most_one_cell_of_parameters(name):
    cells = read_source(SOURCES / f"{name}.py").cells
    assert cells[0].cell_type == "markdown"
    assert cells[0].source.startswith("# ")
    assert sum("parameters" in cell.metadata.get("tags", []) for cell in cells) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_has_a_name_a_caption_and_a_description(name):
    for cell in nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells:
        kinds = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})}
        if not kinds & {"image/png", "image/svg+xml"}:
            continue
        told = cell.metadata.get("mystnb", {})
        assert told.get("figure", {}).get("name", "").startswith("fig-"), cell.id
        assert told["figure"].get("caption", "").strip(), cell.id
        assert told.get("image", {}).get("alt", "").strip(), cell.id


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_a_caption(name):
    for cell in nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells:
        shown = (str(output.get("data", {}).get("text/html")) for output in cell.get("outputs", []))
        # the figures on the card of a claim are under its statement
        if any("<table" in html and 'class="claims"' not in html for html in shown):
            caption = cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", "")
            assert caption.strip(), cell.id
        if cell.cell_type == "markdown":
            rulers = re.findall(r"^\|(?=.*-)[ :|-]+\|$", cell.source, re.MULTILINE)
            assert len(rulers) == cell.source.count(":::{table} "), cell.id


@pytest.mark.parametrize("name", NAMES)
def test_formulas_use_the_macros_of_the_book(name):
    text = (SOURCES / f"{name}.py").read_text()
    assert re.findall(r"\\operatorname\*\{arg|\\arg\\(?:min|max)\b", text) == []


def test_no_line_of_a_text_begins_with_a_comment():
    """MyST takes a line for a comment, and half a sentence with it, that begins with a per cent."""
    texts = {path.name: path.read_text() for path in BOOK.glob("*.md")}
    for name in NAMES:
        cells = read_source(SOURCES / f"{name}.py").cells
        texts |= {f"{name} {c.id}": c.source for c in cells if c.cell_type == "markdown"}
    lines = [(where, line) for where, text in texts.items() for line in text.splitlines()]
    assert [(where, line) for where, line in lines if line.lstrip().startswith("%")] == []
