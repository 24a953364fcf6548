"""Files that readers bring: read as their authors publish them, or one error that names them."""

import io
import tarfile

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from reproduction.datasets import DataUnavailableError
from reproduction.datasets.images.awa import AWA
from reproduction.datasets.images.caltech101 import CALTECH101
from reproduction.datasets.images.image_features import load_image_features
from reproduction.datasets.tables.nci_cancer import load_nci_cancer
from reproduction.datasets.texts.glove import load_glove
from reproduction.datasets.texts.maec_volatility import MAEC_VOLATILITY
from reproduction.datasets.texts.ten_k_volatility import load_10k_volatility

# Word vectors

# Words that text functions would split or strip, as there are in the real file.
TEXT = "the 0.25 -1\n. 2 3\nlion 1e-3 0\n\u0085 4 5\nnon\u00a0breaking 6 7\n# 8 9\n"
WORDS = ["the", ".", "lion", "\u0085", "non\u00a0breaking", "#"]
VECTORS = np.float32([[0.25, -1], [2, 3], [1e-3, 0], [4, 5], [6, 7], [8, 9]])


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_word_vectors(tmp_path, end):
    path = tmp_path / "glove.6B.2d.txt"
    path.write_bytes(TEXT.replace("\n", end).encode())
    glove = load_glove(path)
    assert glove.words.tolist() == WORDS
    np.testing.assert_array_equal(glove.vectors, VECTORS, strict=True)
    some = load_glove(path, words={"lion", "#", "unicorn"})
    assert some.words.tolist() == ["lion", "#"]
    np.testing.assert_array_equal(some.vectors, VECTORS[[2, 5]])


@pytest.mark.parametrize(
    "content", [TEXT + "cut 0.5\n", TEXT + "text one two\n", "400000 50\nthe 0.25 -1\n", "", None]
)
def test_file_that_holds_no_word_vectors(tmp_path, content):
    if content is not None:
        (tmp_path / "glove.txt").write_bytes(content.encode())
    with pytest.raises(
        DataUnavailableError, match=r"GloVe: .*glove\.txt cannot be read .*nlp\.stanford"
    ):
        load_glove(tmp_path / "glove.txt")


# Features of images

FEATURES = np.arange(6.0).reshape(3, 2)


@pytest.fixture
def features(tmp_path):
    """Function that writes the features, and other arrays if any, and returns the path."""

    def write(**arrays):
        if not arrays:
            np.save(tmp_path / "fc7.npy", FEATURES)
            return tmp_path / "fc7.npy"
        np.savez(tmp_path / "fc7.npz", features=FEATURES, **arrays)
        return tmp_path / "fc7.npz"

    return write


def test_image_features(features):
    path = features(labels=[1, 0, 1], class_names=["wolf", "fox"], more=[1])
    images = load_image_features(path)
    np.testing.assert_array_equal(images.features, FEATURES)
    np.testing.assert_array_equal(images.class_names[images.labels], ["fox", "wolf", "fox"])
    assert images.keys() <= AWA.fields.keys() & CALTECH101.fields.keys()
    ordered = load_image_features(path, class_names=["bear", "fox", "wolf"], labels=["fox"] * 3)
    assert ordered.labels.tolist() == [1, 1, 1]
    named = load_image_features(features(), labels=["wolf", "fox", "wolf"])
    np.testing.assert_array_equal(named.class_names[named.labels], ["wolf", "fox", "wolf"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"labels must be given, since .*fc7\.npy holds none; got None"),
        ({"labels": [0, 1, 1]}, "class_names must be given when labels are numbers"),
        ({"labels": ["a", "b", "d"], "class_names": ["a", "b"]}, "among class_names; got 'd'"),
        ({"labels": [-1, 0, 1], "class_names": ["a", "b"]}, "from 0 to 1.* got -1 to 1"),
    ],
)
def test_labels_that_are_none(features, arguments, message):
    with pytest.raises(ValueError, match=message):
        load_image_features(features(), **arguments)


