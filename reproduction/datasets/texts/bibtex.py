"""Bibtex: words and tags of bibliographic entries."""

from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["BIBTEX", "DATASETS", "fetch_bibtex"]

_REPOSITORY = "tamim-el/sisokr@70c350c2d49d0fd564ef410e61dffb938cc8813a"
_N_WORDS, _N_LABELS = 1836, 159


def _convert(fetch):
    """Rows of ones of the two files, training rows first."""
    rows, sizes = [], []
    for subset in ("train", "test"):
        text = Path(fetch(f"bibtex-{subset}.arff")).read_text(encoding="utf-8")
        lines = text.partition("@data")[2].split("\n")  # "{0 1,5 1}": places of ones
        pairs = [line.strip("{} \r").split(",") for line in lines if line.startswith("{")]
        places = [np.sort([int(pair.split()[0]) for pair in line]) for line in pairs]
        rows += places
        sizes.append(len(places))
    arrays = {"is_test": np.repeat(np.array([0, 1], dtype=np.int8), sizes)}
    for name, low, high in (
        ("word", 0, _N_WORDS),
        ("label", _N_WORDS, _N_WORDS + _N_LABELS),
    ):
        kept = [row[(row >= low) & (row < high)] - low for row in rows]
        arrays[f"{name}_indptr"] = np.cumsum([0, *map(len, kept)]).astype("<i4")
        arrays[f"{name}_indices"] = np.concatenate(kept).astype("<i2")
        arrays[f"n_{name}s"] = np.array(high - low, dtype="<i4")
    return arrays


def _ones(arrays, name):
    """Sparse matrix of zeros and ones."""
    indices = arrays[f"{name}_indices"].astype(np.int32)
    indptr = arrays[f"{name}_indptr"]
    return csr_matrix(
        (np.ones(len(indices)), indices, indptr), (len(indptr) - 1, int(arrays[f"n_{name}s"]))
    )


def _assemble(arrays):
    return {"words": _ones(arrays, "word"), "tags": _ones(arrays, "label").toarray()}


BIBTEX = Dataset(
    name="bibtex",
    title="Bibtex: words of bibliographic entries to their tags",
    details="""
Entries of BibSonomy, a site where people keep bookmarks and bibliographic entries: which of 1836
words an entry has, and which of 159 tags its owner gave it, 2.4 on average and at least one. A
fixed division into 4880 training and 2515 test entries. The upstream files have 4 MB.
""",
    size="7395 entries, 1836 words, 159 tags",
    paper=(
        "Sketch in, sketch out: accelerating both learning and inference for structured prediction "
        "with kernels (El Ahmad, Brogat-Motte, Laforgue, d'Alché-Buc 2024), with its division"
    ),
    source="GitHub tamim-el/sisokr, which holds the files of the Mulan collection.",
    licence="None stated; passed on freely for research in the Mulan collection.",
    citation=(
        "I. Katakis, G. Tsoumakas, I. Vlahavas, Multilabel text classification for automated tag "
        "suggestion, ECML PKDD Discovery Challenge, 2008"
    ),
    fidelity="faithful",
    notes="The data and the division of the paper.",
    spdx="LicenseRef-none-stated",
    conversion=(
        "The places of the ones of each row, sorted, training rows first: words are the first 1836 "
        "attributes, tags the last 159. No text is kept, and no name of a word or a tag."
    ),
    prepared="bibtex/bibtex.npz",
    checksums={
        "word_indptr": "14bfd4518bbac44c0821b9f965a570e0b0ecb84f8e44fd3e796f90ef31df5f17",
        "word_indices": "c8634e62b7514f9b6db246006eef27b9ce6bc0281791535f6be5649cf3bdf52f",
        "n_words": "55d17d3d0e4c2da7516d59d4b9d9325b614a4133f8ed81805df1dba7aa7b41aa",
        "label_indptr": "7e862a49d6ab82879d83c2698c2fb3970856e3df3eb2732daf4633b708608152",
        "label_indices": "857085c3b9148828cc57f2f6bba4f18b39665160e63d6b6ff7a9b4dc54560f3a",
        "n_labels": "e278a9f28e866b2b194e7679f88f4b6ccd393f938fbdb0a495d098fdfbda75e4",
        "is_test": "b9acc05e85700ce05769714d78be965d230338f18e57ef190aa92ccbfa536629",
    },
    upstream=(
        on_github(
            _REPOSITORY,
            "Data/bibtex/bibtex-train.arff",
            "8dcc9de6e0b2cebaec8c1f4fac78431adeeb73cfd3ab879b530a66d366e59174",
        ),
        on_github(
            _REPOSITORY,
            "Data/bibtex/bibtex-test.arff",
            "9b03329cde64d3f994bdf7fbbac3f3b10fe185c311cb9ae725475f59c7f3f922",
        ),
    ),
    convert=_convert,
    assemble=_assemble,
    fields={
        "words": Field("float64", (7395, 1836), "1 where an entry has a word", kind="csr"),
        "tags": Field("float64", (7395, 159), "1 where it has a tag"),
        "is_test": Field("bool", (7395,), "whether it is of the test part"),
    },
)
DATASETS = (BIBTEX,)
fetch_bibtex = BIBTEX.fetch
