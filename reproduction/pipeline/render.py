"""Render the pages with jupyter-book: all of them, or those whose texts have changed.

What was rendered last is kept, and jupyter-book reads changed pages alone, in a third of the time.
It does not know all that a page shows of others: their headings, numbers, labels and citations,
signatures of the package. When one of these has changed, everything is rendered anew.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from papermill.exceptions import strip_color

from reproduction.files import replacing

_STRUCTURE = re.compile(r"\s*(#|\(|\$\$|:|`{3}|~{3}|\{|\||---)")
_CITATION = re.compile(r"\{cite[^`]*`[^`]*`")


def render(book, html, kept, inputs, finish=None):
    """Render the pages aside, and put them in place when there was no warning.

    Parameters
    ----------
    book : Path
        Folder of the pages.
    html : Path
        Folder of the rendered ones, replaced in one step.
    kept : Path
        Folder for what the next call can use.
    inputs : list of Path
        All files that the pages are made of.
    finish : function, default=None
        Called with the folder of the rendered pages, before they are put in place, and with that
        of what extensions have noted of them.

    Returns
    -------
    str
        What jupyter-book said when it warned or failed; empty when it did not.
    """
    frame, known = _frame(book, inputs), kept / "frame"
    if not known.exists() or known.read_text() != frame:
        shutil.rmtree(kept, ignore_errors=True)
    known.unlink(missing_ok=True)
    command = [Path(sys.executable).with_name("jupyter-book"), "build", book]
    command += ["-W", "-n", "--keep-going", "--path-output", kept]
    built = subprocess.run(command, cwd=book.parent, capture_output=True, text=True)
    if built.returncode:
        shutil.rmtree(kept, ignore_errors=True)  # a page that was read once does not warn again
        return strip_color(built.stderr or built.stdout)
    known.write_text(frame)
    with replacing(html) as copy:
        shutil.copytree(kept / "_build" / "html", copy)
        if finish:
            finish(copy, kept / "_build" / ".doctrees")
    return ""


def _frame(book, inputs):
    """Checksum of everything but the running text of pages and the outputs of chapters."""
    whole = hashlib.sha256()
    for path in sorted(inputs):
        # the page of names is shown in parts by the tables of the others
        is_page = path.suffix in {".ipynb", ".md"} and path.stem != "notation"
        is_page = is_page and path.parent == book
        content = _skeleton(path) if is_page else path.read_bytes()
        whole.update(f"{path}\0{hashlib.sha256(content).hexdigest()}\0".encode())
    return whole.hexdigest()


def _skeleton(path):
    """What other pages may show of a page: headings, labels, directives, figures and citations."""
    text = path.read_text(encoding="utf-8")
    figures = []
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        figures = [cell["metadata"] for cell in cells if cell["cell_type"] == "code"]
        text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    lines = [line for line in text.splitlines() if _STRUCTURE.match(line)]
    return json.dumps([lines, _CITATION.findall(text), figures]).encode()
