"""What was evaluated before is found again under the very same conditions, and no others."""

import json
import os
import subprocess
import sys

import pytest
from pandas.testing import assert_frame_equal

from reproduction import datasets
from reproduction.engine import check_and_seal, recompute, run, save, units
from reproduction.engine.declaration import Unit
from reproduction.engine.units import Outcome, Units, circumstances
from reproduction.paths import memory_dir

pytestmark = pytest.mark.usefixtures("checkout")

SOURCE = """
from pathlib import Path

def evaluate(data, method, setting, split):
    with Path({calls!r}).open("a") as file:
        file.write(f"{{method}} {{setting}} {{split}}\\n")
    return {{"error": {expression}, "score": 1 / 3}}
"""


@pytest.fixture
def declare(toy, calls, tmp_path):
    """Function that declares an experiment whose `evaluate` is read from a file."""
    path = tmp_path / "model.py"

    def declare(expression="split + data[1]", **changes):
        text = SOURCE.format(calls=str(calls.evaluations), expression=expression)
        path.write_text(text)
        scope = {}
        exec(compile(text, path, "exec"), scope)
        return toy(evaluate=scope["evaluate"], **changes)

    return declare


@pytest.fixture
def stored(declare, calls):
    """The experiment with its table, and nothing remembered of it."""
    experiment = declare()
    save(experiment, run(experiment, n_jobs=1, progress=False))
    calls.evaluations.unlink()
    calls.loads.unlink()
    return experiment


def check(experiment, units=None):
    return recompute(experiment, units, n_jobs=1, progress=False)


def test_a_unit_is_evaluated_once(stored, calls):
    first = check(stored)
    assert len(calls.evaluated()) == len(stored.check_slice()) == 6
    assert_frame_equal(check(stored), first)
    assert_frame_equal(
        check(stored, stored.units(settings=["20"], splits=[0])),
        first.query("setting == '20'").reset_index(drop=True),
    )
    assert len(calls.evaluated()) == 6
    assert calls.n_loads() == 1, "data are not loaded for nothing"


def test_units_are_remembered_one_by_one_whatever_the_grid(stored, declare, calls):
    check(stored, stored.units(settings=["20"]))
    less = declare(settings=("20", "100"), n_splits=2)
    check(less, less.units(splits=[0]))
    assert sorted(calls.evaluated()[6:]) == ["forest 100 0", "ridge 100 0"]


@pytest.mark.parametrize(
    "changes",
    [
        {"expression": "data[1] + split"},
        {"parameters": {"alpha": 0.25, "sizes": [10, 20]}},
        {"load": lambda: [0.0, 1.0]},
        {"id": "other"},
    ],
    ids=["code", "parameters", "load", "experiment"],
)
def test_another_declaration_is_evaluated(stored, declare, calls, changes):
    check(stored)
    other = declare(**changes)
    save(other, run(stored, n_jobs=1, progress=False))
    before = len(calls.evaluated())
    check(other)
    assert len(calls.evaluated()) == before + 6


def test_other_data_are_evaluated(declare, calls, monkeypatch):
    monkeypatch.setattr(datasets, "checksums", lambda name: {"y": "1"})
    experiment = declare(datasets=("gold",))
    save(experiment, run(experiment, n_jobs=1, progress=False))
    check(experiment)
    monkeypatch.setattr(datasets, "checksums", lambda name: {"y": "2"})
    check(experiment)
    assert len(calls.evaluated()) == 18 + 2 * 6


@pytest.mark.parametrize("name", sorted(circumstances()))
def test_other_circumstances_are_evaluated(stored, calls, monkeypatch, name):
    check(stored)
    other = circumstances() | {name: "another"}
    monkeypatch.setattr(units, "circumstances", lambda: other)
    check(stored)
    assert len(calls.evaluated()) == 2 * 6


def test_circumstances_name_what_the_last_digit_hangs_on():
    said = circumstances()
    assert {"numpy", "scipy", "scikit-learn"} <= {line.split()[0] for line in said["packages"]}
    assert all(kernel for *_, kernel in said["blas"])
    assert said["blas"]
    assert {"baseline", "found"} <= set(said["features"])


