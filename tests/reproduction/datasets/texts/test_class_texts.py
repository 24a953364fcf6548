"""Texts on classes: a made-up table, and the real one where present."""

import numpy as np
import pytest

from reproduction.datasets import DamagedDataError, DataUnavailableError, dataset_info
from reproduction.datasets.images.awa import fetch_awa
from reproduction.datasets.images.caltech101 import fetch_caltech101
from reproduction.datasets.texts import class_texts as module
from reproduction.datasets.texts.class_texts import fetch_class_texts

TABLE = """\
dataset,class,name,definition,hypernyms,source
awa,persian cat,Persian cat,"a cat, long-haired",cat; domestic cat,wordset
caltech101,Faces,face,front of the head,,manual
awa,nan,nan,a word — no number,word,manual
"""


@pytest.fixture
def home(tmp_path, put, monkeypatch):
    """The folder of the made-up table."""
    monkeypatch.setattr(module, "CLASS_TEXTS", put(module.CLASS_TEXTS, TABLE))
    return tmp_path


def test_bunch(home):
    texts = fetch_class_texts("awa", data_home=home)
    np.testing.assert_array_equal(texts.class_names, ["persian cat", "nan"])
    assert texts.names == ["Persian cat", "nan"]
    assert texts.definitions == ["a cat, long-haired", "a word — no number"]
    assert texts.hypernyms == [["cat", "domestic cat"], ["word"]]
    assert texts.source == ["wordset", "manual"]
    np.testing.assert_array_equal(texts.dataset, ["awa", "awa"])
    for part in ("WordNet", "CC BY-SA 4.0", "Wikipedia", "substitute", "151 classes"):
        assert part in texts.DESCR
    assert fetch_class_texts("caltech101", data_home=home).hypernyms == [[]]


def test_unknown_data_set():
    with pytest.raises(ValueError, match="dataset must be one of 'caltech101', 'awa'; got 'mnist'"):
        fetch_class_texts("mnist")


def test_missing_file(tmp_path):
    with pytest.raises(
        DataUnavailableError,
        match=r"class_texts is missing.* put class_texts/class_texts\.csv into",
    ):
        fetch_class_texts("awa", data_home=tmp_path)


def test_changed_file(home):
    path = home / "class_texts" / "class_texts.csv"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(
        DamagedDataError, match=r"class_texts\.csv' has the sha256 .* instead of .* undamaged"
    ):
        fetch_class_texts("awa", data_home=home)


def test_unreadable_file(home):
    path = home / "class_texts" / "class_texts.csv"
    path.unlink()
    path.mkdir()
    with pytest.raises(DamagedDataError, match=r"class_texts\.csv is damaged: it cannot be read"):
        fetch_class_texts("awa", data_home=home)


@pytest.mark.parametrize(("name", "load"), [("caltech101", fetch_caltech101), ("awa", fetch_awa)])
def test_real_texts_are_in_the_order_of_the_classes(need, name, load):
    need("class_texts")
    need(name)
    texts = fetch_class_texts(name)
    np.testing.assert_array_equal(texts.class_names, load().class_names)
    assert all(texts.names)
    assert all(texts.definitions)
    assert len(texts.hypernyms) == len(texts.source) == len(texts.class_names)


def test_real_sources_are_as_many_as_the_licence_says(need):
    need("class_texts")
    parts = [fetch_class_texts(name).source for name in ("caltech101", "awa")]
    assert dataset_info("class_texts").size == "151 classes: 101 and 50"
    assert [len(part) for part in parts] == [101, 50]
    sources = parts[0] + parts[1]
    counts = [sources.count(name) for name in ("simple-english-dictionary", "wordset", "manual")]
    assert counts == [97, 32, 22]
