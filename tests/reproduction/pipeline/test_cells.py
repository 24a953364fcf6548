"""Cells are compared with what is stored, and the line that says so is true."""

import json
import shutil
import subprocess
import sys

import pytest

from reproduction.paths import CHECKOUT
from reproduction.pipeline import execute

NAME = "01_introduction"  # which needs no data
PROGRAM = f"""
import pathlib, sys
from reproduction.pipeline import cells
cells.BOOK = pathlib.Path(sys.argv[1])
sys.exit(cells.main({NAME!r}, *sys.argv[2:]))
"""


@pytest.fixture
def book(tmp_path):
    """A book with one executed chapter, and nbval's settings of the real one."""
    folder = tmp_path / "book"
    folder.mkdir()
    shutil.copy(CHECKOUT / "book" / "conftest.py", folder)
    source = tmp_path / f"{NAME}.py"
    source.write_text("# %%\nn = 1 + 1\n\n# %%\nprint(n)\n")
    execute.execute(source, folder / f"{NAME}.ipynb")
    return folder


def compared(book, *tables):
    """What comparing the chapter's cells says, in a process of its own as in the build."""
    command = [sys.executable, "-c", PROGRAM, book, *tables]
    return subprocess.run(command, capture_output=True, text=True)


def test_equal_cells_are_counted(book):
    done = compared(book)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{NAME}: 2 passed in ")


def test_a_cell_that_differs_is_shown(book):
    path = book / f"{NAME}.ipynb"
    stored = json.loads(path.read_text())
    stored["cells"][1]["outputs"][0]["text"] = ["3\n"]
    path.write_text(json.dumps(stored))
    done = compared(book)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{NAME}: 1 passed, 1 failed in ")
    assert "print(n)" in done.stdout


def test_on_another_machine_the_signs_of_eigenvectors_are_others(book, tmp_path):
    """Whole decompositions are right, and only what hangs on a sign differs."""
    source = tmp_path / f"{NAME}.py"
    source.write_text("""\
# %%
before = {*dir()}
import numpy as np
from scipy import linalg
A, B = np.diag([3.0, 2.0, 1.0]), np.arange(6.0).reshape(2, 3)

# %%
for library in (np.linalg, linalg):
    w, V = library.eigh(A)
    print(np.abs((V * w) @ V.T - A).max() < 1e-12, w)
    for full in (True, False):
        U, s, Vt = library.svd(B, full_matrices=full)
        print(np.abs((U * s) @ Vt[:2] - B).max() < 1e-12, s.round(3))
    print(library.svd(B, compute_uv=False).round(3))
print({"numpy", "scipy", "give_other_signs"} & before)

# %%
print(np.linalg.eigh(A)[1].sum())

# %%
print(linalg.svd(B)[0][0, 0] > 0)
""")
    execute.execute(source, book / f"{NAME}.ipynb")
    assert compared(book).returncode == 0
    done = compared(book, tmp_path)
    assert done.stdout.startswith(f"{NAME}: 2 passed, 2 failed in "), done.stdout


def test_a_skipped_cell_gives_its_reason(book):
    with (book / "conftest.py").open("a") as file:
        file.write("\n\ndef missing_data(source):\n    return {'gold': 'no gold here'}\n")
        file.write("\n\ndef obstacle(source, missing):\n    return missing['gold']\n")
    done = compared(book)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{NAME}: 2 skipped in ")
    assert done.stdout.endswith(f"{NAME}: 2 cells skipped. no gold here\n")


def test_one_stale_table_is_one_failure(book):
    path = book / f"{NAME}.ipynb"
    stored = json.loads(path.read_text())
    stored["cells"][0]["source"] = [
        "from reproduction.engine import StaleResultsError\n",
        "raise StaleResultsError('toy is stale. Run this.')",
    ]
    path.write_text(json.dumps(stored))
    done = compared(book)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{NAME}: 1 failed, 1 skipped in ")
    assert f"\n{NAME}: 1 cells skipped. toy is stale. Run this.\n" in done.stdout