class Bomb:
    """Ends the test when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("unpickled",)


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04", None, Bomb()])
def test_file_that_holds_no_features(tmp_path, features, content):
    path = tmp_path / "fc7.npz"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        features(labels=np.array([content], dtype=object))
    with pytest.raises(DataUnavailableError, match=r"cannot be read.*It must be an \.npy file"):
        load_image_features(path)


# The original kernel matrix of the drug experiment

K = np.array([[1, 0.25, 0], [0.25, 1, 0.5], [0, 0.5, 1]])
ACTIVITIES = np.array([[60.0, 48], [62, 70], [44, 65]])


@pytest.mark.parametrize(
    ("matrix", "targets", "message"),
    [
        (K, ACTIVITIES, None),
        (K, None, "ncicancer_targets_ex0.txt cannot be read"),
        (np.full((3, 3), np.nan), ACTIVITIES, "ncicancer_kernel_hf_ex0.txt cannot be read"),
        (K[:2], ACTIVITIES, r"is not symmetric; got shape \(2, 3\)"),
        (K + np.eye(3, k=1), ACTIVITIES, r"is not symmetric; got shape \(3, 3\)"),
        (K, ACTIVITIES[:2], "of 3 molecules and activities of 2"),
    ],
)
def test_kernel_matrix_of_molecules(tmp_path, matrix, targets, message):
    np.savetxt(tmp_path / "ncicancer_kernel_hf_ex0.txt", matrix)
    if targets is not None:
        np.savetxt(tmp_path / "ncicancer_targets_ex0.txt", targets, fmt="%g")
    if message is None:
        molecules = load_nci_cancer(tmp_path)
        np.testing.assert_array_equal(molecules.K, K)
        np.testing.assert_array_equal(molecules.Y, ACTIVITIES)
    else:
        with pytest.raises(DataUnavailableError, match=f"NCI cancer: .*{message}"):
            load_nci_cancer(tmp_path)


# The 10-K corpus

# key: (SEC code, date, text, log-volatility before, after), a dictionary a year
REPORTS = {
    2001: {
        "a1": ("20", "20010301", "risk rises , # percent", -3.0, -3.1),
        "b1": ("7", "20010302", "risk falls falls", -2.0, -2.1),
        "c1": ("9", "20010303", "unknown words", -1.0, -1.1),
    },
    2002: {
        "b2": ("7", "20020401", "steady steady risk", -2.1, -2.2),
        "a2": ("20", "20020301", "Lower risk", -3.1, -3.2),
        "a2b": ("20", "20020201", "earlier report risk", -3.4, -3.5),
    },
}


@pytest.fixture
def corpus(tmp_path):
    """The corpus, made up of a few words and written as its README says."""
    for year, reports in REPORTS.items():
        lines = {"meta": "", "logvol.+12": "", "logvol.-12": ""}
        for key, (code, date, _, before, after) in reports.items():
            lines["meta"] += f'{key}\t{date}\thttp://sec/{key}\tSay "{key}\t{code}\n'
            lines["logvol.+12"] += f"{after} {key}\n"
            lines["logvol.-12"] += f"{before} {key}\n"
        for name, text in lines.items():
            (tmp_path / f"{year}.{name}.txt").write_text(text)
        with tarfile.open(tmp_path / f"{year}.tok.tgz", mode="w:gz") as archive:
            for key, report in reports.items():
                member = tarfile.TarInfo(f"../tok/{key}.mda")
                member.size = len(report[2])
                archive.addfile(member, io.BytesIO(report[2].encode()))
    return tmp_path


def test_samples_of_the_corpus_are_companies_with_a_report_each_year(corpus):
    before = sorted(corpus.rglob("*"))
    data = load_10k_volatility(corpus, years=(2001, 2002))
    np.testing.assert_array_equal(data.company, ["20", "7"])
    # The first of two reports in a year counts.
    np.testing.assert_array_equal(data.Y, [[-3.1, -3.5], [-2.1, -2.2]])
    np.testing.assert_array_equal(data.log_vol_before, [-3.0, -2.0])
    np.testing.assert_array_equal(data.date, [["20010301", "20020201"], ["20010302", "20020401"]])
    assert data.keys() - {"DESCR"} == MAEC_VOLATILITY.fields.keys()
    assert sorted(corpus.rglob("*")) == before, "archives are not extracted"


def test_counts_of_the_corpus_are_blocks_of_years_in_one_dictionary(corpus):
    data = load_10k_volatility(corpus, years=(2001, 2002))
    kept = [REPORTS[2001]["a1"], REPORTS[2001]["b1"], REPORTS[2002]["a2b"], REPORTS[2002]["b2"]]
    counter = CountVectorizer(token_pattern="[a-z]+")
    expected = counter.fit_transform([report[2] for report in kept]).toarray()
    np.testing.assert_array_equal(data.vocabulary, counter.get_feature_names_out())
    np.testing.assert_array_equal(data.counts.toarray(), np.hstack([expected[:2], expected[2:]]))
    one_word = load_10k_volatility(corpus, years=(2001, 2002), max_features=1)
    np.testing.assert_array_equal(one_word.vocabulary, ["risk"])


@pytest.mark.parametrize("name", ["2002.meta.txt", "2001.logvol.-12.txt", "2002.tok.tgz"])
@pytest.mark.parametrize("content", [None, b"one two three\n"])
def test_damaged_file_of_the_corpus(corpus, name, content):
    (corpus / name).unlink()
    if content is not None:
        (corpus / name).write_bytes(content)
    with pytest.raises(
        DataUnavailableError, match=rf"10-K corpus: .*{name[:11]}.* cannot be read .*cs\.cmu\.edu"
    ):
        load_10k_volatility(corpus, years=(2001, 2002))
