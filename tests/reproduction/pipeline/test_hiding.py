import nbformat.v4
import pytest

from reproduction.pipeline.execute import BOOK, chapter_names
from reproduction.pipeline.hiding import hide_routine

FIGURE = {"mystnb": {"figure": {"name": "fig-a"}, "image": {"alt": "A line."}}}
TABLE = {"mystnb": {"figure": {"caption": "Errors."}}}


def hidden(source, metadata=None, *, beside="x = 1"):
    """Metadata of one cell after the rule, in a chapter with another one."""
    cells = [
        nbformat.v4.new_code_cell(beside),
        nbformat.v4.new_code_cell(source, metadata=metadata or {}),
    ]
    return hide_routine(nbformat.v4.new_notebook(cells=cells)).cells[1].metadata


@pytest.mark.parametrize(
    ("source", "metadata", "tag"),
    [
        ("import numpy as np\nfrom math import pi", None, "remove-cell"),
        ("import warnings\n\nwarnings.filterwarnings('ignore', 'fit')", None, "remove-cell"),
        ("assert 1 < 2\nassert True", None, "checked"),
        ("for x in y:\n    assert x", {"tags": ["hide-input"]}, "checked"),
        ("publish('a', 'b', numbers)", None, "remove-input"),
        ("_ = plot_walks(train)", FIGURE, "hide-input"),
        ("x = 1\nshow_results(x)", TABLE, "hide-input"),
        ("frame = results('toy').frame\nprint(frame)", None, "hide-input"),
        ("print(1)", {"tags": ["hide-input"]}, "hide-input"),
    ],
)
def test_routine_is_not_on_the_page(source, metadata, tag):
    found = hidden(source, metadata)
    assert found["tags"] == [tag]
    assert found.get("mystnb", {}).get("code_prompt_show") == (
        "Show the code" if tag == "hide-input" else None
    )
    for name, value in (metadata or {}).get("mystnb", {}).items():
        assert found["mystnb"][name] == value


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nx = np.ones(3)",
        "x = 1\nassert x\nprint(x)",
        "x = plot_walks(train)\nassert x",
        "def f(x):\n    return x",
        "%matplotlib inline",
        "",
    ],
)
def test_what_says_something_stays_open(source):
    assert hidden(source) == {}


def test_code_folds_where_printed_tables_are_re_run():
    beside = "paper = read_paper('toy')"
    assert hidden("x = 1", beside=beside)["tags"] == ["remove-cell"]
    assert hidden("x = 1\nprint(x)", beside=beside)["tags"] == ["hide-input"]


def test_parameters_stay_parameters():
    assert hidden("n = 1", {"tags": ["parameters"]})["tags"] == ["parameters", "remove-cell"]


def test_texts_are_left_alone():
    cell = nbformat.v4.new_markdown_cell("import this")
    assert "tags" not in hide_routine(nbformat.v4.new_notebook(cells=[cell])).cells[0].metadata


@pytest.mark.parametrize("name", chapter_names())
def test_nothing_shown_is_removed(name):
    cells = nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells
    for cell in cells:
        if not {"remove-cell", "checked"}.isdisjoint(cell.metadata.get("tags", [])):
            assert cell.outputs == [], cell.id


def test_the_book_shows_two_thousand_lines_of_code_at_most():
    lines = sum(
        bool(line.strip())
        for name in chapter_names()
        for cell in nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells
        if cell.cell_type == "code" and not cell.metadata.get("tags")
        for line in cell.source.splitlines()
    )
    assert 500 < lines <= 2000
