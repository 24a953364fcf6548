"""Every chapter of experiments computes a part of its tables anew, and it is what is stored.

These tests take minutes: ``make test-quick`` runs them, and prints what each chapter took.
"""

import pytest

from reproduction.datasets import unavailable_reason
from reproduction.engine import get_experiment
from reproduction.pipeline.chapters import missing_data, owned_by_chapter
from reproduction.pipeline.execute import execute, obstacle
from tests.book.conftest import BOOK, SOURCES

pytestmark = pytest.mark.quick

OWNED = owned_by_chapter()


def files_of_the_book():
    return {path: path.stat().st_mtime_ns for path in BOOK.rglob("*") if path.suffix != ".pyc"}


# By number of tables: the longest chapters first, so that no processor idles at the end.
@pytest.mark.parametrize("name", sorted(OWNED, key=lambda name: -len(OWNED[name])))
def test_a_part_of_each_table_is_what_is_stored(name, tmp_path, summaries):
    source, target = SOURCES / f"{name}.py", tmp_path / f"{name}.ipynb"
    missing = missing_data(source)
    if reason := obstacle(source, missing):
        pytest.skip(reason)
    before = files_of_the_book()
    execute(source, target, {"profile": "quick"}, missing=missing)
    assert files_of_the_book() == before
    needed = {id: get_experiment(id).datasets for id in OWNED[name]}
    computed = {id for id, sets in needed.items() if not any(map(unavailable_reason, sets))}
    found = summaries(target)
    assert {*found} == computed
    assert [line for wrong, line in found.values() if wrong] == []
