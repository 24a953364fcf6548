"""What lies in ``data`` of the checkout is what is declared, and nothing else."""

import re
import tomllib

import pytest

from reproduction.datasets import dataset_info, list_datasets
from reproduction.datasets.cards import folders, written
from reproduction.paths import CHECKOUT

HOME = CHECKOUT / "data"
SHIPPED = [name for name in list_datasets() if not dataset_info(name).kept_out]


def test_cards_are_as_written():
    for path, text in written().items():
        assert path.read_text(encoding="utf-8") == text, "run python -m reproduction.datasets.cards"


def test_nothing_else_is_there():
    expected = {*written(), *(HOME / dataset_info(name).prepared for name in SHIPPED)}
    assert {path for path in HOME.rglob("*") if path.is_file()} == expected


# Licences


def annotations():
    return tomllib.loads((CHECKOUT / "REUSE.toml").read_text(encoding="utf-8"))["annotations"]


def test_licences_of_the_data_are_the_declared_ones():
    declared = {f"data/{f}/*.npz": {d.spdx for d in sets} for f, sets in folders().items()}
    stated = {one["path"]: {one["SPDX-License-Identifier"]} for one in annotations()}
    assert stated.pop("**") == {"BSD-3-Clause"}
    of_data = {path: spdx for path, spdx in stated.items() if path.startswith("data/")}
    assert of_data == declared


def test_every_licence_has_its_text():
    used = {one["SPDX-License-Identifier"] for one in annotations()}
    texts = {path.stem for path in (CHECKOUT / "LICENSES").iterdir()}
    assert texts == used
    assert (CHECKOUT / "LICENSES/BSD-3-Clause.txt").read_text() == (
        CHECKOUT / "LICENSE"
    ).read_text()


@pytest.mark.parametrize("name", list_datasets())
def test_words_and_identifier_of_a_licence_agree(name):
    dataset = dataset_info(name)
    if found := re.findall(r"CC BY(?:-[A-Z]{2})? \d\.\d", dataset.licence):
        assert dataset.spdx in {words.replace(" ", "-") for words in found}
