"""Each exercise is graded and has a solution, and cells check what solutions say."""

import re

import pytest

from reproduction.pipeline.execute import read_source
from tests.book.conftest import CHAPTERS, SOURCES

EXERCISE = re.compile(r"^`{3,}\{exercise\} *(.*)\n:label: (\S+)", re.MULTILINE)


def asserts(cell):
    return cell.cell_type == "code" and re.search(r"^\s*assert ", cell.source, re.MULTILINE)


@pytest.mark.parametrize("name", CHAPTERS)
def test_exercises_are_graded_and_solved_and_what_is_to_code_is_checked(name):
    cells = read_source(SOURCES / f"{name}.py").cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    exercises = EXERCISE.findall(text)
    assert len(exercises) == text.count("{exercise}")
    assert {grade.strip() for grade, _ in exercises} <= {"Quick", "Code", "Open"}
    solved = re.findall(r"\{solution(?:-start)?\} (\S+)", text)
    assert solved == [label for _, label in exercises]
    places = [i for i, cell in enumerate(cells) if "{solution-start}" in cell.source]
    for start in places:
        end = next(i for i in range(start, len(cells)) if "{solution-end}" in cells[i].source)
        assert any(asserts(cell) for cell in cells[start:end])
