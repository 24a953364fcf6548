import nbformat.v4
import pytest

from reproduction.pipeline.hiding import hide_routine

FIGURE = {"mystnb": {"figure": {"name": "fig-a"}, "image": {"alt": "A line."}}}
TABLE = {"mystnb": {"figure": {"caption": "Errors."}}}


def hidden(source, metadata=None):
    """Metadata of one cell after the rule."""
    cell = nbformat.v4.new_code_cell(source, metadata=metadata or {})
    return hide_routine(nbformat.v4.new_notebook(cells=[cell])).cells[0].metadata


@pytest.mark.parametrize(
    ("source", "metadata", "prompt"),
    [
        ("import numpy as np\nfrom math import pi", None, "Show the imports"),
        (
            "import warnings\n\nwarnings.filterwarnings('ignore', 'fit')",
            None,
            "Show the imports",
        ),
        ("_ = plot_walks(train)", FIGURE, "Show the call that draws it"),
        ("assert 1 < 2\nassert True", None, "Show what is checked"),
    ],
)
def test_routine_is_hidden(source, metadata, prompt):
    found = hidden(source, metadata)
    assert found["tags"] == ["hide-input"]
    assert found["mystnb"]["code_prompt_show"] == prompt
    if metadata:
        assert found["mystnb"]["figure"] == {"name": "fig-a"}


@pytest.mark.parametrize(
    ("source", "metadata"),
    [
        ("import numpy as np\nx = np.ones(3)", None),
        ("x = 1\nassert x", None),
        ("_ = plot_walks(train)", None),
        ("x = 1\n_ = plot_walks(x)", FIGURE),
        ("compare(frame)", TABLE),
        ("%matplotlib inline", None),
        ("", None),
    ],
)
def test_what_says_something_stays_open(source, metadata):
    assert hidden(source, metadata) == (metadata or {})


def test_a_tag_of_its_own_stays():
    assert hidden("import numpy", {"tags": ["parameters"]}) == {"tags": ["parameters"]}


def test_texts_are_left_alone():
    cell = nbformat.v4.new_markdown_cell("import this")
    assert "tags" not in hide_routine(nbformat.v4.new_notebook(cells=[cell])).cells[0].metadata
