"""The page on a companion for another paper works, step by step, as it is printed."""

import os
import re
import shutil
import subprocess
import sysconfig

import nbformat
import pytest

from reproduction.paths import CHECKOUT as ROOT
from tests.book.conftest import BOOK

PAGE = (BOOK / "your_own_paper.md").read_text()
FILES = re.findall(r"```\{code-block\} \w+\n:caption: (\S+)\n(.*?)\n```", PAGE, re.DOTALL)
REMOVE, RUN = re.findall(r"```sh\n(.*?)\n```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def companion(project_files, tmp_path_factory):
    """A copy of the project that holds the toy paper instead of ours."""
    copy = tmp_path_factory.mktemp("companion")
    for path in project_files:
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    subprocess.run(["sh", "-ec", REMOVE], cwd=copy, check=True)
    for name, text in FILES:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text + "\n")
    return copy


def test_the_companion_becomes_pages_with_its_table_and_its_verdict(companion):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OFER_")}
    environment["PYTHONPATH"] = str(companion)
    environment["LOKY_MAX_CPU_COUNT"] = "1"  # a pool of processes takes longer than the experiment
    # Make would set up an environment of the companion's own; this one's is as good.
    ready = ["-o", ".venv/.ready", f"BIN={sysconfig.get_path('scripts')}"]
    for command in RUN.splitlines():
        make, *arguments = command.split()
        done = subprocess.run(
            [make, *ready, *arguments],
            cwd=companion,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert (companion / "book/results/toy-table-01.json").exists()
    cells = nbformat.read(companion / "book/1_few_samples.ipynb", as_version=4).cells
    page = (companion / "_build/html/1_few_samples.html").read_text(encoding="utf-8")
    for shown in (cells[-1].outputs[0]["data"]["text/html"], page):
        assert any(outcome in shown for outcome in ("holds", "undecided", "does not hold"))


def test_nothing_of_our_papers_is_left(companion):
    studies = {path.parent.name for path in (companion / "reproduction/studies").glob("*/*")}
    assert studies - {"__pycache__"} == {"few_samples"}
    assert [path.name for path in (companion / "notebooks").iterdir()] == ["1_few_samples.py"]
