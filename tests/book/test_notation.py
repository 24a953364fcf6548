"""The page of names explains every name that a table uses."""

import csv
import re

import pytest

from tests.book.conftest import BOOK

GLOSSARY = (BOOK / "notation.md").read_text().split("```{glossary}")[1].split("```")[0]
TERMS = set(re.findall(r"^(\S.*)$", GLOSSARY, re.MULTILINE)) | set(
    re.findall(r"\*([\w-]+)\*", GLOSSARY)
)


CLASS = re.compile(r"([A-Z][a-z]+){2,}(CV)?|[A-Z][a-z]+CV")  # their pages explain them


def acronyms(method):
    """Words of a label with at least two capitals that are no name of a class."""
    words = (word for word in re.findall(r"[\w-]+", method) if not CLASS.fullmatch(word))
    return [word for word in words if sum(map(str.isupper, word)) > 1]


@pytest.mark.parametrize("path", sorted(BOOK.glob("*/*.csv")), ids=lambda path: path.stem)
def test_the_names_of_a_table_are_explained(path):
    with path.open(newline="") as file:
        methods = {row.get("method", "") for row in csv.DictReader(file)}
    words = {word for method in methods for word in acronyms(method)}
    assert {word for word in words if not any(term in word for term in TERMS)} == set()
