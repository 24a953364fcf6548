"""Execute one chapter of the book.

A chapter is ``notebooks/<name>.py`` in jupytext's percent format. Executed, it becomes
``book/<name>.ipynb``, written only when every cell has succeeded. Two runs of the same source
give the same bytes: cell ids are numbered, clock times are stripped, the kernel runs under
`ENVIRONMENT`, and outputs that are equal within the comparison of ``make test`` stay as they are;
`chapters` has what the header of a source says. Data are downloaded once. Where a set cannot be
had, the cells that name it keep their stored outputs; where no cell names it, the notebook stands.

    python -m reproduction.pipeline.execute 01_introduction
    python -m reproduction.pipeline.execute 01_introduction -p seed 3 -p n_samples 50
    python -m reproduction.pipeline.execute 01_introduction --assign "seed=3 n_samples=50"
"""

import argparse
import contextlib
import os
import re
import sys
import time
from difflib import get_close_matches
from pathlib import Path
from runpy import run_path

import jupytext
import nbformat
import papermill
from nbclient.exceptions import CellTimeoutError
from papermill.exceptions import PapermillExecutionError, strip_color
from traitlets.config import Config

from reproduction.files import replacing
from reproduction.paths import CHECKOUT
from reproduction.pipeline.chapters import (
    BOOK,
    SOURCES,
    ChapterError,
    chapter_names,
    missing_data,
)
from reproduction.pipeline.command import run
from reproduction.pipeline.hiding import hide_routine
from reproduction.pipeline.parameters import check_names, read_parameters, split_assignments
from reproduction.pipeline.pictures import PICTURES, keep_equal_outputs

TRIALS = CHECKOUT / ".cache" / "chapters"
PROGRESS_EVERY = 10  # seconds; shorter chapters say nothing before they are done
START_TIMEOUT = 600  # seconds; on a busy machine a kernel may need minutes to start
# Seconds; a cell of a chapter that computes its stored tables has no limit. An emulated processor
# takes a quarter of an hour for decompositions of three seconds.
CELL_TIMEOUT = 3600
QUICK_PROFILES = ("stored", "quick")
_TELLING = ("DamagedDataError", "OSError", "StaleResultsError")  # say all without a traceback

# One BLAS thread, because sums in another order end in other last digits, a fixed hash seed,
# because the order of a set may be printed, and folders of our own, because a reader's settings of
# IPython or matplotlib are another book, and a home need not be there.
_SETTINGS = CHECKOUT / ".cache" / "settings"
ENVIRONMENT = {
    "JUPYTER_DEFAULT_PROVISIONER_NAME": "sockets",
    "IPYTHONDIR": str(_SETTINGS / "ipython"),
    "JUPYTER_CONFIG_DIR": str(_SETTINGS / "jupyter"),
    "JUPYTER_DATA_DIR": str(_SETTINGS / "jupyter"),
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "MPLCONFIGDIR": str(_SETTINGS / "matplotlib"),
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    # What a reader has set up would change what chapters print, draw and assert.
    "PYTHONSTARTUP": "",
    "PYTHONOPTIMIZE": "",
    "MATPLOTLIBRC": "",
}
# Of a processor whose products warn of nothing; a file, for the package takes a second to import.
if _FILTERS := run_path(str(CHECKOUT / "ofer" / "utils" / "products.py"))["FILTERS"]:
    ENVIRONMENT["PYTHONWARNINGS"] = ",".join(_FILTERS)


def settle():
    """Give this process, and the kernels that inherit it, the environment of the chapters."""
    _SETTINGS.mkdir(parents=True, exist_ok=True)
    os.environ.update(ENVIRONMENT)


def read_source(path):
    """Notebook of a percent-format source: numbered cell ids, no outputs, routine cells hidden."""
    return hide_routine(_canonical(jupytext.read(path, fmt="py:percent")))


def read_stored(path):
    """Executed notebook that is stored, or a `ChapterError` if it is not one to its last byte."""
    try:
        return nbformat.read(path, as_version=4)
    except (ValueError, KeyError, AttributeError) as error:  # what half a file can raise
        why = " ".join(str(error).split())[:80]
        raise ChapterError(f"{path} is damaged ({why}): restore it, or `make book`.") from None


def obstacle(path, missing):
    """Why a chapter cannot be executed without some data: empty when it can.

    A set that cells name as their ``data`` stops these cells alone; any other set of the header
    stops the chapter.
    """
    if not missing:
        return ""
    named = {name for cell in read_source(path).cells for name in needed_by(cell)}
    return "; ".join(reason for name, reason in missing.items() if name not in named)


def needed_by(cell):
    """Data sets without which a cell cannot be executed: ``# %% data=["name"]``."""
    return cell.metadata.get("data", [])


