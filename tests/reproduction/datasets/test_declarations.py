"""Every data set is as it is declared: one test of all, and what they have in common."""

import ast
import hashlib
import importlib
import pkgutil
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import ofer.datasets
import reproduction.datasets
from reproduction.datasets import Dataset, Field, dataset_info, list_datasets

MODULES = [
    module.name
    for module in pkgutil.walk_packages(reproduction.datasets.__path__, "reproduction.datasets.")
    if not module.ispkg and module.name.count(".") == 3
]


# What is declared


@pytest.mark.parametrize("name", list_datasets())
def test_everything_is_said(name):
    dataset = dataset_info(name)
    parts = ("title", "details", "size", "paper", "source", "licence", "citation", "notes")
    for part in (*parts, "spdx", "conversion"):
        assert getattr(dataset, part).strip()
    assert dataset.fidelity in {"faithful", "substitute"}
    assert dataset.fields
    assert (dataset.convert is None) == (not dataset.upstream)


@pytest.mark.parametrize("name", list_datasets())
def test_description_holds_every_part(name):
    dataset = dataset_info(name)
    text = dataset.describe()
    for part in ("title", "licence", "fidelity", "size", "source", "citation", "notes", "paper"):
        assert getattr(dataset, part) in text
    assert dataset.details.strip() in text
    for field, declared in dataset.fields.items():
        assert f"    {field} (" in text
        assert declared.text in text
    assert dataset.__doc__ == text


@pytest.mark.parametrize("name", list_datasets())
def test_source_names_the_upstream_repositories(name):
    dataset = dataset_info(name)
    for file in dataset.upstream:
        repository = re.match(
            r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/[0-9a-f]{40}/", file.url
        )[1]
        assert repository in dataset.source


def test_functions_that_descriptions_name_exist():
    exported = {name for m in MODULES for name in importlib.import_module(m).__all__}
    exported |= set(ofer.datasets.__all__)
    for name in list_datasets():
        named = re.findall(r"\b(?:fetch|load|class)_\w+", dataset_info(name).describe())
        assert {n for n in named if n not in dataset_info(name).fields} <= exported | {
            "class_texts"  # a data set
        }


@pytest.mark.parametrize("name", MODULES)
def test_every_declaration_of_a_module_is_listed_and_has_a_loader(name):
    module = importlib.import_module(name)
    values = list(vars(module).values())
    values += [one for value in values if isinstance(value, dict) for one in value.values()]
    listed = vars(module).get("DATASETS", ())
    assert {id(value) for value in values if isinstance(value, Dataset)} == set(map(id, listed))
    functions = [n for n in module.__all__ if n.startswith(("fetch_", "load_", "make_", "class_"))]
    assert functions
    assert not listed or f"fetch_{name.rpartition('.')[2]}" in functions


def test_rooms_are_small_and_documented():
    folder = Path(reproduction.datasets.__file__).parent
    for room in [folder, *filter(Path.is_dir, folder.iterdir())]:
        if room.name != "__pycache__":
            assert len(list(room.glob("*.py"))) <= 20
            assert ast.get_docstring(ast.parse((room / "__init__.py").read_text()))


# What is done with a declaration


def test_fetch_casts_renames_and_assembles(tiny):
    numbers = tiny.dataset.fetch(data_home=tiny.home)
    assert list(numbers) == ["sums", "integers", "b", "DESCR", "checksums"]
    np.testing.assert_array_equal(numbers.sums, [6.0, 9.0])
    np.testing.assert_array_equal(numbers.integers, np.array([1, 2, 3], np.int64), strict=True)
    np.testing.assert_array_equal(numbers.b, [4.0, 5.0])
    assert tiny.dataset.describe() == numbers.DESCR
    assert numbers.checksums == tiny.dataset.checksums
    numbers.checksums.clear()
    assert tiny.dataset.checksums


def test_options_are_those_of_the_assembly(tiny):
    numbers = tiny.dataset.fetch(data_home=tiny.home, factor=2.0)
    np.testing.assert_array_equal(numbers.sums, [12.0, 18.0])
    with pytest.raises(TypeError, match="unexpected keyword argument 'facto'"):
        tiny.dataset.fetch(data_home=tiny.home, facto=2.0)


def test_declaration_cannot_be_changed(tiny):
    with pytest.raises(AttributeError, match="cannot assign to field 'name'"):
        tiny.dataset.name = "big"


