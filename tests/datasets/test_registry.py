import re

import pytest

import ofer.datasets
from ofer.datasets import (
    DataUnavailableError,
    checksums,
    dataset_info,
    fetch_nci60,
    is_available,
    list_datasets,
    unavailable_reason,
    upstream_files,
)


@pytest.mark.parametrize("name", list_datasets())
def test_dataset_info(name):
    info = dataset_info(name)
    assert info.name == name
    assert info.fidelity in {"faithful", "substitute"}
    assert all(info)


@pytest.mark.parametrize("name", list_datasets())
def test_source_names_the_upstream_repositories(name):
    for file in upstream_files(name):
        repository = re.match(r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/", file.url)[1]
        assert repository in dataset_info(name).source


@pytest.mark.parametrize("name", list_datasets())
def test_loaders_that_a_description_names_exist(name):
    for loader in re.findall(r"\b(?:fetch|load)_\w+", " ".join(dataset_info(name))):
        assert loader in ofer.datasets.__all__


@pytest.mark.parametrize("name", list_datasets())
def test_empty_folder_is_the_one_error(name, tmp_path, monkeypatch):
    monkeypatch.setattr("pooch.retrieve", pytest.fail)
    reason = unavailable_reason(name, data_home=tmp_path)
    assert reason.startswith(f"{name}: ")
    assert "OFER_DATA" in reason
    assert list(tmp_path.iterdir()) == []


def test_names_are_a_copy():
    list_datasets().clear()
    assert "nci60" in list_datasets()


def test_checksums_are_pinned_and_a_copy():
    first = checksums("nci60")
    assert all(len(value) == 64 and int(value, 16) >= 0 for value in first.values())
    first.clear()
    assert "Y" in checksums("nci60")


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
        raise OSError(f"asked for {url}")

    monkeypatch.setattr("pooch.retrieve", refuse)
    reason = unavailable_reason("nci60", data_home=tmp_path, download=True)
    assert "asked for https://" in reason


def test_options_are_the_loader_s(tmp_path):
    with pytest.raises(ValueError, match="subset must be one of"):
        is_available("nci60", data_home=tmp_path, subset="some")
