"""Loaders with a choice, and what they make of the stored arrays."""

import re
from collections import Counter
from math import log

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.datasets.images.awa import fetch_awa
from reproduction.datasets.images.caltech101 import fetch_caltech101
from reproduction.datasets.images.usps import fetch_usps
from reproduction.datasets.series.japanese_vowels import fetch_japanese_vowels
from reproduction.datasets.tables.mtr import fetch_mtr
from reproduction.datasets.tables.nci60 import fetch_nci60
from reproduction.datasets.tables.partial_labels import fetch_partial_labels
from reproduction.datasets.texts.class_texts import fetch_class_texts
from reproduction.datasets.texts.class_vectors import class_vectors_from_texts, fetch_class_vectors
from reproduction.datasets.texts.conll2002_es import CONLL2002_ES, fetch_conll2002_es
from reproduction.datasets.texts.glove import fetch_glove


@pytest.mark.parametrize(
    ("fetch", "options", "message"),
    [
        (fetch_class_texts, {"dataset": "mnist"}, "dataset must be one of 'caltech101', 'awa'"),
        (fetch_conll2002_es, {"subset": "dev"}, "subset must be one of 'first_300', .* got 'dev'"),
        (fetch_glove, {"name": "6B"}, "name must be one of 'glove50', 'glove_tw.*; got '6B'"),
        (fetch_japanese_vowels, {"subset": None}, "subset must be one of 'train', 'test'"),
        (fetch_mtr, {"name": "jura"}, "name must be one of 'andro', .*'wq'; got 'jura'"),
        (fetch_partial_labels, {"name": "msrc"}, "name must be one of 'lost', .*; got 'msrc'"),
        (fetch_nci60, {"drop_cell_lines": ["ME:MDA"]}, "must be one of .*; got 'ME:MDA'"),
    ],
)
def test_unknown_choice(fetch, options, message):
    with pytest.raises(ValueError, match=message):
        fetch(**options)


def test_molecules_and_cell_lines_are_selected():
    active, everything = (
        fetch_nci60(),
        fetch_nci60(subset="all", fingerprint="fp3", drop_cell_lines=()),
    )
    assert everything.fingerprints.shape == (4690, 8)
    assert everything.Y.shape == (4690, 60)
    rows = np.isin(everything.nsc, active.nsc)
    assert_array_equal(rows, everything.active & everything.has_smiles)
    columns = everything.cell_lines != "ME:MDA_N"
    assert_array_equal(active.Y, everything.Y[np.ix_(rows, columns)])
    assert_array_equal(active.cell_lines, everything.cell_lines[columns])


@pytest.mark.parametrize(
    ("dataset", "fetch"), [("caltech101", fetch_caltech101), ("awa", fetch_awa)]
)
def test_classes_with_vectors_are_those_of_the_images(dataset, fetch):
    assert fetch_class_vectors(dataset).class_names.tolist() == fetch().class_names.tolist()


def test_vectors_of_texts_equal_a_plain_loop():
    texts = ["The lion, a large cat: a LION roars.", "A lorry; the lorry-driver", "2nd zyzzyva"]
    words = ["lion", "large", "cat", "the", "lorry", "driver", "2nd", "unused"]
    vectors = np.random.default_rng(0).normal(size=(8, 5))
    counts = [Counter(re.findall(r"\w\w+", text.lower())) for text in texts]
    expected = []
    for count in counts:
        total, weight = np.zeros(5), 0.0
        for word, vector in zip(words, vectors, strict=True):
            n_texts = sum(word in other for other in counts)
            tfidf = count[word] * (1 + log((1 + len(texts)) / (1 + n_texts)))
            total += tfidf * vector
            weight += tfidf
        expected.append(total / weight)
    assert_allclose(class_vectors_from_texts(texts, words, vectors), expected)
    with pytest.raises(ValueError, match="a word with a vector; got none in 'Xylophone'"):
        class_vectors_from_texts([*texts, "Xylophone"], words, vectors)


def test_middles_and_borders_of_digits():
    digits = fetch_usps()
    assert_array_equal(digits.Y, digits.images[:, 6:10, 6:10].reshape(-1, 16))
    assert_array_equal(digits.images[:, digits.border_mask], digits.X)
    assert_array_equal(np.sort(np.concatenate([digits.train, digits.test])), np.arange(9298))


def test_words_of_sentences_are_described():
    """Which are not in the checkout."""
    nine = "".join(f"w{t} NC O\n" for t in range(9)) + "\n"
    texts = {"train": "La DA O\nCoruña NC B-LOC\n\nEFE NP B-ORG\n\n" + nine + "x NC O\n" + nine}
    arrays = {
        name: np.frombuffer(text.encode(), np.uint8)
        for name, text in (texts | {"testa": nine, "testb": nine}).items()
    }
    sentences = CONLL2002_ES.assemble(arrays)
    assert [words.tolist() for words in sentences["words"][:2]] == [["La", "Coruña"], ["EFE"]]
    assert sentences["tags"][0].tolist() == ["O", "B-LOC"]
    row = sentences["features"][0][1].toarray()[0]
    assert set(sentences["feature_names"][row > 0]) == {
        *("word=coruña", "word before=la", "word after=", "part=NC", "part before=DA"),
        *("part after=", "capital", "last"),
    }
    lengths = {
        subset: [len(words) for words in CONLL2002_ES.assemble(arrays, subset=subset)["words"]]
        for subset in ("windows_9", "length_9", "testa")
    }
    assert lengths == {"windows_9": [9, 9], "length_9": [9, 9, 9], "testa": [9]}
