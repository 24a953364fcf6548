"""Vectors of classes from short texts about them and vectors of words."""

from collections import Counter

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils import check_array

__all__ = ["class_vectors_from_texts"]


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
