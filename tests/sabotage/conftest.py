"""A copy of the project in an odd place, and the commands of a user in it."""

import os
import shutil
import subprocess

import pytest

from reproduction.paths import CHECKOUT


class Clone:
    """A copy of the project.

    Attributes
    ----------
    folder : Path
        Where it is. It shares data and virtual environment of the checkout, and imports its own
        code.
    """

    def __init__(self, folder, files):
        self.folder = folder
        for path in files:
            if not path.is_relative_to(CHECKOUT / "data"):
                copy = folder / path.relative_to(CHECKOUT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, copy)
        for name in (".venv", "data"):
            (folder / name).symlink_to(CHECKOUT / name)
        for name in ("requirements/all.lock", "pyproject.toml", "reproduction/pyproject.toml"):
            os.utime(folder / name, (0, 0))  # the environment is not older than these

    def run(self, command, **options):
        """Status of a command, and what it said."""
        environment = {k: v for k, v in os.environ.items() if k not in ("CI", "OFER_DATA")}
        environment |= {"PYTHONPATH": str(self.folder), "OMP_NUM_THREADS": "1", "LC_ALL": "C"}
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.folder, env=environment, text=True,
            encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options,
        )  # fmt: skip
        return done.returncode, done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory, project_files):
    """A copy in a folder with a letter that ASCII lacks and with a space."""
    return Clone(tmp_path_factory.mktemp("odd") / "Bücher neu", project_files)
