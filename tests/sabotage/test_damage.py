"""Data or results are damaged, and whoever reads them next is told what to do."""

import shutil

import pytest

from reproduction.datasets import DamagedDataError
from reproduction.datasets.tables.nci60 import fetch_nci60
from reproduction.engine import StaleResultsError, get_experiment, results, why_stale
from reproduction.paths import CHECKOUT, results_dir

TABLE = "ofer-table-09"
BOOK = results_dir()


def flip(path):
    """A bit of the byte in the middle."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut(path):
    """The second half."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def remove(path):
    path.unlink()


def type_over(path):
    """The last digit of a row."""
    lines = path.read_text("utf-8").splitlines()
    lines[10] = lines[10][:-1] + ("1" if lines[10][-1] == "7" else "7")
    path.write_text("\n".join([*lines, ""]), "utf-8")


@pytest.mark.parametrize("damage", [flip, cut])
def test_damaged_data(damage, tmp_path, monkeypatch):
    path = tmp_path / "Bücher neu/data/nci60/nci60.npz"
    path.parent.mkdir(parents=True)
    shutil.copy(CHECKOUT / "data/nci60/nci60.npz", path)
    monkeypatch.setattr("reproduction.paths.CHECKOUT", tmp_path / "Bücher neu")
    monkeypatch.delenv("OFER_DATA", raising=False)
    fetch_nci60()
    damage(path)
    with pytest.raises(
        DamagedDataError, match=r"nci60\.npz is damaged.*git checkout -- data/nci60"
    ):
        fetch_nci60()


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Folder with a copy of a stored table, from which it is read."""
    for kind in ("csv", "groups.csv", "json"):
        shutil.copy(BOOK / f"{TABLE}.{kind}", tmp_path)
    monkeypatch.setenv("OFER_RESULTS", str(tmp_path))
    assert why_stale(get_experiment(TABLE)) is None
    return tmp_path


@pytest.mark.parametrize(
    ("damage", "kind", "reason"),
    [
        (type_over, "csv", f"{TABLE}.csv is not the table that was stored"),
        (flip, "csv", f"{TABLE}.csv is not the table that was stored"),
        (cut, "csv", f"{TABLE}.csv is not the table that was stored"),
        (remove, "csv", "missing"),
        (flip, "groups.csv", f"{TABLE}.groups.csv is not the table that was stored"),
        (remove, "groups.csv", "missing"),
        (cut, "json", f"{TABLE}.json is damaged"),
        (remove, "json", "missing"),
    ],
)
def test_damaged_results(stored, damage, kind, reason):
    damage(stored / f"{TABLE}.{kind}")
    assert why_stale(get_experiment(TABLE)) == reason
    with pytest.raises(StaleResultsError, match=f"{reason}.*make results ID={TABLE}"):
        results(TABLE)


def test_the_sidecar_of_another_table(stored):
    shutil.copy(BOOK / "ofer-table-10.json", stored / f"{TABLE}.json")
    assert why_stale(get_experiment(TABLE)) is not None
