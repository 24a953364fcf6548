"""Execute one chapter of the book.

A chapter is ``notebooks/<name>.py`` in jupytext's percent format. Executed, it becomes
``book/<name>.ipynb``, written only when every cell has succeeded. Two runs of the same source
give the same bytes: cell ids are numbered, clock times are stripped, the kernel runs under
`ENVIRONMENT`, and outputs that are equal within the comparison of ``make test`` stay as they are;
the header of a source names, under ``ofer``, the ``data`` sets that it needs and the stored
``tables`` that it computes. Data are downloaded once, and where they cannot be had the stored
notebook is kept as it is.

    python -m reproduction.pipeline.execute 01_introduction
    python -m reproduction.pipeline.execute 01_introduction -p seed 3 -p n_samples 50
"""

import argparse
import contextlib
import os
import sys
import time
from pathlib import Path

import jupytext
import nbformat
import papermill
import yaml
from nbclient.exceptions import CellTimeoutError
from papermill.exceptions import PapermillExecutionError, strip_color
from traitlets.config import Config

from reproduction.files import replacing
from reproduction.pipeline.hiding import hide_routine
from reproduction.pipeline.pictures import PICTURES, keep_equal_outputs

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "notebooks"
BOOK = ROOT / "book"
TRIALS = ROOT / ".cache" / "chapters"
PROGRESS_EVERY = 10  # seconds; shorter chapters say nothing before they are done
START_TIMEOUT = 600  # seconds; on a busy machine a kernel may need minutes to start
CELL_TIMEOUT = 900  # seconds; a cell of a chapter that computes its stored tables has no limit
QUICK_PROFILES = ("stored", "quick")
_TELLING = ("DamagedDataError", "OSError", "StaleResultsError")  # say all without a traceback

# One BLAS thread, because sums in another order end in other last digits, a fixed hash seed,
# because the order of a set may be printed, and folders of our own, because a reader's settings of
# IPython or matplotlib are another book, and a home need not be there.
_SETTINGS = ROOT / ".cache" / "settings"
ENVIRONMENT = {
    "IPYTHONDIR": str(_SETTINGS / "ipython"),
    "JUPYTER_CONFIG_DIR": str(_SETTINGS / "jupyter"),
    "JUPYTER_DATA_DIR": str(_SETTINGS / "jupyter"),
    "MPLCONFIGDIR": str(_SETTINGS / "matplotlib"),
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}


class ChapterError(Exception):
    """A chapter could not be executed; the message says why."""


def settle():
    """Give this process, and the kernels that inherit it, the environment of the chapters."""
    _SETTINGS.mkdir(parents=True, exist_ok=True)
    os.environ.update(ENVIRONMENT)


def chapter_names():
    """Names of all chapters, in reading order: the numbered files of ``notebooks/``."""
    return sorted(path.stem for path in SOURCES.glob("[0-9]*.py"))


def read_source(path):
    """Notebook of a percent-format source: numbered cell ids, no outputs, routine cells hidden."""
    return hide_routine(_canonical(jupytext.read(path, fmt="py:percent")))


def data_needed(path):
    """Data sets that the header of a source names."""
    return _header(path).get("data", [])


def tables_owned(path):
    """Ids of the stored tables that a chapter computes, as the header of its source says."""
    return _header(path).get("tables", [])


def owned_by_chapter():
    """Ids of the stored tables that each chapter computes; chapters without any are left out."""
    owned = {name: tables_owned(SOURCES / f"{name}.py") for name in chapter_names()}
    return {name: ids for name, ids in owned.items() if ids}


def _header(path):
    return jupytext.read(path, fmt="py:percent").metadata.get("ofer", {})


def read_stored(path):
    """Executed notebook that is stored.

    Raises
    ------
    ChapterError
        If it is not one to its last byte.
    """
    try:
        return nbformat.read(path, as_version=4)
    except (ValueError, KeyError, AttributeError) as error:  # what half a file can raise
        why = " ".join(str(error).split())[:80]
        raise ChapterError(f"{path} is damaged ({why}): restore it, or `make book`.") from None


def obstacle(path, *, download=False):
    """Why a chapter cannot be executed here: its missing data. Empty when it can.

    With `download` the data that are missing are fetched first, if they can be had. Damaged data
    are no obstacle but a `ChapterError`.
    """
    needed = data_needed(path)
    if not needed:
        return ""
    # These take a second, and few chapters need them.
    from reproduction.datasets import DamagedDataError, unavailable_reason

    try:
        reasons = [unavailable_reason(name, download=download) for name in needed]
    except DamagedDataError as error:
        raise ChapterError(f"{Path(path).stem}: not executed. {error}") from None
    return "; ".join(filter(None, reasons))


