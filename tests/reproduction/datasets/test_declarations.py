"""Every data set is as it is declared."""

import pytest
from scipy import sparse

from reproduction.datasets import (
    DataUnavailableError,
    checksums,
    dataset_info,
    list_datasets,
    unavailable_reason,
    upstream_files,
)
from reproduction.paths import CHECKOUT

every_data_set = pytest.mark.parametrize("name", list_datasets())


@every_data_set
def test_everything_is_said(name):
    dataset = dataset_info(name)
    text = dataset.describe()
    for part in ("title", "details", "size", "paper", "source", "licence", "citation", "notes"):
        assert getattr(dataset, part).strip() in text
    assert dataset.title
    assert dataset.licence
    assert dataset.conversion
    assert dataset.fidelity in {"faithful", "substitute"}
    assert (dataset.convert is None) == (not dataset.upstream)
    for field, declared in dataset.fields.items():
        assert f"    {field} (" in text
        assert declared.text in text


@every_data_set
def test_missing_data_are_one_line_that_says_what_to_do(name, tmp_path, monkeypatch):
    monkeypatch.setattr("pooch.retrieve", pytest.fail)
    dataset = dataset_info(name)
    with pytest.raises(DataUnavailableError) as caught:
        dataset.fetch(data_home=tmp_path, download_if_missing=False)
    if dataset.upstream:
        expected = f"{name} is missing: `make data` downloads it."
    else:
        expected = (
            f"{name} is missing, and cannot be made from a download: put {dataset.prepared} into "
            "the folder OFER_DATA. See the page Data."
        )
    assert str(caught.value) == expected
    assert unavailable_reason(name, data_home=tmp_path) == expected
    assert list(tmp_path.iterdir()) == []


@every_data_set
def test_data_have_the_pinned_checksums_and_the_declared_shapes(name):
    dataset = dataset_info(name)
    home = None if dataset.kept_out else CHECKOUT / "data"
    if dataset.kept_out and dataset.prepared_file() is None:
        pytest.skip(f"{name} is not in the checkout")
    data = dataset.fetch(data_home=home, download_if_missing=False)  # compares the checksums
    assert list(data) == [*dataset.fields, "DESCR", "checksums"]
    assert data.checksums == dataset.checksums
    for key, field in dataset.fields.items():
        check(data[key], field)


def check(value, field):
    """Assert that a value is as its field says."""
    if field.kind == "list":
        assert type(value) is list
        assert len(value) == field.shape[0]
        for item in value:
            if hasattr(item, "shape"):
                pairs = zip(item.shape, field.shape[1:], strict=True)
                assert all(declared in (None, found) for found, declared in pairs)
                check_dtype(item.dtype, field)
        return
    assert value.shape == field.shape
    assert sparse.issparse(value) == (field.kind == "csr")
    if field.kind != "table":
        check_dtype(value.dtype, field)


def check_dtype(dtype, field):
    assert dtype.kind == "U" if field.dtype == "str" else dtype == field.dtype


@pytest.mark.parametrize("ask", [checksums, dataset_info, unavailable_reason, upstream_files])
def test_unknown_name(ask):
    with pytest.raises(ValueError, match=r"name must be one of .*'nci60'.*; got 'nci61'"):
        ask("nci61")