def test_what_the_present_code_did_not_write_is_forgotten(stored, declare):
    check(stored)
    path = Units(stored, memory_dir()).path
    check(declare("1 * split + data[1]"))
    assert not path.exists()
    assert len(list(path.parent.iterdir())) == 1


@pytest.mark.parametrize("changed", [("1", "2"), ('"unit"', '"uni'), ("error", "eror")])
def test_a_line_that_is_not_what_was_written_is_evaluated_again(stored, calls, changed, capsys):
    first = check(stored)
    path = Units(stored, memory_dir()).path
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], lines[-1].replace(*changed)]))
    assert_frame_equal(check(stored), first)
    assert len(calls.evaluated()) == 6 + 1
    assert f"{path}: 1 of 6 lines are damaged" in capsys.readouterr().err
    assert_frame_equal(check(stored), first)
    assert capsys.readouterr().err == "", "nothing is damaged any more"


def test_a_remembered_unit_is_evaluated_again_before_code_is_blamed(stored, calls, capsys):
    """Altered with its checksum, so that only the stored table tells."""
    first = check(stored)
    path = Units(stored, memory_dir()).path
    *lines, last = path.read_text().splitlines()
    text = last.partition(" ")[2].replace('"error": ', '"error": 7')
    path.write_text("\n".join([*lines, f"{units._checksum(text)} {text}"]))
    assert_frame_equal(check(stored), first)
    assert len(calls.evaluated()) == 2 * 6
    assert f"{path} was damaged" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_units_that_cannot_be_kept_are_an_error_that_names_their_file(toy, tmp_path):
    kept = Units(toy(), tmp_path)
    kept.path.parent.mkdir()
    kept.path.symlink_to("/dev/full")
    with pytest.raises(OSError, match=rf"No space left on device: '{kept.path}'"):
        kept.append(Unit("ridge", "10", 0), Outcome({"error": 0.5}, 0.5))


def test_a_table_is_sealed_with_what_was_computed(stored, calls):
    check(stored)
    assert check_and_seal(stored, n_jobs=1, progress=False).empty
    assert len(calls.evaluated()) == 2 * 6


def test_a_wrong_value_is_found_each_time_and_no_file_blamed(stored, declare, calls, capsys):
    wrong = declare("split + data[1] + (method == 'ridge')")
    for times in (1, 2):
        assert (check(wrong)["excess"] > 1).sum() == 3
        assert len(calls.evaluated()) == 6 * times
    assert capsys.readouterr().err == ""


def test_features_that_are_switched_off_are_other_circumstances():
    here = circumstances()
    off = {"NPY_DISABLE_CPU_FEATURES": " ".join(here["features"]["found"])}
    off["OPENBLAS_CORETYPE"] = "Prescott"
    said = subprocess.run(
        [sys.executable, "-c", "from reproduction.engine.units import circumstances as c\n"
         "import json; print(json.dumps(c()))"],
        env=os.environ | off, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    there = json.loads(said)
    assert there["features"].get("found", []) == []
    assert there["blas"] != here["blas"]
    assert there["packages"] == here["packages"]


@pytest.mark.parametrize("n_characters", [1, 10, -1])
def test_torn_line_is_dropped(toy, tmp_path, n_characters):
    kept = Units(toy(), tmp_path)
    given = [Unit("ridge", "10", 0), Unit("ridge", "10", 1), Unit("ridge", "20", 0)]
    outcomes = [Outcome({"error": 0.1 * k, "score": 1 / 3}, 0.5) for k in range(3)]
    kept.append(given[0], outcomes[0])
    complete = kept.path.read_text()
    kept.append(given[1], outcomes[1])
    torn = kept.path.read_text()[len(complete) :][:n_characters]
    kept.path.write_text(complete + torn)

    assert kept.read() == {given[0]: outcomes[0]}
    kept.append(given[2], outcomes[2])
    assert kept.read() == {given[0]: outcomes[0], given[2]: outcomes[2]}


def test_kept_file_that_is_not_there(toy, tmp_path):
    kept = Units(toy(), tmp_path)
    assert kept.read() == {}
    kept.remove()
    assert list(tmp_path.iterdir()) == []