def test_line_of_a_field():
    field = Field("float64", (5, None, 3), "speed in m/s", kind="list")
    assert field.describe("v") == "    v (list of float64, 5 x ? x 3): speed in m/s"


# Missing and real files


@pytest.mark.parametrize("name", list_datasets())
def test_empty_folder_is_the_one_error_in_one_line(name, tmp_path, monkeypatch):
    monkeypatch.setattr("pooch.retrieve", pytest.fail)
    monkeypatch.setitem(sys.modules, "h5py", SimpleNamespace(File=None))  # wanted before the file
    with pytest.raises(
        reproduction.datasets.DataUnavailableError, match=rf"^{name}(:| is missing)"
    ) as caught:
        dataset_info(name).fetch(data_home=tmp_path, download_if_missing=False)
    assert "\n" not in str(caught.value)
    assert dataset_info(name).unavailable_reason(data_home=tmp_path) == str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", list_datasets())
def test_missing_data_say_what_to_do(name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", SimpleNamespace(File=None))
    dataset = dataset_info(name)
    reason = dataset.unavailable_reason(data_home=tmp_path)
    if dataset.upstream:
        assert reason == f"{name} is missing: `make data` downloads it."
    else:
        assert f"put {dataset.prepared} into the folder OFER_DATA. See the page Data" in reason


def check(value, field):
    """Assert that a value is as its field says."""
    if field.kind == "list":
        assert type(value) is list
        assert len(value) == field.shape[0]
        for item in value[:50] + value[-50:]:
            check_item(item, field)
        return
    assert value.shape == field.shape
    if field.kind == "table":
        assert isinstance(value, pd.DataFrame)
        assert {type(cell) for column in value for cell in value[column]} == {str}
        return
    assert sparse.issparse(value) if field.kind == "csr" else type(value) is np.ndarray
    check_dtype(value.dtype, field)


def check_item(item, field):
    if isinstance(item, str):
        assert (field.dtype, field.shape[1:]) == ("str", ())
    elif isinstance(item, tuple):  # of arrays
        assert (len(item),) == field.shape[1:]
        for part in item:
            check_dtype(part.dtype, field)
    elif isinstance(item, list):
        assert (field.dtype, field.shape[1:]) == ("str", (None,))
        assert all(isinstance(word, str) for word in item)
    else:
        assert len(item.shape) == len(field.shape) - 1
        lengths = zip(item.shape, field.shape[1:], strict=True)
        assert all(declared in (None, found) for found, declared in lengths)
        check_dtype(item.dtype, field)


def check_dtype(dtype, field):
    assert dtype.kind == "U" if field.dtype == "str" else dtype == np.dtype(field.dtype)


@pytest.mark.parametrize("name", list_datasets())
def test_real_data_are_as_declared(need, name):
    need(name)
    dataset = dataset_info(name)
    arrays = dataset.arrays(download_if_missing=False)
    found = {key: hashlib.sha256(array.tobytes()).hexdigest() for key, array in arrays.items()}
    assert found == dataset.checksums
    data = dataset.fetch(download_if_missing=False)
    assert list(data) == [*dataset.fields, "DESCR", "checksums"]
    assert dataset.assemble(arrays).keys() <= dataset.fields.keys()
    assert data.checksums == dataset.checksums
    for key, field in dataset.fields.items():
        check(data[key], field)


@pytest.mark.parametrize("name", [n for n in list_datasets() if dataset_info(n).upstream])
def test_real_upstream_files_are_converted_to_the_prepared_ones(need, unprepared, name):
    need(name)
    dataset, home = dataset_info(name), unprepared(name)
    try:
        arrays = dataset.arrays(data_home=home, download_if_missing=False)
    except reproduction.datasets.DataUnavailableError as error:
        if isinstance(error.__cause__, ImportError):
            pytest.skip(str(error))
        raise
    with np.load(dataset.prepared_file(), allow_pickle=False) as prepared:
        for key, array in arrays.items():
            np.testing.assert_array_equal(array, prepared[key], strict=True)
    # all arrays, but for those that are in other files than the upstream ones
    missing = dataset.checksums.keys() - arrays.keys()
    assert missing == ({"iam_split", "iam_molecule"} if name == "mutagenicity" else set())
    assert (home / dataset.prepared).is_file() == (not missing)
