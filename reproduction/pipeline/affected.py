"""Test files that a change can affect: those that reach a changed module, and few others.

python -m reproduction.pipeline.affected origin/main
"""

import argparse
import subprocess

from reproduction.engine.closure import reached_modules
from reproduction.paths import CHECKOUT

TESTS = CHECKOUT / "tests"
# What is found by looking into folders, or read as text, is in no import.
_READERS = {"data": ("reproduction/datasets",), "book": ("book", "reproduction/claims")}


def affected(changed, tests=TESTS):
    """Test files that a change can affect.

    Parameters
    ----------
    changed : iterable of Path
        Changed, new and removed files.
    tests : Path, default=TESTS
        Folder of the tests, beside the packages.

    Returns
    -------
    files : list of Path
        Sorted: those that reach a changed module, by imports or through a ``conftest.py``; for a
        changed file that none of them reaches, those of its room, or of the rooms that read it;
        and those right in `tests`, which look at all files.
    """
    changed = {path.resolve() for path in changed}
    reached = {test: _reached(test, tests) for test in sorted(tests.rglob("test_*.py"))}
    found = {test for test, files in reached.items() if test.parent == tests or files & changed}
    for path in changed.difference(*reached.values()):
        rooms = [tests / room for room in _rooms(path.relative_to(tests.parent.resolve()))]
        found |= {test for test in reached if any(test.is_relative_to(room) for room in rooms)}
    return sorted(found)


def _reached(test, tests):
    folders = (folder for folder in test.parents if folder.is_relative_to(tests))
    own = [test, *(folder / "conftest.py" for folder in folders)]
    own = [path.resolve() for path in own if path.exists()]
    return {*own, *(file for path in own for file in reached_modules(path).values())}


def _rooms(path):
    """Folders of the tests of a file that none of them imports."""
    top = path.parts[0]
    if top in ("ofer", "reproduction"):
        return [path.parent]
    return _READERS.get(top, ["book"]) if top != "tests" else []


def changed_files(base):
    """Files that differ from a commit, those that are not yet under version control included.

    Parameters
    ----------
    base : str
        The commit.

    Returns
    -------
    paths : list of Path

    Raises
    ------
    subprocess.CalledProcessError
        When there is no such commit; git says so.
    """
    commands = (
        ["git", "diff", "--name-only", base, "--"],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    said = [
        subprocess.run(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True, check=True).stdout
        for command in commands
    ]
    return [CHECKOUT / line for text in said for line in text.splitlines()]


def main():
    """Print the test files."""
    parser = argparse.ArgumentParser(description="Name the test files that a change can affect.")
    parser.add_argument("base", nargs="?", default="HEAD", help="commit to compare with")
    for path in affected(changed_files(parser.parse_args().base)):
        print(path.relative_to(CHECKOUT))


if __name__ == "__main__":
    main()
