"""GloVe: vectors of words."""

from collections.abc import Collection
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from reproduction.checks import check_option
from reproduction.datasets.cache import DataUnavailableError
from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["DATASETS", "GLOVE", "fetch_glove", "load_glove"]

_COMMON = {
    "details": """
A vector for each word, fitted to how often words occur near each other, so that words of similar
use have vectors of a small angle. Words are lower-case.
""",
    "paper": (
        "Output Fisher embedding regression (Djerrab et al. 2018), section 6.5, which describes "
        "classes by averages of such vectors"
    ),
    "citation": (
        "J. Pennington, R. Socher, C. Manning, GloVe: global vectors for word representation, "
        "EMNLP 2014"
    ),
}
_ORIGINALS = (
    "All vectors are at https://nlp.stanford.edu/projects/glove/, in files that load_glove reads."
)
_EXCERPTS = (
    on_github(
        "WDAqua/teafacto@1c749ee66dc21c2efe6b4d105f227c35ae969815",
        "data/glove/miniglove.50d.txt",
        "94b1a8544d5a8e07fbf77ba524d1fd0bbf2776a8e0718bf8bffc52d7ce46a684",
    ),
    on_github(
        "bernovie/political-polarization@38a61f2d21b327c7a7d23b0b3745eecc186a7c90",
        "data/glove.6B.50d-relativized.txt",
        "a23ec4752dc4f254ae1487950c532a2db95baafe88c5d311806653eea11cb9c1",
    ),
    on_github(
        "dubeyKartikay/sembed-engine@ca23d158d75748ab6a1977c87e56a9200a0290f3",
        "testdata/embeddings/glove/glove.6B.50d.subset.txt",
        "dbcd86d486875e735b12b7d7f1eab30e7d7a0a942a4cc7a8f47a2969fe000457",
    ),
    on_github(
        "javid202226/query-reformstion-system@459a85c68fc090f38a167864c7410ac010cd7962",
        "glove.6B.50d.txt",
        "6690d2c807a1990b94008c3eb465a1915d6a425e86acdd4fa6168c408dee4eb2",
        name="query-reformstion-system/glove.6B.50d.txt",
    ),
    on_github(
        "PymatFlow/project2@21f46b7e73bf40c503f394ff93811405d364e4ba",
        "glove.6B.50d.txt",
        "e9b37f6527ce21d19277b153bd03711525e54f96473ce9731cbf23cd0b259676",
        name="project2/glove.6B.50d.txt",
    ),
)


def _split(path):
    """The word and the numbers of each line, as bytes.

    Only a line feed ends a line and only a blank ends a word: among the words are other
    characters that Python's text functions take for either.
    """
    with open(path, "rb") as file:
        for line in file:
            word, _, numbers = line.rstrip().partition(b" ")
            yield word, numbers


def _count(numbers):
    """How many numbers are in a line."""
    return numbers.count(b" ") + bool(numbers)


def _parse(lines, n_dimensions):
    """Numbers of the lines, float32; ValueError unless there are `n_dimensions` in each."""
    counts = {n_dimensions, *map(_count, lines)}
    if counts != {n_dimensions} or n_dimensions == 0:
        raise ValueError(f"words must have equally many numbers; got {sorted(counts)}")
    if not lines:
        return np.empty((0, n_dimensions), dtype=np.float32)
    return np.loadtxt(lines, dtype=np.float32, ndmin=2)


def _convert(fetch, *, names):
    """Union of the excerpts, words in order of their first occurrence.

    The last excerpt has five lines that are cut or damaged; they are left out.
    """
    lines, sources = {}, {}
    for bit, name in enumerate(names):
        for word, numbers in _split(fetch(name)):
            try:
                word = word.decode()
            except UnicodeDecodeError:
                continue
            if _count(numbers) == 50:
                lines.setdefault(word, numbers)
                sources[word] = sources.get(word, 0) | 1 << bit
    return {
        "words": np.array(list(lines)),
        "vectors": _parse(list(lines.values()), 50),
        "source_bits": np.array(list(sources.values()), dtype=np.uint8),
    }