def execute(source, target, parameters=None, *, missing=()):
    """Execute the percent-format file `source` and write the notebook `target`.

    The seconds that it took are returned. The target is replaced in one step, after the last cell;
    it is untouched when there is a `ChapterError`: a parameter is unknown, a cell fails or takes
    longer than `CELL_TIMEOUT`. The kernel's working folder is ``book/``, as for nbval, and what it
    writes to standard error is passed on at once. Parameters are values for names assigned in the
    cell tagged ``parameters``. A cell that needs a missing data set is not executed and keeps the
    outputs that it must have in the stored notebook.
    """
    source, target = Path(source), Path(target)
    notebook = read_source(source)
    left_out = _leave_out(notebook, source, missing)
    start = time.monotonic()
    if parameters:
        try:
            check_names(parameters, papermill.inspect_notebook(notebook))
        except ChapterError as error:
            raise ChapterError(f"{source.stem}: {error}") from None
    profile = (parameters or {}).get("profile", "stored")
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
            execution_timeout=CELL_TIMEOUT if _is_quick(profile) else None,
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
    _put_back(executed, left_out)
    executed = _canonical(executed)
    if target.exists():
        with contextlib.suppress(ChapterError):  # nothing to keep of a damaged one
            keep_equal_outputs(read_stored(target), executed, PICTURES / source.stem)
    _write(executed, target)
    return time.monotonic() - start


def _leave_out(notebook, source, missing):
    """Make plain text of the cells that need missing data; give them, with their stored outputs."""
    cells = [cell for cell in notebook.cells if not {*needed_by(cell)}.isdisjoint(missing)]
    stored = BOOK / f"{source.stem}.ipynb"
    outputs = {}
    if cells and stored.exists():
        outputs = {cell.source: cell.get("outputs") for cell in read_stored(stored).cells}
    left_out = {}
    for cell in cells:
        if (known := outputs.get(cell.source)) is None:
            raise ChapterError(
                f"{source.stem}: {cell.id} has no stored outputs, and data that it needs are not "
                f"here ({', '.join(needed_by(cell))})."
            )
        left_out[cell.id] = nbformat.from_dict({**cell, "outputs": known})
        cell.cell_type = "raw"
        del cell["outputs"], cell["execution_count"]
    return left_out


def _put_back(notebook, left_out):
    """Put cells that were not executed in their places, and number all as if they had been."""
    notebook.cells = [left_out.get(cell.id, cell) for cell in notebook.cells]
    code = (cell for cell in notebook.cells if cell.cell_type == "code")
    for number, cell in enumerate(code, start=1):
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number


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
    with replacing(target) as draft:
        nbformat.write(notebook, draft)


def main(arguments=None):
    """Run the command line and return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    name = re.sub(r"\.(py|ipynb)$", "", Path(options.name).name)
    if name not in chapter_names():
        near = get_close_matches(name, chapter_names(), n=1, cutoff=0.4)
        asked = f" Did you mean {near[0]}?" if near else ""
        parser.error(f"name must be among {chapter_names()}; got {options.name!r}.{asked}")
    source = SOURCES / f"{name}.py"
    given = options.parameters
    target = (TRIALS if given else BOOK) / f"{name}.ipynb"

    try:
        missing = missing_data(source)
        if missing:
            print(f"{name}: fetching {', '.join(missing)}", flush=True)
            missing = missing_data(source, download=True)
        reason = obstacle(source, missing)
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 1
    if reason and (given or not target.exists()):
        print(f"{name}: not executed. {reason}", file=sys.stderr)
        return 1
    if reason:
        print(f"{name}: skipped, its stored notebook stands. {reason}", flush=True)
        return 0
    for why in missing.values():
        print(f"{name}: {why} Cells that need it keep their stored outputs.", flush=True)

    try:
        known = papermill.inspect_notebook(read_source(source)) if given else {}
        parameters = read_parameters(given, known)
    except ChapterError as error:
        parser.error(f"{name}: {error}")
    try:
        seconds = execute(source, target, parameters, missing=missing)
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:  # a full disk, a folder that cannot be written
        print(f"{name}: {target} was not written ({error.strerror}).", file=sys.stderr)
        return 1
    print(f"{name}: {seconds:.0f} s -> {target.relative_to(CHECKOUT)}", flush=True)
    return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.pipeline.execute",
        description="Execute one chapter of the book.",
    )
    parser.add_argument("name", help="a file of notebooks/ or book/, with or without its ending")
    parser.add_argument(
        "-p",
        dest="parameters",
        nargs=2,
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help="set a parameter; the notebook then goes to .cache/chapters, not into the book",
    )
    parser.add_argument(
        "--assign",
        dest="parameters",
        type=_assignments,
        action="extend",
        metavar="NAME=VALUE ...",
        help="set several, as PARAMS of make",
    )
    return parser


def _assignments(text):
    try:
        return split_assignments(text)
    except ChapterError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _only_tries(parameters):
    """Whether a run with parameters writes neither into the book nor stored tables."""
    return bool(parameters) and _is_quick(dict(parameters).get("profile", "stored"))


def _is_quick(profile):
    return profile.partition("@")[0].partition(":")[0] in QUICK_PROFILES


if __name__ == "__main__":
    run(main, alone=not _only_tries(_parser().parse_args().parameters))
