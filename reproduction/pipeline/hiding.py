"""Hide code that a reader of the argument can do without: it opens at a click."""

import ast

__all__ = ["hide_routine", "silences"]

_IMPORTS = (ast.Import, ast.ImportFrom)


def hide_routine(notebook):
    """Hide cells of imports alone, of one call that draws a figure, and of checks alone.

    A cell that has a tag of its own keeps it.

    Parameters
    ----------
    notebook : NotebookNode
        A notebook without outputs; the cells are changed in place.

    Returns
    -------
    notebook : NotebookNode
    """
    for cell in notebook.cells:
        if cell.cell_type != "code" or cell.metadata.get("tags"):
            continue
        if prompt := _prompt(cell):
            cell.metadata["tags"] = ["hide-input"]
            own = cell.metadata.get("mystnb", {})
            cell.metadata["mystnb"] = {**own, "code_prompt_show": prompt}
    return notebook


def _prompt(cell):
    """What the closed cell says; empty for one that stays open."""
    try:
        body = ast.parse(cell.source).body
    except SyntaxError:  # a command of the notebook
        return ""
    if body and all(isinstance(node, _IMPORTS) or silences(node) for node in body):
        return "Show the imports"
    if body and all(isinstance(node, ast.Assert) for node in body):
        return "Show what is checked"
    if len(body) == 1 and "image" in cell.metadata.get("mystnb", {}):
        return "Show the call that draws it"
    return ""


def silences(statement):
    """Whether a statement of a chapter does nothing but silence a warning."""
    called = ast.unparse(statement)
    return called.startswith(("warnings.filterwarnings(", "warnings.simplefilter("))
