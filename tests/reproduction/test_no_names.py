"""What is known of a table stands in its experiment: shared code has no name of one."""

import ast
import re

import pytest

from reproduction.claims import read_papers
from reproduction.datasets import list_datasets
from reproduction.engine import list_experiments
from reproduction.experiments import printed_tables
from reproduction.paths import CHECKOUT


@pytest.fixture(scope="module")
def names():
    """Ids of tables, ours and printed ones, keys of papers and names of data sets."""
    known = {*list_experiments(), *printed_tables(), *read_papers(), *list_datasets()}
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(known)))})(?![\w-])")


@pytest.mark.parametrize("room", ["engine", "claims", "statistics", "pipeline", "figures"])
def test_shared_code_names_no_table_no_paper_and_no_data_set(room, names):
    found = {
        f"{path.name}:{node.lineno}: {node.value!r}"
        for path in (CHECKOUT / "reproduction" / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        if isinstance(node.value, str) and names.search(node.value)
    }
    assert not found
