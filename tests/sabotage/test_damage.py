"""A copy of the project is damaged, and the command that a user would run next says so.

``make sabotage`` runs these tests: each takes seconds, all of them minutes.
"""

import base64
import hashlib
import io
import json
import re

import nbformat
import pytest
from PIL import Image, ImageOps

pytestmark = pytest.mark.sabotage

CHAPTER = "01_introduction"  # reads no table and no data of its own
PYTEST = ".venv/bin/python -m pytest -q -p no:cacheprovider"
COMPARE = ".venv/bin/python -m reproduction.pipeline.compare"


def flip(name):
    """A bit of the byte in the middle of a file."""

    def damage(clone):
        path = clone / name
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)

    return damage


def cut(name):
    """The second half of a file."""

    def damage(clone):
        path = clone / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    return damage


def remove(name):
    return lambda clone: (clone / name).unlink()


def replace(name, pattern, to):
    """The first place in a text that matches."""

    def damage(clone):
        path = clone / name
        text, n = re.subn(pattern, to, path.read_text("utf-8"), count=1)
        assert n == 1
        path.write_text(text, "utf-8")

    return damage


def alter(id, metric):
    """The last value of a column of a stored table, by one per cent, and its checksum."""

    def damage(clone):
        table, sidecar = (clone / f"book/results/{id}.{kind}" for kind in ("csv", "json"))
        lines = table.read_text("utf-8").splitlines()
        at = max(i for i, s in enumerate(lines) if f",{metric}," in s and not s.endswith(",0"))
        head, _, value = lines[at].rpartition(",")
        lines[at] = f"{head},{float(value) * 1.01:.10g}"
        text = "\n".join([*lines, ""])
        table.write_text(text, "utf-8", newline="\n")
        told = json.loads(sidecar.read_text("utf-8"))
        told["table"] = hashlib.sha256(text.encode()).hexdigest()
        sidecar.write_text(json.dumps(told, indent=1), "utf-8")

    return damage


def outputs(change):
    """The outputs of the stored notebook, one after another until one has changed."""

    def damage(clone):
        path = clone / f"book/{CHAPTER}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        cells = (cell for cell in notebook.cells if cell.get("outputs"))
        assert any(change(cell) for cell in cells)
        nbformat.write(notebook, path)

    return damage


def mirror(cell):
    for output in cell.outputs:
        if png := output.get("data", {}).get("image/png"):
            picture = ImageOps.mirror(Image.open(io.BytesIO(base64.b64decode(png))))
            picture.save(file := io.BytesIO(), "png")
            output.data["image/png"] = base64.b64encode(file.getvalue()).decode()
            return True
    return False


def another_digit(cell):
    for output in cell.outputs:
        if first := re.search(r"\d", output.get("text", "")):
            output.text = output.text.replace(first.group(), str(9 - int(first.group())), 1)
            return True
    return False


def no_output(cell):
    cell.outputs = []
    return True


NCI60, USPS = "data/nci60/nci60.npz", "data/usps/usps.npz"
DRUGS, TABLE = "06_4_2_drug_activity", "book/results/ofer-table-09"
RESULTS = f"{PYTEST} tests/reproduction/engine/test_results.py -m 'not recomputes'"
SUMS = f"{PYTEST} tests/reproduction/pipeline/test_sums.py"
STALE = ".venv/bin/doit -f reproduction/pipeline/dodo.py stale_results"