def execute(source, target, parameters=None):
    """Execute the percent-format file `source` and write the notebook `target`.

    Parameters
    ----------
    source, target : path-like
        The source and the notebook; `target` is replaced in one step, after the last cell. The
        kernel's working folder is ``book/``, as for nbval.
    parameters : dict, optional
        Values for names assigned in the cell tagged ``parameters``.

    Returns
    -------
    float
        Seconds that it took.

    Raises
    ------
    ChapterError
        If a parameter is unknown or a cell fails or takes longer than `CELL_TIMEOUT`. `target` is
        then untouched.

    Notes
    -----
    What the chapter writes to standard error, such as the progress of a long computation, is
    passed on at once.
    """
    source, target = Path(source), Path(target)
    notebook = read_source(source)
    start = time.monotonic()
    if parameters:
        known = papermill.inspect_notebook(notebook)
        unknown = sorted(set(parameters) - set(known))
        if unknown:
            raise ChapterError(
                f"{source.stem}: parameters must be among {sorted(known)}; got {unknown}."
            )
    profile = (parameters or {}).get("profile", "stored")
    limited = profile.partition("@")[0].partition(":")[0] in QUICK_PROFILES
    settle()
    try:
        executed = papermill.execute_notebook(
            notebook,
            None,
            parameters=parameters,
            kernel_name="python3",
            cwd=BOOK,
            progress_bar={
                "desc": source.stem,
                "delay": PROGRESS_EVERY,
                "mininterval": PROGRESS_EVERY,
            },
            start_timeout=START_TIMEOUT,
            execution_timeout=CELL_TIMEOUT if limited else None,
            stderr_file=sys.stderr,
            coalesce_streams=True,  # how printed lines arrive in pieces is a matter of timing
            # Without these ipykernel warns that it speaks to the notebook unencrypted, and now and
            # then reports the interrupt by which it is shut down.
            config=Config({"KernelManager": {"transport_encryption": "auto"}}),
            extra_arguments=["--log-level=CRITICAL"],
        )
    except PapermillExecutionError as error:
        trace = strip_color("\n".join(error.traceback))
        said = f" {error.evalue}" if error.ename in _TELLING else f"\n{trace}"
        raise ChapterError(f"{source.stem}: cell [{error.exec_count}] failed.{said}") from None
    except (CellTimeoutError, RuntimeError) as error:  # also of a kernel that dies as it begins
        raise ChapterError(f"{source.stem}: {error}") from None
    executed = _canonical(executed)
    if target.exists():
        with contextlib.suppress(ChapterError):  # nothing to keep of a damaged one
            keep_equal_outputs(read_stored(target), executed, PICTURES / source.stem)
    _write(executed, target)
    return time.monotonic() - start


def _canonical(notebook):
    """The notebook without clock times, random ids and versions of tools, changed in place."""
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if not cell.metadata.get("tags", True):
            del cell.metadata["tags"]
    language = notebook.metadata.get("language_info", {})
    language.pop("version", None)
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python", **language},
        }
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def _write(notebook, target):
    nbformat.validate(notebook)
    with replacing(target) as part:
        nbformat.write(notebook, part)


def main(arguments=None):
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(description="Execute one chapter of the book.")
    parser.add_argument("name", help="a file of notebooks/ without its ending")
    parser.add_argument(
        "-p",
        dest="parameters",
        nargs=2,
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help="set a parameter; the notebook then goes to .cache/chapters, not into the book",
    )
    options = parser.parse_args(arguments)
    if options.name not in chapter_names():
        parser.error(f"name must be among {chapter_names()}; got {options.name!r}.")
    source = SOURCES / f"{options.name}.py"
    target = (TRIALS if options.parameters else BOOK) / f"{options.name}.ipynb"

    try:
        reason = obstacle(source)
        if reason:
            print(f"{options.name}: fetching {', '.join(data_needed(source))}", flush=True)
            reason = obstacle(source, download=True)
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 1
    if reason and (options.parameters or not target.exists()):
        print(f"{options.name}: not executed. {reason}", file=sys.stderr)
        return 1
    if reason:
        print(f"{options.name}: skipped, its stored notebook stands. {reason}", flush=True)
        return 0

    parameters = {name: yaml.safe_load(value) for name, value in options.parameters}
    try:
        seconds = execute(source, target, parameters)
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:  # a full disk, a folder that cannot be written
        print(f"{options.name}: {target} was not written ({error.strerror}).", file=sys.stderr)
        return 1
    print(f"{options.name}: {seconds:.0f} s -> {target.relative_to(ROOT)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
