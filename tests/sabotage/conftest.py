"""A copy of the project to be damaged, and the commands of a user in it."""

import os
import shutil
import subprocess

import pytest

from reproduction.pipeline.execute import ROOT


class Clone:
    """A copy of the project.

    Attributes
    ----------
    folder : Path
        Where it is. It shares the virtual environment of the checkout, and imports its own code.
    """

    def __init__(self, folder, files):
        self.folder = folder
        for path in files:
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
        (folder / ".venv").symlink_to(ROOT / ".venv")
        for name in ("requirements.lock", "pyproject.toml", "reproduction/pyproject.toml"):
            os.utime(folder / name, (0, 0))  # the environment is not older than these
        self.environment = {k: v for k, v in os.environ.items() if k not in ("CI", "OFER_DATA")}
        self.environment |= {"PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}

    def __truediv__(self, name):
        return self.folder / name

    def start(self, command, **options):
        """Begin a command in a process group of its own."""
        return subprocess.Popen(
            ["sh", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            **options,
        )

    def run(self, command):
        """Status of a command, and what it said."""
        process = self.start(command)
        said, _ = process.communicate()
        return process.returncode, said


@pytest.fixture
def clone(tmp_path, project_files):
    """A fresh copy, in a folder with a letter that ASCII lacks and with a space."""
    return Clone(tmp_path / "Bücher neu", project_files)
