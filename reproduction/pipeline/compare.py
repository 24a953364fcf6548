"""Execute chapters and compare what they give with their stored outputs, by nbval.

Those that gave them before, when ``make book`` executed them or here, are passed over as long as
nothing has changed that they depend on.

    python -m reproduction.pipeline.compare --jobs 2
"""

import argparse
import math
import sys
from collections import Counter
from pathlib import Path

import pytest

from reproduction.pipeline.chapter_times import seconds_taken
from reproduction.pipeline.chapters import role
from reproduction.pipeline.dodo import is_fresh, missing_data, note, state
from reproduction.pipeline.execute import (
    BOOK,
    START_TIMEOUT,
    ChapterError,
    chapter_names,
    read_stored,
)


class Outcomes:
    """Plugin of pytest that knows which notebooks have passed in every cell.

    Attributes
    ----------
    passed : set of str
        Names of notebooks with a cell that has passed.
    others : set of str
        Names of those with a cell that has failed or was skipped.
    """

    def __init__(self):
        self.passed, self.others = set(), set()

    def pytest_runtest_logreport(self, report):
        """Take note of a cell."""
        name = Path(report.nodeid.partition("::")[0]).stem
        (self.passed if report.passed else self.others).add(name)


def compare(names, *, jobs=1):
    """Execute the chapters that are not known to give their stored outputs.

    Parameters
    ----------
    names : sequence of str
        Chapters.
    jobs : int, default=1
        Number of processes.

    Returns
    -------
    int
        Exit status of pytest; 0 when nothing was left to execute.
    """
    left = [name for name in names if not is_fresh(name, "reproduced")]
    if len(left) < len(names):
        print(f"{len(names) - len(left)} chapters gave these outputs before: not executed again")
    reasons = {name: missing_data(name) for name in left}
    for name, reason in reasons.items():
        if reason:
            print(f"{name}: not compared. {reason}")
    # The longest first, so that no process is left alone with one.
    left = [name for name in left if not reasons[name]]
    left.sort(key=lambda name: seconds_taken(name) or math.inf, reverse=True)
    states = {name: state(name) for name in left}
    if not left:
        return 0
    notebooks = [BOOK / f"{name}.ipynb" for name in left]
    options = ["-q", "-n", str(jobs), "--dist", "loadfile", "--no-loadscope-reorder"]
    options += ["--durations", "5"]
    options += ["--nbval", "--nbval-current-env"]
    options += ["--nbval-kernel-startup-timeout", str(START_TIMEOUT)]
    outcomes = Outcomes()
    status = pytest.main([*options, *map(str, notebooks)], [outcomes])
    if status in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        for name in outcomes.passed - outcomes.others:
            for known in ("executed", "reproduced"):
                note(name, states[name], known)
    return int(status)


def count_roles(names):
    """One line on what the cells of chapters are held to."""
    cells = [cell for name in names for cell in read_stored(BOOK / f"{name}.ipynb").cells]
    roles = Counter(role(cell) for cell in cells if cell.cell_type == "code")
    return (
        f"{roles.total()} cells of code: {roles['shows']} show what is compared, "
        f"{roles['checks']} others assert something, {roles['defines']} only define names"
    )


def main(arguments=None):
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(description="Compare chapters with their stored outputs.")
    parser.add_argument("names", nargs="*", default=chapter_names(), help="default: all")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    options = parser.parse_args(arguments)
    try:
        print(count_roles(options.names), flush=True)
        return compare(options.names, jobs=options.jobs)
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
