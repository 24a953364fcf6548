"""First Impressions: three made-up clips, and the real file where present."""

import csv

import numpy as np
import pytest
from scipy import sparse

from reproduction.datasets import data_home, dataset_info
from reproduction.datasets.texts.first_impressions import FIRST_IMPRESSIONS, fetch_first_impressions

COUNTS = np.array([[1, 0], [0, 3], [0, 0]])
SCORES = np.arange(18, dtype="<f4").reshape(3, 6) / 32


@pytest.fixture
def clips(put):
    counts = sparse.csr_matrix(COUNTS)
    return put(
        FIRST_IMPRESSIONS,
        split=np.array([0, 1, 2], np.uint8),
        Y=SCORES,
        traits=np.array(["e", "a", "c", "n", "o", "interview"]),
        data=counts.data.astype(np.uint8),
        indices=counts.indices.astype("<u2"),
        indptr=counts.indptr.astype("<i4"),
        shape=np.array([3, 2], "<i4"),
        vocab=np.array(["hello", "work"]),
        n_words=np.array([1, 4, 2], "<u2"),
    ).fetch()


def test_bunch(clips):
    np.testing.assert_array_equal(clips.counts.toarray(), COUNTS)
    np.testing.assert_array_equal(clips.Y, SCORES[:, :5])
    np.testing.assert_array_equal(clips.interview, SCORES[:, 5])
    np.testing.assert_array_equal(clips.traits, ["e", "a", "c", "n", "o"])
    np.testing.assert_array_equal(clips.split, ["training", "validation", "test"])
    np.testing.assert_array_equal(clips.vocabulary, ["hello", "work"])
    assert (clips.n_words - clips.counts.sum(axis=1).A1).tolist() == [0, 1, 2]
    assert clips.counts.dtype == clips.Y.dtype == np.float64


def test_description_says_what_the_scores_are_not_for(clips):
    for part in ("Non-commercial", "real people", "not to judge a person", "emotional stability"):
        assert part in clips.DESCR
    for part in ("substitute", "CaffeNet", "10000 clips", "Ponce"):
        assert part in clips.DESCR


@pytest.fixture
def real(need):
    need("first_impressions")
    return fetch_first_impressions()


def test_real_data(real):
    assert real.counts.shape == (10000, 3611)
    assert real.Y.shape == (10000, 5)
    assert dataset_info("first_impressions").size == "10000 clips, 3611 words, 5 traits"
    assert real.Y.min() >= 0
    assert real.Y.max() <= 1
    assert real.traits[0] == "extraversion"
    parts = dict(zip(*np.unique(real.split, return_counts=True), strict=True))
    assert parts == {"training": 6000, "validation": 2000, "test": 2000}
    assert (real.n_words >= real.counts.sum(axis=1).A1).all()
    assert (np.sort(real.vocabulary) == real.vocabulary).all()


def test_rows_of_words_and_scores_belong_together(real):
    """Talkative people seem extraverted: shuffled rows would not pass."""
    assert np.corrcoef(np.log1p(real.n_words), real.Y[:, 0])[0, 1] > 0.1


def test_scores_are_those_that_another_repository_published(real):
    path = data_home() / "first_impressions" / "raw" / "training_gt.csv"
    if not path.is_file():
        pytest.skip("training_gt.csv is not at hand")
    with open(path, newline="") as file:
        rows = {row["VideoName"].removesuffix(".mp4"): row for row in csv.DictReader(file)}
    traits = ["Extraversion", "Agreeableness", "Conscientiousness", "Neurotisicm", "Openness"]
    training = real.split == "training"
    published = [[float(rows[id][f"Value{t}"]) for t in traits] for id in sorted(rows)]
    np.testing.assert_array_equal(real.Y[training], np.float32(published))