# What is done to the copy, the command, and what it says before it ends with an error.
DAMAGES = {
    "a bit of the data, executed": (
        flip(NCI60), f"make chapter NAME={DRUGS}", r"nci60\.npz is damaged.*git checkout -- data"),
    "a bit of the data, compared": (flip(NCI60), f"{COMPARE} {DRUGS}", r"nci60\.npz is damaged"),
    "a bit of the data, verified": (flip(NCI60), "make data VERIFY=1", r"nci60\.npz is damaged"),
    "a bit of the data, tried": (
        flip(USPS), "make chapter NAME=10_2_smtgp_experiments PARAMS=profile=quick",
        r"usps\.npz is damaged"),
    "half of the data": (
        cut(USPS), "make chapter NAME=10_2_smtgp_experiments", r"usps\.npz is damaged"),
    "a stored row": (
        replace(f"{TABLE}.csv", r"\d\n", "7\n"), RESULTS, r"ofer-table-09\.csv is not the table"),
    "a stored row, built": (
        replace(f"{TABLE}.csv", r"\d\n", "7\n"), STALE, r"ofer-table-09\.csv is not the table"),
    "half of a table": (cut(f"{TABLE}.csv"), STALE, r"ofer-table-09\.csv is not the table"),
    "no table": (remove(f"{TABLE}.csv"), STALE, "ofer-table-09: missing"),
    "half of a sidecar": (cut(f"{TABLE}.json"), STALE, r"ofer-table-09\.json is damaged"),
    "half of a sidecar, executed": (
        cut(f"{TABLE}.json"), f"make chapter NAME={DRUGS}", r"ofer-table-09\.json is damaged"),
    "no sidecar": (remove(f"{TABLE}.json"), STALE, "ofer-table-09: missing"),
    "a count, with its checksum": (
        alter("ofer-table-09", "n_components"), RESULTS, "n_components must be a number that"),
    "a test size, with its checksum": (
        alter("ofer-table-16", "n_test"), RESULTS, "n_test must be a number of samples"),
    "a coverage, with its checksum": (
        alter("ofer-coverage", "coverage 0.9"), RESULTS, "coverage 0.9 must be a share of"),
    "a share of test samples, with its checksum": (
        alter("fkl-table-03", "SVM"), RESULTS, "SVM must be a share of"),
    "a parameter, in the code": (
        replace("reproduction/papers/ofer/drug_activity.py", '"n_folds": 5', '"n_folds": 6'), STALE,
        "ofer-table-09: (parameters|code) changed"),
    "a printed number": (
        replace("book/paper/ofer-table-09.csv", r"0\.2", "0.3"), SUMS, r"paper/ofer-table-09\.csv"),
    "half of a printed table": (
        cut("book/paper/ofer-table-10.csv"), SUMS, r"paper/ofer-table-10\.csv"),
    "a stored time": (replace("book/times.csv", r",(\d+),", r",9\1,"), SUMS, r"times\.csv"),
    "a stored speed": (replace("book/benchmarks.csv", "yes", ""), SUMS, r"benchmarks\.csv"),
    "a count of robust cases": (
        replace("book/robustness.csv", r"\d,", "9,"),
        f"{PYTEST} tests/book/test_robustness.py", "robustness"),
    "a picture": (outputs(mirror), f"{COMPARE} {CHAPTER}", r"See \.cache/pictures/01_intro.*png"),
    "a printed digit": (outputs(another_digit), f"{COMPARE} {CHAPTER}", "mismatch"),
    "an output": (outputs(no_output), f"{COMPARE} {CHAPTER}", "Unexpected output fields"),
    "half of a notebook": (
        cut(f"book/{CHAPTER}.ipynb"), f"{COMPARE} {CHAPTER}", rf"{CHAPTER}\.ipynb is damaged"),
    "a sentence of a notebook": (
        replace(f"book/{CHAPTER}.ipynb", "the ", "no "),
        f"{PYTEST} tests/book/test_chapters.py -k source_executed", "run make book"),
    "the ledger": (
        replace("book/claims.yml", r"\n  ", "\n :"),
        f"{PYTEST} tests/reproduction/claims/test_ledger.py", r"claims\.yml"),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGES)
def test_what_was_damaged_is_named(clone, what):
    damage, command, said = DAMAGES[what]
    damage(clone)
    status, text = clone.run(command)
    assert status != 0, text
    assert re.search(said, text), text
