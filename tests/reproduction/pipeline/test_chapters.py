"""Headers of chapters: what they say is true, and nothing is left out."""

import ast

import pytest

from reproduction.claims import read_claims
from reproduction.experiments import experiment_files
from reproduction.pipeline import chapters
from reproduction.pipeline.chapters import ALL, SOURCES, chapter_names
from reproduction.pipeline.execute import needed_by, read_source

HEADER = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   ofer:
#     data: [gold, silver]
#     tables: [toy-table-01]
#     reads: [toy-table-02]
# ---

# %%
"""


def test_a_header_says_what_a_chapter_needs_computes_and_reads(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text(HEADER)
    assert chapters.data_needed(source) == ["gold", "silver"]
    assert chapters.tables_owned(source) == ["toy-table-01"]
    assert chapters.tables_read(source) == ["toy-table-01", "toy-table-02"]
    assert "ofer" not in read_source(source).metadata
    source.write_text(HEADER.replace("[toy-table-02]", "all"))
    assert chapters.tables_read(source) == ALL
    source.write_text("# %%\n")
    assert chapters.tables_read(source) == []


@pytest.mark.parametrize("name", chapter_names())
def test_a_chapter_names_the_tables_that_its_code_names(name):
    """Or an edit of a table leaves the old numbers on a page that shows it."""
    cells = [cell for cell in read_source(SOURCES / f"{name}.py").cells if cell.cell_type == "code"]
    text = "\n".join(cell.source for cell in cells)
    found = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
    named = found & {*experiment_files()}
    if "read_claims(" in text:
        claims = read_claims(chapter=name)
        named |= {
            claim.arguments[key]
            for claim in claims
            for key in ("table", "times")
            if key in claim.arguments
        }
    reads = chapters.tables_read(SOURCES / f"{name}.py")
    assert reads == ALL or named <= {*reads}


@pytest.mark.parametrize("name", chapter_names())
def test_cells_that_are_executed_without_data_do_not_use_what_others_make(name):
    """Data sets that are not here stop the cells that name them, and no other cell."""
    made, header = {}, chapters.data_needed(SOURCES / f"{name}.py")
    for cell in read_source(SOURCES / f"{name}.py").cells:
        if cell.cell_type != "code":
            continue
        needed = {*needed_by(cell)}
        assert needed <= {*header}, cell.source
        names = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)]
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        for used in {node.id for node in names} - stored:
            assert made.get(used, set()) <= needed, f"{used} in {cell.source}"
        made |= dict.fromkeys(stored, needed)
