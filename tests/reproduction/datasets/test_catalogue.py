"""The catalogue: declarations are found by looking, and asked without loading."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import reproduction
from reproduction.datasets import (
    DataUnavailableError,
    checksums,
    dataset_info,
    is_available,
    list_datasets,
    unavailable_reason,
    upstream_files,
)
from reproduction.datasets.tables.nci60 import NCI60, fetch_nci60


def test_names_are_sorted_and_a_copy():
    names = list_datasets()
    assert names == sorted(set(names))
    list_datasets().clear()
    assert list_datasets() == names


def test_info_is_the_declaration():
    assert dataset_info("nci60") is NCI60


def test_checksums_are_pinned_and_a_copy():
    first = checksums("nci60")
    assert all(len(value) == 64 and int(value, 16) >= 0 for value in first.values())
    first.clear()
    assert "Y" in checksums("nci60")


def test_upstream_files_are_a_copy():
    upstream_files("nci60").clear()
    assert len(upstream_files("nci60")) == 6


@pytest.mark.parametrize(
    "ask", [checksums, dataset_info, is_available, unavailable_reason, upstream_files]
)
def test_unknown_name(ask):
    with pytest.raises(ValueError, match=r"name must be one of .*'nci60'.*; got 'nci61'"):
        ask("nci61")


def test_reason_is_the_loader_s_error(tmp_path):
    with pytest.raises(DataUnavailableError) as caught:
        fetch_nci60(data_home=tmp_path, download_if_missing=False)
    assert unavailable_reason("nci60", data_home=tmp_path) == str(caught.value)
    assert not is_available("nci60", data_home=tmp_path)


def test_asking_never_downloads(tmp_path, monkeypatch):
    monkeypatch.setattr("pooch.retrieve", pytest.fail)
    assert not is_available("nci60", data_home=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_is_downloaded_on_request(tmp_path, monkeypatch):
    def refuse(url, **options):
        raise OSError(f"refused: {url}")

    monkeypatch.setattr("pooch.retrieve", refuse)
    reason = unavailable_reason("nci60", data_home=tmp_path, download=True)
    assert "activity_processed was not downloaded (OSError: refused)" in reason


SCRIPT = """
import sys
from reproduction.datasets.tables.mtr import fetch_mtr
modules = {name for name in sys.modules if name.startswith("reproduction.datasets.")}
print(*sorted(name for name in modules if name.count(".") == 3))
from reproduction.datasets import list_datasets
print(*list_datasets())
"""


def list_with_a_copy(folder, name):
    """Import one data set and list all, in a copy of the package with one more, called `name`."""
    package = Path(reproduction.__file__).parent
    shutil.copytree(package, folder / "reproduction")
    room = folder / "reproduction" / "datasets" / "new"
    room.mkdir()
    (room / "__init__.py").touch()
    source = (package / "datasets" / "graphs" / "cora.py").read_text()
    (room / "copy.py").write_text(source.replace('name="cora"', f'name="{name}"'))
    return subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=folder, capture_output=True, text=True
    )


def test_a_file_put_into_a_folder_is_found_but_not_imported_by_another(tmp_path):
    imported, listed = list_with_a_copy(tmp_path, "aaa").stdout.splitlines()
    assert imported == "reproduction.datasets.tables.mtr"
    assert listed.split() == ["aaa", *list_datasets()]


def test_two_data_sets_of_one_name(tmp_path):
    run = list_with_a_copy(tmp_path, "nci60")
    assert "ValueError: names of data sets must differ; got 'nci60' twice." in run.stderr
