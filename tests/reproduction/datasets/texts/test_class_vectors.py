import re
from collections import Counter
from math import log

import numpy as np
import pytest
from numpy.testing import assert_allclose

from reproduction.datasets.texts.class_vectors import class_vectors_from_texts

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
