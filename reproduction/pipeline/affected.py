"""Test files that a change can affect, the nearest first.

python -m reproduction.pipeline.affected origin/main
"""

import argparse
import re
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
        Those that reach a changed module, by imports, through a ``conftest.py`` or through what
        rooms hand in; for a changed file that none of them reaches, those of its room, or of the
        rooms that read it; and those right in `tests`, which look at all files. First come those
        of the rooms of the changed files, then those that reach little else.
    """
    changed = {path.resolve() for path in changed}
    reached = {test: _reached(test, tests) for test in sorted(tests.rglob("test_*.py"))}
    found = {test for test, files in reached.items() if test.parent == tests or files & changed}
    for path in changed.difference(*reached.values()):
        rooms = [tests / room for room in _rooms(path.relative_to(tests.parent.resolve()))]
        found |= {test for test in reached if any(test.is_relative_to(room) for room in rooms)}
    inside = [path.parent.relative_to(tests.parent.resolve()) for path in changed]
    own = {tests / room for room in inside} | {tests.parent / room for room in inside}
    return sorted(found, key=lambda test: (test.parent not in own, len(reached[test]), test))


def _reached(test, tests):
    """Files that a test reaches, helpers beside the tests and itself among them."""
    folders = (folder for folder in test.parents if folder.is_relative_to(tests))
    todo, own = [test, *(folder / "conftest.py" for folder in folders)], set()
    while todo:
        path = todo.pop()
        if path.exists() and path.resolve() not in own:
            own.add(path.resolve())
            helpers = re.findall(r"^from (tests\.\S+) import", path.read_text("utf-8"), re.M)
            todo += [tests.parent / f"{name.replace('.', '/')}.py" for name in helpers]
            if path == tests / "ofer" / "rooms.py":  # which imports what it finds
                todo += tests.rglob("cases.py")
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
