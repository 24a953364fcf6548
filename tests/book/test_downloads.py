"""Chapters that the pages offer for download."""

import nbformat
import pytest

from reproduction.pipeline.dodo import HTML
from reproduction.pipeline.execute import BOOK


@pytest.mark.html
def test_chapters_have_the_cell_where_they_are_downloaded_and_not_in_the_book():
    if not HTML.exists():
        pytest.skip("the book is not rendered: run make book first")
    copies = sorted((HTML / "_sources").glob("*.ipynb"))
    assert [path.name for path in copies] == sorted(path.name for path in BOOK.glob("*.ipynb"))
    for path in copies:
        code = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
        stored = nbformat.read(BOOK / path.name, as_version=4).cells
        assert [cell.id for cell in code].count("install") == 1 == code[0].id.count("install")
        assert "install" not in [cell.id for cell in stored]
