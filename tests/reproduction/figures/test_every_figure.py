"""No figure goes untested."""

import ast
from pathlib import Path

import reproduction

PACKAGE = Path(reproduction.__file__).parent
TESTS = Path(__file__).parents[1]


def names_in(path):
    """Names in the `FIGURES` of a test module."""
    return [
        key.value
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FIGURES"
        for key in node.value.keys
    ]


def test_every_figure_is_tested_once():
    figures = [
        node.name
        for path in PACKAGE.rglob("figures/*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("plot_")
    ]
    assert len(figures) > 80
    tested = [name for path in TESTS.rglob("test_*.py") for name in names_in(path)]
    assert sorted(figures) == sorted(tested)
