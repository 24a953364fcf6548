"""Chapters to take away: a zip for each, which runs alone.

It has the notebook, both wheels, the tables that the chapter reads, and its data, so that a network
is needed for the package index alone.
"""

import ast
import json
import re
import tempfile
import tomllib
import zipfile
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import nbformat
import yaml

from reproduction.datasets import dataset_info
from reproduction.engine import get_experiment, parse
from reproduction.engine.closure import reached_modules
from reproduction.paths import CHECKOUT
from reproduction.pipeline.archives import build_archives
from reproduction.pipeline.chapters import owned_results
from reproduction.pipeline.execute import SOURCES, data_needed
from reproduction.pipeline.plain import Shown, plain_notebook

__all__ = ["add_install_cell", "constraints", "data_sets", "requirements", "take_away"]

DOWNLOADS = "_downloads"
# The wheels are unpacked beside the notebook, where they find the tables and the data.
CELL = """\
# Run this first: it installs what the chapter imports, in the versions that the book was made with.
import importlib
import subprocess
import sys
from pathlib import Path

if not Path("requirements.txt").exists():
    raise SystemExit("This notebook needs what {name}.zip has, which its page offers, beside it.")
install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
subprocess.run([*install, "--requirement", "requirements.txt"], check=True)
wheels = sorted(Path().glob("*.whl"))
subprocess.run([*install, "--no-deps", "--upgrade", "--target", ".", *wheels], check=True)
importlib.invalidate_caches()
"""
README = """\
{title}
{line}

This folder runs alone. With Python 3.11 or newer:

    python3 -m venv environment
    environment/bin/pip install jupyterlab --requirement requirements.txt
    environment/bin/jupyter lab {name}.ipynb

This installs what the chapter imports, in the versions that the book was made with; nothing else
needs a network. In a Jupyter of your own the first cell with code does it.{quick}{data}

The code is under the licence in LICENSE; the terms of data are in their folders.
"""
QUICK = """

The chapter shows stored tables. To compute a part of them, write profile = "quick" into the cell
after the first one."""
FETCHED = """

Not in this folder, since nobody says that they may be passed on: {names}. They are downloaded
when a cell asks for them."""
_installed = cache(packages_distributions)
_PIN = re.compile(r"^([\w.-]+==[^\\\n]*[^\\\s])", re.MULTILINE)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # where the times of zip files begin
_PACKED = {".npz", ".whl"}


def add_install_cell(notebook, name):
    """Put the cell that installs before the first one with code.

    Parameters
    ----------
    notebook : NotebookNode
        Changed in place.
    name : str
        Of the chapter.
    """
    kinds = [cell.cell_type for cell in notebook.cells]
    cell = nbformat.v4.new_code_cell(CELL.format(name=name), id="install")
    notebook.cells.insert(kinds.index("code"), cell)


def requirements(source):
    """Distributions that a chapter needs beside ours.

    Parameters
    ----------
    source : Path
        The chapter.

    Returns
    -------
    names : list of str
        What the two wheels require, and what the chapter imports or what it reaches.
    """
    needed = set()
    for folder in (CHECKOUT, CHECKOUT / "reproduction"):
        settings = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        needed |= {re.split(r"[<>=]", name)[0] for name in settings["project"]["dependencies"]}
    known = _installed()
    for path in (source, *reached_modules(source).values()):
        for node in parse(path).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            packages = {name.partition(".")[0] for name in names}
            needed |= {one.lower() for name in packages for one in known.get(name, ())}
    return sorted(needed - {"ofer", "ofer-reproduction", "ipython"})  # IPython runs it


def constraints(lock):
    """Versions of a lock file without checksums, which the wheels of the zip would need too.

    Parameters
    ----------
    lock : str
        What ``uv pip compile`` has written.

    Returns
    -------
    lines : str
    """
    return "".join(f"{pin}\n" for pin in _PIN.findall(lock))


def take_away(html, notes, tables):
    """Make the chapters plain that rendered pages offer, and put their zips beside them.

    Parameters
    ----------
    html : Path
        Folder of the rendered pages; ``_sources`` in it has the chapters.
    notes : Path
        Folder of what ``book/_ext/roles.py`` has noted.
    tables : function
        Gives the files of the book that a chapter reads, from its source.
    """
    settings = yaml.safe_load((CHECKOUT / "_config.yml").read_text(encoding="utf-8"))
    macros = settings["sphinx"]["config"]["mathjax3_config"]["tex"]["macros"]
    lock = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")
    (html / DOWNLOADS).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        build_archives(folder, "--wheel")
        wheels = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    for path in sorted((html / "_sources").glob("*.ipynb")):
        name, source = path.stem, SOURCES / path.with_suffix(".py").name
        noted = json.loads((notes / f"{name}.json").read_text(encoding="utf-8"))
        notebook = plain_notebook(nbformat.read(path, as_version=4), Shown(**noted, macros=macros))
        add_install_cell(notebook, name)
        nbformat.write(notebook, path)
        files = [*tables(source), *_data(source), CHECKOUT / "LICENSE"]
        contents = {file.relative_to(CHECKOUT).as_posix(): file.read_bytes() for file in files}
        contents |= wheels | {path.name: path.read_bytes()}
        texts = {
            "README.txt": _readme(name, source, notebook),
            "constraints.txt": constraints(lock),
            "requirements.txt": "\n".join(["-c constraints.txt", *requirements(source), ""]),
        }
        contents |= {file: text.encode() for file, text in texts.items()}
        _write(html / DOWNLOADS / f"{name}.zip", name, contents)


def data_sets(source):
    """Data sets that a chapter needs, for its quick profile too.

    Parameters
    ----------
    source : Path
        The chapter.

    Returns
    -------
    names : list of str
    """
    owned = (get_experiment(id).datasets for id in owned_results(source))
    return sorted({*data_needed(source)}.union(*owned))


def _data(source):
    """Prepared files that a chapter needs and that may be passed on, with their terms."""
    infos = [dataset_info(name) for name in data_sets(source)]
    files = [CHECKOUT / "data" / info.prepared for info in infos if not info.kept_out]
    return {*files, *(file.with_name("README.md") for file in files)}


def _readme(name, source, notebook):
    title = notebook.cells[0].source.partition("\n")[0].lstrip("# ")
    fetched = [one for one in data_sets(source) if dataset_info(one).kept_out]
    return README.format(
        title=title,
        line="=" * len(title),
        name=name,
        quick=QUICK if owned_results(source) else "",
        data=FETCHED.format(names=", ".join(fetched)) if fetched else "",
    )


def _write(target, folder, contents):
    """Write a zip that hangs on its contents alone."""
    with zipfile.ZipFile(target, "w") as packed:
        for name, content in sorted(contents.items()):
            file = zipfile.ZipInfo(f"{folder}/{name}", _EPOCH)
            file.external_attr = 0o644 << 16
            is_packed = Path(name).suffix in _PACKED
            file.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            packed.writestr(file, content)
