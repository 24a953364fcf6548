"""What all tests share."""

import os
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
settings.load_profile("ci")  # the same examples in each run, and no limit on what one may take


@pytest.fixture(scope="session")
def project_files():
    """Files under version control; where git cannot say, all that it would not ignore."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
        )
        names = os.fsdecode(listed.stdout).split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = [""]
    paths = [ROOT / name for name in names if name] or files_not_ignored(ROOT)
    return [path for path in paths if path.is_file()]


def files_not_ignored(root):
    """Files below `root` without those that a pattern of ``.gitignore`` matches by name."""
    patterns = [".git", *(line.rstrip("/") for line in (root / ".gitignore").read_text().split())]

    def kept(names):
        return [name for name in names if not any(fnmatch(name, pattern) for pattern in patterns)]

    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = kept(folders)
        found += [Path(folder, name) for name in kept(names)]
    return found
