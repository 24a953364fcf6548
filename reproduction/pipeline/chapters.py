"""What the code of a chapter says of it, read without running it."""

import ast
from functools import cache

from reproduction.engine import parse
from reproduction.pipeline.execute import SOURCES, chapter_names
from reproduction.pipeline.hiding import silences

_DEFINING = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.For,
    ast.With,
)


def names(source):
    """Texts in the code of a chapter that are ids, such as that in ``results("toy-table-01")``."""
    constants = (n.value for n in _nodes(parse(source)) if isinstance(n, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def calls(source, function):
    """Calls of a function by its name, in the code of a chapter."""
    return [
        node
        for node in _nodes(parse(source))
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == function
    ]


@cache
def _nodes(tree):
    return [*ast.walk(tree)]


def role(cell):
    """What a comparison of an executed cell of code says.

    Parameters
    ----------
    cell : NotebookNode
        The cell.

    Returns
    -------
    role : {"shows", "checks", "defines", ""}
        Its outputs are compared; it asserts something; or it does nothing but give names to what
        others show. Empty when it does none of these, so that nothing is said of it.
    """
    if cell.outputs:
        return "shows"
    body = ast.parse(cell.source).body
    if any(isinstance(node, ast.Assert) for statement in body for node in ast.walk(statement)):
        return "checks"
    return "defines" if all(isinstance(node, _DEFINING) or silences(node) for node in body) else ""


def owned_results(source):
    """Ids of the stored tables that a chapter computes: ``results("<id>", profile=profile)``."""
    return [
        ast.literal_eval(call.args[0])
        for call in calls(source, "results")
        if any(word.arg == "profile" for word in call.keywords)
    ]


def owned_by_chapter():
    """Ids of the stored tables that each chapter owns; chapters without any are left out."""
    owned = {name: owned_results(SOURCES / f"{name}.py") for name in chapter_names()}
    return {name: ids for name, ids in owned.items() if ids}
