"""Cora: research papers, their words and citations, and their topics."""

import numpy as np
from scipy.sparse import csr_matrix

from reproduction.datasets.declaration import Dataset, Field
from reproduction.datasets.upstream import on_github

__all__ = ["CORA", "DATASETS", "fetch_cora"]


def _convert(fetch):
    """The arrays in smaller types, citations as pairs."""
    with open(fetch("cora.npz"), "rb") as file, np.load(file, allow_pickle=False) as raw:
        papers = np.arange(len(raw["labels"]))
        return {
            "word_indptr": raw["attr_indptr"].astype("<i4"),
            "word_indices": raw["attr_indices"].astype("<i2"),
            "n_words": np.array(raw["attr_shape"][1], dtype="<i4"),
            # a row of the adjacency matrix is the paper that is cited
            "citing": raw["adj_indices"].astype("<i2"),
            "cited": np.repeat(papers, np.diff(raw["adj_indptr"])).astype("<i2"),
            "y": raw["labels"].astype("i1"),
            "class_names": raw["class_names"],
            "paper_id": raw["node_names"].astype("<i4"),
        }


def _assemble(arrays):
    n_papers, indices = len(arrays["y"]), arrays["word_indices"].astype(np.int32)
    cells = arrays["citing"].astype(int), arrays["cited"].astype(int)
    return {
        "words": csr_matrix(
            (np.ones(len(indices)), indices, arrays["word_indptr"]),
            shape=(n_papers, int(arrays["n_words"])),
        ),
        "out_links": csr_matrix((np.ones(len(cells[0])), cells), shape=(n_papers, n_papers)),
    }


CORA = Dataset(
    name="cora",
    title="Cora: words and citations of research papers to topics",
    details="""
Papers on machine learning. Inputs are which of 1433 words a paper has, and which other papers it
cites; the output is one of seven topics.
The upstream file has 0.5 MB.
""",
    size="2708 papers, 1433 words, 5429 citations, 7 topics",
    paper=(
        "Local structured output predictors (Du 2016), section 4.1, data set III: the kind of "
        "data, in the smaller version that is in general use"
    ),
    source=(
        "GitHub shchur/gnn-benchmark, data/npz; the direction of the citations was checked with "
        "tkipf/pygcn. The original collection is A. McCallum's."
    ),
    licence="Repository MIT; none stated for the data.",
    citation=(
        "A. McCallum, K. Nigam, J. Rennie, K. Seymore, Automating the construction of internet "
        "portals with machine learning, Information Retrieval 3, 2000; P. Sen et al., Collective "
        "classification in network data, AI Magazine 29(3), 2008"
    ),
    fidelity="substitute",
    notes=(
        "Same kind of inputs and number of topics as in the paper on local structured "
        "predictors, and 2708 papers instead of an unpublished selection of 9947 from the larger "
        "Cora. 2222 of them cite others; the paper removes the rest."
    ),
    spdx="LicenseRef-none-stated",
    conversion="The upstream arrays in smaller types, citations as pairs.",
    prepared="cora/cora.npz",
    checksums={
        "word_indptr": "842928bf69fe70369f72a22c3ebbae4698bed1dc0cc3463cebb405e09df3273b",
        "word_indices": "fc7cdd7e36426f09c85f3d200c04a009569b2be9d43813e200c79bdb57648760",
        "n_words": "b36686d047653a9510df9790873e5e4226d62d17a7e6faf4d983a009418c6527",
        "citing": "61b322793990179ba9bdf4271e4dd469e72e2bb2dd392d702294a9cf8615f0d3",
        "cited": "e1192a6503491d30bf2bfdbe6d0caf2b4ed63ce547adc7cf8b3517e28dfc7dc4",
        "y": "42ad0dd15d25faa70961d8726cc4aba0dfd680dc8d7d8953cc530f4b3d14d17f",
        "class_names": "97bacf7bbae7fcfbe3f056f00d73a633d45745c1e439782c018f2560a6da59ff",
        "paper_id": "eadc8aa3276d1029e844f7b010c6b49d74882287720dc415b50a14453b896d5e",
    },
    upstream=(
        on_github(
            "shchur/gnn-benchmark@1e72912a0810cdf27ae54fd589a3b43358a2b161",
            "data/npz/cora.npz",
            "068e22d90c3849b4057dfb05851741428992af058efcd4e7ebb4186f3d581de2",
        ),
    ),
    convert=_convert,
    assemble=_assemble,
    fields={
        "words": Field("float64", (2708, 1433), "ones where a paper has a word", kind="csr"),
        "out_links": Field(
            "float64", (2708, 2708), "ones where a paper (row) cites another (column)", kind="csr"
        ),
        "labels": Field("int64", (2708,), "topics, indices of class_names", stored="y"),
        "class_names": Field("str", (7,), "names of the topics"),
        "paper_id": Field("int64", (2708,), "numbers of the papers in the original files"),
    },
)
DATASETS = (CORA,)
fetch_cora = CORA.fetch
