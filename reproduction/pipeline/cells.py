"""Compare what the cells of a chapter give now with its stored outputs, by nbval.

python -m reproduction.pipeline.cells 01_introduction
"""

import contextlib
import io
import os
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from reproduction.pipeline.chapters import BOOK
from reproduction.pipeline.execute import ENVIRONMENT

__all__ = ["main"]

_OPTIONS = ("-q", "--nbval", "--nbval-current-env", "--nbval-kernel-startup-timeout=600")
# What jupyter leaves open is no fault of a cell, which another process executes.
_OPTIONS += ("-p", "no:unraisableexception")


class _Counts:
    """What became of cells, and why some were skipped."""

    def __init__(self):
        self.outcomes, self.reasons = Counter(), Counter()

    def pytest_runtest_logreport(self, report):
        """Count a cell once: when it was called, or when it was skipped or broken before."""
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1
        if report.skipped:
            self.reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1


def main(name, tables=None):
    """Compare the cells of a chapter, a file of ``book/`` without its ending, and say so in a line.

    With a folder, as on another machine: stored tables are those of the folder, and eigenvectors
    have other signs. Where a cell differs, all that pytest says is printed, and the code is 1.
    """
    if tables is not None:
        os.environ["OFER_RESULTS"] = str(tables)
        ENVIRONMENT["PYTHONSTARTUP"] = str(Path(__file__).with_name("other_signs.py"))
    counts, said, start = _Counts(), io.StringIO(), time.monotonic()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main([*_OPTIONS, str(BOOK / f"{name}.ipynb")], plugins=[counts])
    words = ", ".join(f"{number} {outcome}" for outcome, number in counts.outcomes.items())
    print(f"{name}: {words} in {time.monotonic() - start:.0f} s", flush=True)
    for reason, number in counts.reasons.items():
        print(f"{name}: {number} cells skipped. {reason}", flush=True)
    if code:
        print(said.getvalue(), flush=True)
    return int(code != 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
