"""Bibtex: a made-up file, and the real one."""

import numpy as np

from reproduction.datasets.texts.bibtex import BIBTEX, fetch_bibtex

HEAD = "@relation bibtex\n\n@attribute 0 {0,1}\n\n@data\n"
FILES = {
    "bibtex-train.arff": HEAD + "{3 1,1 1,1836 1,1994 1}\n{1835 1,1900 1}\n",
    "bibtex-test.arff": HEAD + "{1837 1}\r\n",
}


def test_conversion(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, newline="")
    arrays = BIBTEX.convert(lambda name: tmp_path / name)
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "is_test": [0, 0, 1],
        "word_indptr": [0, 2, 3, 3],
        "word_indices": [1, 3, 1835],
        "n_words": 1836,
        "label_indptr": [0, 2, 3, 4],
        "label_indices": [0, 158, 64, 1],
        "n_labels": 159,
    }


def test_entries():
    entries = fetch_bibtex()
    assert entries.words.shape == (7395, 1836)
    assert set(np.unique(entries.tags)) == {0.0, 1.0}
    assert (~entries.is_test).sum() == 4880
    assert entries.tags.sum(axis=1).min() == 1
    assert not entries.is_test[:4880].any()
