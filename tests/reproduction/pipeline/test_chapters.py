"""Each stored table has one chapter that computes it, and the chapter says how."""

import ast

import pytest

from reproduction.engine import list_experiments
from reproduction.pipeline.chapters import calls, owned_by_chapter, owned_results
from reproduction.pipeline.execute import SOURCES, read_source

OWNERS = sorted(owned_by_chapter())
BOX = """
```{{admonition}} Run it yourself
`make chapter NAME={name} PARAMS="profile=quick"`
computes a part of each stored table anew, in about a minute each ({{doc}}`how_to_rerun`).
```
"""


def test_every_table_is_owned_once():
    owned = sorted(id for ids in owned_by_chapter().values() for id in ids)
    assert owned == list_experiments()


def test_who_hands_on_the_profile_owns_the_table(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text('results("a", profile=profile)\nresults("b")\nload("c", profile=profile)\n')
    assert owned_results(source) == ["a"]


@pytest.mark.parametrize("name", OWNERS)
def test_the_owner_has_the_parameter_and_no_other_stale_table_stops_it(name):
    source = SOURCES / f"{name}.py"
    cells = read_source(source).cells
    parameters = next(c for c in cells if "parameters" in c.metadata.get("tags", []))
    assert 'profile: str = "stored"' in parameters.source
    for call in calls(source, "results"):
        options = {word.arg: ast.unparse(word.value) for word in call.keywords}
        assert options in ({"profile": "profile"}, {"allow_stale": "profile != 'stored'"})


@pytest.mark.parametrize("name", OWNERS)
def test_the_first_box_says_how_to_run_the_quick_profile(name):
    text = "\n".join(cell.source for cell in read_source(SOURCES / f"{name}.py").cells)
    assert BOX.format(name=name) in text
    assert text.index("```{") > text.index("\n\n"), "after the introduction"
    assert "{admonition} Run it yourself" in text[text.index("```{") :].splitlines()[0]


@pytest.mark.parametrize("name", OWNERS)
def test_a_downloaded_chapter_can_be_set_to_quick_before_anything_runs(name):
    cells = [c for c in read_source(SOURCES / f"{name}.py").cells if c.cell_type == "code"]
    assert "parameters" in cells[0].metadata.get("tags", [])