GLOVE50 = Dataset(
    **_COMMON,
    name="glove50",
    title="GloVe word vectors of Wikipedia and Gigaword, five excerpts",
    size="13127 words, 50 dimensions",
    source=(
        "Excerpts in the GitHub repositories WDAqua/teafacto, bernovie/political-polarization, "
        "dubeyKartikay/sembed-engine, javid202226/query-reformstion-system and "
        f"PymatFlow/project2, 9 MB. {_ORIGINALS}"
    ),
    licence=(
        "Vectors: Public Domain Dedication and License 1.0. The repositories state none for the "
        "files."
    ),
    fidelity="faithful",
    notes=(
        "As far as the paper says, its very vectors (50 dimensions, Wikipedia), but 13127 of "
        "400000 words: the 4000 most frequent, and others by no neat rule."
    ),
    spdx="PDDL-1.0",
    conversion=(
        "The union of the five excerpts, words in order of their first occurrence, single "
        "precision; words in two of them have the same vector in both. Five damaged lines are "
        "left out."
    ),
    prepared="glove50/glove50.npz",
    checksums={
        "words": "49accabae6cc38add8b5c305a715e9f6d7e70221983192bad155eed3927cb31d",
        "vectors": "1b9bf317f71e88e2196e15ea0a6618850c98a3fdd5b65851117e18f6b278e72b",
        "source_bits": "122c4f57ec50856975839259441f63ac8abe070cf939cffe3ef4528c0bb4ebb7",
    },
    upstream=_EXCERPTS,
    convert=partial(_convert, names=[file.name for file in _EXCERPTS]),
    fields={
        "words": Field("str", (13127,), "the words, all different"),
        "vectors": Field("float32", (13127, 50), "their vectors"),
    },
)
GLOVE_TWITTER25 = Dataset(
    **_COMMON,
    name="glove_twitter25",
    title="GloVe word vectors of Twitter, an excerpt",
    size="11925 words, 25 dimensions",
    source=(
        "Made from a data file of the R package in the GitHub repository rimonim/embedplyr, "
        f"which is not read here. {_ORIGINALS}"
    ),
    licence=(
        "Vectors: Public Domain Dedication and License 1.0, taken from a package under GPL-3."
    ),
    fidelity="substitute",
    notes=(
        "Common English words; the paper's vectors have 50 dimensions and are of Wikipedia and "
        "Gigaword."
    ),
    spdx="PDDL-1.0",
    conversion=(
        "The matrix in the data file of the package, rows in its order, single precision. No "
        "reader of R's files is among the dependencies, so that it is not made again here."
    ),
    prepared="glove50/glove_twitter25.npz",
    checksums={
        "words": "24d889827a1c604a19d29084c2709b97f773514ff64b9bb684f28b5a9d17fedf",
        "vectors": "075cac99c8314f1254a88ce3c6bdad3b368950544bce5b3e7ad2140d7d3c5447",
    },
    fields={
        "words": Field("str", (11925,), "the words, all different"),
        "vectors": Field("float32", (11925, 25), "their vectors"),
    },
)
DATASETS = (GLOVE50, GLOVE_TWITTER25)
GLOVE = {dataset.name: dataset for dataset in DATASETS}


def fetch_glove(name="glove50", **options):
    """Load GloVe word vectors, a small part of the published ones.

    Parameters
    ----------
    name : {"glove50", "glove_twitter25"}, default="glove50"
        13127 of the paper's 50-dimensional vectors, or 11925 vectors of 25 dimensions from
        another source, which have more of the rare words that name classes.
    **options
        `data_home` and `download_if_missing`, as of `Dataset.fetch`.

    Returns
    -------
    sklearn.utils.Bunch
        As from `Dataset.fetch`.

    Raises
    ------
    ValueError
        If `name` is not one of its values.

    See Also
    --------
    load_glove : Reads the complete files.
    """
    check_option("name", name, GLOVE)
    return GLOVE[name].fetch(**options)


def load_glove(path, *, words=None):
    r"""Load word vectors from a text file as GloVe's authors publish them.

    With ``glove.6B.50d.txt`` these are the paper's. Files can be had from
    https://nlp.stanford.edu/projects/glove/ [1]_; nothing is downloaded.

    Parameters
    ----------
    path : str or path-like
        Text file in UTF-8. A line is a word and its numbers, separated by single blanks.
    words : collection of str, default=None
        The words wanted; None is all. Those that the file lacks are left out.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        words : ndarray of shape (n_words,)
            The words, in the order of the file: frequent ones first.
        vectors : ndarray of shape (n_words, n_dimensions)
            Their vectors, float32.

    Raises
    ------
    DataUnavailableError
        If the file is missing, or a line of a wanted word is not as described.
    TypeError
        If `words` is not a collection.

    See Also
    --------
    fetch_glove : A small part of the vectors, which needs no such file.

    Notes
    -----
    The file is read line by line, and numbers of wanted words only are converted.

    References
    ----------
    .. [1] Pennington, Socher, Manning, "GloVe: global vectors for word representation",
       EMNLP 2014.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from reproduction.datasets.texts.glove import load_glove
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "glove.6B.2d.txt")
    ...     _ = path.write_text("the 0.5 -1\nlion 2 0.25\n")
    ...     glove = load_glove(path, words={"lion", "unicorn"})
    >>> glove.words, glove.vectors
    (array(['lion'], dtype='<U4'), array([[2.  , 0.25]], dtype=float32))
    """
    if words is not None and (isinstance(words, str) or not isinstance(words, Collection)):
        raise TypeError(f"words must be a collection of words or None; got {words!r}.")
    wanted = None if words is None else {word.encode() for word in words}
    path = Path(path).expanduser()
    try:
        _, first = next(_split(path), (b"", b""))
        lines = [line for line in _split(path) if wanted is None or line[0] in wanted]
        vectors = _parse([numbers for _, numbers in lines], _count(first))
        kept = np.array([word.decode() for word, _ in lines], dtype=str)
    except (OSError, ValueError) as error:
        raise DataUnavailableError(
            f"GloVe: {path} cannot be read ({type(error).__name__}: {error}). A line must be a "
            "word and its numbers, separated by blanks, as in the files of "
            "https://nlp.stanford.edu/projects/glove/."
        ) from error
    return Bunch(words=kept, vectors=vectors)
