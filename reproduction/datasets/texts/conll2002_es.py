"""CoNLL-2002, Spanish: sentences of news, and the names in them."""

import itertools

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction import DictVectorizer

from reproduction.checks import check_option
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["CONLL2002_ES", "DATASETS", "fetch_conll2002_es"]

_FILES = {
    "esp.train": "a20d95cab7d88a19a86f8c1ad6329325c99fbd9529ed978cbd7e31d4b01b4008",
    "esp.testa": "85c17793b77881c53d19017d9d0f1e6fb98b7ddcab54a5f24b05ed1793103c87",
    "esp.testb": "1f8f7a392c6d4979a5592a5794eed43d7869b46da6851bbcde99714149f1d016",
}
_REPOSITORY = "mrm8488/NER_conll2002_dataset@4c60c3ac9f375cdbcc289761d3e3c6b221608008"
_SUBSETS = ("first_300", "windows_9", "length_9", "train", "testa", "testb")


def _convert(fetch):
    """The files as they are, as arrays of bytes."""
    return {name.removeprefix("esp."): np.fromfile(fetch(name), dtype=np.uint8) for name in _FILES}


def _assemble(arrays, *, subset="first_300"):
    sentences = _select(arrays, subset)
    words, parts, tags = zip(*(zip(*sentence, strict=True) for sentence in sentences), strict=True)
    vectorizer = DictVectorizer()
    rows = vectorizer.fit_transform(
        word for pair in zip(words, parts, strict=True) for word in _describe(*pair)
    )
    ends = np.cumsum([0, *map(len, words)])
    return {
        "words": list(map(np.array, words)),
        "parts_of_speech": list(map(np.array, parts)),
        "tags": list(map(np.array, tags)),
        "features": [csr_matrix(rows[a:b]) for a, b in itertools.pairwise(ends)],
        "feature_names": vectorizer.get_feature_names_out(),
    }


def _select(arrays, subset):
    """The sentences of a subset, each a list of (word, part of speech, tag)."""
    if subset == "length_9":
        everything = [sentence for part in arrays.values() for sentence in _parse(part)]
        return [sentence for sentence in everything if len(sentence) == 9]
    sentences = _parse(arrays[subset if subset in arrays else "train"])
    if subset == "first_300":
        return sentences[:300]
    if subset == "windows_9":
        long = [sentence for sentence in sentences if len(sentence) >= 9]
        drawn = np.random.RandomState(0).permutation(len(long))[:300]
        return [long[i][:9] for i in np.sort(drawn)]
    return sentences


def _parse(text):
    """Sentences of a file: a word with its annotations a line, an empty line between them."""
    blocks = text.tobytes().decode("utf-8").strip().split("\n\n")
    return [[tuple(line.split(" ")) for line in block.strip().split("\n")] for block in blocks]


def _describe(words, parts):
    """Features of the words of one sentence, as dictionaries."""
    padded = ["", *(word.lower() for word in words), ""]
    around = ["", *parts, ""]
    for t, word in enumerate(words):
        described = {
            f"word={padded[t + 1]}": 1,
            f"word before={padded[t]}": 1,
            f"word after={padded[t + 2]}": 1,
            f"part={around[t + 1]}": 1,
            f"part before={around[t]}": 1,
            f"part after={around[t + 2]}": 1,
        }
        marks = {
            "capital": word[0].isupper(),
            "capitals only": word.isupper(),
            "digit": any(letter.isdigit() for letter in word),
            "no letter": not any(letter.isalpha() for letter in word),
            "first": t == 0,
            "last": t == len(words) - 1,
        }
        yield described | {mark: 1 for mark, present in marks.items() if present}


CONLL2002_ES = Dataset(
    name="conll2002_es",
    title="CoNLL-2002 Spanish: words of sentences to tags of named entities",
    details="""
Sentences with a part of speech and a tag for each word: outside of names (O), or at the beginning
(B) or inside (I) of the name of a person, organisation, location, or something else. A row of
features has ones for the word in small letters, its part of speech, whether it has a capital
letter, a digit or no letter at all, whether it is the first or the last one, and words and parts
of speech on either side.
The upstream files have 4 MB. Features are those of the subset, whatever is used for training.
""",
    size=("11755 sentences, 369171 words, 9 tags; 300 sentences in either reading"),
    paper=(
        'Local structured output predictors (Du 2016), section 4.1, data set IV: "300 sentences, '
        'the length of each sentence is 9"'
    ),
    source=(
        "GitHub mrm8488/NER_conll2002_dataset, checked word by word with "
        "nelson-portilla/NER-conll2002-con-CRF. The shared task is at "
        "https://www.clips.uantwerpen.be/conll2002/ner/."
    ),
    licence=(
        "No licence file. News of the agency EFE, released for research with the shared task; "
        "whether they may be passed on is unclear."
    ),
    citation=(
        "E. F. Tjong Kim Sang, Introduction to the CoNLL-2002 shared task: language-independent "
        "named entity recognition, CoNLL-2002"
    ),
    fidelity="faithful",
    notes=(
        "The corpus of the paper on local structured predictors. Its 300 sentences of length 9 "
        "cannot be met: 115 sentences have 9 words. Earlier work has 300 sentences and 9 labels. "
        "Both readings are here, and the 115."
    ),
    spdx="LicenseRef-none-stated",
    conversion="The upstream files as they are, as arrays of bytes.",
    kept_out=(
        "News articles are sentences of other people, and nobody says that they may be passed "
        "on. They are downloaded from the addresses in `upstream`, and converted."
    ),
    prepared="conll2002_es/conll2002_es.npz",
    checksums={name.removeprefix("esp."): sha256 for name, sha256 in _FILES.items()},
    upstream=tuple(on_github(_REPOSITORY, name, sha256) for name, sha256 in _FILES.items()),
    convert=_convert,
    assemble=_assemble,
    fields={
        "words": Field("str", (300, None), "words of each sentence", kind="list"),
        "parts_of_speech": Field("str", (300, None), "parts of speech of the words", kind="list"),
        "tags": Field("str", (300, None), "tags of the words", kind="list"),
        "features": Field(
            "float64", (300, None, 7028), "rows of zeros and ones (csr) for each word", kind="list"
        ),
        "feature_names": Field("object", (7028,), "what they say"),
    },
)
DATASETS = (CONLL2002_ES,)


def fetch_conll2002_es(*, subset="first_300", **options):
    """Load Spanish sentences with named entities (sequence labelling, 9 tags).

    Parameters
    ----------
    subset : {"first_300", "windows_9", "length_9", "train", "testa", "testb"}, default="first_300"
        Which sentences: the first 300 of the training part, the usual choice in earlier work;
        the first 9 words of 300 that were drawn from those that have as many, in the paper's
        words; all 115 sentences of 9 words; or a part of the shared task.
    **options
        `data_home` and `download_if_missing`, as of `Dataset.fetch`.

    Returns
    -------
    sklearn.utils.Bunch
        As from `Dataset.fetch`.

    Raises
    ------
    ValueError
        If `subset` is not one of its values.

    Examples
    --------
    >>> from reproduction.datasets.texts.conll2002_es import fetch_conll2002_es
    >>> sentences = fetch_conll2002_es(subset="windows_9")  # doctest: +SKIP
    >>> len(sentences.words), sentences.words[0][:4].tolist()  # doctest: +SKIP
    (300, ['Gómez', 'de', 'la', 'Hera'])
    """
    check_option("subset", subset, _SUBSETS)
    return CONLL2002_ES.fetch(subset=subset, **options)
