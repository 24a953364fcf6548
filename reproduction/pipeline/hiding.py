"""Keep code off a page that its reader can do without: all of it is in the notebook."""

import ast

__all__ = ["hide_routine", "silences"]

_IMPORTS = (ast.Import, ast.ImportFrom)
_SHOWING = ("plot_", "publish")  # and what is called print or display
_READING = {"results", "summarize", "Contrast", "contrast", "tests", "scorecard", "read_claims"}
_READING |= {"rows_by_table"}


def hide_routine(notebook):
    """Tag cells for the page: what only checks, imports or publishes is not on it.

    In a chapter that reads printed tables, and wherever a cell makes a figure or a table with a
    caption or reads stored results, the page has what the cell shows and not its code. Other code
    is on the page; where its tag is ``hide-input``, it opens at a click. The cells of the notebook,
    which has no outputs, are changed in place.
    """
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    is_record = any("read_paper(" in cell.source for cell in cells)
    for cell in cells:
        if tag := _tag(cell, is_record):
            cell.metadata["tags"] = [*(own for own in _tags(cell) if own != "hide-input"), tag]
            if tag == "hide-input":
                options = cell.metadata.get("mystnb", {})
                cell.metadata["mystnb"] = {"code_prompt_show": "Show the code", **options}
    return notebook


def _tags(cell):
    return cell.metadata.get("tags", [])


def _tag(cell, is_record):
    """What myst-nb does with a cell; ``checked`` is for `chapters`, an extension of the book."""
    try:
        body = ast.parse(cell.source).body
    except SyntaxError:  # a command of the notebook
        return ""
    if "parameters" in _tags(cell):
        return "remove-cell"
    calls = [ast.unparse(n.func) for s in body for n in ast.walk(s) if isinstance(n, ast.Call)]
    shows = any(isinstance(statement, ast.Expr) and not silences(statement) for statement in body)
    shows |= any(name in ("print", "display") or name.startswith(_SHOWING) for name in calls)
    if "publish" in calls:
        return "remove-input"
    if body and not shows:
        if any(isinstance(n, ast.Assert) for s in body for n in ast.walk(s)):
            return "checked"
        if is_record or all(isinstance(s, _IMPORTS) or silences(s) for s in body):
            return "remove-cell"
    names = {name.rpartition(".")[2] for name in calls}
    if is_record or not _READING.isdisjoint(names) or "figure" in cell.metadata.get("mystnb", {}):
        return "remove-input"
    return "hide-input" if "hide-input" in _tags(cell) else ""


def silences(statement):
    """Whether a statement of a chapter does nothing but silence a warning."""
    called = ast.unparse(statement)
    return called.startswith(("warnings.filterwarnings(", "warnings.simplefilter("))
