"""CoNLL-2002: made-up sentences, and the real ones where present."""

import gzip

import numpy as np
import pytest

from reproduction.datasets import data_home, dataset_info, unavailable_reason
from reproduction.datasets.texts import conll2002_es as module
from reproduction.datasets.texts.conll2002_es import fetch_conll2002_es

TRAIN = "La DA O\nCoruña NC B-LOC\n, Fc O\n\nEFECOM NP B-ORG\n. Fp O\n\n"
NINE = "".join(f"w{t} NC O\n" for t in range(9)) + "\n"


@pytest.fixture
def made_up(put, monkeypatch):
    """The data set has these sentences."""
    texts = {"train": TRAIN + NINE + "x NC O\n" + NINE, "testa": NINE, "testb": TRAIN}
    arrays = {name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}
    monkeypatch.setattr(module, "CONLL2002_ES", put(module.CONLL2002_ES, **arrays))


def test_sentences(made_up):
    sentences = fetch_conll2002_es()
    assert [words.tolist() for words in sentences.words[:2]] == [
        ["La", "Coruña", ","],
        ["EFECOM", "."],
    ]
    assert sentences.tags[0].tolist() == ["O", "B-LOC", "O"]
    assert sentences.parts_of_speech[1].tolist() == ["NP", "Fp"]
    assert [len(words) for words in sentences.words] == [3, 2, 9, 10]
    for part in ("115", "300", "faithful", "EFE", "Tjong Kim Sang"):
        assert part in sentences.DESCR


def test_features(made_up):
    sentences = fetch_conll2002_es()
    names = sentences.feature_names

    def said(sentence, word):
        row = sentences.features[sentence][word].toarray()[0]
        assert set(row) <= {0.0, 1.0}
        return set(names[row > 0])

    assert said(0, 1) == {
        "word=coruña",
        "word before=la",
        "word after=,",
        "part=NC",
        "part before=DA",
        "part after=Fc",
        "capital",
    }
    assert said(1, 0) == {
        "word=efecom",
        "word before=",
        "word after=.",
        "part=NP",
        "part before=",
        "part after=Fp",
        "capital",
        "capitals only",
        "first",
    }
    assert {"no letter", "last"} <= said(0, 2)
    assert "digit" in said(2, 0)
    for words, rows in zip(sentences.words, sentences.features, strict=True):
        assert rows.shape == (len(words), len(names))


def test_subsets(made_up):
    lengths = {
        subset: [len(words) for words in fetch_conll2002_es(subset=subset).words]
        for subset in ("windows_9", "length_9", "train", "testa", "testb")
    }
    assert lengths["windows_9"] == [9, 9]  # the longer one is cut
    assert lengths["length_9"] == [9, 9]  # of two parts
    assert lengths["train"] == [3, 2, 9, 10]
    assert lengths["testa"] == [9]
    assert lengths["testb"] == [3, 2]


def test_unknown_subset():
    with pytest.raises(ValueError, match=r"subset must be one of 'first_300', .*; got 'dev'"):
        fetch_conll2002_es(subset="dev")


@pytest.fixture
def real():
    """Function that loads a subset of the real data."""
    if reason := unavailable_reason("conll2002_es"):
        pytest.skip(reason)
    return lambda subset: fetch_conll2002_es(subset=subset, download_if_missing=False)


@pytest.mark.parametrize(
    ("subset", "file", "n_sentences", "n_words"),
    [
        ("first_300", "esp.first300", 300, 8541),
        ("windows_9", "esp.win9_300", 300, 2700),
        ("length_9", "esp.len9_all115", 115, 1035),
    ],
)
def test_real_selections_are_those_drawn_before(real, subset, file, n_sentences, n_words):
    sentences = real(subset)
    assert len(sentences.words) == n_sentences
    assert sum(map(len, sentences.words)) == n_words
    path = data_home() / f"conll2002_es/{file}.tsv.gz"
    if not path.is_file():
        pytest.skip(f"{path.name} is not there")
    text = "\n\n".join(
        "\n".join("\t".join(row) for row in zip(*columns, strict=True))
        for columns in zip(sentences.words, sentences.parts_of_speech, sentences.tags, strict=True)
    )
    assert gzip.decompress(path.read_bytes()).decode().strip() == text


def test_real_tags(real):
    tags = np.concatenate(real("first_300").tags)
    kinds = {f"{place}-{kind}" for place in "BI" for kind in ("PER", "ORG", "LOC", "MISC")}
    assert set(tags) == kinds | {"O"}
    assert "9 tags" in dataset_info("conll2002_es").size


def test_real_sizes(real):
    words = [words for part in ("train", "testa", "testb") for words in real(part).words]
    assert len(words) == 11755
    assert sum(map(len, words)) == 369171
