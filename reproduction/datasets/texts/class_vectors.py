"""Vectors of the classes of Caltech-101 and Animals with Attributes, from texts and words."""

from collections import Counter

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils import check_array

from reproduction.checks import check_option
from reproduction.datasets.declaration import Dataset, Field

__all__ = ["CLASS_VECTORS", "DATASETS", "class_vectors_from_texts", "fetch_class_vectors"]


def class_vectors_from_texts(texts, words, vectors):
    r"""Average the vectors of the words in each text, weighted by TF-IDF.

    The recipe of the paper's section 6.5: a text t becomes

    .. math:: \Big( \sum_w n_{tw} \, s_w \, v_w \Big) \Big/ \sum_w n_{tw} \, s_w , \qquad
        s_w = 1 + \log \frac{1 + n}{1 + n_w} ,

    where :math:`n_{tw}` counts the word w in it and :math:`n_w` of the n texts have that word.
    Words are runs of at least two letters or digits, in lower case; those without a vector are
    left out.

    Parameters
    ----------
    texts : sequence of str
        One text a class.
    words : sequence of str
        Words in lower case, all different.
    vectors : array-like of shape (n_words, d)
        Their vectors, such as GloVe's.

    Returns
    -------
    ndarray of shape (n_texts, d)
        Vectors of the texts, in order; with the names of classes as keys,
        ``dict(zip(names, class_vectors_from_texts(...)))`` is what `ofer.SemanticClassifier` takes.

    Raises
    ------
    ValueError
        If words repeat or do not match their vectors, or a text has no word with a vector.
    TypeError
        If `texts` is a single text.

    Notes
    -----
    O(m d) for m different words in the texts, once the words are indexed.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 6.5.

    Examples
    --------
    >>> from reproduction.datasets.texts.class_vectors import class_vectors_from_texts
    >>> texts = ["A cat, a small cat", "A small truck"]
    >>> words, vectors = ["cat", "small", "truck"], [[1, 0], [0, 0], [0, 1]]
    >>> class_vectors_from_texts(texts, words, vectors).round(2)
    array([[0.74, 0.  ],
           [0.  , 0.58]])
    """
    if isinstance(texts, str):
        raise TypeError(f"texts must be a sequence of texts; got the text {texts[:40]!r}.")
    vectors = check_array(vectors, dtype=np.float64, input_name="vectors")
    words = np.asarray(words).tolist()
    if len(words) != len(vectors):
        raise ValueError(
            f"vectors must have one row a word, {len(words)}; got shape {vectors.shape}."
        )
    word, count = Counter(words).most_common(1)[0]
    if count > 1:
        raise ValueError(f"words must be different; got {word!r} twice.")
    weights = TfidfVectorizer(vocabulary=words, norm=None).fit_transform(texts)
    sums = np.asarray(weights.sum(axis=1))
    if not sums.all():
        text = texts[int(np.flatnonzero(sums[:, 0] == 0)[0])]
        raise ValueError(f"texts must each have a word with a vector; got none in {text[:60]!r}.")
    return weights @ vectors / sums


CLASS_VECTORS = Dataset(
    name="class_vectors",
    title="Vectors of the classes of Caltech-101 and AwA",
    details="""
For each class the average of the vectors of the words in a text about it, weighted by TF-IDF, and
its name in plain words. The text is the class's name, its definition and more general words
(fetch_class_texts), the vectors are GloVe's (fetch_glove).
""",
    size="151 classes: 101 and 50; 50 dimensions",
    paper=(
        "Output Fisher embedding regression (Djerrab et al. 2018), section 6.5, which makes a "
        "vector of each class out of a text"
    ),
    source=(
        "Made from the data sets class_texts and glove50, which say where they are from; the "
        "vectors of words are at https://nlp.stanford.edu/projects/glove/."
    ),
    licence=(
        "Averages over texts of which 32 are under CC BY-SA 4.0, so CC BY-SA 4.0; the others are "
        "WordNet's glosses (free use with its notice), and the vectors of words are in the public "
        "domain (PDDL 1.0). No text is kept."
    ),
    citation=(
        "J. Pennington, R. Socher, C. Manning, GloVe: global vectors for word representation, "
        "EMNLP 2014; G. A. Miller, WordNet: a lexical database for English, Communications of the "
        "ACM 38(11), 1995"
    ),
    fidelity="substitute",
    notes=(
        "The paper's recipe, with one line of a dictionary for each class instead of the first "
        "paragraphs of Wikipedia's page, and 13127 of 400000 words."
    ),
    spdx="CC-BY-SA-4.0",
    conversion=(
        "class_vectors_from_texts on the texts of each of the two data sets (name, definition and "
        "hypernyms, joined by blanks) and the words and vectors of glove50, double precision."
    ),
    prepared="class_vectors/class_vectors.npz",
    checksums={
        "dataset": "05bbfa221b05c55ceb21b990f1498b6207faba14075722b1304952481d9dc498",
        "class_names": "1eac0446c8cc62d73da05eab51bbff9d936cc85fda268ced7cdaff530d5ffac3",
        "names": "1c7bfbcf1a5b80b8b0108a48429841440682edcd6db47c6a0ed3ac594ad956db",
        "vectors": "bfcfa441c05a3e7117f3a730a210fe46a61b4baec7a1592add6a14f988a963f3",
    },
    fields={
        "dataset": Field("str", (151,), "whose class: caltech101 or awa"),
        "class_names": Field(
            "str",
            (151,),
            "the classes as fetch_caltech101 or fetch_awa name them, in the same order",
        ),
        "names": Field("str", (151,), "their names in plain words"),
        "vectors": Field("float64", (151, 50), "their vectors"),
    },
)
DATASETS = (CLASS_VECTORS,)


def fetch_class_vectors(dataset, **options):
    """Load the vectors of the classes of a data set of images.

    Parameters
    ----------
    dataset : {"caltech101", "awa"}
        Whose classes.
    **options
        `data_home` and `download_if_missing`, as of `Dataset.fetch`.

    Returns
    -------
    sklearn.utils.Bunch
        As from `Dataset.fetch`: those rows of each field.

    Raises
    ------
    ValueError
        If `dataset` is not one of its values.

    Examples
    --------
    >>> from reproduction.datasets.texts.class_vectors import fetch_class_vectors
    >>> classes = fetch_class_vectors("awa")  # doctest: +SKIP
    >>> classes.names[:2].tolist(), classes.vectors.shape  # doctest: +SKIP
    (['antelope', 'grizzly bear'], (50, 50))
    """
    check_option("dataset", dataset, ("caltech101", "awa"))
    classes = CLASS_VECTORS.fetch(**options)
    rows = classes.dataset == dataset
    for name in CLASS_VECTORS.fields:
        classes[name] = classes[name][rows]
    return classes
