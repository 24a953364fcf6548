"""The tables of the suite that tries all estimators are what is declared."""

from tests.ofer.robustness.outcomes import HOLDS, NAMED
from tests.ofer.robustness.table import rows, tables


def test_there_are_enough_cases():
    assert sum(row[2] for row in rows() if row[3] in (HOLDS, NAMED)) >= 15_000


def test_the_tables_in_the_book_are_what_is_declared():
    for path, text in tables().items():
        assert path.read_text(encoding="utf-8") == text
