"""What the classes of Caltech-101 and Animals with Attributes are, in words."""

import io

import numpy as np
import pandas as pd

from reproduction.checks import check_option
from reproduction.datasets.declaration import Dataset, Field

__all__ = ["CLASS_TEXTS", "DATASETS", "fetch_class_texts"]


def _assemble(arrays):
    text = arrays["class_texts.csv"].tobytes().decode("utf-8")
    table = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    return {
        "dataset": table["dataset"].to_numpy(dtype=str),
        "class_names": table["class"].to_numpy(dtype=str),
        "names": table["name"].tolist(),
        "definitions": table["definition"].tolist(),
        "hypernyms": [words.split("; ") if words else [] for words in table["hypernyms"]],
        "source": table["source"].tolist(),
    }


CLASS_TEXTS = Dataset(
    name="class_texts",
    title="Dictionary definitions of the classes of Caltech-101 and AwA",
    details="""
For each class a name in plain words, a definition, and more general words (hypernyms). Senses of
ambiguous words were chosen by hand: a bass is a fish, a mole an animal. A few classes of
Caltech-101, such as cougar_body and cougar_face, differ in their names only.
class_vectors_from_texts averages the vectors of a text's words (fetch_glove), weighted by TF-IDF.
""",
    size="151 classes: 101 and 50",
    paper=(
        "Output Fisher embedding regression (Djerrab et al. 2018), section 6.5, which makes a "
        "vector of each class out of a text"
    ),
    source=(
        "Chosen by hand from the dictionaries of the GitHub repositories "
        "nightblade9/simple-english-dictionary and wordset/wordset-dictionary; no rule makes "
        "this choice again, so the table has to be had as it is."
    ),
    licence=(
        "97 definitions from an MIT-licensed repository, WordNet's glosses (free use with its "
        "notice); 32 under CC BY-SA 4.0, which asks for attribution and for sharing alike; 22 "
        "written for this table. The attribute source says which is which."
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
    spdx="CC-BY-SA-4.0",
    conversion=(
        "Senses chosen by hand; every definition from a dictionary was found in it word for word."
    ),
    kept_out=(
        "Definitions are sentences of other people. What the experiments need of them is in "
        "class_vectors."
    ),
    prepared="class_texts/class_texts.csv",
    checksums={
        "class_texts.csv": "55836a1882e5667e8e410cac2e746c22846c3039c716daf944cbc535be62d4d3",
    },
    assemble=_assemble,
    fields={
        "dataset": Field("str", (151,), "whose class: caltech101 or awa"),
        "class_names": Field(
            "str",
            (151,),
            "the classes as fetch_caltech101 or fetch_awa name them, in the same order",
        ),
        "names": Field("str", (151,), "their names in plain words", kind="list"),
        "definitions": Field("str", (151,), "one line on each", kind="list"),
        "hypernyms": Field(
            "str", (151, None), "more general words, none for some classes", kind="list"
        ),
        "source": Field(
            "str",
            (151,),
            "where each definition is from: simple-english-dictionary, wordset or manual",
            kind="list",
        ),
    },
)
DATASETS = (CLASS_TEXTS,)


def fetch_class_texts(dataset, **options):
    """Load short texts on the classes of a data set of images.

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
    >>> from reproduction.datasets.texts.class_texts import fetch_class_texts
    >>> texts = fetch_class_texts("awa")  # doctest: +SKIP
    >>> texts.names[:2], texts.hypernyms[0]  # doctest: +SKIP
    (['antelope', 'grizzly bear'], ['bovid'])
    """
    check_option("dataset", dataset, ("caltech101", "awa"))
    texts = CLASS_TEXTS.fetch(**options)
    rows = np.flatnonzero(texts.dataset == dataset)
    for name, field in CLASS_TEXTS.fields.items():
        values = texts[name]
        texts[name] = values[rows] if field.kind == "array" else [values[row] for row in rows]
    return texts
