"""Each chapter has its graded exercises, bets and quizzes, and their answers are checked.

Reference pages and the doors of *Start here* have exercises of their own choice, graded by the same
words.
"""

import re
from functools import cache

import pytest
import yaml

from reproduction.pipeline.execute import (
    BOOK,
    SOURCES,
    chapter_names,
    owned_by_chapter,
    read_source,
)

GRADES = ("Quick", "Code", "Open")
FULL_SET = ["Quick", "Quick", "Code", "Open"]
PARTS, part = {}, None
for group in yaml.safe_load((BOOK / "_toc.yml").read_text())["parts"]:
    part = group.get("caption", part)  # the page of a part stands apart from its chapters
    PARTS.setdefault(part, []).extend(
        chapter["file"] for chapter in group["chapters"] if chapter["file"] in chapter_names()
    )
TAUGHT = ("The method", "Experiments", "Beyond the paper", "Companion papers")
CHAPTERS = [name for part in TAUGHT for name in PARTS[part]]
OWNERS = owned_by_chapter()
BETTING = [
    name for part in ("Experiments", "Companion papers") for name in PARTS[part] if name in OWNERS
]
QUIZZES = {part: names for part, names in PARTS.items() if part in ("Start here", *TAUGHT)}


@cache
def cells_of(name):
    return read_source(SOURCES / f"{name}.py").cells


def text_of(name):
    return "\n\n".join(cell.source for cell in cells_of(name) if cell.cell_type == "markdown")


def asserts(cell):
    return cell.cell_type == "code" and re.search(r"^\s*assert ", cell.source, re.MULTILINE)


def exercises_of(name):
    """Pairs of grade and label, in order."""
    return re.findall(r"^`{3,}\{exercise\}(.*)\n:label: (\S+)", text_of(name), re.MULTILINE)


@pytest.mark.parametrize("name", chapter_names())
def test_every_exercise_is_graded_and_has_one_solution(name):
    exercises = exercises_of(name)
    assert len(exercises) == len(re.findall(r"\{exercise\}", text_of(name)))
    assert {grade.strip() for grade, _ in exercises} <= set(GRADES)
    solved = re.findall(r"\{solution(?:-start)?\} (\S+)", text_of(name))
    assert solved == [label for _, label in exercises]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_has_the_full_set_in_one_section(name):
    assert [grade.strip() for grade, _ in exercises_of(name)] == FULL_SET
    before, _, section = text_of(name).partition("\n## Exercises\n")
    assert "{exercise}" not in before
    assert section


@pytest.mark.parametrize("name", CHAPTERS)
def test_quick_answers_are_checked_and_what_is_to_code_is_coded(name):
    cells = cells_of(name)
    start, end = (
        next(i for i, cell in enumerate(cells) if f"{{solution-{which}}}" in cell.source)
        for which in ("start", "end")
    )
    _, code = exercises_of(name)[FULL_SET.index("Code")]
    assert f"{{solution-start}} {code}\n" in cells[start].source
    assert any(asserts(cell) for cell in cells[start:end])
    first = next(i for i, cell in enumerate(cells) if "## Exercises\n" in cell.source)
    assert any(asserts(cell) for cell in cells[first:start])


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_closes_with_what_it_changes_for_the_reader(name):
    headings = re.findall(r"^## (.*)", text_of(name), re.MULTILINE)
    assert headings[headings.index("Exercises") - 1] == "What this changes for you"


@pytest.mark.parametrize("name", BETTING)
def test_a_bet_stands_before_the_table_and_a_cell_checks_its_answer(name):
    cells = cells_of(name)
    bets = [i for i, cell in enumerate(cells) if "{admonition} Your bet" in cell.source]
    assert bets
    for i in bets:
        assert cells[i].source.count("{dropdown} Show the answer") == 1
        following = next(cell for cell in cells[i + 1 :] if asserts(cell))
        assert "bet" in following.source


@pytest.mark.parametrize("part", QUIZZES)
def test_a_part_ends_with_five_questions_whose_answers_are_checked(part):
    with_quiz = [name for name in QUIZZES[part] if "\n## Recap quiz\n" in text_of(name)]
    assert len(with_quiz) == 1
    cells = cells_of(with_quiz[0])
    first = next(i for i, cell in enumerate(cells) if "## Recap quiz\n" in cell.source)
    quiz = "\n".join(cell.source for cell in cells[first:] if cell.cell_type == "markdown")
    assert quiz.count("{dropdown} Answer") == 5
    assert any(asserts(cell) for cell in cells[first:])
