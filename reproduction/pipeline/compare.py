"""Execute chapters and compare what they give with their stored outputs, by nbval.

Those that gave them before, when ``make book`` executed them or here, are passed over as long as
nothing has changed that they depend on.

    python -m reproduction.pipeline.compare --jobs 2
"""

import argparse
import math
import sys
from pathlib import Path

import pytest

from reproduction.pipeline.chapter_times import seconds_taken
from reproduction.pipeline.dodo import is_fresh, note, state
from reproduction.pipeline.execute import BOOK, START_TIMEOUT, chapter_names


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
    states = {name: state(name) for name in left}
    if len(left) < len(names):
        print(f"{len(names) - len(left)} chapters gave these outputs before: not executed again")
    if not left:
        return 0
    # The longest first, so that no process is left alone with one.
    left.sort(key=lambda name: seconds_taken(name) or math.inf, reverse=True)
    options = ["-q", "-n", str(jobs), "--dist", "loadfile", "--no-loadscope-reorder"]
    options += ["--durations", "5"]
    options += ["--nbval", "--nbval-current-env"]
    options += ["--nbval-kernel-startup-timeout", str(START_TIMEOUT)]
    outcomes = Outcomes()
    status = pytest.main([*options, *(str(BOOK / f"{name}.ipynb") for name in left)], [outcomes])
    if status in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        for name in outcomes.passed - outcomes.others:
            for known in ("executed", "reproduced"):
                note(name, states[name], known)
    return int(status)


def main(arguments=None):
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(description="Compare chapters with their stored outputs.")
    parser.add_argument("names", nargs="*", default=chapter_names(), help="default: all")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    options = parser.parse_args(arguments)
    return compare(options.names, jobs=options.jobs)


if __name__ == "__main__":
    sys.exit(main())
