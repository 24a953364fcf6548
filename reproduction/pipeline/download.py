"""The cell with which a chapter that was downloaded alone fetches what it imports.

The rendered book offers each chapter for download; only these copies have the cell. The address of
the repository is the setting ``repository: url:`` of ``_config.yml``.
"""

from pathlib import Path

import nbformat
import yaml

CELL = """\
# Run this first: it fetches and installs what the chapter imports, unless that is there already.
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

REPOSITORY = {address!r}
if find_spec("reproduction") is None:
    if not REPOSITORY:
        raise SystemExit(
            "The book's repository has no address yet. Get a copy of it, and run this notebook "
            "with the Python of its folder .venv, which `make book` sets up there."
        )
    checkout = Path("ofer-book").resolve()
    if not checkout.exists():
        subprocess.run(["git", "clone", "--quiet", "--depth=1", REPOSITORY, checkout], check=True)
    install = [sys.executable, "-m", "pip", "install", "--quiet"]
    subprocess.run([*install, "-e", checkout, "-e", checkout / "reproduction"], check=True)
    sys.path.append(str(checkout))  # this process has looked for installed packages already
"""


def repository_address(config):
    """Address of the repository, from the settings of the book; empty when there is none.

    Parameters
    ----------
    config : path-like
        The file ``_config.yml``.

    Returns
    -------
    address : str
    """
    settings = yaml.safe_load(Path(config).read_text(encoding="utf-8"))
    return settings.get("repository", {}).get("url") or ""


def add_install_cell(path, address):
    """Put the cell before the first code cell of a notebook, in place.

    Parameters
    ----------
    path : path-like
        The notebook.
    address : str
        What ``git clone`` takes; empty when the repository has no address.
    """
    notebook = nbformat.read(path, as_version=4)
    kinds = [cell.cell_type for cell in notebook.cells]
    cell = nbformat.v4.new_code_cell(CELL.format(address=address), id="install")
    notebook.cells.insert(kinds.index("code"), cell)
    nbformat.write(notebook, path)
