import re
from collections import Counter
from math import log

import numpy as np
import pytest
from numpy.testing import assert_allclose

from reproduction.datasets.images.awa import fetch_awa
from reproduction.datasets.images.caltech101 import fetch_caltech101
from reproduction.datasets.texts.class_texts import fetch_class_texts
from reproduction.datasets.texts.class_vectors import class_vectors_from_texts, fetch_class_vectors
from reproduction.datasets.texts.glove import fetch_glove

TEXTS = [
    "The lion, a large cat: a LION roars.",
    "The tiger is a large striped cat",
    "A lorry carries goods; the lorry-driver drives",
    "Cat-like 2nd large zyzzyva",
]
WORDS = ["lion", "large", "cat", "the", "tiger", "lorry", "driver", "2nd", "unused"]
VECTORS = np.random.default_rng(0).normal(size=(9, 5))


def test_equals_a_plain_loop():
    counts = [Counter(re.findall(r"\w\w+", text.lower())) for text in TEXTS]
    expected = []
    for count in counts:
        total, weight = np.zeros(5), 0.0
        for word, vector in zip(WORDS, VECTORS, strict=True):
            n_texts = sum(word in other for other in counts)
            tfidf = count[word] * (1 + log((1 + len(TEXTS)) / (1 + n_texts)))
            total += tfidf * vector
            weight += tfidf
        expected.append(total / weight)
    assert_allclose(class_vectors_from_texts(TEXTS, WORDS, VECTORS), expected)


def test_order_and_other_words_do_not_matter():
    expected = class_vectors_from_texts(TEXTS, WORDS, VECTORS)
    order = np.random.default_rng(1).permutation(9)
    words = np.array(WORDS)[order]
    assert_allclose(class_vectors_from_texts(TEXTS, words, VECTORS[order]), expected)
    assert_allclose(class_vectors_from_texts(TEXTS, WORDS[:-1], VECTORS[:-1]), expected)
    assert_allclose(class_vectors_from_texts(TEXTS[::-1], WORDS, VECTORS), expected[::-1])


def test_vectors_are_averages():
    assert_allclose(class_vectors_from_texts(TEXTS, WORDS, np.ones((9, 2))), 1.0)


def test_bad_input():
    with pytest.raises(ValueError, match="a word with a vector; got none in 'Xylophone'"):
        class_vectors_from_texts([*TEXTS, "Xylophone"], WORDS, VECTORS)
    with pytest.raises(ValueError, match=r"one row a word, 9; got shape \(8, 5\)"):
        class_vectors_from_texts(TEXTS, WORDS, VECTORS[:-1])
    with pytest.raises(ValueError, match=r"words must be different; got 'cat' twice"):
        class_vectors_from_texts(TEXTS, [*WORDS, "cat"], np.ones((10, 2)))
    with pytest.raises(TypeError, match="sequence of texts; got the text 'a cat'"):
        class_vectors_from_texts("a cat", WORDS, VECTORS)
    with pytest.raises(ValueError, match="vectors contains NaN"):
        class_vectors_from_texts(TEXTS, WORDS, np.full((9, 2), np.nan))


# The stored vectors


@pytest.mark.parametrize("dataset", ["caltech101", "awa"])
def test_stored_vectors_are_those_of_the_texts(need, dataset):
    """Not bit by bit: a logarithm's last one depends on the processor."""
    for name in ("class_vectors", "class_texts", "glove50"):
        need(name)
    texts, glove = fetch_class_texts(dataset), fetch_glove()
    parts = zip(texts.names, texts.definitions, texts.hypernyms, strict=True)
    sentences = [" ".join([name, line, *more]) for name, line, more in parts]
    expected = class_vectors_from_texts(sentences, glove.words, glove.vectors)
    stored = fetch_class_vectors(dataset)
    assert_allclose(stored.vectors, expected, rtol=1e-12)
    assert stored.names.tolist() == texts.names
    assert stored.class_names.tolist() == texts.class_names.tolist()


@pytest.mark.parametrize(
    ("dataset", "fetch"), [("caltech101", fetch_caltech101), ("awa", fetch_awa)]
)
def test_stored_classes_are_those_of_the_images(need, dataset, fetch):
    need("class_vectors")
    need(dataset)
    assert fetch_class_vectors(dataset).class_names.tolist() == fetch().class_names.tolist()


def test_no_stored_vectors_of_other_images():
    with pytest.raises(ValueError, match="dataset must be"):
        fetch_class_vectors("mnist")
