"""GloVe: made-up files in its form, and the real excerpts where present."""

import hashlib
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduction.datasets import DataUnavailableError, UpstreamFile, dataset_info
from reproduction.datasets.texts import glove as module
from reproduction.datasets.texts.glove import fetch_glove, load_glove

# Words that text functions would split or strip, as there are in the real file.
TEXT = "the 0.25 -1\n. 2 3\nlion 1e-3 0\n\u0085 4 5\nnon\u00a0breaking 6 7\n# 8 9\n"
WORDS = ["the", ".", "lion", "\u0085", "non\u00a0breaking", "#"]
VECTORS = np.float32([[0.25, -1], [2, 3], [1e-3, 0], [4, 5], [6, 7], [8, 9]])


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "glove.6B.2d.txt"
    path.write_bytes(TEXT.encode())
    return path


# Complete files


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_all_words(path, end):
    path.write_bytes(TEXT.replace("\n", end).encode())
    glove = load_glove(path)
    assert glove.words.tolist() == WORDS
    np.testing.assert_array_equal(glove.vectors, VECTORS, strict=True)


def test_no_line_feed_at_the_end(path):
    path.write_bytes(TEXT.rstrip().encode())
    np.testing.assert_array_equal(load_glove(path).vectors, VECTORS)


@given(st.sets(st.sampled_from([*WORDS, "unicorn", "li"])))
def test_wanted_words(tmp_path_factory, wanted):
    path = tmp_path_factory.mktemp("glove") / "glove.txt"
    path.write_bytes(TEXT.encode())
    glove = load_glove(path, words=wanted)
    kept = [word in wanted for word in WORDS]
    assert glove.words.tolist() == [word for word in WORDS if word in wanted]
    np.testing.assert_array_equal(glove.vectors, VECTORS[kept], strict=True)


def test_lines_of_other_words_are_not_converted(path):
    path.write_bytes(TEXT.replace("2 3", "two three").encode() + b"cut 0.")
    assert load_glove(path, words=["lion"]).words.tolist() == ["lion"]


@pytest.mark.parametrize(
    "content",
    [
        TEXT + "cut 0.5\n",
        TEXT + "long 1 2 3\n",
        TEXT + "two words 1 2\n",
        TEXT + "text one two\n",
        "400000 50\nthe 0.25 -1\n",  # the header of another format
        "",
        "no\nvectors\n",
    ],
)
def test_damaged_file(path, content):
    path.write_bytes(content.encode())
    with pytest.raises(
        DataUnavailableError, match=r"GloVe: .*2d\.txt cannot be read \(ValueError.*nlp\.stanford"
    ):
        load_glove(path)


def test_word_that_is_not_utf8(path):
    path.write_bytes(b"\xff 1 2\n")
    with pytest.raises(DataUnavailableError, match="UnicodeDecodeError"):
        load_glove(path)


def test_missing_file(tmp_path):
    with pytest.raises(DataUnavailableError, match=r"glove\.txt cannot be read \(FileNotFound"):
        load_glove(tmp_path / "glove.txt")


@pytest.mark.parametrize("words", ["lion", 3])
def test_words_must_be_a_collection(path, words):
    with pytest.raises(TypeError, match=f"words must be a collection of words.*got {words!r}"):
        load_glove(path, words=words)


# Excerpts

NUMBERS = " ".join(["0.5"] * 50)
EXCERPTS = {
    "a.txt": f"the {NUMBERS}\nlion 1{NUMBERS[3:]}\n",
    "folder/a.txt": f"cat 2{NUMBERS[3:]}\nlion 1{NUMBERS[3:]}\ncut 0.5\n\nthe {NUMBERS}",
}


@pytest.fixture
def served(upstream, monkeypatch):
    """The excerpts above, served by `upstream`, one with an invalid line."""
    upstream.files |= {name: text.encode() for name, text in EXCERPTS.items()}
    upstream.files["a.txt"] += b"\xff " + NUMBERS.encode()
    vectors = np.full((3, 50), 0.5, dtype=np.float32)
    vectors[1:, 0] = [1, 2]
    expected = {
        "words": np.array(["the", "lion", "cat"]),
        "vectors": vectors,
        "source_bits": np.array([3, 3, 2], np.uint8),
    }
    dataset = replace(
        module.GLOVE["glove50"],
        checksums={
            name: hashlib.sha256(array.tobytes()).hexdigest() for name, array in expected.items()
        },
        upstream=tuple(
            UpstreamFile(name, upstream.url(name), hashlib.sha256(content).hexdigest())
            for name, content in upstream.files.items()
        ),
        convert=partial(module.GLOVE["glove50"].convert, names=list(upstream.files)),
    )
    monkeypatch.setitem(module.GLOVE, "glove50", dataset)
    return expected


def test_conversion(served, tmp_path):
    glove = fetch_glove(data_home=tmp_path)
    np.testing.assert_array_equal(glove.words, served["words"])
    np.testing.assert_array_equal(glove.vectors, served["vectors"], strict=True)
    for part in ("Public Domain", "13127 of 400000", "faithful", "Pennington"):
        assert part in glove.DESCR
    files = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert files == {
        "glove50/glove50.npz",
        "glove50/raw/a.txt",
        "glove50/raw/folder/a.txt",
    }


def test_twitter(put, monkeypatch):
    arrays = {"words": np.array(["lol"]), "vectors": np.ones((1, 25), np.float32)}
    dataset = put(module.GLOVE["glove_twitter25"], **arrays)
    monkeypatch.setitem(module.GLOVE, "glove_twitter25", dataset)
    glove = fetch_glove("glove_twitter25")
    assert glove.words.tolist() == ["lol"]
    assert "GPL-3" in glove.DESCR


def test_unknown_name():
    with pytest.raises(ValueError, match=r"name must be one of 'glove50', 'glove_tw.*; got '6B'"):
        fetch_glove("6B")


# The real data


@pytest.mark.parametrize(
    ("name", "shape"), [("glove50", (13127, 50)), ("glove_twitter25", (11925, 25))]
)
def test_real_data(need, name, shape):
    need(name)
    glove = fetch_glove(name)
    assert glove.vectors.shape == shape
    assert dataset_info(name).size == f"{shape[0]} words, {shape[1]} dimensions"
    assert len(set(glove.words.tolist())) == len(glove.words) == shape[0]
    assert np.isfinite(glove.vectors).all()
    unit = glove.vectors / np.linalg.norm(glove.vectors, axis=1, keepdims=True)
    nearest = np.argsort(-unit @ unit[glove.words.tolist().index("king")])[1:6]
    assert {"queen", "prince"} & set(glove.words[nearest].tolist())


def test_real_excerpt_is_a_complete_file(need, unprepared):
    need("glove50")
    path = unprepared("glove50") / "glove50" / "raw" / "miniglove.50d.txt"
    part, whole = load_glove(path), fetch_glove()
    np.testing.assert_array_equal(part.words, whole.words[: len(part.words)])
    np.testing.assert_array_equal(part.vectors, whole.vectors[: len(part.words)], strict=True)
